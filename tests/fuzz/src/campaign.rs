//! A campaign: worker processes, their findings, the table at the end.

use std::time::{Duration, Instant};

use crate::case::Case;
use crate::coverage::{self, Coverage};
use crate::emit_c;
use crate::generate::{Plan, generate};
use crate::shrink;
use crate::watch::Watch;
use crate::worker::{self, Finding, Settings, Shared};

const REPORTED: usize = 25; // findings that are made smaller and written

struct Worker {
    process: libc::pid_t,
    case: u64,
    watch: Watch,
    done: bool,
}

/// Findings by function and kind: each kind is reported once.
struct Findings<'a> {
    plan: &'a Plan,
    settings: &'a Settings,
    folder: &'a str,
    spare: &'a Shared,
    kinds: Vec<(String, u64)>,
}

/// Runs a campaign; returns how many kinds of findings there were.
pub fn run(plan: &Plan, settings: &Settings, seconds: u64, folder: &str) -> Result<usize, String> {
    println!("fuzz: seed {}, {} functions, {}", settings.seed, plan.described.len(), settings.library);
    std::fs::create_dir_all(folder).map_err(|error| format!("{folder}: {error}"))?;
    let shared = Shared::new(plan, settings.jobs as usize + 1)?;
    let (spare, shared) = shared.split_last().ok_or("no shared memory")?;
    let start = Instant::now();
    let mut workers = Vec::new();
    for (index, shared) in shared.iter().enumerate() {
        let process = worker::start(plan, settings, shared, index as u64)?;
        workers.push(Worker { process, case: 0, watch: Watch::new(process), done: false });
    }
    let mut findings = Findings { plan, settings, folder, spare, kinds: Vec::new() };
    while start.elapsed().as_secs() < seconds && workers.iter().any(|worker| !worker.done) {
        std::thread::sleep(Duration::from_millis(50));
        for (worker, shared) in workers.iter_mut().zip(shared) {
            for finding in shared.findings() {
                findings.add(finding);
            }
            if !worker.done {
                watch(plan, settings, worker, shared, &mut findings)?;
            }
        }
    }
    for (worker, shared) in workers.iter().zip(shared) {
        if !worker.done {
            worker::kill(worker.process);
        }
        shared.findings().into_iter().for_each(|finding| findings.add(finding));
    }
    let coverage = Coverage { plan, counters: spare.counters };
    print!("{}", coverage::table(&coverage, &plan.choices, settings.backend == 2));
    print!("{}", coverage::slowest(&coverage));
    let (calls, time) = (coverage.calls(), start.elapsed().as_secs_f64());
    println!("== {calls} calls in {time:.1} s, {:.0} a second; seed {}", calls as f64 / time, settings.seed);
    for (kind, times) in &findings.kinds {
        println!("{times} times: {kind}");
    }
    println!("== {} findings", findings.kinds.len());
    Ok(findings.kinds.len())
}

/// Makes the calls in this process; returns how many findings there were.
pub fn run_here(
    plan: &Plan,
    settings: &Settings,
    seconds: u64,
    cases: Option<&[u64]>,
) -> Result<usize, String> {
    let shared = Shared::new(plan, 1)?;
    let start = Instant::now();
    let found = match cases {
        None => worker::here(plan, settings, &shared[0], seconds, &mut (0..settings.calls))?,
        Some(cases) => worker::here(plan, settings, &shared[0], seconds, &mut cases.iter().copied())?,
    };
    let calls = Coverage { plan, counters: shared[0].counters }.calls();
    println!("== {calls} calls in {:.1} s; seed {}", start.elapsed().as_secs_f64(), settings.seed);
    println!("== {found} findings");
    Ok(found as usize)
}

/// Starts a worker again that has crashed or does not return.
fn watch(
    plan: &Plan,
    settings: &Settings,
    worker: &mut Worker,
    shared: &Shared,
    findings: &mut Findings,
) -> Result<(), String> {
    let case = shared.case();
    if case != worker.case {
        (worker.case, worker.watch) = (case, Watch::new(worker.process));
    }
    let (ended, mut how) = worker::ended(worker.process);
    if ended && how.is_none() {
        worker.done = true;
        return Ok(());
    }
    if !ended && worker.watch.is_stuck() {
        worker::kill(worker.process);
        how = Some("does not return within 10 s".into());
    }
    if let Some(text) = how {
        shared.findings().into_iter().for_each(|finding| findings.add(finding));
        if text == "exit status 3" {
            return Err("a worker could not start".into());
        }
        if !text.is_empty() {
            findings.add(Finding { case, text });
        }
        worker.process = worker::start(plan, settings, shared, case + settings.jobs)?;
        worker.watch = Watch::new(worker.process);
    }
    Ok(())
}

impl Findings<'_> {
    fn add(&mut self, finding: Finding) {
        let case = generate(self.plan, self.settings.seed, finding.case);
        let name = &self.plan.header.functions[case.function].name;
        let kind = format!("{name}: {}", kind(&finding.text));
        if let Some((_, times)) = self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            *times += 1;
            return;
        }
        println!(
            "finding {}: {name}: {} (--replay {}:{}{})",
            self.kinds.len() + 1,
            finding.text,
            self.settings.seed,
            finding.case,
            if self.plan.filter.is_empty() {
                String::new()
            } else {
                format!(" --filter {}", self.plan.filter)
            }
        );
        self.kinds.push((kind, 1));
        if self.kinds.len() <= REPORTED {
            write(self.plan, self.settings, self.spare, &case, &finding.text, self.folder, self.kinds.len());
        }
    }
}

/// A finding without its numbers, so that the same one is reported once.
pub fn kind(text: &str) -> String {
    let front = text.split(": ").next().unwrap_or_default();
    let words: String =
        front.chars().map(|letter| if letter.is_ascii_digit() { '#' } else { letter }).collect();
    // A status, or a signal, is part of the kind.
    let status = text.strip_prefix("status ").or(text.strip_prefix("signal ")).unwrap_or_default();
    words + status.split([' ', ':']).next().unwrap_or_default()
}

/// Makes a case smaller and writes it as a C program.
fn write(
    plan: &Plan,
    settings: &Settings,
    shared: &Shared,
    case: &Case,
    text: &str,
    folder: &str,
    number: usize,
) {
    let small = shrink::shrink(case, plan, &mut |candidate| {
        worker::trial(plan, settings, shared, candidate, false)
            .iter()
            .any(|problem| kind(problem) == kind(text))
    });
    let file = format!("{folder}/finding-{number}.c");
    let about = if small.is_some() { "" } else { "; not seen again in a process of its own" };
    let program =
        emit_c::program(plan, small.as_ref().unwrap_or(case), &format!("{text}{about}"), settings.seed);
    match std::fs::write(&file, program) {
        Ok(()) => println!("  {file}{about}"),
        Err(error) => println!("  {file}: {error}"),
    }
}

/// Runs one case again; returns how many problems it has.
pub fn replay(plan: &Plan, settings: &Settings, number: u64, folder: &str) -> Result<usize, String> {
    let shared = Shared::new(plan, 1)?;
    let case = generate(plan, settings.seed, number);
    println!("{}", emit_c::call_text(plan, &case));
    let problems = worker::trial(plan, settings, &shared[0], &case, true);
    for problem in &problems {
        println!("{}: {problem}", plan.header.functions[case.function].name);
    }
    if let Some(first) = problems.first() {
        write(plan, settings, &shared[0], &case, first, folder, 0);
    }
    Ok(problems.len())
}
