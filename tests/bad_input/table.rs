//! Good arguments of one function, and what a call has to do when one of them is changed.

use std::ffi::c_void;
use std::fmt::Display;

use gpumex::error::Status;

use crate::common::{Number, assert_same, explain, last_error, ok, refused};

/// The arguments of one function.
pub trait Call: Clone {
    /// The name of the function, as its sentences have it.
    fn name(&self) -> &'static str;
    fn call(&self) -> i32;
}

/// Memory that good arguments point into: inputs and output, all of it poison.
pub struct Memory(*mut u64);

pub const WORDS: usize = 4096;
pub const FAR: usize = 16384; // bytes from the inputs to the output

impl Memory {
    pub fn new() -> Memory {
        let words: Box<[u64; WORDS]> = Box::new([u64::POISON; WORDS]);
        Memory(Box::into_raw(words).cast())
    }

    pub fn at(&self, offset: usize) -> *mut c_void {
        self.0.cast::<u8>().wrapping_add(offset).cast()
    }

    pub fn poison(&self) {
        // SAFETY: WORDS words of this struct.
        unsafe { std::slice::from_raw_parts_mut(self.0, WORDS) }.fill(u64::POISON);
    }

    pub fn bytes(&self) -> Vec<u8> {
        // SAFETY: WORDS words of this struct.
        unsafe { std::slice::from_raw_parts(self.0.cast(), WORDS * 8) }.to_vec()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: made by Box::into_raw.
        drop(unsafe { Box::from_raw(self.0.cast::<[u64; WORDS]>()) });
    }
}

/// Good arguments, which each case changes in one place.
pub struct Table<'m, C> {
    pub good: C,
    pub memory: &'m Memory,
    pub result: Vec<u8>, // the memory after a good call
    pub place: String,
}

impl<'m, C: Call> Table<'m, C> {
    #[track_caller]
    pub fn new(backend: impl Display, memory: &'m Memory, good: C) -> Table<'m, C> {
        let place = format!("{} on {backend}", good.name());
        memory.poison();
        ok(good.call(), format!("{place}, good arguments"));
        let result = memory.bytes();
        assert!(
            result.iter().any(|&byte| byte != u8::POISON),
            "{place}, good arguments: nothing was written"
        );
        Table { good, memory, result, place }
    }

    /// The changed call is refused with this status; the sentence begins with the operation and contains the words.
    #[track_caller]
    pub fn refuses(&self, what: impl Display, status: Status, words: &[&str], change: impl FnOnce(&mut C)) {
        let what = format!("{}, {what}", self.place);
        let mut bad = self.good.clone();
        change(&mut bad);
        self.memory.poison();
        let got = bad.call();
        let begins = format!("{}: ", bad.name());
        refused(got, status, words, &what);
        assert!(
            last_error().starts_with(&begins),
            "{what}: the sentence begins with \"{begins}\": {}",
            explain(got)
        );
        let written = self.memory.bytes().iter().position(|&byte| byte != u8::POISON);
        assert_eq!(written, None, "{what}: byte written although the call was refused");
        ok(self.good.call(), format!("{what}, then good arguments"));
        assert_same(&self.memory.bytes(), &self.result, format!("{what}, then good arguments"));
    }

    /// A value of an option that a later version serves is refused as such.
    #[track_caller]
    pub fn refuses_unserved(&self, field: &str, value: &str, change: impl FnOnce(&mut C)) {
        let words = [field, value, "this version serves"];
        self.refuses(format!("{field} {value}"), Status::Unsupported, &words, change);
    }

    /// The changed call gives what the good one gives.
    #[track_caller]
    pub fn accepts(&self, what: impl Display, change: impl FnOnce(&mut C)) {
        let what = format!("{}, {what}", self.place);
        let mut other = self.good.clone();
        change(&mut other);
        self.memory.poison();
        ok(other.call(), &what);
        assert_same(&self.memory.bytes(), &self.result, what);
    }

    /// The changed call succeeds and writes nothing.
    #[track_caller]
    pub fn does_nothing(&self, what: impl Display, change: impl FnOnce(&mut C)) {
        let what = format!("{}, {what}", self.place);
        let mut other = self.good.clone();
        change(&mut other);
        self.memory.poison();
        ok(other.call(), &what);
        let written = self.memory.bytes().iter().position(|&byte| byte != u8::POISON);
        assert_eq!(written, None, "{what}: byte written");
    }
}

/// A pointer to the last `bytes` bytes of the address space.
pub fn end_of_addresses<T>(bytes: usize) -> *mut T {
    std::ptr::without_provenance_mut(usize::MAX - bytes + 1)
}

pub const MAX: usize = usize::MAX;
pub const MAX_TEXT: &str = "18446744073709551615";
pub const BEYOND: &str = "beyond the address space";
