//! Settings: `gpumex_configure`.

use std::ffi::c_char;

use super::{guard, options};
use crate::error::{Error, Status};
use crate::platform::settings;

/// Overrides a setting of the environment, before the first call that needs a context, even one that fails.
///
/// key and value: "backend" = "auto" | "cpu" | "cuda" (GPUMEX_BACKEND); "device" = an ordinal (GPUMEX_DEVICE);
/// "num_threads" = a count from 1, 0 = all cores (GPUMEX_NUM_THREADS); "log" = "off" | "error" | "warn" | "info" |
/// "debug" (GPUMEX_LOG; default off).
/// Errors: INVALID_ARGUMENT (unknown key or value), NULL_POINTER, BUSY (the library is in use already).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_configure(key: *const c_char, value: *const c_char) -> i32 {
    guard("gpumex_configure", || {
        // SAFETY: key and value are C strings or NULL, as documented.
        let (key, value) = unsafe { (options::text(key)?, options::text(value)?) };
        let null = |name| Error::new(Status::NullPointer, format!("{name} is NULL"));
        settings::configure(key.ok_or_else(|| null("key"))?, value.ok_or_else(|| null("value"))?)
    })
}
