//! Events: order and time between the work of contexts.

use super::{guard, write};
use crate::context::{Context, Event};
use crate::handle::{self, events};

/// @brief Creates an event: a mark in the work of a context, for which other contexts and threads
/// wait.
///
/// An event belongs to the backend, and on CUDA to the device, of ctx: contexts on the same one may
/// record it, and all contexts may wait for it. The handle is a token: looked up, never
/// dereferenced, never reused. An event may outlive its context. On the CPU backend the work of a
/// call is done on return, so that a recorded event is done. A forked child has copies of the events
/// of the CPU backend; those of CUDA answer UNSUPPORTED.
/// @param ctx The context.
/// @param event Receives the event, which belongs to the caller until gpumex_event_destroy; NULL
///   after an error.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context); CUDA;
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @note Several threads may use an event at once.
/// @ingroup gpumex_context
#[must_use]
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

/// @brief Records an event after the work enqueued in a context so far.
///
/// Recorded again, an event stands for its latest position; waits for an earlier one are unaffected.
/// @param ctx A context on the backend and device of the event.
/// @param event The event.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx or event is not live; an event
///   of another backend or device); CUDA; UNSUPPORTED (CUDA after fork); BUSY (another thread is in
///   ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_record(ctx: *mut Context, event: *mut Event) -> i32 {
    guard("gpumex_event_record", || {
        let event = events::find(event)?;
        handle::with(ctx, |ctx| ctx.record_event(&event))
    })
}

/// @brief Makes the later work of a context wait for a recorded event of any backend and device.
///
/// On CUDA the call itself does not wait; on the CPU backend it does. While the stream of ctx is
/// captured into a CUDA graph, an event that was recorded in the same capture orders the graph; one
/// from outside is UNSUPPORTED.
/// @param ctx The context that waits.
/// @param event The event.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx or event is not live; an event
///   that was never recorded); CUDA; UNSUPPORTED (CUDA after fork; see above); BUSY (another thread
///   is in ctx).
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_wait(ctx: *mut Context, event: *mut Event) -> i32 {
    guard("gpumex_event_wait", || {
        let event = events::find(event)?;
        handle::with(ctx, |ctx| ctx.wait_for_event(&event))
    })
}

/// @brief Whether the work before an event is done, without waiting.
/// @param event The event.
/// @param done Receives 1 or 0.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (event is not live, or was never
///   recorded); CUDA (a fault of the device included); UNSUPPORTED (CUDA after fork; recorded in a
///   capture).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_event_query(event: *mut Event, done: *mut i32) -> i32 {
    guard("gpumex_event_query", || {
        let is_done = events::find(event)?.is_done()?;
        // SAFETY: the caller hands an int32_t, or NULL, which `write` refuses.
        unsafe { write("done", done, i32::from(is_done)) }
    })
}

/// @brief Waits until the work before an event is done, without entering a context.
/// @param event The event.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (event is not live, or was never
///   recorded); CUDA (a fault of the device included); UNSUPPORTED (CUDA after fork; recorded in a
///   capture).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_synchronize(event: *mut Event) -> i32 {
    guard("gpumex_event_synchronize", || events::find(event)?.synchronize())
}

/// @brief The time between two events in ms; waits for both. The resolution on CUDA is about 0.5 us.
/// @param start The event at the start.
/// @param end The event at the end, of the same backend and device.
/// @param ms Receives the time; negative where end was recorded first.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (an event that is not live, was
///   never recorded, or of different backends or devices); CUDA (a fault of the device included);
///   UNSUPPORTED (CUDA after fork; recorded in a capture).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_event_elapsed_ms(start: *mut Event, end: *mut Event, ms: *mut f64) -> i32 {
    guard("gpumex_event_elapsed_ms", || {
        let (start, end) = (events::find_named("start", start)?, events::find_named("end", end)?);
        let elapsed = end.ms_since(&start)?;
        // SAFETY: the caller hands a double, or NULL, which `write` refuses.
        unsafe { write("ms", ms, elapsed) }
    })
}

/// @brief Destroys an event. Work that was told to wait for it still does.
/// @param event The event; NULL does nothing.
/// @return 0 or a gpumex_status: INVALID_ARGUMENT (not a live event).
/// @note Thread-safe.
/// @ingroup gpumex_context
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_event_destroy(event: *mut Event) -> i32 {
    guard("gpumex_event_destroy", || if event.is_null() { Ok(()) } else { events::destroy(event) })
}
