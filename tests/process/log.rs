//! The log: nothing unless asked for, then lines on stderr or to a callback; and panics, which are told by whose they are.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;

use gpumex::error::Status;
use gpumex::ffi::*;

use super::settings::configure;
use crate::common::*;

pub const ROLES: [Role; 4] = [
    ("only works", || {
        let ctx = Context::cpu();
        ok(work(ctx.handle, 3), "gpumex_life");
        ok(plain_count(), "histogram");
        refused(count(null_mut()), Status::NullPointer, &["NULL"], "a failure");
    }),
    ("receives the log", receives_the_log),
    ("configures the log", || {
        ok(configure(c"log", c"info"), "log");
        drop(Context::cpu());
    }),
    ("panics by itself", || {
        ok(plain_count(), "histogram, which makes the library watch for panics");
        let thread = std::thread::Builder::new().name("gpumex of the program".to_string());
        let outcome = thread.spawn(|| panic!("told by the program")).expect("a thread starts").join();
        assert!(outcome.is_err(), "the panic is the program's");
    }),
];

#[test]
fn nothing_is_printed_unless_asked() {
    let printed = in_a_new_process("only works", &[]);
    assert_eq!(printed, "", "at the default log level");
    let printed = in_a_new_process("only works", &[("GPUMEX_LOG", "off")]);
    assert_eq!(printed, "", "with GPUMEX_LOG=off");
}

/// The library keeps its own panics in, by their thread; the program's are the program's, whatever its threads are called.
#[test]
fn a_panic_of_the_program_is_still_told() {
    let printed = in_a_new_process("panics by itself", &[]);
    assert!(printed.contains("told by the program"), "a panic outside the library is silent: \"{printed}\"");
}

#[test]
fn the_log_tells_the_backend_at_level_info() {
    for printed in [
        in_a_new_process("only works", &[("GPUMEX_LOG", "info")]),
        in_a_new_process("configures the log", &[]),
    ] {
        assert!(printed.contains("CPU backend"), "at log level info: {printed}");
    }
}

#[test]
fn a_log_callback_receives_the_lines_instead_of_stderr() {
    let printed = in_a_new_process("receives the log", &[("GPUMEX_LOG", "info")]);
    assert_eq!(
        printed.matches("CPU backend").count(),
        1,
        "only the line after the callback was removed: {printed}"
    );
}

type Lines = Vec<(i32, String)>;

unsafe extern "C" fn keep_line(user: *mut c_void, level: i32, message: *const c_char) {
    // SAFETY: `user` is what was handed to gpumex_set_log_callback.
    let lines = unsafe { &*user.cast::<Mutex<Lines>>() };
    lines.lock().expect("nobody panics with the lock").push((level, text_at(message)));
}

fn receives_the_log() {
    static LINES: Mutex<Lines> = Mutex::new(Vec::new());
    let user = (&raw const LINES).cast_mut().cast();
    // SAFETY: the callback and the lines live as long as the process.
    ok(unsafe { gpumex_set_log_callback(Some(keep_line), user) }, "gpumex_set_log_callback");
    drop(Context::cpu());
    let lines = LINES.lock().expect("nobody panics with the lock").clone();
    let is_line_of_cpu = |(level, line): &&(i32, String)| *level == 3 && line.contains("CPU backend");
    assert_eq!(
        lines.iter().filter(is_line_of_cpu).count(),
        1,
        "got {lines:?}, want one line at level 3 (info)"
    );
    // SAFETY: NULL restores stderr.
    ok(unsafe { gpumex_set_log_callback(None, null_mut()) }, "gpumex_set_log_callback");
    drop(Context::cpu());
    assert_eq!(
        *LINES.lock().expect("nobody panics with the lock"),
        lines,
        "no line after the callback is removed"
    );
}
