//! What the library says of itself: version, build, settings, log.

use std::ffi::{CStr, c_char, c_void};

use gpumex_core::ffi;
use gpumex_core::platform::{log, settings};

use super::LogLevel;
use super::context::fenced;
use crate::Result;

/// The version of the library.
///
/// ```
/// assert!(gpumex::version().starts_with("0."));
/// ```
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// How the library was built: with CUDA and for which architectures, or why without.
///
/// ```
/// println!("{}", gpumex::build_info());
/// # assert!(gpumex::build_info().contains(gpumex::version()));
/// ```
pub fn build_info() -> &'static str {
    let text = ffi::gpumex_build_info();
    // SAFETY: a static C string.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or_default()
}

/// Overrides a setting of the environment, before first use: `backend`, `device`, `num_threads` or `log`. BUSY afterwards.
///
/// ```
/// gpumex::configure("num_threads", "2")?;
/// assert!(gpumex::configure("colour", "red").is_err());
/// # Ok::<(), gpumex::Error>(())
/// ```
pub fn configure(key: &str, value: &str) -> Result<()> {
    fenced("configure", || settings::configure(key, value))
}

/// Hands each line of the log to a function instead of the standard error; None goes back. Which lines there are is the setting `log`.
///
/// The function may be called from any thread; it must not panic, which ends the process, and must not use the library.
pub fn set_log(logger: Option<fn(LogLevel, &str)>) {
    log::set_sink(logger.map(|logger| log::Sink::new(forward, logger as *mut c_void)));
}

/// Hands a line of the log to the function that `user` is.
unsafe extern "C" fn forward(user: *mut c_void, level: i32, message: *const c_char) {
    // SAFETY: what `set_log` made of such a function.
    let logger = unsafe { std::mem::transmute::<*mut c_void, fn(LogLevel, &str)>(user) };
    // SAFETY: the log hands a C string that lives until this returns.
    let message = unsafe { CStr::from_ptr(message) };
    let level = match level {
        2 => LogLevel::Warn,
        3 => LogLevel::Info,
        4 => LogLevel::Debug,
        _ => LogLevel::Error,
    };
    logger(level, &message.to_string_lossy());
}
