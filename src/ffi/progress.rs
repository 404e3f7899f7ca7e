//! Who is told how far long operations are.

use std::ffi::c_void;

use super::guard;
use crate::context::{Context, ProgressCallback};
use crate::handle;

/// @brief Receives the progress of an operation, `done` of `total` parts (generations of
/// gpumex_life, bytes of gpumex_histogram and gpumex_words), about 20 times a second.
///
/// Returns 0 to continue, any other number to cancel the rest. Called on the thread of the
/// operation, with the device's primary context current. Must not unwind, longjmp or use the same
/// context (which is BUSY).
/// @ingroup gpumex_context
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_progress_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, done: u64, total: u64) -> i32>;

struct User(*mut c_void);

// SAFETY: handed back to the caller's function on the thread that runs the operation; the header says so.
unsafe impl Send for User {}

/// @brief Sets the progress callback of a context, for gpumex_life, gpumex_histogram and
/// gpumex_words.
///
/// A watched operation waits for the device between its parts; a cancelled one returns CANCELLED,
/// and its outputs are unspecified.
/// @param ctx The context.
/// @param progress Receives the progress; NULL removes the callback.
/// @param user Passed to progress; no longer used once a later call of this function returns.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_context
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
