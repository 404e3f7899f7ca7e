//! The allocator of a context: which, how much, what it did.

use std::ffi::c_void;

use super::{guard, options};
use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::handle;
use crate::memory::custom::{Allocate, Release};
use crate::memory::{Allocator, AllocatorStats};
use crate::model::numbered::NumberedEnum;

/// Changes the allocator of a context: CACHING (the default), SIMPLE or POOL; gpumex_allocator_custom sets CUSTOM.
/// Only when nothing that the context gave is held. What was cached goes back to the driver; capacity and largest
/// block stay.
/// Errors: INVALID_ARGUMENT (not a live context, not an allocator, CUSTOM), NULL_POINTER, BUSY (memory is held, or
/// another thread is in `ctx`), UNSUPPORTED (POOL on the CPU backend), CUDA.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_allocator_select(ctx: *mut Context, allocator: i32) -> i32 {
    guard("gpumex_allocator_select", || {
        let allocator = Allocator::from_c("allocator", allocator)?;
        handle::with(ctx, |ctx| ctx.select_allocator(allocator))
    })
}

/// Gives `bytes` bytes of device memory, aligned to 512 bytes, in *memory, and returns 0; another number when
/// there is none. On the CPU backend it is memory of the host. `stream` is the context's cudaStream_t, in whose
/// order the memory is used; NULL on the CPU backend. The device of the context is current. Must not unwind,
/// longjmp, call the library with the same or the default context, or wait for a thread that is in the library;
/// any thread may be the caller.
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

/// Takes back what the other callback gave, on the same terms. The stream may still be using it: what frees it has
/// to be ordered behind that.
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_release_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, memory: *mut c_void, bytes: usize, stream: *mut c_void)>;

/// Changes the allocator of a context to the caller's: device memory, the temporaries of operations included,
/// comes from `allocate` and goes back to `release`, one call each; pinned and managed memory comes from the
/// driver. `user` is handed through. Both have to work until another allocator is selected or, after the context
/// was destroyed, the last of its memory is freed. Out of memory gives back what is cached in any context and asks
/// once more. Errors: as gpumex_allocator_select.
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

/// Sets how many bytes the caching allocator of a context may hold, in use and idle together, as far as giving
/// idle blocks back can keep it, and the largest block that it keeps idle. 0 keeps nothing. The default is half of
/// the device's memory (CPU backend: an eighth of the machine's), and half of that for a block. POOL keeps up to
/// the capacity that is set when it is selected, and counts as `cached` none of what it keeps. What is too much
/// goes back at once, the block with the least weighted age first.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_allocator_set_capacity(ctx: *mut Context, capacity: u64, largest: u64) -> i32 {
    guard("gpumex_allocator_set_capacity", || {
        handle::with(ctx, |ctx| {
            ctx.set_allocator_capacity(capacity, largest);
            Ok(())
        })
    })
}

/// Gives everything that is idle in the context's allocator back to the driver.
/// Errors: INVALID_ARGUMENT (not a live context), NULL_POINTER, BUSY.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_allocator_trim(ctx: *mut Context) -> i32 {
    guard("gpumex_allocator_trim", || {
        handle::with(ctx, |ctx| {
            ctx.trim_allocator();
            Ok(())
        })
    })
}

/// *stats <- what the context's allocator holds and did. Set stats->size to sizeof(gpumex_allocator_stats) before
/// the call.
/// Errors: INVALID_ARGUMENT (not a live context, size), NULL_POINTER, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_allocator_get_stats(ctx: *mut Context, stats: *mut AllocatorStats) -> i32 {
    guard("gpumex_allocator_get_stats", || {
        let current = handle::with(ctx, |ctx| Ok(ctx.allocator_stats()))?;
        // SAFETY: NULL, or a struct that begins with its size.
        unsafe { options::answer("stats", stats, current) }
    })
}
