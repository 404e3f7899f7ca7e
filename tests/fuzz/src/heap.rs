//! malloc and its like, for the whole process, the library's calls included: they refuse memory on request.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

const NEVER: u64 = u64::MAX;
/// What libc itself asks for when a thread registers a destructor; refused, it ends the process.
const DESTRUCTOR: usize = 32;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static FIRST_REFUSED: AtomicU64 = AtomicU64::new(NEVER);

/// The allocations after `first` more fail.
pub fn refuse_from(first: u64) {
    ALLOCATIONS.store(0, Ordering::SeqCst);
    FIRST_REFUSED.store(first, Ordering::SeqCst);
}

pub fn refuse_nothing() {
    FIRST_REFUSED.store(NEVER, Ordering::SeqCst);
}

fn is_refused() -> bool {
    let first = FIRST_REFUSED.load(Ordering::Relaxed);
    let refused = first != NEVER && ALLOCATIONS.fetch_add(1, Ordering::Relaxed) >= first;
    if refused {
        // SAFETY: errno of this thread.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
    }
    refused
}

unsafe extern "C" {
    fn __libc_malloc(bytes: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, bytes: usize) -> *mut c_void;
    fn __libc_realloc(memory: *mut c_void, bytes: usize) -> *mut c_void;
    fn __libc_memalign(alignment: usize, bytes: usize) -> *mut c_void;
}

#[unsafe(no_mangle)]
extern "C" fn malloc(bytes: usize) -> *mut c_void {
    // SAFETY: libc's own.
    if is_refused() { std::ptr::null_mut() } else { unsafe { __libc_malloc(bytes) } }
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, bytes: usize) -> *mut c_void {
    let is_small = count.saturating_mul(bytes) <= DESTRUCTOR;
    // SAFETY: as above.
    if !is_small && is_refused() { std::ptr::null_mut() } else { unsafe { __libc_calloc(count, bytes) } }
}

/// # Safety
/// As libc's.
#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(memory: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: as above.
    if is_refused() { std::ptr::null_mut() } else { unsafe { __libc_realloc(memory, bytes) } }
}

#[unsafe(no_mangle)]
extern "C" fn memalign(alignment: usize, bytes: usize) -> *mut c_void {
    // SAFETY: as above.
    if is_refused() { std::ptr::null_mut() } else { unsafe { __libc_memalign(alignment, bytes) } }
}

#[unsafe(no_mangle)]
extern "C" fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void {
    memalign(alignment, bytes)
}

/// # Safety
/// `memory` is a place for a pointer.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(memory: *mut *mut c_void, alignment: usize, bytes: usize) -> c_int {
    let found = memalign(alignment, bytes);
    if found.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: as the caller promises.
    unsafe { *memory = found };
    0
}
