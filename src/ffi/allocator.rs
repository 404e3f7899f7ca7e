//! The allocator of a context: which, how much, what it did.

use std::ffi::c_void;

use super::{guard, options};
use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::handle;
use crate::memory::custom::{Allocate, Release};
use crate::memory::{Allocator, AllocatorStats};
use crate::model::numbered::NumberedEnum;

/// @brief Selects the allocator of a context: CACHING (the default), SIMPLE or POOL.
///
/// Only while no memory of the context is held. Cached blocks go back to the driver; capacity and
/// largest block stay.
/// @param ctx The context.
/// @param allocator A gpumex_allocator; CUSTOM is set by gpumex_allocator_custom.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
///   allocator); BUSY (memory is held, or another thread is in ctx); UNSUPPORTED (POOL on the CPU
///   backend; a CUDA context after fork); CUDA.
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_allocator_select(ctx: *mut Context, allocator: i32) -> i32 {
    guard("gpumex_allocator_select", || {
        let allocator = Allocator::from_c("allocator", allocator)?;
        handle::with(ctx, |ctx| ctx.select_allocator(allocator))
    })
}

/// @brief Allocates device memory: `*memory` <- bytes bytes, aligned to 512 bytes; returns 0, or
/// another number where there is none.
///
/// On the CPU backend it is host memory. stream is the context's cudaStream_t, in whose order the
/// memory is used; NULL on the CPU backend. The device of the context is current. May be called from
/// any thread. Must not unwind, longjmp, call the library with the same or the default context, or
/// wait for a thread that is in the library.
/// @ingroup gpumex_memory
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_allocate_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        bytes: usize,
        stream: *mut c_void,
        memory: *mut *mut c_void,
    ) -> i32,
>;

/// @brief Releases memory of a gpumex_allocate_callback, under the same rules.
///
/// The stream may still be using it: order the release after the work of the stream.
/// @ingroup gpumex_memory
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_release_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, bytes: usize, stream: *mut c_void)>;

/// @brief Sets a custom allocator: device memory, temporary memory included, comes from `allocate`
/// and goes back to `release`.
///
/// One call of each for one block; pinned and managed memory still comes from the driver. Both
/// callbacks have to work until another allocator is selected or, after the context was destroyed,
/// the last of its memory is freed. After a failure of `allocate` cached memory of all contexts is
/// released and it is called once more.
/// @param ctx The context; none of its memory is held.
/// @param allocate Allocates.
/// @param release Releases.
/// @param user Passed to both.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, allocate, release); INVALID_ARGUMENT (ctx is not
///   a live context); BUSY (memory is held, or another thread is in ctx); UNSUPPORTED (a CUDA
///   context after fork); CUDA.
/// @ingroup gpumex_memory
#[must_use]
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_allocator_custom(
    ctx: *mut Context,
    allocate: gpumex_allocate_callback,
    release: gpumex_release_callback,
    user: *mut c_void,
) -> i32 {
    guard("gpumex_allocator_custom", || {
        let (allocate, release): (Allocate, Release) =
            (given("allocate", allocate)?, given("release", release)?);
        handle::with(ctx, |ctx| ctx.custom_allocator(allocate, release, user))
    })
}

fn given<F>(name: &str, callback: Option<F>) -> Result<F> {
    callback.ok_or_else(|| Error::new(Status::NullPointer, format!("{name} is NULL")))
}

/// @brief Limits the caching allocator of a context.
///
/// Idle blocks are evicted least-recently-used first, weighted by size, as soon as the limit is
/// exceeded. POOL keeps up to the capacity set when it is selected, and reports none of it as
/// cached.
/// @param ctx The context.
/// @param capacity Bytes in use and idle together, as far as evicting idle blocks can keep it; 0
///   keeps nothing. Default: half of the device's memory (CPU backend: an eighth of the machine's,
///   or of the limit of the process's control group).
/// @param largest Bytes of the largest block that is kept idle. Default: half the capacity.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_allocator_set_capacity(ctx: *mut Context, capacity: u64, largest: u64) -> i32 {
    guard("gpumex_allocator_set_capacity", || {
        handle::with(ctx, |ctx| {
            ctx.set_allocator_capacity(capacity, largest);
            Ok(())
        })
    })
}

/// @brief Returns all idle memory of a context's allocator to the driver.
/// @param ctx The context.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context);
///   UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_memory
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_allocator_trim(ctx: *mut Context) -> i32 {
    guard("gpumex_allocator_trim", || {
        handle::with(ctx, |ctx| {
            ctx.trim_allocator();
            Ok(())
        })
    })
}

/// @brief Statistics of a context's allocator.
/// @param ctx The context.
/// @param stats Receives them; set stats->size (GPUMEX_ALLOCATOR_STATS_INIT).
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context;
///   stats->size); UNSUPPORTED (a CUDA context after fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_allocator_get_stats(ctx: *mut Context, stats: *mut AllocatorStats) -> i32 {
    guard("gpumex_allocator_get_stats", || {
        let current = handle::with(ctx, |ctx| Ok(ctx.allocator_stats()))?;
        // SAFETY: NULL, or a struct that begins with its size.
        unsafe { options::answer("stats", stats, current) }
    })
}
