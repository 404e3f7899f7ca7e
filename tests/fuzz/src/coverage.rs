//! What a campaign has reached: statuses of each function, values of each option.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::case::{Case, Value};
use crate::generate::Plan;
use crate::roles::Role;

pub const STATUSES: usize = 13; // those of the header, and any other one
const SLOTS: usize = 18; // values of a field: constants of its enum, or 0, another number

/// Counters in memory that all processes share.
pub struct Coverage<'a> {
    pub plan: &'a Plan,
    pub counters: &'a [AtomicU64],
}

/// A field of a struct of a function: what it is and where it is counted.
struct Field<'a> {
    function: usize,
    param: usize,
    field: usize,
    name: &'a str,
    role: &'a Role,
    pointer: bool,
}

fn fields(plan: &Plan) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    for (function, described) in plan.described.iter().enumerate() {
        for (param, role) in described.roles.iter().enumerate() {
            let Role::StructIn(structure) = role else {
                if let Role::Enum(..) = role {
                    let name = plan.header.functions[function].params[param].name.as_str();
                    found.push(Field { function, param, field: usize::MAX, name, role, pointer: false });
                }
                continue;
            };
            let Some((_, roles)) = described.fields.iter().find(|(index, _)| index == structure) else {
                continue;
            };
            for (field, role) in roles.iter().enumerate().skip(1) {
                let member = &plan.header.structs[*structure].fields[field];
                let pointer = member.kind.pointers > 0;
                found.push(Field { function, param, field, name: &member.name, role, pointer });
            }
        }
    }
    found
}

pub fn counters(plan: &Plan) -> usize {
    nanoseconds(plan) + plan.described.len()
}

/// The first of the counters of time, one a function.
fn nanoseconds(plan: &Plan) -> usize {
    plan.described.len() * STATUSES + fields(plan).len() * SLOTS
}

impl Coverage<'_> {
    pub fn status(&self, function: usize, status: usize) -> u64 {
        self.counters[function * STATUSES + status].load(Ordering::Relaxed)
    }

    pub fn calls(&self) -> u64 {
        let statuses = &self.counters[..self.plan.described.len() * STATUSES];
        statuses.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }
}

/// The functions that took most of the time, with what is around a call.
pub fn slowest(coverage: &Coverage) -> String {
    let of = nanoseconds(coverage.plan);
    let times = coverage.counters[of..].iter().map(|counter| counter.load(Ordering::Relaxed));
    let mut times: Vec<(u64, usize)> = times.zip(0..).collect();
    let all: u64 = times.iter().map(|(time, _)| time).sum();
    times.sort_unstable_by(|a, b| b.cmp(a));
    let line = |(time, function): &(u64, usize)| {
        let calls: u64 = (0..STATUSES).map(|status| coverage.status(*function, status)).sum();
        let name = &coverage.plan.header.functions[*function].name;
        let share = *time as f64 / all.max(1) as f64 * 100.0;
        format!(
            "{name}: {share:.0} % of the time, {:.0} us a call\n",
            *time as f64 / 1e3 / calls.max(1) as f64
        )
    };
    times.iter().take(8).map(line).collect()
}

/// Counts cases; one to a process.
pub struct Counter<'a> {
    counters: &'a [AtomicU64],
    times: usize,
    of_function: Vec<Vec<(usize, Field<'a>)>>,
}

impl<'a> Counter<'a> {
    pub fn new(plan: &'a Plan, counters: &'a [AtomicU64]) -> Counter<'a> {
        let mut of_function: Vec<Vec<(usize, Field)>> = plan.described.iter().map(|_| Vec::new()).collect();
        for (index, field) in fields(plan).into_iter().enumerate() {
            let first = plan.described.len() * STATUSES + index * SLOTS;
            of_function[field.function].push((first, field));
        }
        Counter { counters, times: nanoseconds(plan), of_function }
    }

    pub fn count(&self, plan: &Plan, case: &Case, status: usize, time: Duration) {
        let add = |index: usize| self.counters[index].fetch_add(1, Ordering::Relaxed);
        self.counters[self.times + case.function].fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        add(case.function * STATUSES + status);
        if status != 0 {
            return;
        }
        for (first, field) in &self.of_function[case.function] {
            let value = match &case.values[field.param] {
                Value::Struct(_, values) => &values[field.field],
                value => value,
            };
            let slot = match (field.role, value) {
                (Role::Enum(index, _), Value::Int(number)) => {
                    let constants = &plan.header.enums[*index].constants;
                    constants
                        .iter()
                        .position(|(_, constant)| *constant as u32 == *number as u32)
                        .unwrap_or(SLOTS - 1)
                }
                (_, Value::Null | Value::Int(0)) => 0,
                (_, Value::Double(number)) if *number == 0.0 => 0,
                _ => 1,
            };
            add(first + slot);
        }
    }
}

/// The table at the end of a run.
pub fn table(coverage: &Coverage, chosen: &[usize], gpu: bool) -> String {
    let plan = coverage.plan;
    let constants = plan.header.enums.iter().find(|found| found.name == "gpumex_status");
    let names: Vec<&str> = constants
        .map(|found| found.constants.iter().map(|(name, _)| name.as_str()).collect())
        .unwrap_or_default();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "== Coverage: calls by function and status; - is listed by the header and was not reached"
    );
    for (function, described) in plan.described.iter().enumerate() {
        if !chosen.contains(&function) {
            continue;
        }
        let mut cells = String::new();
        for (status, name) in names.iter().enumerate() {
            let count = coverage.status(function, status);
            let listed = status == 0 || described.statuses.contains(&status);
            let device = !gpu && needs_device(&plan.header.functions[function].results, name);
            if count > 0 {
                let _ = write!(cells, " {name} {count},");
            } else if listed && !device {
                let _ = write!(cells, " {name} -,");
            }
        }
        let _ = writeln!(text, "{:32}{}", plan.header.functions[function].name, cells.trim_end_matches(','));
    }
    let _ = writeln!(text, "== Values of options that no successful call had");
    let mut missing = 0;
    for (index, field) in fields(plan).iter().enumerate() {
        let first = plan.described.len() * STATUSES + index * SLOTS;
        let reached = |slot: usize| coverage.counters[first + slot].load(Ordering::Relaxed) > 0;
        if !chosen.contains(&field.function) {
            continue;
        }
        let mut absent: Vec<&str> = Vec::new();
        match field.role {
            Role::Enum(of, allowed) => {
                let constants = &plan.header.enums[*of].constants;
                let expected =
                    constants.iter().enumerate().filter(|(_, (_, number))| allowed.contains(number));
                absent
                    .extend(expected.filter(|(slot, _)| !reached(*slot)).map(|(_, (name, _))| name.as_str()));
            }
            _ if field.name == "reserved" => {}
            Role::Array(array) if !array.optional && reached(1) => {} // NULL only where it is empty
            _ => {
                let values = if field.pointer { ["NULL", "not NULL"] } else { ["0", "another number"] };
                absent.extend(
                    values.iter().enumerate().filter(|(slot, _)| !reached(*slot)).map(|(_, name)| *name),
                );
            }
        }
        if !absent.is_empty() {
            missing += absent.len();
            let _ = writeln!(
                text,
                "{}: {} {}",
                plan.header.functions[field.function].name,
                field.name,
                absent.join(", ")
            );
        }
    }
    if missing == 0 {
        let _ = writeln!(text, "none");
    }
    text
}

/// Whether every reason that the list gives for a status needs CUDA: "UNSUPPORTED (a CUDA context after fork)".
fn needs_device(results: &str, status: &str) -> bool {
    if matches!(status, "CUDA" | "NO_DEVICE") {
        return true;
    }
    let reasons = results.split(&format!("{status} (")).nth(1).and_then(|rest| rest.split(')').next());
    let of_device =
        |reason: &str| ["CUDA", "device", "fork", "capture"].iter().any(|word| reason.contains(word));
    status == "UNSUPPORTED" && reasons.is_some_and(|reasons| reasons.split(';').all(of_device))
}
