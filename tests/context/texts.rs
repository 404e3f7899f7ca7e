//! Texts: statuses, version, build, and the sentence of the last failure, which is each thread's own.

use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;

use super::every_call::*;
use crate::common::*;

#[test]
fn every_status_has_a_text_of_its_own() {
    let texts: Vec<String> = (0..12).map(|status| text_at(gpumex_status_string(status))).collect();
    assert_eq!(texts[0], "success");
    for (status, text) in texts.iter().enumerate() {
        assert!(!text.is_empty() && text != "unknown status", "status {status} is \"{text}\"");
        assert!(!texts[..status].contains(text), "status {status} is \"{text}\", as another one is");
    }
    for status in [-1, 12, 13, i32::MIN, i32::MAX] {
        assert_eq!(text_at(gpumex_status_string(status)), "unknown status", "status {status}");
    }
}

#[test]
fn version_and_build_are_told() {
    let version = text_at(gpumex_version());
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    assert_eq!(version.split('.').filter(|part| part.parse::<u32>().is_ok()).count(), 3, "version {version}");
    let build = text_at(gpumex_build_info());
    assert!(build.contains(&version), "\"{build}\" has to contain \"{version}\"");
    assert!(
        build.contains("CUDA 1") || build.contains("CPU backend only"),
        "\"{build}\" has to tell the toolkit"
    );
}

#[test]
fn the_last_error_is_the_threads_own_and_outlives_successes() {
    std::thread::spawn(the_last_error_of_a_new_thread).join().expect("as said");
}

fn the_last_error_of_a_new_thread() {
    assert_eq!(last_error(), "", "before the first failure of this thread");
    refused(
        count(handle_of(0x1234)),
        Status::InvalidArgument,
        &["gpumex_histogram", "0x1234"],
        "first failure",
    );
    ok(plain_count(), "a success");
    says(&["gpumex_histogram", "0x1234"], "after a success");
    std::thread::spawn(|| assert_eq!(last_error(), "", "in another thread")).join().expect("as said");
    refused(count(null_mut()), Status::NullPointer, &["gpumex_histogram", "NULL"], "second failure");
    assert!(!last_error().contains("0x1234"), "the second failure replaces the first");
}
