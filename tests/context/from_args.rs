//! How many devices there are, and a context from the arguments of a program.

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use crate::common::*;

pub const ROLES: [Role; 1] = [("prints where no text goes", prints_where_no_text_goes)];

/// A context from a command line, or the sentence why not.
fn from_args(line: &str) -> Result<Context, String> {
    let words: Vec<CString> = line.split(' ').map(|word| CString::new(word).expect("no NUL")).collect();
    let argv: Vec<*mut c_char> = words.iter().map(|word| word.as_ptr().cast_mut()).collect();
    // SAFETY: C strings that outlive the call.
    let handle = unsafe { gpumex_context_create_from_args(argv.len() as i32, argv.as_ptr(), 0) };
    if handle.is_null() {
        return Err(last_error());
    }
    let is_cuda = backend_of(handle) == Ok(Backend::Cuda as i32);
    Ok(Context { handle, backend: if is_cuda { Backend::Cuda } else { Backend::Cpu } })
}

fn device_count() -> i32 {
    let mut count = -7;
    // SAFETY: an int32_t.
    ok(unsafe { gpumex_device_count(&mut count) }, "gpumex_device_count");
    count
}

#[test]
fn the_devices_are_counted() {
    let count = device_count();
    assert_eq!(count > 0, Context::cuda().is_some(), "{count} devices");
    for device in 0..count {
        let handle = gpumex_context_create(Backend::Cuda as i32, device);
        assert!(!handle.is_null(), "device {device} of {count}: {}", last_error());
        assert_eq!(info_of(handle).device, device);
        ok(gpumex_context_destroy(handle), "gpumex_context_destroy");
    }
    // SAFETY: NULL is refused.
    let status = unsafe { gpumex_device_count(null_mut()) };
    refused(status, Status::NullPointer, &["gpumex_device_count", "count is NULL"], "NULL");
}

#[test]
fn without_the_option_it_is_the_backend_that_auto_takes() {
    let backend = if Context::cuda().is_some() { Backend::Cuda } else { Backend::Cpu };
    for line in ["program", "program -v file --devices 99", "--device 99"] {
        let ctx = from_args(line).unwrap_or_else(|reason| panic!("{line}: {reason}"));
        assert_eq!(ctx.backend, backend, "{line}");
        ok(work(ctx.handle, 3), "gpumex_life");
    }
    // SAFETY: no arguments.
    let handle = unsafe { gpumex_context_create_from_args(0, null(), 0) };
    ok(gpumex_context_destroy(handle), "a context from no arguments");
}

#[test]
fn the_option_chooses_the_cuda_device() {
    let last = device_count() - 1;
    for line in [format!("program --device {last}"), format!("program --device 99 --device={last} file")] {
        match from_args(&line) {
            Ok(ctx) => assert_eq!(info_of(ctx.handle).device, last, "{line}"),
            Err(reason) => assert!(last < 0, "{line}: {reason}"),
        }
    }
    assert!(from_args("program --device 99").is_err(), "CUDA by name");
    says(&["gpumex_context_create_from_args"], "a device that is not there");
    assert_eq!(gpumex_last_status(), Status::NoDevice as i32);
}

#[test]
fn an_option_that_is_none_is_refused() {
    for (line, value) in [("program --device", ""), ("program --device=two", "two"), ("p --device -1", "-1")]
    {
        assert!(from_args(line).is_err(), "{line}");
        assert_eq!(gpumex_last_status(), Status::InvalidArgument as i32, "{line}");
        says(&["gpumex_context_create_from_args", &format!("\"{value}\""), "an ordinal from 0"], line);
    }
    // SAFETY: NULL is refused.
    assert!(unsafe { gpumex_context_create_from_args(2, null(), 0) }.is_null());
    says(&["argv is NULL and argc is 2"], "NULL arguments");
}

/// On the CPU backend, which keeps no file open: one would take the number of the standard output.
#[test]
fn a_standard_output_that_takes_no_text_is_told() {
    in_a_new_process("prints where no text goes", &[("GPUMEX_BACKEND", "cpu")]);
}

fn prints_where_no_text_goes() {
    unsafe extern "C" {
        static stdout: *mut libc::FILE;
    }
    let create = || {
        let arguments = [c"program".as_ptr().cast_mut()];
        // SAFETY: one C string.
        unsafe { gpumex_context_create_from_args(1, arguments.as_ptr(), 1) }
    };
    // SAFETY: descriptors that no other thread writes to meanwhile; a stream that was not used, and that has no buffer from here on,
    // in which the text would wait.
    let (output, full) = unsafe {
        assert_eq!(libc::setvbuf(stdout, null_mut(), libc::_IONBF, 0), 0, "setvbuf");
        (libc::dup(1), libc::open(c"/dev/full".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC))
    };
    assert!(output > 1 && full > 1, "dup and /dev/full");
    for is_closed in [true, false] {
        // SAFETY: as above.
        let handle = unsafe {
            let is_done = if is_closed { libc::close(1) == 0 } else { libc::dup2(full, 1) == 1 };
            assert!(is_done, "close and dup2");
            let handle = create();
            assert_eq!(libc::dup2(output, 1), 1, "dup2");
            handle
        };
        let what = if is_closed { "closed" } else { "/dev/full" };
        assert!(handle.is_null(), "{what}");
        let words = ["gpumex_context_create_from_args", "the standard output takes no text"];
        refused(gpumex_last_status(), Status::Internal, &words, what);
        let handle = create();
        ok(work(handle, 3), "gpumex_life in the next context");
        ok(gpumex_context_destroy(handle), "gpumex_context_destroy");
    }
}
