//! The log: lines for people, to stderr or to the caller's callback. Quiet unless asked (setting `log`).

use std::ffi::{CString, c_char, c_void};
use std::sync::Mutex;

/// How much is told; each level includes those before it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Nothing.
    Off = 0,
    /// What failed.
    Error = 1,
    /// What the user should look at (the default).
    Warn = 2,
    /// What the library chose: backend and device.
    Info = 3,
    /// What it does.
    Debug = 4,
}

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
    *SINK.lock().unwrap_or_else(|poison| poison.into_inner()) = sink;
}

pub fn info(message: &str) {
    line(LogLevel::Info, message);
}

fn line(level: LogLevel, message: &str) {
    if level > crate::settings::log_level() {
        return;
    }
    let sink = *SINK.lock().unwrap_or_else(|poison| poison.into_inner());
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    match sink {
        // SAFETY: the caller registered a function of this type; the text lives until it returns.
        Some(sink) => unsafe { (sink.callback)(sink.user, level as i32, text.as_ptr()) },
        None => eprintln!("gpumex: {message}"),
    }
}
