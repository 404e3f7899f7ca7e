//! Memory of the arguments: slots between protected pages, mapped once.
//!
//! An array ends at the upper protected page of its slot, or begins behind the lower one; bytes next to it on the
//! other side are compared after the call.

use std::ptr::{null_mut, slice_from_raw_parts};

pub const SLOT: usize = 16 << 20;
const PAGE: usize = 4096;
const SLOTS: usize = 40;
const MARGIN: usize = 64;
const CANARY: u8 = 0xc5;

pub struct Arena {
    base: usize,
    used: usize,
}

/// An array in a slot.
#[derive(Clone, Copy)]
pub struct Placed {
    pub address: usize,
    pub length: usize,
    high: bool,
    skew: usize,
}

impl Arena {
    pub fn new() -> Result<Arena, String> {
        let bytes = SLOTS * (SLOT + PAGE) + PAGE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping.
        let base = unsafe { libc::mmap(null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err("no memory for the arguments".into());
        }
        for slot in 0..SLOTS {
            let begin = base as usize + PAGE + slot * (SLOT + PAGE);
            // SAFETY: within the new mapping.
            if unsafe { libc::mprotect(begin as *mut _, SLOT, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
                return Err("the arguments cannot be protected".into());
            }
        }
        Ok(Arena { base: base as usize, used: 0 })
    }

    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Returns the pages of the arrays of this case.
    pub fn trim(&self) {
        for slot in 0..self.used {
            let begin = self.base + PAGE + slot * (SLOT + PAGE);
            // SAFETY: anonymous memory that holds nothing between two cases.
            unsafe { libc::madvise(begin as *mut _, SLOT, libc::MADV_DONTNEED) };
        }
    }

    /// An address in a protected page.
    pub fn forbidden(&self) -> usize {
        self.base + 64
    }

    pub fn place(&mut self, bytes: &[u8], high: bool, skew: usize) -> Placed {
        assert!(
            self.used < SLOTS && bytes.len() + skew + MARGIN <= SLOT,
            "the generator keeps arrays in their slots"
        );
        let begin = self.base + PAGE + self.used * (SLOT + PAGE);
        self.used += 1;
        let address = if high { begin + SLOT - bytes.len() - skew } else { begin + skew };
        let placed = Placed { address, length: bytes.len(), high, skew };
        let (from, to) = placed.surroundings();
        // SAFETY: both ranges are in the slot.
        unsafe {
            std::ptr::write_bytes(from as *mut u8, CANARY, to - from);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len());
        }
        placed
    }
}

impl Placed {
    /// The array with its margins.
    fn surroundings(&self) -> (usize, usize) {
        let end = self.address + self.length;
        if self.high {
            (self.address - MARGIN, end + self.skew)
        } else {
            (self.address - self.skew, end + MARGIN)
        }
    }

    /// Overwrites the contents.
    pub fn write(&self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.length, "as long as it was placed");
        // SAFETY: within a slot, which is mapped as long as the process lives.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.address as *mut u8, bytes.len()) }
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a slot is mapped as long as the process lives; nobody writes between two calls.
        unsafe { &*slice_from_raw_parts(self.address as *const u8, self.length) }
    }

    pub fn margins_intact(&self) -> bool {
        let (from, to) = self.surroundings();
        let intact = |from: usize, to: usize| {
            // SAFETY: as in `bytes`.
            unsafe { &*slice_from_raw_parts(from as *const u8, to - from) }.iter().all(|byte| *byte == CANARY)
        };
        intact(from, self.address) && intact(self.address + self.length, to)
    }
}
