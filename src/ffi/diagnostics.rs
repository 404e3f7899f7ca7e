//! What the library says of itself: errors, version, build, log.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_void};

use super::guard;
use crate::error::{Error, Result, Status};
use crate::platform::log;

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
    static LAST_STATUS: Cell<Status> = const { Cell::new(Status::Ok) };
    static LENT: RefCell<CString> = RefCell::default();
}

/// Keeps the sentence of a failed call for `gpumex_last_error`.
pub(super) fn keep(operation: &str, error: &Error) {
    let sentence = format!("{operation}: {error}").replace('\0', " ");
    log::error(&sentence);
    LAST_STATUS.set(error.status());
    let _ = LAST_ERROR.try_with(|last| last.replace(CString::new(sentence).unwrap_or_default())); // gone in an exit handler
}

/// Lends a text to C until the next one on this thread. Thread-locals are gone while the process runs its exit
/// handlers.
pub(super) fn lend_text(text: CString) -> Result<*const c_char> {
    let lent = LENT.try_with(|lent| {
        lent.replace(text);
        lent.borrow().as_ptr()
    });
    lent.map_err(|_| Error::unsupported("this thread is ending, it cannot keep a text"))
}

/// The sentence of the last call that failed on this thread: operation, value and rule. "" before the first
/// failure; a call that succeeds leaves it; "" in an exit handler. The text belongs to the library and lives until
/// the next failure on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The `gpumex_status` of the last call that failed on this thread, for the functions that return a handle or a
/// text; OK before the first failure.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_last_status() -> i32 {
    LAST_STATUS.get() as i32
}

/// What a status means, in a few words; static text, "unknown status" for a number that is none.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_status_string(status: i32) -> *const c_char {
    let known = usize::try_from(status).ok().and_then(|i| Status::ALL.get(i));
    known.map_or(c"unknown status", |status| status.text()).as_ptr()
}

/// The version of the library, "major.minor.patch"; static text. GPUMEX_VERSION is the one of the header.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => panic!("a version has no NUL inside"),
        };
    VERSION.as_ptr()
}

/// How the library was built: version, CUDA toolkit and architectures, or "CPU backend only"; static text.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_build_info() -> *const c_char {
    const TEXT: &str = concat!("gpumex ", env!("CARGO_PKG_VERSION"), ", ", env!("GPUMEX_BUILD"), "\0");
    const INFO: &CStr = match CStr::from_bytes_with_nul(TEXT.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a build description has no NUL inside"),
    };
    INFO.as_ptr()
}

/// Receives one line of the log: a `gpumex_log_level` and a text that lives until the callback returns. Must not
/// unwind, longjmp or call the library; may be called from any thread that is in the library, one at a time. It
/// may fork, and the child may call.
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_log_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, level: i32, message: *const c_char)>;

/// Sends the log to `callback` instead of stderr; NULL restores stderr. `user` is handed through, and is no longer
/// in use when a later call of this function returns. The level is a setting (`log`, off by default).
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_set_log_callback(callback: gpumex_log_callback, user: *mut c_void) -> i32 {
    guard("gpumex_set_log_callback", || {
        log::set_sink(callback.map(|callback| log::Sink::new(callback, user)));
        Ok(())
    })
}
