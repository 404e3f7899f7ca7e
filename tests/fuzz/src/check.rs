//! What holds for every call: its status is listed and has a sentence, and only outputs are written.

use crate::case::{Case, Value};
use crate::header::Function;
use crate::roles::Described;
use crate::run::{FIELDS, Outcome, Runner, Spot};

const INVALID_ARGUMENT: usize = 2;
const OUT_OF_MEMORY: usize = 3;
const CUDA: usize = 5;
const CANCELLED: usize = 8;
const INTERNAL: usize = 9;
const LAST: usize = crate::coverage::STATUSES - 2; // of the header

impl Runner<'_> {
    pub fn check_status(
        &self,
        case: &Case,
        function: &Function,
        described: &Described,
        outcome: &mut Outcome,
    ) {
        let status = outcome.status;
        if status == 0 {
            if let Some(reason) = case.refused {
                outcome.problems.push(format!("not refused: {reason}"));
            }
            return;
        }
        let error = self.environment.library.last_error();
        if status == INTERNAL && !described.statuses.contains(&status) || status > LAST {
            outcome.problems.push(format!("status {status}: {error}"));
        } else if !described.statuses.contains(&status) {
            outcome
                .problems
                .push(format!("status {status} is not in the list of {}: {error}", function.name));
        }
        let name = function.name.trim_start_matches("gpumex_");
        if error.is_empty() || !error.contains(name) {
            outcome
                .problems
                .push(format!("the sentence of status {status} does not name the function: \"{error}\""));
        }
    }

    pub fn check_memory(
        &mut self,
        case: &Case,
        function: &Function,
        described: &Described,
        outcome: &mut Outcome,
    ) {
        outcome.after = vec![None; case.values.len()];
        for (param, placed, before, output) in &self.placed {
            let name = function.params.get(*param).map_or("a field or a text", |param| param.name.as_str());
            if matches!(placed, Spot::Arena(placed) if !placed.margins_intact()) {
                outcome.problems.push(format!("bytes next to {name} were written"));
            }
            let now = self.contents(placed);
            if !output
                && now != *before
                && !case.values.iter().any(|value| matches!(value, Value::Alias(other, ..) if other == param))
            {
                outcome.problems.push(format!("{name} is an input and was changed"));
            }
            if *output && now != *before && unchanged_after(function, described, name, outcome.status) {
                outcome.problems.push(format!(
                    "{name} was written by a call that was refused with status {}: {}",
                    outcome.status,
                    self.environment.library.last_error()
                ));
            }
            let field = case.values.iter().find_map(|value| match value {
                Value::Struct(structure, _) => {
                    self.plan.header.structs[*structure].fields.get(param.checked_sub(FIELDS)?)
                }
                _ => None,
            });
            if let Some(field) = field {
                outcome.fields.push((field.name.clone(), now));
            } else if let Some(after) = outcome.after.get_mut(*param) {
                *after = Some(now);
            }
        }
        for (index, value) in case.values.iter().enumerate() {
            if let Value::Alias(other, offset, length) = value
                && let Some(bytes) = &outcome.after[*other]
            {
                outcome.after[index] = Some(bytes[*offset..*offset + *length].to_vec());
            }
        }
    }
}

/// "What is refused is refused before any work", except where the header says that an output is written.
fn unchanged_after(function: &Function, _: &Described, output: &str, status: usize) -> bool {
    let exceptions = format!("{output} is unspecified after one");
    let late = status == INVALID_ARGUMENT
        && function
            .params
            .iter()
            .any(|param| param.text.contains("INVALID_ARGUMENT after the outputs are written"));
    let partial = function.results.contains(&format!("After an error {output} may hold"));
    !matches!(status, 0 | OUT_OF_MEMORY | CUDA | CANCELLED | INTERNAL..)
        && !function.results.contains(&exceptions)
        && !late
        && !partial
        && !function.params.iter().any(|param| {
            param.name == output
                && (param.text.contains("NULL after") || param.text.contains("also after an error"))
        })
}
