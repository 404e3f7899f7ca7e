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

/// @brief Allocates memory: `*pointer` <- bytes bytes, aligned to 512 bytes, with undefined
/// contents; NULL where bytes = 0.
///
/// The memory belongs to the caller until gpumex_free, and may outlive the context. Arrays may point
/// anywhere into it; they are checked against its end. Device memory may still be in use by earlier
/// work of the context, which later work of the context follows: before using it in a stream of your
/// own, call gpumex_context_synchronize. Use by another context is ordered by the library.
/// @param ctx The context that runs it.
/// @param kind A gpumex_memory_kind. On the CPU backend all kinds are host memory.
/// @param bytes Size of the block.
/// @param pointer Receives the address, NULL after an error.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; kind);
///   OUT_OF_MEMORY (after all cached memory was released); CUDA; UNSUPPORTED (a CUDA context after
///   fork); BUSY (another thread is in ctx).
/// @ingroup gpumex_memory
#[must_use]
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

/// @brief Frees memory of gpumex_malloc, also after its context was destroyed.
///
/// Waits for the library's own work on it; the caller's own work on it has to be done.
/// @param pointer The start of a block; NULL does nothing.
/// @return 0 or a gpumex_status: INVALID_ARGUMENT (not the start of a block of gpumex_malloc, or
///   freed before); CUDA or UNSUPPORTED (after fork) where another stream's use of it could not be
///   waited for: the memory is freed nevertheless.
/// @note Thread-safe.
/// @ingroup gpumex_memory
#[unsafe(no_mangle)]
pub extern "C" fn gpumex_free(pointer: *mut c_void) -> i32 {
    guard("gpumex_free", || if pointer.is_null() { Ok(()) } else { memory::free(pointer as usize) })
}

/// @brief Copies bytes bytes between any two kinds of memory.
/// @param ctx The context that runs it.
/// @param to Receives bytes bytes.
/// @param from bytes bytes; does not overlap to.
/// @param bytes Number of bytes.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; an array that is misaligned, overlaps an output,
///   is too short or belongs to another device); UNSUPPORTED (device memory on the CPU backend; a
///   CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). to is unspecified after OUT_OF_MEMORY, CUDA and CANCELLED.
/// @note Asynchronous between two ranges of device memory.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `0`.
/// @ingroup gpumex_memory
#[must_use]
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

/// @brief Migrates the pages of managed memory to where they are needed next; the contents stay.
/// @param ctx The context that runs it.
/// @param array bytes bytes of managed memory; on the CPU backend, where nothing moves, also host
///   memory.
/// @param bytes Number of bytes.
/// @param target A gpumex_prefetch_target.
/// @return 0 or a gpumex_status: NULL_POINTER; INVALID_ARGUMENT (ctx is not a live context; not
///   managed memory, or too short; target); UNSUPPORTED (the device cannot; a CUDA context after
///   fork); CUDA; BUSY (another thread is in ctx).
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host `0`.
/// @ingroup gpumex_memory
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
