//! A custom allocator as a program has one: it counts, and fails when it is told to.

use std::alloc::{Layout, alloc, dealloc};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard};

use gpumex::ffi::gpumex_allocator_custom;

use super::{Handle, cuda::Driver};

pub const ALIGNMENT: usize = 512;

#[derive(Default)]
pub struct Supplier {
    book: Mutex<Book>,
}

#[derive(Default)]
pub struct Book {
    pub given: usize,
    pub taken_back: usize,
    pub refused: usize,
    pub failures: usize,            // so many of the next calls fail
    pub off: usize,                 // bytes that addresses are off their alignment
    pub out: HashMap<usize, usize>, // what is out: bytes by address
}

impl Supplier {
    pub fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(|poison| poison.into_inner())
    }

    /// Makes it the allocator of a context. It has to outlive the context and its memory.
    pub fn select(&self, ctx: Handle) -> i32 {
        let user = (&raw const *self).cast_mut().cast();
        // SAFETY: callbacks of this signature, and a supplier that outlives its use.
        unsafe { gpumex_allocator_custom(ctx, Some(allocate), Some(release), user) }
    }
}

/// Device memory of the stream's device; of the host where there is no stream, as on the CPU backend.
unsafe extern "C" fn allocate(
    user: *mut c_void,
    bytes: usize,
    stream: *mut c_void,
    memory: *mut *mut c_void,
) -> i32 {
    // SAFETY: what `select` handed over.
    let mut book = unsafe { &*user.cast::<Supplier>() }.book();
    if book.failures > 0 || isize::try_from(bytes).is_err() || bytes > 1 << 40 {
        book.failures = book.failures.saturating_sub(1);
        book.refused += 1;
        return 7;
    }
    let (off, room) = (book.off, bytes + book.off);
    let address = match stream.is_null() {
        // SAFETY: not empty.
        true => unsafe { alloc(layout(room)) }.cast(),
        false => on_device(|driver| driver.allocate(room)),
    };
    book.given += 1;
    book.out.insert(address.addr() + off, bytes);
    // SAFETY: the library hands a pointer to write to.
    unsafe { memory.write(address.wrapping_byte_add(off)) };
    0
}

unsafe extern "C" fn release(user: *mut c_void, memory: *mut c_void, bytes: usize, stream: *mut c_void) {
    // SAFETY: what `select` handed over.
    let mut book = unsafe { &*user.cast::<Supplier>() }.book();
    assert_eq!(book.out.remove(&memory.addr()), Some(bytes), "{memory:p} comes back as it was given");
    book.taken_back += 1;
    let start = memory.wrapping_byte_sub(book.off);
    match stream.is_null() {
        // SAFETY: made by `allocate` with this layout.
        true => unsafe { dealloc(start.cast(), layout(bytes + book.off)) },
        false => on_device(|driver| {
            driver.synchronize_stream(stream);
            driver.free(start);
        }),
    }
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, ALIGNMENT).expect("a size that fits")
}

fn on_device<T>(work: impl FnOnce(&Driver) -> T) -> T {
    let driver = Driver::load();
    let value = driver.with_current(driver.retain_primary(), || work(&driver));
    driver.release_primary();
    value
}
