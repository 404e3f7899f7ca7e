//! Vectors of any size that a caller or an input asks for: memory that is not there is an error, not the end of the process.
#![forbid(unsafe_code)]

use crate::error::{Error, Result};
pub use crate::global_allocator::with_prepared;

/// An empty vector with room for `len`.
pub fn reserved<T>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(len).map_err(|_| no_room::<T>(len))?;
    Ok(vec)
}

/// `len` zeros.
pub fn zeros<T: Copy + Default>(len: usize) -> Result<Vec<T>> {
    let mut vec = reserved(len)?;
    vec.resize(len, T::default());
    Ok(vec)
}

/// The elements of an iterator.
pub fn collected<T>(elements: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut vec = reserved(elements.len())?;
    vec.extend(elements);
    Ok(vec)
}

/// Puts the elements of an iterator behind those of a vector.
pub fn append<T>(vec: &mut Vec<T>, elements: impl ExactSizeIterator<Item = T>) -> Result<()> {
    let more = elements.len();
    vec.try_reserve(more).map_err(|_| no_room::<T>(vec.len().saturating_add(more)))?;
    vec.extend(elements);
    Ok(())
}

fn no_room<T>(len: usize) -> Error {
    Error::out_of_memory("host memory", len.saturating_mul(size_of::<T>()))
}
