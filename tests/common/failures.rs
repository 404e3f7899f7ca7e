//! Statuses and sentences: what a call has to answer, and failures of a test that say what was wanted.

use std::ffi::{CStr, c_char};
use std::fmt::{Debug, Display};

use gpumex::error::Status;
use gpumex::ffi::*;

/// A text that the library gave.
pub fn text_at(pointer: *const c_char) -> String {
    assert!(!pointer.is_null(), "a text is NULL: {}", last_error());
    // SAFETY: a NUL-terminated text of the library.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

pub fn last_error() -> String {
    // SAFETY: a NUL-terminated text that lives until the next failure on this thread.
    unsafe { CStr::from_ptr(gpumex_last_error()) }.to_string_lossy().into_owned()
}

pub fn status_text(status: i32) -> String {
    text_at(gpumex_status_string(status))
}

/// A status with its meaning and, when it is one of a failure, the sentence.
pub fn explain(status: i32) -> String {
    match status {
        0 => "status 0 (success)".to_string(),
        _ => format!("status {status} ({}), \"{}\"", status_text(status), last_error()),
    }
}

/// The call was a success.
#[track_caller]
pub fn ok(status: i32, what: impl Display) {
    assert!(status == 0, "{what}: {}", explain(status));
}

/// The call failed with this status, and its sentence contains all of these words.
#[track_caller]
pub fn refused(status: i32, want: Status, words: &[&str], what: impl Display) {
    assert!(status == want as i32, "{what}: want status {} ({want:?}), got {}", want as i32, explain(status));
    says(words, what);
}

/// The sentence of the last failure contains all of these words.
#[track_caller]
pub fn says(words: &[&str], what: impl Display) {
    let sentence = last_error();
    for word in words {
        assert!(
            sentence.contains(word),
            "{what}: the sentence has to contain \"{word}\", and is \"{sentence}\""
        );
    }
}

/// Two arrays are equal; else names the first difference.
#[track_caller]
pub fn assert_same<T: PartialEq + Debug>(got: &[T], want: &[T], what: impl Display) {
    assert!(got.len() == want.len(), "{what}: got {} elements, want {}", got.len(), want.len());
    if got == want {
        return;
    }
    let is_different = |i: &usize| got[*i] != want[*i];
    let first = (0..got.len()).find(is_different).expect("unequal arrays differ somewhere");
    let differing = (0..got.len()).filter(is_different).count();
    let (got, want, len) = (&got[first], &want[first], got.len());
    panic!("{what}: index {first}: got {got:?}, want {want:?} ({differing} of {len} elements differ)");
}
