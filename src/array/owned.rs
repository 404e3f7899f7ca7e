//! Memory of a context for the length of a call, where operations of the context read and write arrays.

use std::marker::PhantomData;
use std::ops::Range;

use super::{Input, Output};
use crate::error::Result;
use crate::memory;
use crate::vector;

/// Bytes where the arrays of a context lie: on its device, or on the host.
pub struct Owned {
    address: usize, // 0 when there are no bytes
    bytes: usize,
}

impl Owned {
    /// # Safety
    /// The address is that of as many bytes which the allocator of a context has lent, and which nobody else uses or frees.
    pub unsafe fn new(address: usize, bytes: usize) -> Owned {
        Owned { address, bytes }
    }

    fn checked(&self, from: usize, bytes: usize) -> *mut u8 {
        assert!(from <= self.bytes && bytes <= self.bytes - from, "a part lies within the whole");
        self.address.wrapping_add(from) as *mut u8
    }

    /// The bytes `from .. from + bytes` to read.
    pub fn input(&self, name: &'static str, from: usize, bytes: usize) -> Input<'_> {
        // SAFETY: within the memory that is lent for as long as this lives; written through `&mut self` alone.
        unsafe { Input::from_parts(name, self.checked(from, bytes), bytes) }
    }

    /// The bytes `from .. from + bytes` to write.
    pub fn output(&mut self, name: &'static str, from: usize, bytes: usize) -> Output<'_> {
        // SAFETY: within the memory that is lent for as long as this lives, and borrowed mutably.
        unsafe { Output::from_parts(name, self.checked(from, bytes), bytes) }
    }

    /// Several ranges of bytes to write, which lie behind one another.
    pub fn outputs(&mut self, name: &'static str, ranges: &[Range<usize>]) -> Result<Vec<Output<'_>>> {
        assert!(ranges.windows(2).all(|two| two[0].end <= two[1].start), "parts are apart");
        // SAFETY: as `output`; the parts do not overlap.
        let part = |range: &Range<usize>| unsafe {
            Output::from_parts(name, self.checked(range.start, range.len()), range.len())
        };
        vector::collected(ranges.iter().map(part))
    }

    /// All bytes, for an operation that may work in place.
    pub fn in_place(&mut self, name: &'static str) -> (Input<'_>, Output<'_>) {
        let Output { pointer, .. } = self.output(name, 0, self.bytes);
        (Input { pointer, lifetime: PhantomData }, Output { pointer, lifetime: PhantomData })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.bytes > 0 {
            let _ = memory::free(self.address); // live until now, as `new`'s caller promised
        }
    }
}
