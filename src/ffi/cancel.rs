//! Ends a call from outside of it.

use super::guard;
use crate::context::Context;
use crate::handle;

/// @brief Cancels the call that another thread has in a context.
///
/// That call returns CANCELLED within 0.2 s, perhaps later on a machine whose cores have other
/// work, or where more than eight calls of the process are at work on the CPU backend at once. Its
/// outputs are unspecified, and gpumex_last_error on its thread says after how long it ended and,
/// once a loop that counts its parts has begun, how far it came: "gpumex_context_cancel ended the
/// call after 0.731 s; 96 of 4096 were done", in the units of the progress callback, else in parts
/// of that loop. The context stays usable. Where no call is in the context, nothing happens:
/// neither a later call nor one that waits for its turn (GPUMEX_BUSY_POLICY_WAIT) is affected. A
/// call that is about to end may still return its result. A call that is in another context from
/// within a callback is not cancelled; the call that the callback belongs to is, once the callback
/// has returned.
///
/// May be called from any thread, from callbacks, and, with a live context, from a signal handler:
/// on success it does nothing but one atomic exchange. The functions without a context argument run
/// in gpumex_context_default, which can be cancelled as well.
///
/// On the CPU backend every function that takes a context, and time, is cancelled. On CUDA a call
/// whose arrays are all in device memory returns before its work is done, and cannot be cancelled; a
/// call that waits stops between its transfers and launches, and returns once the launches that
/// have begun are done.
/// @param ctx The context.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context).
/// @note Thread-safe, and safe in signal handlers with a live context.
/// @ingroup gpumex_context
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_context_cancel(ctx: *mut Context) -> i32 {
    // Without a guard, which sets up what signal handlers must not.
    handle::cancel(ctx).map_or_else(|error| guard("gpumex_context_cancel", || Err(error)), |()| 0)
}
