//! Host memory for the length of a call, from the context's allocator: warm pages, and pinned beside a device.

use std::marker::PhantomData;
use std::sync::Arc;

use super::{Element, Pair, View, ViewMut};
use crate::error::{Error, Result};
use crate::memory::heap::Block;
use crate::memory::{Heap, MemoryKind};

/// `len` elements that the host works on, with the contents of whatever was there before.
pub struct Scratch<'h, T> {
    heap: &'h Arc<Heap>,
    block: Option<Block>, // None when len is 0
    len: usize,
    elements: PhantomData<T>,
}

impl<'h, T: Element> Scratch<'h, T> {
    /// On CUDA the device is current.
    pub fn new(heap: &'h Arc<Heap>, len: usize) -> Result<Scratch<'h, T>> {
        let bytes =
            len.checked_mul(size_of::<T>()).ok_or_else(|| Error::out_of_memory("host memory", usize::MAX))?;
        let block = if bytes == 0 { None } else { Some(heap.take(MemoryKind::Pinned, bytes)?) };
        Ok(Scratch { heap, block, len, elements: PhantomData })
    }

    pub fn as_mut_slice(&mut self) -> &mut [T] {
        match &self.block {
            None => &mut [],
            // SAFETY: a block of at least as many bytes, aligned to more than an element, ours alone, with no work of a device on
            // it: calls that touch pinned memory wait for the device. Plain numbers, any bytes are a value.
            Some(block) => unsafe { std::slice::from_raw_parts_mut(block.address as *mut T, self.len) },
        }
    }

    /// The elements as source and target at once.
    pub fn as_pair(&mut self, name: &'static str) -> Pair<'_, T> {
        let place = self.heap.current_source().place(MemoryKind::Pinned);
        let elements = self.as_mut_slice();
        let (address, len, lifetime) = (elements.as_mut_ptr(), elements.len(), PhantomData);
        let source = View { name, address: address.cast_const(), len, place, lifetime };
        Pair { source, target: ViewMut { name, address, len, place, lifetime: PhantomData } }
    }
}

impl<T> Drop for Scratch<'_, T> {
    fn drop(&mut self) {
        if let Some(Block { address, size }) = self.block {
            self.heap.give_back(MemoryKind::Pinned, address, size);
        }
    }
}
