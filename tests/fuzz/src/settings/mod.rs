//! Settings of the environment and of gpumex_configure: each case is a process, since they are read once in one. A wrong value is an error
//! that names it, at the first use; a right one has its effect, and none is ignored (rule.rs).

mod draw;
mod log;
mod play;
mod rule;

use std::time::{Duration, Instant};

use draw::Case;
use rule::SETTINGS;

use crate::campaign::kind;
use crate::dice::Dice;
use crate::generate::Plan;
use crate::library::Library;
use crate::worker::{Settings, Shared, apart};

/// Processes until the time is over or all cases are made; returns how many kinds of findings there were.
pub fn run(plan: &Plan, settings: &Settings, seconds: u64) -> Result<usize, String> {
    let shared = Shared::new(plan, 1)?;
    let (start, mut number, mut kinds) = (Instant::now(), 0, Vec::new());
    while number < settings.calls && start.elapsed() < Duration::from_secs(seconds) {
        for problem in one(plan, settings, &shared[0], number) {
            let kind = kind(&problem);
            if !kinds.contains(&kind) {
                println!("finding: settings: {problem} (--settings --replay {}:{number})", settings.seed);
                kinds.push(kind);
            }
        }
        number += 1;
    }
    println!(
        "== {number} processes with settings in {:.1} s; seed {}",
        start.elapsed().as_secs_f64(),
        settings.seed
    );
    println!("== {} findings", kinds.len());
    Ok(kinds.len())
}

/// Runs one case again; returns how many problems it has.
pub fn replay(plan: &Plan, settings: &Settings, number: u64) -> Result<usize, String> {
    let shared = Shared::new(plan, 1)?;
    describe(&draw::case(settings.seed, number));
    let problems = one(plan, settings, &shared[0], number);
    for problem in &problems {
        println!("settings: {problem}");
    }
    Ok(problems.len())
}

fn one(plan: &Plan, settings: &Settings, shared: &Shared, number: u64) -> Vec<String> {
    let case = draw::case(settings.seed, number);
    apart(shared, number, || {
        let library = Library::load(&settings.library, &plan.header)?;
        if let Err(problem) = play::play(&library, &plan.header, &case, Dice::new(settings.seed, !number)) {
            shared.report(number, &problem);
        }
        Ok(())
    })
}

/// A text in quotation marks, or what there is of it.
fn shown(text: &Option<Vec<u8>>) -> String {
    let Some(text) = text else { return "none".into() };
    let front = text[..text.len().min(60)].escape_ascii();
    if text.len() > 60 { format!("\"{front}\"... of {} bytes", text.len()) } else { format!("\"{front}\"") }
}

fn describe(case: &Case) {
    for (setting, value) in SETTINGS.iter().zip(&case.environment) {
        println!("{}={}", setting.variable, shown(value));
    }
    for (name, value) in &case.others {
        println!("{name}={}", value.escape_ascii());
    }
    for (when, pairs) in [("first", &case.before), ("later", &case.after)] {
        for (key, value) in pairs {
            println!("{when} gpumex_configure ({}, {})", shown(key), shown(value));
        }
    }
}
