//! Events: order and time between the work of contexts.

use super::{guard, write};
use crate::context::{Context, Event};
use crate::handle::{self, events};

/// Creates an event: a mark in the work of a context, for which other contexts and threads wait.
///
/// An event is one of the backend, and on CUDA of the device, of `ctx`: contexts on the same one
/// may record it, and all contexts may wait for it. The handle is a token: it is looked up, never
/// dereferenced, and never given twice. An event may outlive its context.
///
/// On the CPU backend the work of a call is done when it returns, so that a recorded event is done,
/// and its time is the host's. A forked child has copies of the events of the CPU backend; those of
/// CUDA answer UNSUPPORTED.
///
/// @param ctx    the context.
/// @param event  *event <- the event, to be ended with gpumex_event_destroy.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live context), CUDA, UNSUPPORTED (after fork) or
///   BUSY.
///
/// Thread safety: any thread may use an event, several at once too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_event_create(ctx: *mut Context, event: *mut *mut Event) -> i32 {
    guard("gpumex_event_create", || {
        // SAFETY: the caller hands a pointer's place, or NULL, which `write` refuses.
        unsafe { write("event", event, std::ptr::null_mut())? };
        let made = handle::with(ctx, |ctx| ctx.create_event())?;
        // SAFETY: as above.
        unsafe { write("event", event, events::give(made)) }
    })
}

/// Records an event behind the work that a context has been given so far. Recorded again, an event
/// stands for its latest place; what waits for an earlier one goes on doing so.
///
/// @param ctx    a context on the backend and device of the event.
/// @param event  the event.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live context or event, an event of another backend
///   or device), CUDA, UNSUPPORTED (after fork) or BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_record(ctx: *mut Context, event: *mut Event) -> i32 {
    guard("gpumex_event_record", || {
        let event = events::find(event)?;
        handle::with(ctx, |ctx| ctx.record_event(&event))
    })
}

/// Makes the later work of a context wait for an event that a context of any backend and device has
/// recorded. On CUDA the call itself does not wait; on the CPU backend it does.
///
/// While the stream of `ctx` is captured into a CUDA graph, an event that was recorded in the same
/// capture orders the graph. An event from outside of it is UNSUPPORTED.
///
/// @param ctx    the context that waits.
/// @param event  the event.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live context or event, never recorded), CUDA,
///   UNSUPPORTED (after fork, see above) or BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_wait(ctx: *mut Context, event: *mut Event) -> i32 {
    guard("gpumex_event_wait", || {
        let event = events::find(event)?;
        handle::with(ctx, |ctx| ctx.wait_for_event(&event))
    })
}

/// Asks whether the work before an event is done, without waiting.
///
/// @param event  the event.
/// @param done   *done <- 1 when it is done, else 0.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live event, never recorded), CUDA (a fault of the
///   device too) or UNSUPPORTED (after fork, recorded in a capture).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_event_query(event: *mut Event, done: *mut i32) -> i32 {
    guard("gpumex_event_query", || {
        let is_done = events::find(event)?.is_done()?;
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("done", done, i32::from(is_done)) }
    })
}

/// Waits until the work before an event is done. No context is entered meanwhile.
///
/// @param event  the event.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live event, never recorded), CUDA (a fault of the
///   device too) or UNSUPPORTED (after fork, recorded in a capture).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_synchronize(event: *mut Event) -> i32 {
    guard("gpumex_event_synchronize", || events::find(event)?.synchronize())
}

/// Measures the time between two events, and waits for both.
///
/// @param start  the event where the time starts.
/// @param end    the event where it ends, of the same backend and device.
/// @param ms     *ms <- the time in milliseconds; negative when `end` was recorded first. The
///   resolution on CUDA is about half a microsecond.
/// @return OK, NULL_POINTER, INVALID_ARGUMENT (not a live event, never recorded, of different backends
///   or devices), CUDA (a fault of the device too) or UNSUPPORTED (after fork, recorded in a capture).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_event_elapsed_ms(start: *mut Event, end: *mut Event, ms: *mut f64) -> i32 {
    guard("gpumex_event_elapsed_ms", || {
        let (start, end) = (events::find_named("start", start)?, events::find_named("end", end)?);
        let elapsed = end.ms_since(&start)?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("ms", ms, elapsed) }
    })
}

/// Ends an event. What was told to wait for it still does.
///
/// @param event  the event; NULL is allowed and does nothing.
/// @return OK or INVALID_ARGUMENT (not a live event).
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_destroy(event: *mut Event) -> i32 {
    guard("gpumex_event_destroy", || if event.is_null() { Ok(()) } else { events::destroy(event) })
}
