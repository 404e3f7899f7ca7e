//! The allocator of the Rust code in libgpumex: the system's, with two provisions for the case that it has no memory left.
//!
//! Rust's collections, and crates that are built on them, end the process when an allocation fails. What grows with a caller's arrays
//! is allocated fallibly (vector.rs) and becomes OUT_OF_MEMORY. The rest is served here:
//!
//! Reserve    Allocations of up to [`SMALL`] bytes (texts of errors, queues of threads) come from static memory when malloc has none.
//! Prepared   A workspace that a crate allocates by itself is allocated before, fallibly, by `prepare`: the next large allocation
//!            of that thread gets it.
//!
//! The crate gpumex leaves the allocator to the program unless its feature `allocator` is on: then neither applies.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// Bytes of the largest allocation that the reserve serves; a larger one may take a prepared block.
pub const SMALL: usize = 1 << 16;

/// Every prepared block is aligned to this.
const ALIGN: usize = 256;

/// What `#[global_allocator]` names.
pub struct Allocator;

static IS_INSTALLED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static PREPARED: Cell<Block> = const { Cell::new(Block { address: null_mut(), bytes: 0 }) };
}

#[derive(Clone, Copy)]
struct Block {
    address: *mut u8, // null: there is none
    bytes: usize,
}

// SAFETY: every address is the system's or of the reserve, and goes back to where it is from. The system ignores the layout of what
// it frees, so that a prepared block may be larger than the allocation that got it.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !IS_INSTALLED.load(Ordering::Relaxed) {
            IS_INSTALLED.store(true, Ordering::Relaxed);
        }
        if layout.size() > SMALL
            && let Some(prepared) = take_prepared(layout)
        {
            return prepared;
        }
        // SAFETY: the caller's promise.
        or_reserve(unsafe { System.alloc(layout) }, layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let address = or_reserve(unsafe { System.alloc_zeroed(layout) }, layout);
        if RESERVE.holds(address) {
            // SAFETY: as many bytes of the reserve, which others have used before.
            unsafe { address.write_bytes(0, layout.size()) };
        }
        address
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        match RESERVE.holds(address) {
            true => RESERVE.give_back(address, layout.size()),
            // SAFETY: the caller's promise.
            false => unsafe { System.dealloc(address, layout) },
        }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if !RESERVE.holds(address) {
            // SAFETY: the caller's promise.
            let moved = unsafe { System.realloc(address, layout, new_size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller's promise: the new size fits a layout of this alignment.
        let new_layout = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        // SAFETY: both are allocations of at least as many bytes; the old one is not used any more.
        unsafe {
            let new = self.alloc(new_layout);
            if !new.is_null() {
                new.copy_from_nonoverlapping(address, layout.size().min(new_size));
                self.dealloc(address, layout);
            }
            new
        }
    }
}

fn or_reserve(address: *mut u8, layout: Layout) -> *mut u8 {
    match address.is_null() && layout.size() <= SMALL && layout.align() <= Reserve::GRANULE {
        true => RESERVE.take(layout.size()),
        false => address,
    }
}

fn take_prepared(layout: Layout) -> Option<*mut u8> {
    let block = PREPARED.get();
    if block.bytes < layout.size() || layout.align() > ALIGN {
        return None; // where there is none, too
    }
    PREPARED.set(Block { address: null_mut(), bytes: 0 });
    Some(block.address)
}

/// A block for the next large allocation of this thread; what was not taken is freed with this.
pub struct Prepared(());

/// `body` with memory for one allocation of at most `bytes` bytes, which it cannot survive to lack.
pub fn with_prepared<T>(bytes: usize, body: impl FnOnce() -> T) -> Result<T> {
    let _prepared = prepare(bytes)?;
    Ok(body())
}

fn prepare(bytes: usize) -> Result<Prepared> {
    let out_of_memory = || Error::out_of_memory("host memory", bytes);
    if bytes <= SMALL || !IS_INSTALLED.load(Ordering::Relaxed) {
        return Ok(Prepared(())); // the reserve serves it; or nobody would take the block
    }
    let layout = Layout::from_size_align(bytes, ALIGN).map_err(|_| out_of_memory())?;
    // SAFETY: the layout has a size.
    let address = unsafe { System.alloc(layout) };
    if address.is_null() {
        return Err(out_of_memory());
    }
    free_prepared();
    PREPARED.set(Block { address, bytes });
    Ok(Prepared(()))
}

fn free_prepared() {
    let Block { address, bytes } = PREPARED.replace(Block { address: null_mut(), bytes: 0 });
    if !address.is_null() {
        // SAFETY: allocated by `prepare` with this layout, and taken by nobody.
        unsafe { System.dealloc(address, Layout::from_size_align_unchecked(bytes, ALIGN)) };
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        free_prepared();
    }
}

/// Static memory in granules, of which a bit each says whether it is taken.
struct Reserve {
    granules: Granules,
    taken: Taken,
    is_locked: AtomicBool,
}

#[repr(align(128))]
struct Granules(UnsafeCell<[u8; Reserve::BYTES]>);
struct Taken(UnsafeCell<[bool; Reserve::BYTES / Reserve::GRANULE]>);

// SAFETY: granules belong to whom `take` gave them; `taken` is used under the lock alone.
unsafe impl Sync for Reserve {}

static RESERVE: Reserve = Reserve::new();

impl Reserve {
    const BYTES: usize = 1 << 20; // pages that nobody touches take no memory
    const GRANULE: usize = 128; // alignment of the structs that threads of a pool share
    const PATIENCE: usize = 1 << 20; // turns of a lock; a forked child may find it locked for ever

    const fn new() -> Reserve {
        Reserve {
            granules: Granules(UnsafeCell::new([0; Reserve::BYTES])),
            taken: Taken(UnsafeCell::new([false; Reserve::BYTES / Reserve::GRANULE])),
            is_locked: AtomicBool::new(false),
        }
    }

    fn holds(&self, address: *mut u8) -> bool {
        (address as usize).wrapping_sub(self.granules.0.get() as usize) < Reserve::BYTES
    }

    /// At least `bytes` bytes, not 0, aligned to a granule; null where there are none left.
    #[cold]
    fn take(&self, bytes: usize) -> *mut u8 {
        let wanted = bytes.div_ceil(Reserve::GRANULE);
        let first = self.locked(|taken| {
            let mut free = 0; // granules before `end` that follow each other
            let end = (0..taken.len()).find(|&i| {
                free = if taken[i] { 0 } else { free + 1 };
                free == wanted
            })?;
            let first = end + 1 - wanted;
            taken[first..=end].fill(true);
            Some(first)
        });
        // SAFETY: the granules lie within the static array.
        first.map_or(null_mut(), |first| unsafe {
            self.granules.0.get().cast::<u8>().add(first * Reserve::GRANULE)
        })
    }

    #[cold]
    fn give_back(&self, address: *mut u8, bytes: usize) {
        let first = (address as usize - self.granules.0.get() as usize) / Reserve::GRANULE;
        self.locked(|taken| {
            taken[first..first + bytes.div_ceil(Reserve::GRANULE)].fill(false);
            Some(())
        });
    }

    /// Runs `body` under the lock; None where it cannot be had.
    fn locked<T>(&self, body: impl FnOnce(&mut [bool]) -> Option<T>) -> Option<T> {
        let mut turns = 0;
        while self.is_locked.swap(true, Ordering::Acquire) {
            turns += 1;
            if turns > Reserve::PATIENCE {
                return None;
            }
            std::thread::yield_now();
        }
        // SAFETY: under the lock.
        let outcome = body(unsafe { &mut *self.taken.0.get() });
        self.is_locked.store(false, Ordering::Release);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reserve_gives_what_others_gave_back() {
        static RESERVE: Reserve = Reserve::new();
        let a = RESERVE.take(1);
        let b = RESERVE.take(SMALL);
        assert!(RESERVE.holds(a) && RESERVE.holds(b) && b as usize >= a as usize + Reserve::GRANULE);
        assert!((b as usize).is_multiple_of(Reserve::GRANULE));
        RESERVE.give_back(a, 1);
        let c = RESERVE.take(Reserve::GRANULE);
        assert_eq!(a, c);
        RESERVE.give_back(c, Reserve::GRANULE);
        RESERVE.give_back(b, SMALL);
        let mut blocks: Vec<*mut u8> = (0..Reserve::BYTES / SMALL).map(|_| RESERVE.take(SMALL)).collect();
        assert!(blocks.iter().all(|block| !block.is_null()) && RESERVE.take(1).is_null());
        blocks.drain(..).for_each(|block| RESERVE.give_back(block, SMALL));
    }

    #[test]
    fn memory_of_the_system_moves_into_no_reserve_and_back() {
        let layout = Layout::array::<u8>(100).unwrap();
        // SAFETY: allocated, moved and freed with their layouts.
        unsafe {
            let first = RESERVE.take(100);
            first.write_bytes(7, 100);
            let moved = Allocator.realloc(first, layout, 200);
            assert!(!RESERVE.holds(moved) && (0..100).all(|i| moved.add(i).read() == 7));
            Allocator.dealloc(moved, Layout::array::<u8>(200).unwrap());
        }
    }
}
