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

/// Keeps the message of a failed call for `gpumex_last_error`.
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

/// @brief The error message of the last failed call on this thread: function, value and rule.
///
/// "" before the first failure and in an exit handler. A call that succeeds leaves it.
/// @return Text of the library, valid until the next failure on this thread.
/// @ingroup gpumex_diagnostics
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// @brief The gpumex_status of the last call that failed on this thread; for functions that return a
/// handle or a text.
/// @return A gpumex_status; OK before the first failure.
/// @ingroup gpumex_diagnostics
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_last_status() -> i32 {
    LAST_STATUS.get() as i32
}

/// @brief What a status means, in a few words.
/// @param status A gpumex_status.
/// @return Static text; "unknown status" for any other number.
/// @ingroup gpumex_diagnostics
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_status_string(status: i32) -> *const c_char {
    let known = usize::try_from(status).ok().and_then(|i| Status::ALL.get(i));
    known.map_or(c"unknown status", |status| status.text()).as_ptr()
}

/// @brief The version of the library, "major.minor.patch"; GPUMEX_VERSION is that of the header.
/// @return Static text.
/// @ingroup gpumex_diagnostics
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => panic!("a version has no NUL inside"),
        };
    VERSION.as_ptr()
}

/// @brief How the library was built: version, CUDA toolkit and architectures, or "CPU backend only".
/// @return Static text.
/// @ingroup gpumex_diagnostics
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_build_info() -> *const c_char {
    const TEXT: &str = concat!("gpumex ", env!("CARGO_PKG_VERSION"), ", ", env!("GPUMEX_BUILD"), "\0");
    const INFO: &CStr = match CStr::from_bytes_with_nul(TEXT.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a build description has no NUL inside"),
    };
    INFO.as_ptr()
}

/// @brief Receives one line of the log: a gpumex_log_level and a text that is valid until it
/// returns.
///
/// May be called from any thread that is in the library, one at a time. Must not unwind, longjmp or
/// call the library. It may fork, and the child may call the library.
/// @ingroup gpumex_diagnostics
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_log_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, level: i32, message: *const c_char)>;

/// @brief Sends the log to a callback instead of stderr. The level is the setting `log`, off by
/// default.
/// @param callback Receives the lines; NULL restores stderr.
/// @param user Passed to the callback; no longer used once a later call of this function returns.
/// @return 0 (GPUMEX_STATUS_OK).
/// @note Thread-safe.
/// @ingroup gpumex_diagnostics
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_set_log_callback(callback: gpumex_log_callback, user: *mut c_void) -> i32 {
    guard("gpumex_set_log_callback", || {
        log::set_sink(callback.map(|callback| log::Sink::new(callback, user)));
        Ok(())
    })
}
