//! Processes that make the calls. One that crashes or does not return costs one case: the parent sees which.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::case::Case;
use crate::coverage::{self, Counter};
use crate::disturbance::Disturbance;
use crate::environment::{CUDA, Environment};
use crate::generate::{Plan, generate};
use crate::library::Library;
use crate::oracle;
use crate::run::Runner;
use crate::watch::Watch;

const TEXT: usize = 600;
const FINDINGS: usize = 64;

/// Memory that the parent and a worker share.
#[repr(C)]
struct Board {
    case: AtomicU64,    // the case in progress
    written: AtomicU64, // findings so far
    read: AtomicU64,
    findings: [(u64, [u8; TEXT]); FINDINGS],
}

pub struct Shared {
    board: *mut Board,
    pub counters: &'static [AtomicU64],
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub case: u64,
    pub text: String,
}

impl Shared {
    pub fn new(plan: &Plan, jobs: usize) -> Result<Vec<Shared>, String> {
        let count = coverage::counters(plan);
        let counters = map(count * 8)? as *const AtomicU64;
        // SAFETY: zeroed memory of this length, shared for good.
        let counters = unsafe { std::slice::from_raw_parts(counters, count) };
        (0..jobs).map(|_| Ok(Shared { board: map(size_of::<Board>())?.cast(), counters })).collect()
    }

    fn board(&self) -> &Board {
        // SAFETY: mapped as long as the process lives; the findings are written before `written` is.
        unsafe { &*self.board }
    }

    pub fn case(&self) -> u64 {
        self.board().case.load(Ordering::Acquire)
    }

    /// Findings that were not read yet.
    pub fn findings(&self) -> Vec<Finding> {
        let board = self.board();
        let mut found = Vec::new();
        let mut read = board.read.load(Ordering::Acquire);
        while read < board.written.load(Ordering::Acquire) {
            let (case, text) = &board.findings[read as usize % FINDINGS];
            let end = text.iter().position(|byte| *byte == 0).unwrap_or(TEXT);
            found.push(Finding { case: *case, text: String::from_utf8_lossy(&text[..end]).into_owned() });
            read += 1;
            board.read.store(read, Ordering::Release);
        }
        found
    }

    pub fn report(&self, case: u64, text: &str) {
        let board = self.board();
        let written = board.written.load(Ordering::Acquire);
        while written >= board.read.load(Ordering::Acquire) + FINDINGS as u64 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let mut bytes = [0u8; TEXT];
        let length = text.len().min(TEXT);
        bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
        // SAFETY: one worker writes this board, and the parent reads the entry after `written`.
        unsafe { (*self.board).findings[written as usize % FINDINGS] = (case, bytes) };
        board.written.store(written + 1, Ordering::Release);
    }
}

fn map(bytes: usize) -> Result<*mut libc::c_void, String> {
    let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping.
    let memory =
        unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if memory == libc::MAP_FAILED { Err("no shared memory".into()) } else { Ok(memory) }
}

/// A campaign's own settings.
#[derive(Clone)]
pub struct Settings {
    pub library: String,
    pub backend: u64,
    pub seed: u64,
    pub calls: u64,
    pub jobs: u64,
    /// Only calls whose result the header specifies; with jobs 0.
    pub specified: bool,
    /// KiB of the stack of a call, 0: that of its thread; as few as the header asks for.
    pub stack: Option<u64>,
}

impl Settings {
    fn stack_bytes(&self) -> usize {
        let of_header = if self.backend == CUDA { 256 } else { 64 };
        (self.stack.unwrap_or(of_header) as usize) << 10
    }
}

/// Starts a process that runs the cases first, first + jobs, ... until it is killed or has made all calls.
pub fn start(plan: &Plan, settings: &Settings, shared: &Shared, first: u64) -> Result<libc::pid_t, String> {
    child(shared, || {
        let mut runner = prepare(plan, settings)?;
        let counter = Counter::new(plan, shared.counters);
        let mut case = first;
        while case < settings.calls {
            shared.board().case.store(case, Ordering::Release);
            for problem in one(&mut runner, &generate(plan, settings.seed, case), Some(&counter)) {
                shared.report(case, &problem);
            }
            case += settings.jobs;
        }
        shared.board().case.store(case, Ordering::Release);
        Ok(())
    })
}

/// Runs these cases in this process.
pub fn here(
    plan: &Plan,
    settings: &Settings,
    shared: &Shared,
    seconds: u64,
    cases: &mut dyn Iterator<Item = u64>,
) -> Result<u64, String> {
    let mut runner = prepare(plan, settings)?;
    let counter = Counter::new(plan, shared.counters);
    let mut news = News::new()?;
    let (mut found, start) = (0, Instant::now());
    for case in cases {
        if start.elapsed().as_secs() >= seconds {
            break;
        }
        let case = generate(plan, settings.seed, case);
        if settings.specified && !case.specified {
            continue;
        }
        for problem in one(&mut runner, &case, Some(&counter)) {
            println!("finding: {}: {problem}", crate::emit_c::call_text(plan, &case));
            found += 1;
        }
        news.after(case.number)?;
    }
    Ok(found)
}

/// Which cases launched a kernel that none before has launched.
struct News(Option<(std::fs::File, std::fs::File, u64)>); // the names, the cases, the length of the names

impl News {
    fn new() -> Result<News, String> {
        let Ok(names) = std::env::var("LAUNCHED_KERNELS") else { return Ok(News(None)) };
        let open = |name: &str| {
            let mut options = std::fs::OpenOptions::new();
            options
                .read(true)
                .append(true)
                .create(true)
                .open(name)
                .map_err(|error| format!("{name}: {error}"))
        };
        Ok(News(Some((open(&names)?, open(&format!("{names}.cases"))?, 0))))
    }

    fn after(&mut self, case: u64) -> Result<(), String> {
        let Some((names, cases, known)) = &mut self.0 else { return Ok(()) };
        let length = names.metadata().map_err(|error| error.to_string())?.len();
        if length > *known {
            writeln!(cases, "{case}").map_err(|error| error.to_string())?;
            *known = length;
        }
        Ok(())
    }
}

/// Runs one case in a process of its own: its problems, or how it ended.
pub fn trial(plan: &Plan, settings: &Settings, shared: &Shared, case: &Case, loud: bool) -> Vec<String> {
    let problems = apart(shared, case.number, || {
        let mut runner = prepare(plan, settings)?;
        if case.disturbance != Disturbance::None {
            // Threads and caches are there, as in a campaign.
            runner.run(&Case { disturbance: Disturbance::None, ..case.clone() });
        }
        for problem in one(&mut runner, case, None) {
            shared.report(case.number, &problem);
        }
        Ok(())
    });
    if loud && problems.is_empty() {
        println!("no problem");
    }
    problems
}

/// Does work in a process of its own: what it reports, or how it ended.
pub fn apart(shared: &Shared, number: u64, work: impl FnOnce() -> Result<(), String>) -> Vec<String> {
    shared.board().case.store(number, Ordering::Release);
    let Ok(process) = child(shared, work) else { return vec!["no process".into()] };
    let mut problems = Vec::new();
    let watch = Watch::new(process);
    for wait in 0.. {
        problems.extend(shared.findings().into_iter().map(|finding| finding.text));
        let (ended, how) = ended(process);
        if ended {
            problems.extend(shared.findings().into_iter().map(|finding| finding.text));
            problems.extend(how.filter(|how| !how.is_empty()));
            break;
        }
        if watch.is_stuck() {
            kill(process);
            problems.push("does not return within 10 s".into());
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(if wait < 50 { 1 } else { 10 }));
    }
    problems
}

fn one(runner: &mut Runner, case: &Case, counter: Option<&Counter>) -> Vec<String> {
    let start = Instant::now();
    let outcome = runner.run(case);
    if let Some(counter) = counter {
        counter.count(runner.plan, case, outcome.status, start.elapsed());
    }
    let mut problems = outcome.problems.clone();
    let large =
        case.values.iter().flat_map(crate::case::Value::buffers).any(|buffer| buffer.bytes.len() > 1 << 18);
    if outcome.status == 0 && problems.is_empty() {
        problems.extend(oracle::check(runner, case, &outcome));
    }
    if large {
        runner.trim();
    }
    problems
}

fn prepare<'a>(plan: &'a Plan, settings: &Settings) -> Result<Runner<'a>, String> {
    // Large blocks go back to the system at once, so that a process without memory notices.
    // SAFETY: settings of this process's malloc.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 16);
        libc::mallopt(libc::M_ARENA_MAX, 1); // another arena has memory in reserve
    }
    let library = Library::load(&settings.library, &plan.header)?;
    let environment = Box::leak(Box::new(Environment::new(library, &plan.header, settings.backend)?));
    environment.enter();
    Runner::new(plan, environment, settings.stack_bytes())
}

/// How a process ends that has reported why it cannot go on.
pub const REPORTED: i32 = 4;

/// Forks. The parent calls no function of the library, so that the child finds it as it was loaded.
fn child(shared: &Shared, work: impl FnOnce() -> Result<(), String>) -> Result<libc::pid_t, String> {
    // SAFETY: the parent has one thread.
    match unsafe { libc::fork() } {
        -1 => Err("no process".into()),
        0 => {
            silence_output();
            let code = exit_code(shared, work);
            // SAFETY: ends the child without the parent's exit handlers.
            unsafe { libc::_exit(code) }
        }
        process => Ok(process),
    }
}

/// Runs the work of a child; a call of the fuzzer's own that fails is a panic, and is reported.
fn exit_code(shared: &Shared, work: impl FnOnce() -> Result<(), String>) -> i32 {
    std::panic::set_hook(Box::new(|_| ()));
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(Ok(())) => 0,
        Ok(Err(reason)) => {
            eprintln!("fuzz: {reason}");
            3
        }
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
            shared.report(shared.case(), text);
            REPORTED
        }
    }
}

/// What a call prints goes nowhere: gpumex_context_create_from_args writes to the standard output.
fn silence_output() {
    // SAFETY: descriptors of this process.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        libc::dup2(nowhere, 1);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

/// Whether a process has ended, and how, where that is a problem; without text when it has reported it.
pub fn ended(process: libc::pid_t) -> (bool, Option<String>) {
    let mut status = 0;
    // SAFETY: a child of this process.
    if unsafe { libc::waitpid(process, &raw mut status, libc::WNOHANG) } != process {
        return (false, None);
    }
    if libc::WIFSIGNALED(status) {
        return (true, Some(format!("signal {}", libc::WTERMSIG(status))));
    }
    match libc::WEXITSTATUS(status) {
        0 => (true, None),
        REPORTED => (true, Some(String::new())),
        code => (true, Some(format!("exit status {code}"))),
    }
}

pub fn kill(process: libc::pid_t) {
    // SAFETY: a child of this process that was not waited for.
    unsafe {
        libc::kill(process, libc::SIGKILL);
        libc::waitpid(process, std::ptr::null_mut(), 0);
    }
}
