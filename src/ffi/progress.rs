//! Who is told how far long operations are.

use std::ffi::c_void;

use super::guard;
use crate::context::{Context, ProgressCallback};
use crate::handle;

/// Is told that `done` of `total` parts of an operation are finished (generations, for gpumex_life), about 20 times a
/// second. Returns 0 to go on, another number to cancel the rest. Called on the thread of the operation, with the
/// device's primary context current; must not unwind, longjmp or use the same context (which is BUSY).
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_progress_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, done: u64, total: u64) -> i32>;

struct User(*mut c_void);

// SAFETY: handed back to the caller's function on the thread that runs the operation; the header says so.
unsafe impl Send for User {}

/// Long operations of this context (gpumex_life) tell `progress` from here on how far they are; NULL ends that. `user` is
/// handed through, and is no longer in use when a later call of this function returns. A watched operation waits
/// for the device between parts; a cancelled one returns CANCELLED, and its output is unspecified.
/// Errors: INVALID_ARGUMENT (not a live context), BUSY (another thread is in `ctx`).
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_context_set_progress(
    ctx: *mut Context,
    progress: gpumex_progress_callback,
    user: *mut c_void,
) -> i32 {
    guard("gpumex_context_set_progress", || {
        let user = User(user);
        let watcher = progress.map(|progress| -> ProgressCallback {
            Box::new(move |done, total| {
                let User(user) = &user;
                // SAFETY: a function of this type, and the caller's own pointer.
                unsafe { progress(*user, done, total) }
            })
        });
        handle::with(ctx, |ctx| {
            ctx.watch(watcher);
            Ok(())
        })
    })
}
