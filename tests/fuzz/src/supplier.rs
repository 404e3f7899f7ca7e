//! The memory that a custom allocator gives: malloc's, or the CUDA driver's.

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

type Allocate = unsafe extern "C" fn(*mut *mut c_void, usize) -> i32;
type Release = unsafe extern "C" fn(*mut c_void) -> i32;

/// cuMemAlloc and cuMemFree; 0 on the CPU backend.
static DRIVER: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Whether there is a CUDA driver; it is left loaded.
pub fn has_driver() -> bool {
    // SAFETY: a NUL-terminated name.
    !unsafe { libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_LAZY) }.is_null()
}

/// Takes the driver's functions, where memory of the device is needed.
pub fn choose(device: bool) -> Result<(), String> {
    if !device {
        return Ok(());
    }
    // SAFETY: NUL-terminated names; the driver is loaded already.
    unsafe {
        let driver = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW);
        let find = |name: &CStr| libc::dlsym(driver, name.as_ptr()) as usize;
        for (place, name) in DRIVER.iter().zip([c"cuMemAlloc_v2", c"cuMemFree_v2"]) {
            match if driver.is_null() { 0 } else { find(name) } {
                0 => return Err("libcuda.so.1 has no cuMemAlloc".into()),
                address => place.store(address, Ordering::Relaxed),
            }
        }
    }
    Ok(())
}

/// *memory <- so many bytes; not 0 where there are none.
pub fn allocate(memory: *mut *mut c_void, bytes: usize) -> i32 {
    let bytes = bytes.max(1);
    match DRIVER[0].load(Ordering::Relaxed) {
        // SAFETY: `memory` is a place for an address.
        0 => unsafe { libc::posix_memalign(memory, 512, bytes) },
        // SAFETY: cuMemAlloc, and the library calls with its device current.
        address => unsafe { std::mem::transmute::<usize, Allocate>(address)(memory, bytes) },
    }
}

pub fn release(memory: *mut c_void) {
    match DRIVER[1].load(Ordering::Relaxed) {
        // SAFETY: of `allocate`.
        0 => unsafe { libc::free(memory) },
        // SAFETY: likewise.
        address => _ = unsafe { std::mem::transmute::<usize, Release>(address)(memory) },
    }
}
