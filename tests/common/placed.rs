//! Arrays in every kind of memory, between two guards.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;

use super::{Context, Handle, Number, Output, ok};

/// Where an array lies: ordinary memory of the program, or a kind of gpumex_malloc.
pub type Kind = Option<MemoryKind>;

pub const EVERYWHERE: [Kind; 4] =
    [None, Some(MemoryKind::Device), Some(MemoryKind::Pinned), Some(MemoryKind::Managed)];

/// An array between two guards that nobody may write to, in memory of some kind, which ends with the test.
pub struct Placed<T> {
    ctx: Handle,
    block: *mut T, // null for ordinary memory
    on_host: Output<T>,
    bytes: usize,
    what: String,
}

impl<T: Number> Placed<T> {
    /// Poison.
    #[track_caller]
    pub fn new(ctx: &Context, kind: Kind, len: usize) -> Placed<T> {
        Placed::of(ctx, kind, Output::new(len))
    }

    /// An input, or an array that is input and output at once.
    #[track_caller]
    pub fn holding(ctx: &Context, kind: Kind, values: &[T]) -> Placed<T> {
        Placed::of(ctx, kind, Output::holding(values))
    }

    #[track_caller]
    fn of(ctx: &Context, kind: Kind, mut on_host: Output<T>) -> Placed<T> {
        let bytes = size_of_val(on_host.whole());
        let what = format!("{bytes} bytes of {kind:?} memory on {:?}", ctx.backend);
        let mut block = null_mut::<c_void>();
        if let Some(kind) = kind {
            // SAFETY: a pointer to write to.
            ok(unsafe { gpumex_malloc(ctx.handle, kind as i32, bytes, &mut block) }, &what);
            let from = on_host.whole().as_ptr().cast();
            // SAFETY: both hold that many bytes.
            ok(unsafe { gpumex_copy(ctx.handle, block, from, bytes) }, &what);
        }
        Placed { ctx: ctx.handle, block: block.cast(), on_host, bytes, what }
    }

    pub fn as_mut_ptr<P>(&mut self) -> *mut P {
        match self.block.is_null() {
            true => self.on_host.as_mut_ptr().cast(),
            false => self.block.wrapping_add(Output::<T>::GUARD).cast(),
        }
    }

    pub fn as_ptr<P>(&mut self) -> *const P {
        self.as_mut_ptr()
    }

    /// The address of an element.
    pub fn at<P>(&mut self, index: usize) -> *mut P {
        self.as_mut_ptr::<T>().wrapping_add(index).cast()
    }

    /// What the array holds; the guards have to be intact.
    #[track_caller]
    pub fn written(mut self) -> Vec<T> {
        if !self.block.is_null() {
            let to = self.on_host.whole().as_mut_ptr().cast();
            // SAFETY: both hold that many bytes.
            ok(unsafe { gpumex_copy(self.ctx, to, self.block.cast(), self.bytes) }, &self.what);
        }
        std::mem::replace(&mut self.on_host, Output::new(0)).written(&self.what)
    }
}

impl<T> Drop for Placed<T> {
    fn drop(&mut self) {
        let status = gpumex_free(self.block.cast());
        assert!(status == 0 || std::thread::panicking(), "gpumex_free, {}", self.what);
    }
}
