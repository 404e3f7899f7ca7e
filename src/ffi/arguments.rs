//! The command line of a program, as far as it concerns contexts.

use std::ffi::{CStr, CString, c_char};

use crate::error::{Error, Result, Status};
use crate::platform::settings::device_argument;

/// The ordinal behind the last "--device" of a command line.
///
/// # Safety
/// `argv` holds `argc` C strings, as main gets them; a NULL among them is skipped.
pub unsafe fn device(argc: i32, argv: *const *mut c_char) -> Result<Option<usize>> {
    let count = usize::try_from(argc).unwrap_or(0);
    if argv.is_null() && count > 0 {
        return Err(Error::new(Status::NullPointer, format!("argv is NULL and argc is {argc}")));
    }
    // SAFETY: the caller's promise.
    let pointers = (0..count).map(|i| unsafe { argv.add(i).read() }).filter(|text| !text.is_null());
    // SAFETY: the caller's promise.
    let words: Vec<&[u8]> = pointers.map(|text| unsafe { CStr::from_ptr(text) }.to_bytes()).collect();
    device_argument(&words)
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Writes a text and a newline to the standard output of C, so that it comes in order with what the program
/// prints; a buffer tells at once whether they arrive.
pub fn print_line(text: &str) -> Result<()> {
    let text = CString::new(text).unwrap_or_default();
    // SAFETY: a C string, and the stream of C's standard output.
    let is_written = unsafe { libc::puts(text.as_ptr()) != libc::EOF && libc::fflush(stdout) != libc::EOF };
    is_written.then_some(()).ok_or_else(|| Error::new(Status::Internal, "the standard output takes no text"))
}
