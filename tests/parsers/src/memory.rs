//! The bytes that are allocated at a time, to hold calls to a bound.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(now, Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs a call that may have at most this many bytes allocated beyond what was allocated before.
#[track_caller]
pub fn within<T>(bytes: usize, call: impl FnOnce() -> T) -> T {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let result = call();
    let taken = MOST.load(Relaxed).saturating_sub(before);
    assert!(taken <= bytes, "the call allocated {taken} bytes, {bytes} are the most");
    result
}
