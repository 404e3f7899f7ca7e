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

/// text <- `count` numbers in rows of `columns`, as far as text has room, and a NUL; *needed <- the bytes that all
/// of it takes, the NUL included. A text that was cut is a success with *needed > capacity; text = NULL with
/// capacity = 0 asks for the size alone.
///
/// Each row begins with the index of its first number as "%5d:  ", a space follows every number, and a newline
/// ends the row: "    0:       0      5     10 \n" is three of int32_t with "%6d". No numbers are no rows.
/// array: `count` elements of a `gpumex_dtype`, in host, pinned, managed or device memory. text: memory of the
/// host, apart from array.
/// format: text around one conversion of printf, "%%" for a percent sign, 1024 bytes at most. d i u o x X print
/// integers, c those of 8 bits, f F e E g G a A floats, with flags, width and precision (digits, at most 512). A
/// length (l, hh ...) is ignored, since the dtype has one; d and i of an unsigned type are u; u o x X of a signed
/// type show its two's complement. The decimal point is that of the program's locale. needed may be NULL.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, not a dtype, format, columns = 0, alignment,
/// overlap, a range that is too short, another device's memory), UNSUPPORTED (text in device memory; array in
/// device memory on the CPU backend; after fork), CUDA, BUSY; after one text may hold a part of it.
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

/// Receives `length` bytes of text, which live until it returns and have no NUL at their end. Returns 0 to go on,
/// another number to stop. Must not unwind, longjmp or call the library with the same context.
#[cfg(not(gpumex_matlab_loadlibrary))]
#[allow(non_camel_case_types)]
pub type gpumex_write_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, text: *const c_char, length: usize) -> i32>;

/// Prints as gpumex_print does, to a callback: a call for each row, for a row of more than 64 KiB several, on the
/// caller's thread and with the caller's CUDA context current. `user` is handed through.
/// Errors: as gpumex_print, and CANCELLED (write returned another number than 0).
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

/// # Safety `array` is as [`Input::from_raw`] has it, `format` is NULL or a NUL-terminated string, and both
/// outlive the result.
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
