//! Settings: gpumex_configure before the first use, else the environment, else what the machine has.

use std::ffi::CStr;
use std::ptr::null;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::platform::settings::Backend;

use crate::common::*;

pub const ROLES: [Role; 4] = [
    ("prints the threads", || eprintln!("threads: {}", info_of(Context::cpu().handle).multiprocessors)),
    ("configures 3 threads", || {
        ok(configure(c"num_threads", c"2"), "first value");
        ok(configure(c"num_threads", c"3"), "the last value counts");
        assert_eq!(info_of(Context::cpu().handle).multiprocessors, 3);
        ok(work(Context::cpu().handle, 3), "gpumex_life on 3 threads");
        refused(configure(c"num_threads", c"2"), Status::Busy, &["num_threads"], "after first use");
    }),
    ("prints the backend", || {
        let handle = gpumex_context_create(Backend::Auto as i32, -1);
        eprintln!("auto: {:?}, default: {:?}", backend_of(handle), backend_of(gpumex_context_default()));
        ok(plain_count(), "histogram");
    }),
    ("fails to start", || {
        let status = plain_count();
        assert!(
            gpumex_context_default().is_null() && gpumex_context_create(Backend::Auto as i32, -1).is_null()
        );
        eprintln!("status: {status}, {}", last_error());
    }),
];

pub fn configure(key: &CStr, value: &CStr) -> i32 {
    // SAFETY: two C strings.
    unsafe { gpumex_configure(key.as_ptr(), value.as_ptr()) }
}

#[test]
fn configure_refuses_what_it_does_not_know() {
    for key in [c"threads", c"", c"BACKEND", c"GPUMEX_BACKEND"] {
        let key_text = key.to_string_lossy();
        let words = ["gpumex_configure", &format!("\"{key_text}\""), "unknown"];
        refused(configure(key, c"1"), Status::InvalidArgument, &words, format!("key {key_text}"));
    }
    for (key, value) in [
        (c"backend", c"gpu"),
        (c"backend", c""),
        (c"backend", c"CPU"),
        (c"device", c"-1"),
        (c"device", c"first"),
        (c"num_threads", c"-1"),
        (c"num_threads", c"1.5"),
        (c"num_threads", c"99999999999999999999"),
        (c"log", c"verbose"),
        (c"log", c"3"),
    ] {
        let (key_text, value_text) = (key.to_string_lossy(), format!("\"{}\"", value.to_string_lossy()));
        let words = ["gpumex_configure", &key_text, &value_text];
        refused(configure(key, value), Status::InvalidArgument, &words, format!("{key_text} = {value_text}"));
    }
    // SAFETY: NULL is refused.
    let (no_key, no_value) =
        unsafe { (gpumex_configure(null(), c"cpu".as_ptr()), gpumex_configure(c"backend".as_ptr(), null())) };
    assert_eq!((no_key, no_value), (Status::NullPointer as i32, Status::NullPointer as i32));
    says(&["gpumex_configure", "value is NULL"], "NULL value");
    let not_text = c"\xff\xfe";
    refused(
        configure(c"backend", not_text),
        Status::InvalidArgument,
        &["gpumex_configure"],
        "a value that is no text",
    );
}

#[test]
fn configure_after_first_use_is_told_busy() {
    let ctx = Context::cpu();
    for (key, value) in [(c"backend", c"cpu"), (c"device", c"0"), (c"num_threads", c"1"), (c"log", c"warn")] {
        let key_text = key.to_string_lossy();
        refused(configure(key, value), Status::Busy, &["gpumex_configure", &key_text], &key_text);
    }
    ok(count(ctx.handle), "the context afterwards");
}

#[test]
fn the_environment_sets_the_number_of_threads() {
    for threads in ["1", "3", "7"] {
        let printed = in_a_new_process("prints the threads", &[("GPUMEX_NUM_THREADS", threads)]);
        assert!(
            printed.contains(&format!("threads: {threads}\n")),
            "GPUMEX_NUM_THREADS={threads}: {printed}"
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for all in ["0", ""] {
        let printed = in_a_new_process("prints the threads", &[("GPUMEX_NUM_THREADS", all)]);
        assert!(printed.contains(&format!("threads: {cores}\n")), "GPUMEX_NUM_THREADS={all}: {printed}");
    }
}

#[test]
fn configure_before_first_use_beats_the_environment() {
    in_a_new_process("configures 3 threads", &[("GPUMEX_NUM_THREADS", "5")]);
}

#[test]
fn auto_takes_cuda_where_it_works_and_else_the_cpu() {
    let want =
        if Context::cuda().is_some() { "auto: Ok(2), default: Ok(2)" } else { "auto: Ok(1), default: Ok(1)" };
    let printed = in_a_new_process("prints the backend", &[]);
    assert!(printed.contains(want), "want {want}, got {printed}");
}

#[test]
fn the_environment_sets_the_backend_of_auto() {
    let printed = in_a_new_process("prints the backend", &[("GPUMEX_BACKEND", "cpu")]);
    assert!(printed.contains("auto: Ok(1), default: Ok(1)"), "GPUMEX_BACKEND=cpu: {printed}");
    if Context::cuda().is_some() {
        let printed = in_a_new_process("prints the backend", &[("GPUMEX_BACKEND", "cuda")]);
        assert!(printed.contains("auto: Ok(2), default: Ok(2)"), "GPUMEX_BACKEND=cuda: {printed}");
    } else {
        let printed = in_a_new_process("fails to start", &[("GPUMEX_BACKEND", "cuda")]);
        assert!(printed.contains("status: 4, "), "GPUMEX_BACKEND=cuda is NO_DEVICE: {printed}");
    }
}

#[test]
fn a_wrong_environment_is_an_error_that_names_it() {
    for (variable, value) in [
        ("GPUMEX_BACKEND", "quantum"),
        ("GPUMEX_DEVICE", "-3"),
        ("GPUMEX_NUM_THREADS", "many"),
        ("GPUMEX_LOG", "loud"),
    ] {
        let printed = in_a_new_process("fails to start", &[(variable, value)]);
        for word in ["status: 2, ", variable, value] {
            assert!(printed.contains(word), "{variable}={value}: want \"{word}\" in: {printed}");
        }
    }
}
