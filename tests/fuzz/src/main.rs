//! Calls every function of gpumex.h at random: what the header describes is attacked, and its promises are checked.
//!
//! fuzz [--time SECONDS] [--calls N] [--seed S] [--filter NAME] [--replay SEED:CASE] [--settings] [--backend cpu|cuda] [--jobs N] [--specified] [--large PER_MILLION] [--cases FILE]
//!      [--stack KIB] [--header FILE] [--out FOLDER] [LIBRARY]
//!
//! A call has a stack as small as the header lets that of a calling thread be, or of KIB; 0: that of its thread, which a tool can unwind.
//! --settings starts processes with random settings in the environment and of gpumex_configure instead (settings/).
//! --specified leaves out calls whose result the header leaves open, such as searches in arrays that are not sorted: kernels then race.
//! --jobs 0 makes the calls in this process, for a debugger or a sanitizer around it; the first crash ends it. With LAUNCHED_KERNELS,
//! the file of tests/sanitize/launched_kernels.c, it writes the numbers of the cases that launched another kernel than those before to
//! the file of that name with .cases behind it; --cases makes these alone.

mod arena;
mod campaign;
mod case;
mod check;
mod contents;
mod coverage;
mod dice;
mod disturbance;
mod emit_c;
mod environment;
mod expression;
mod faults;
mod formula;
mod generate;
mod header;
mod heap;
mod layout;
mod library;
mod mxcsr;
mod number;
mod operands;
mod oracle;
mod ranks;
mod roles;
mod run;
mod selections;
mod settings;
mod shapes;
mod shrink;
mod sizes;
mod special;
mod stack;
mod supplier;
mod texts;
mod tuning;
mod watch;
mod worker;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use generate::Plan;
use header::Header;
use worker::Settings;

/// The command line.
struct Arguments {
    settings: Settings,
    seconds: u64,
    filter: String,
    replay: Option<u64>,
    of_settings: bool,
    header: String,
    folder: String,
    large: usize,
    cases: Option<Vec<u64>>,
}

fn arguments() -> Result<Arguments, String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let now =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64 % 1_000_000_000);
    let library = std::env::var("GPUMEX_TEST_LIBRARY")
        .unwrap_or_else(|_| format!("{root}/target/release/libgpumex.so"));
    let jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let settings =
        Settings { library, backend: 1, seed: now, calls: u64::MAX, jobs, specified: false, stack: None };
    let header = format!("{root}/include/gpumex.h");
    let mut found = Arguments {
        settings,
        seconds: 60,
        filter: String::new(),
        replay: None,
        of_settings: false,
        header,
        folder: ".".into(),
        large: 300,
        cases: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
        match word.as_str() {
            "--time" => found.seconds = number(value()?)?,
            "--calls" => (found.settings.calls, found.seconds) = (number(value()?)?, u64::MAX),
            "--seed" => found.settings.seed = number(value()?)?,
            "--large" => found.large = number(value()?)? as usize,
            "--cases" => found.cases = Some(numbers_of(&value()?)?),
            "--settings" => found.of_settings = true,
            "--specified" => found.settings.specified = true,
            "--stack" => found.settings.stack = Some(number(value()?)?),
            "--jobs" => found.settings.jobs = number(value()?)?,
            "--filter" => found.filter = value()?,
            "--header" => found.header = value()?,
            "--out" => found.folder = value()?,
            "--replay" => {
                let both = value()?;
                let (seed, case) = both.split_once(':').ok_or("--replay wants SEED:CASE")?;
                (found.settings.seed, found.replay) = (number(seed.into())?, Some(number(case.into())?));
            }
            "--backend" => {
                found.settings.backend = match value()?.as_str() {
                    "cpu" => 1,
                    "cuda" => environment::CUDA,
                    other => return Err(format!("{other} is neither cpu nor cuda")),
                }
            }
            other if other.starts_with('-') => return Err(format!("{other} is unknown")),
            library => found.settings.library = library.to_owned(),
        }
    }
    Ok(found)
}

/// The numbers of a file, a line each.
fn numbers_of(file: &str) -> Result<Vec<u64>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    text.lines().map(|line| line.parse().map_err(|_| format!("{file}: {line} is no number"))).collect()
}

/// Reads the header; an error names what cannot be described.
fn plan(arguments: &Arguments) -> Result<Plan, String> {
    let text = std::fs::read_to_string(&arguments.header)
        .map_err(|error| format!("{}: {error}", arguments.header))?;
    let header = Header::parse(&text)?;
    let described: Result<Vec<_>, _> =
        header.functions.iter().map(|function| roles::describe(&header, function)).collect();
    let mut choices = Vec::new();
    for (index, function) in header.functions.iter().enumerate() {
        let work = function.is_operation() || function.group == "gpumex_plain";
        let work = work && special::few(&function.name, "count").is_none(); // which take long
        // Where there is NCCL it waits for ranks that never come.
        let waits =
            function.name.ends_with("_create_nccl") && arguments.settings.backend == environment::CUDA;
        if function.name.contains(&arguments.filter) && !waits {
            choices.extend(std::iter::repeat_n(index, if work { 6 } else { 1 }));
        }
    }
    if choices.is_empty() {
        return Err(format!("no function has \"{}\" in its name", arguments.filter));
    }
    let words = header.functions.iter().map(|function| {
        let of = function.params.iter().flat_map(|param| texts::dictionary(&header, function, param));
        of.collect()
    });
    let words = words.collect();
    let described = described?;
    let simple = (0..described.len())
        .filter(|index| is_simple(&header.functions[*index], &described[*index]))
        .collect();
    let filter = arguments.filter.clone();
    let (contexts, starves) = (environment::POOL, arguments.settings.backend != environment::CUDA);
    let (has_driver, large) = (supplier::has_driver(), arguments.large);
    Ok(Plan { described, choices, words, contexts, filter, simple, starves, has_driver, large, header })
}

/// A function of a context alone, or of a context and a place for one number, that destroys nothing.
fn is_simple(function: &header::Function, described: &roles::Described) -> bool {
    let of_context = match &described.roles[..] {
        [roles::Role::Context] => true,
        [roles::Role::Context, roles::Role::Array(array)] => array.receives,
        _ => false,
    };
    of_context && described.destructor.is_none() && !function.name.ends_with("_destroy")
}

fn main() -> ExitCode {
    let run = arguments().and_then(|arguments| {
        let plan = plan(&arguments)?;
        let backend = if arguments.settings.backend == environment::CUDA { "cuda" } else { "cpu" };
        // SAFETY: this process has one thread. The default context is on this backend too.
        unsafe { std::env::set_var("GPUMEX_BACKEND", backend) };
        // Loaded here, so that an error is one of the program, and forked processes have it.
        library::Library::load(&arguments.settings.library, &plan.header)?;
        match arguments.replay {
            Some(case) if arguments.of_settings => settings::replay(&plan, &arguments.settings, case),
            None if arguments.of_settings => settings::run(&plan, &arguments.settings, arguments.seconds),
            Some(case) => campaign::replay(&plan, &arguments.settings, case, &arguments.folder),
            None if arguments.settings.jobs == 0 => {
                campaign::run_here(&plan, &arguments.settings, arguments.seconds, arguments.cases.as_deref())
            }
            None => campaign::run(&plan, &arguments.settings, arguments.seconds, &arguments.folder),
        }
    });
    match run {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("fuzz: {reason}");
            ExitCode::from(2)
        }
    }
}
