//! The log: lines for people, to stderr or to the caller's callback. Quiet unless asked (setting `log`).

use std::ffi::{CString, c_char, c_void};
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::Mutex;

use crate::platform::fork::lock;
use crate::platform::fork::{Name, PerProcess, ShortLock};
use crate::platform::settings::{self, LogLevel};

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

static SINK: ShortLock<Option<Sink>> = ShortLock::new(Name::LogSink, None);

/// Held while a line is told: lines do not mix, and `set_sink` waits until the callback has returned. A child has
/// its own, since it may be forked meanwhile, even by the callback.
static TELLING: PerProcess<Mutex<()>> = PerProcess::new(|| Mutex::new(()));

pub fn set_sink(sink: Option<Sink>) {
    let _turn = lock(TELLING.get());
    *SINK.lock() = sink;
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

#[inline]
fn line(level: LogLevel, message: impl FnOnce() -> String) {
    if settings::tells(level) {
        tell(level, &message());
    }
}

#[cold]
fn tell(level: LogLevel, message: &str) {
    let _turn = lock(TELLING.get());
    let sink = *SINK.lock();
    match sink {
        Some(sink) => {
            let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
            // SAFETY: the caller registered a function of this type; the text lives until it returns.
            unsafe { (sink.callback)(sink.user, level as i32, text.as_ptr()) }
        }
        None => {
            // Not through std's stderr, whose lock a thread of the parent may have held at a fork.
            // SAFETY: descriptor 2 is used, as stderr would, and not closed.
            let mut stderr = ManuallyDrop::new(unsafe { File::from_raw_fd(2) });
            let _ = stderr.write_all(format!("gpumex: {message}\n").as_bytes()); // a log that nobody can read is no reason to fail
        }
    }
}
