//! Memory of the library, and copies between any two places.

use std::ffi::c_void;

use super::{guard, write};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::memory::{self, MemoryKind};
use crate::model::numbered::NumberedEnum;
use crate::ops::copy::copy;
use crate::ops::prefetch::{PrefetchTarget, prefetch};

/// *pointer <- `bytes` bytes of memory, aligned to 512 bytes, with undefined contents; NULL when bytes = 0.
///
/// kind: a `gpumex_memory_kind`. On the CPU backend all kinds are memory of the host. The memory is the caller's
/// until gpumex_free, and may outlive the context. Device memory may still be in use by earlier asynchronous work
/// of the context, which what the context does next comes behind: for a stream of one's own, call
/// gpumex_context_synchronize first. Every array argument of the library may point into it, and is checked against
/// its end. Memory of one context used on another one is ordered between their streams by the library.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not a kind), OUT_OF_MEMORY (what is cached was
/// given back first), CUDA, UNSUPPORTED (after fork), BUSY; *pointer is NULL after one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_malloc(
    ctx: *mut Context,
    kind: i32,
    bytes: usize,
    pointer: *mut *mut c_void,
) -> i32 {
    guard("gpumex_malloc", || {
        // SAFETY: the caller hands a pointer, or NULL, which `write` refuses.
        unsafe { write("pointer", pointer, std::ptr::null_mut())? };
        let kind = MemoryKind::from_c("kind", kind)?;
        let address = handle::with(ctx, |ctx| ctx.malloc(kind, bytes))?;
        // SAFETY: as above.
        unsafe { write("pointer", pointer, address as *mut c_void) }
    })
}

/// Gives memory of gpumex_malloc back, whether its context lives or not; work of the library on it that is still
/// under way comes first, work of the caller's own has to be done. NULL is allowed and does nothing. Callable from
/// any thread.
/// Errors: INVALID_ARGUMENT (not memory of gpumex_malloc, freed before, not the start of a block); CUDA,
/// UNSUPPORTED (after fork) when other streams' use of it could not be waited for: the memory is given back all
/// the same.
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_free(pointer: *mut c_void) -> i32 {
    guard("gpumex_free", || if pointer.is_null() { Ok(()) } else { memory::free(pointer as usize) })
}

/// to <- `bytes` bytes from `from`, each of them host, pinned, managed or device memory. The ranges lie apart.
/// Between two arrays of device memory the call may return before the copy is done, in the order of the context's
/// work.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, a range that is too short, another
/// device's memory), OUT_OF_MEMORY, UNSUPPORTED (device memory on the CPU backend, after fork), CUDA, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_copy(
    ctx: *mut Context,
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
) -> i32 {
    guard("gpumex_copy", || {
        // SAFETY: the caller's promise in the documentation above.
        let (to, from) = unsafe { (Output::from_raw("to", to), Input::from_raw("from", from)) };
        handle::with(ctx, |ctx| copy(ctx, to, from, bytes))
    })
}

/// Moves the pages of managed memory to where they are needed next, in the order of the context's work; the
/// contents stay. target: a `gpumex_prefetch_target`. On the CPU backend there is nothing to move, and ordinary
/// memory of the host is taken as well.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not managed memory, too short), UNSUPPORTED (the
/// device cannot), CUDA, BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_prefetch(
    ctx: *mut Context,
    array: *mut c_void,
    bytes: usize,
    target: i32,
) -> i32 {
    guard("gpumex_prefetch", || {
        // SAFETY: the caller's promise in the documentation above.
        let array = unsafe { Output::from_raw("array", array) };
        let target = PrefetchTarget::from_c("target", target)?;
        handle::with(ctx, |ctx| prefetch(ctx, array, bytes, target))
    })
}
