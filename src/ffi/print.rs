//! Arrays as text: into a buffer, or row by row to a callback.

use std::ffi::{CStr, c_char, c_void};

use super::{guard, write_optional};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::{Error, Result, Status};
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::print::{self, Printing};

/// @brief Formats an array: text <- count numbers in rows of `columns` and a NUL, as far as
///   capacity allows; `*needed` <- the bytes of all of it, with the NUL.
///
/// A truncated text is a success with `*needed` > capacity. Each row begins with the index of its
/// first number as `%5d:  `, a space follows every number, and a newline ends the row. No numbers
/// give no rows.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
/// @param array count elements.
/// @param count Number of elements.
/// @param format Text around one conversion of printf, `%%` for a percent sign, at most 1024 bytes:
///   d i u o x X for integers, c for those of 8 bits, f F e E g G a A for floats, with flags, width
///   and precision (digits, at most 512). A length (l, hh ...) is ignored; d and i of an unsigned
///   type are u; u o x X of a signed type show its two's complement. The decimal point is that of
///   the locale.
/// @param columns Numbers in a row, at least 1.
/// @param text Receives at most capacity bytes, in host memory, apart from array and from format
///   with its NUL; NULL with capacity = 0 asks for the size only.
/// @param capacity Bytes that text holds.
/// @param needed Receives the size in bytes, in host memory; may be NULL.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; format; columns; text that overlaps format;
///   an array that is misaligned, overlaps an output, is too short or belongs to another device);
///   UNSUPPORTED (F16, BF16; text in device memory; device memory on the CPU backend; a CUDA context
///   after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After an error text may hold a part of the result.
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `min(count*sizeof(dtype), 1048576)`; arrays on the host `0`.
/// @ingroup gpumex_memory
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_print(
    ctx: *mut Context,
    dtype: i32,
    array: *const c_void,
    count: usize,
    format: *const c_char,
    columns: usize,
    text: *mut c_char,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_print", || {
        // SAFETY: the caller's promise in the documentation above.
        let (printing, text) = unsafe {
            (printing(dtype, array, count, format, columns)?, Output::from_raw("text", text.cast()))
        };
        let bytes = handle::with(ctx, |ctx| print::print(ctx, &printing, text, capacity))?;
        // SAFETY: NULL, or a uint64_t by the caller's promise.
        unsafe { write_optional(needed, bytes as u64) };
        Ok(())
    })
}

/// @brief Receives `length` bytes of text, without a terminating NUL, valid until it returns.
///
/// Returns 0 to continue, any other number to stop. Must not unwind, longjmp or call the library
/// with the same context.
/// @ingroup gpumex_memory
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_write_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, text: *const c_char, length: usize) -> i32>;

/// @brief Formats an array as gpumex_print does and hands it to a callback, row by row; rows of
///   more than 64 KiB in several calls.
/// @param ctx The context that runs it.
/// @param dtype A gpumex_dtype: F32, F64, integers or BOOL.
/// @param array count elements.
/// @param count Number of elements.
/// @param format Text around one conversion of printf, as in gpumex_print.
/// @param columns Numbers in a row, at least 1.
/// @param write Called on the calling thread, with the caller's CUDA context current.
/// @param user Passed to write.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; dtype; format; columns; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
///   BF16; device memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel; write returned another number
///   than 0).
/// @note Cost: O(count).
/// @note Memory: CPU `0`; CUDA `min(count*sizeof(dtype), 1048576)`; arrays on the host `0`.
/// @ingroup gpumex_memory
#[must_use]
#[cfg(not(gpumex_matlab_loadlibrary))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_print_to(
    ctx: *mut Context,
    dtype: i32,
    array: *const c_void,
    count: usize,
    format: *const c_char,
    columns: usize,
    write: gpumex_write_callback,
    user: *mut c_void,
) -> i32 {
    guard("gpumex_print_to", || {
        let write = write.ok_or_else(|| Error::new(Status::NullPointer, "write is NULL"))?;
        // SAFETY: the caller's promise in the documentation above.
        let printing = unsafe { printing(dtype, array, count, format, columns)? };
        // SAFETY: a function of this type; the text lives until it returns.
        let out = |row: &[u8]| match unsafe { write(user, row.as_ptr().cast(), row.len()) } {
            0 => Ok(()),
            answer => Err(Error::new(Status::Cancelled, format!("write returned {answer}"))),
        };
        handle::with(ctx, |ctx| print::print_rows(ctx, &printing, out))
    })
}

/// # Safety `array` is as [`Input::from_raw`] has it, `format` is NULL or a NUL-terminated string,
/// and both outlive the result.
unsafe fn printing<'a>(
    dtype: i32,
    array: *const c_void,
    count: usize,
    format: *const c_char,
    columns: usize,
) -> Result<Printing<'a>> {
    if format.is_null() {
        return Err(Error::new(Status::NullPointer, "format is NULL"));
    }
    let dtype = Dtype::from_c("dtype", dtype)?.passed()?;
    // SAFETY: not NULL, and the caller's promise.
    let (array, format) = unsafe { (Input::from_raw("array", array), CStr::from_ptr(format).to_bytes()) };
    Ok(Printing { dtype, array, count, format, columns })
}
