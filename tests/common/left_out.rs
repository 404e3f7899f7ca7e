//! What the tests leave out on this machine, and why: one line on stderr when the program ends.
//!
//! GPUMEX_LEFT_OUT names a file that gets a line for each reason as well: the number of tests, a tab, the reason (scripts/test).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::sync::Mutex;

/// The tests that leave something out, by the reason.
static LEFT_OUT: Mutex<BTreeMap<String, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

/// How the process of a role tells the test that started it.
pub const LEFT_OUT_BY_A_ROLE: &str = "left out by a role: ";

/// As `leave_out`; a failure where the environment has `requirement`=1.
#[track_caller]
pub fn leave_out_unless(requirement: &str, reason: &str) {
    assert!(!is_set(requirement), "{requirement} is set, and there is no {reason}");
    leave_out(reason);
}

/// Whether a variable of the environment has a value other than 0.
pub fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| !value.is_empty() && value != "0")
}

/// Notes that the test that runs is left out, or a part of it: "valgrind: it is not here".
#[track_caller]
pub fn leave_out(reason: &str) {
    if super::plays_a_role() {
        return eprintln!("{LEFT_OUT_BY_A_ROLE}{reason}");
    }
    // The thread has the name of the test, unless libtest has one thread alone.
    let thread = std::thread::current();
    let name = thread.name().filter(|name| *name != "main");
    let test = name.map_or_else(|| Location::caller().to_string(), str::to_string);
    let mut left_out = LEFT_OUT.lock().unwrap_or_else(|poison| poison.into_inner());
    if left_out.is_empty() {
        // SAFETY: a function that may be called at any time.
        assert_eq!(unsafe { libc::atexit(tell) }, 0, "atexit");
    }
    left_out.entry(reason.to_string()).or_default().insert(test);
}

extern "C" fn tell() {
    let left_out = LEFT_OUT.lock().unwrap_or_else(|poison| poison.into_inner());
    let counts = || left_out.iter().map(|(reason, tests)| (reason, tests.len()));
    let parts: Vec<String> = counts().map(|(reason, count)| format!("{reason} ({count} tests)")).collect();
    eprintln!("left out: {}\n", parts.join("; "));
    let Some(path) = std::env::var_os("GPUMEX_LEFT_OUT") else { return };
    let lines: String = counts().map(|(reason, count)| format!("{count}\t{reason}\n")).collect();
    let written = OpenOptions::new().create(true).append(true).open(path);
    if let Err(error) = written.and_then(|mut file| file.write_all(lines.as_bytes())) {
        eprintln!("GPUMEX_LEFT_OUT: {error}");
    }
}
