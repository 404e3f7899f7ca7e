//! Vectors of any size that a caller or an input asks for: memory that is not there is an error, not the end of the process.
#![forbid(unsafe_code)]

use crate::error::{Error, Result};
pub use crate::global_allocator::with_prepared;
use crate::interrupt;

/// An empty vector with room for `len`.
pub fn reserved<T>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).map_err(|_| no_room::<T>(len))?;
    Ok(vec)
}

/// `len` zeros.
pub fn zeros<T: Copy + Default>(len: usize) -> Result<Vec<T>> {
    let mut vec = reserved(len)?;
    fill_up(&mut vec, len, T::default());
    Ok(vec)
}

/// Makes a vector as long as `len` with copies of a value, and polls whether the call is cancelled: the first touch of memory is slow.
pub fn fill_up<T: Copy>(vec: &mut Vec<T>, len: usize, value: T) {
    const PIECE: usize = 1 << 18; // elements
    while len - vec.len() > PIECE {
        vec.resize(vec.len() + PIECE, value);
        interrupt::poll_at(vec.len(), len);
    }
    vec.resize(len, value);
}

/// Fills an array with a value, and polls as `fill_up`.
pub fn fill<T: Copy>(array: &mut [T], value: T) {
    interrupt::in_pieces(array.len(), |range| array[range].fill(value));
}

/// to ← from, which is as long, and polls as `fill_up`.
pub fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    interrupt::in_pieces(to.len(), |range| to[range.clone()].copy_from_slice(&from[range]));
}

/// The elements of an iterator.
pub fn collected<T>(elements: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut vec = reserved(elements.len())?;
    vec.extend(elements);
    Ok(vec)
}

/// The elements of an iterator of which each may fail to be made: then that is the error.
pub fn try_collected<T>(elements: impl ExactSizeIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut vec = reserved(elements.len())?;
    for element in elements {
        vec.push(element?);
    }
    Ok(vec)
}

/// Puts an element behind those of a vector.
pub fn push<T>(vec: &mut Vec<T>, element: T) -> Result<()> {
    reserve(vec, 1)?;
    vec.push(element);
    Ok(())
}

/// Puts the elements of an iterator behind those of a vector.
pub fn append<T>(vec: &mut Vec<T>, elements: impl ExactSizeIterator<Item = T>) -> Result<()> {
    reserve(vec, elements.len())?;
    vec.extend(elements);
    Ok(())
}

/// Memory for so many elements more.
pub fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<()> {
    vec.try_reserve(more).map_err(|_| no_room::<T>(vec.len().saturating_add(more)))
}

fn no_room<T>(len: usize) -> Error {
    Error::out_of_memory("host memory", len.saturating_mul(size_of::<T>()))
}
