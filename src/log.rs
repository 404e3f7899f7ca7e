//! The log: lines for people, to stderr or to the caller's callback. Quiet unless asked (setting `log`).

use std::io::Write;

use std::ffi::{CString, c_char, c_void};
use std::sync::Mutex;

use crate::settings::{self, LogLevel};
use crate::thread::lock;

/// The caller's callback with its user pointer.
#[derive(Clone, Copy)]
pub struct Sink {
    callback: unsafe extern "C" fn(*mut c_void, i32, *const c_char),
    user: *mut c_void,
}

// SAFETY: the pointer is only handed back to the callback, which the header says may be called from any thread.
unsafe impl Send for Sink {}

impl Sink {
    pub fn new(callback: unsafe extern "C" fn(*mut c_void, i32, *const c_char), user: *mut c_void) -> Sink {
        Sink { callback, user }
    }
}

static SINK: Mutex<Option<Sink>> = Mutex::new(None);

pub fn set_sink(sink: Option<Sink>) {
    *lock(&SINK) = sink;
}

pub fn error(message: &str) {
    line(LogLevel::Error, || message.to_string());
}

pub fn warn(message: impl FnOnce() -> String) {
    line(LogLevel::Warn, message);
}

pub fn info(message: impl FnOnce() -> String) {
    line(LogLevel::Info, message);
}

pub fn debug(message: impl FnOnce() -> String) {
    line(LogLevel::Debug, message);
}

fn line(level: LogLevel, message: impl FnOnce() -> String) {
    if level > settings::log_level() {
        return;
    }
    let message = message();
    let sink = lock(&SINK); // held: set_sink waits until the callback has returned
    match *sink {
        Some(sink) => {
            let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
            // SAFETY: the caller registered a function of this type; the text lives until it returns.
            unsafe { (sink.callback)(sink.user, level as i32, text.as_ptr()) }
        }
        None => {
            let _ = writeln!(std::io::stderr(), "gpumex: {message}"); // a log that nobody can read is no reason to fail
        }
    }
}
