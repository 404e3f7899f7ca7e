//! Settings: `gpumex_configure`.

use std::ffi::c_char;

use super::{guard, options};
use crate::error::{Error, Status};
use crate::platform::settings;

/// @brief Overrides a setting of the environment, before the first call that needs a context.
///
/// Keys: "backend" = "auto", "cpu" or "cuda" (GPUMEX_BACKEND); "device" = a CUDA ordinal
/// (GPUMEX_DEVICE); "num_threads" = threads of the CPU backend, 0 for all cores
/// (GPUMEX_NUM_THREADS); "log" = "off", "error", "warn", "info" or "debug" (GPUMEX_LOG; default
/// off).
/// @param key Name of the setting.
/// @param value Its value as text.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (unknown key or value); BUSY (a call
///   that needs a context was made, even one that failed, unless it was for a wrong value in the
///   environment, which this call can still override).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_configure(key: *const c_char, value: *const c_char) -> i32 {
    guard("gpumex_configure", || {
        // SAFETY: key and value are C strings or NULL, as documented.
        let (key, value) = unsafe { (options::text(key)?, options::text(value)?) };
        let null = |name| Error::new(Status::NullPointer, format!("{name} is NULL"));
        settings::configure(key.ok_or_else(|| null("key"))?, value.ok_or_else(|| null("value"))?)
    })
}
