//! What the targets share: statuses with their sentences, C strings, and bytes as numbers.

use std::ffi::{CStr, c_char};

use gpumex_core::context::Context;
use gpumex_core::error::Status;
use gpumex_core::ffi::*;
use gpumex_core::platform::settings::Backend;

pub const OK: i32 = Status::Ok as i32;
pub const INVALID: i32 = Status::InvalidArgument as i32;

/// A status and the sentence of an error, without the name of the operation.
pub type Answer = (i32, String);

/// A context of the CPU backend, for all calls of this thread.
pub fn context() -> *mut Context {
    thread_local! {
        static CONTEXT: *mut Context = gpumex_context_create(Backend::Cpu as i32, -1);
    }
    CONTEXT.with(|ctx| *ctx)
}

/// What a call that returned `status` has said.
#[track_caller]
pub fn answer(status: i32) -> Answer {
    if status == OK {
        return (status, String::new());
    }
    assert_ne!(status, Status::Internal as i32, "{}", last_error());
    assert_ne!(status, Status::OutOfMemory as i32, "{}", last_error());
    let text = last_error();
    let (operation, sentence) = text.split_once(": ").expect("an error names its operation");
    assert!(operation.starts_with("gpumex_") && !sentence.is_empty(), "{text}");
    assert!(!text.contains(char::is_control), "control characters in {text:?}");
    (status, sentence.to_owned())
}

pub fn last_error() -> String {
    // SAFETY: a NUL-terminated string until the next call of this thread.
    unsafe { CStr::from_ptr(gpumex_last_error()) }.to_str().expect("errors are UTF-8").to_owned()
}

/// The text in front of the first NUL, as C sees it.
pub fn before_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// A C string of its text.
pub fn c_string(text: &[u8]) -> Vec<u8> {
    [before_nul(text), &[0]].concat()
}

/// The text in a fixed array of C.
pub fn text_in(array: &[c_char]) -> Vec<u8> {
    array.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect()
}

/// A text in a fixed array, cut to fit.
pub fn put(array: &mut [c_char], text: &[u8]) {
    let room = array.len() - 1;
    array[..room].iter_mut().zip(text).for_each(|(to, &from)| *to = from as c_char);
}

/// Takes fields off the front of the input; what is not there is zero.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (front, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        front
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes(1).first().copied().unwrap_or_default()
    }

    pub fn number(&mut self) -> i64 {
        let mut bytes = [0; 8];
        let taken = self.bytes(8);
        bytes[..taken.len()].copy_from_slice(taken);
        i64::from_le_bytes(bytes)
    }
}
