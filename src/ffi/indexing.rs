//! Selections of N-D indexing as C states them.

use super::prelude::*;
use crate::error::{Error, Result, Status};
use crate::model::indexing::{MAX_RANK, Selection};

/// The fields of gpumex_gather_nd_options and gpumex_scatter_nd_options that say what is selected.
pub struct Fields {
    pub rank: i32,
    pub shape: *const usize,
    pub counts: *const usize,
    pub starts: *const i64,
    pub steps: *const i64,
    pub wraps: *const i32,
    pub indices: *const *const c_void,
    pub index_dtypes: *const i32,
}

/// The selections of all dimensions, and the index vectors of those that have one.
///
/// # Safety
/// The fields are NULL or have rank elements, the index vectors as many as the operation documents.
pub unsafe fn selections<'a>(fields: &Fields) -> Result<(Vec<Selection>, Vec<Option<Input<'a>>>)> {
    let rank = rank(fields.rank)?;
    // SAFETY: the caller's promise, for all of them.
    let (shape, counts, starts, steps, wraps, indices) = unsafe {
        let shape = many("options.shape", fields.shape, rank)?;
        (
            shape.clone(),
            optional(fields.counts, rank).unwrap_or(shape),
            optional(fields.starts, rank).unwrap_or(vec![0; rank]),
            optional(fields.steps, rank).unwrap_or(vec![1; rank]),
            optional(fields.wraps, rank).unwrap_or(vec![0; rank]),
            optional(fields.indices, rank).unwrap_or(vec![std::ptr::null(); rank]),
        )
    };
    let has_indices = indices.iter().any(|indices| !indices.is_null());
    // SAFETY: as above.
    let dtypes = match has_indices {
        true => unsafe { many("options.index_dtypes", fields.index_dtypes, rank)? },
        false => vec![0; rank],
    };
    let selection = |d: usize| {
        let dtype = Dtype::from_c(&format!("options.index_dtypes[{d}]"), dtypes[d])?;
        Ok(Selection {
            extent: shape[d],
            count: counts[d],
            start: starts[d],
            step: steps[d],
            wraps: options::switch(&format!("wraps[{d}]"), wraps[d])?,
            indices: (!indices[d].is_null()).then_some(dtype),
        })
    };
    // SAFETY: an index vector as documented.
    let input = |&at: &*const c_void| (!at.is_null()).then(|| unsafe { Input::from_raw("indices", at) });
    Ok(((0..rank).map(selection).collect::<Result<_>>()?, indices.iter().map(input).collect()))
}

/// The number of dimensions.
pub fn rank(rank: i32) -> Result<usize> {
    match usize::try_from(rank) {
        Ok(0) => Ok(1),
        Ok(rank) if rank <= MAX_RANK => Ok(rank),
        _ => Err(Error::invalid(format!("options.rank is {rank}; it is 0 to {MAX_RANK}, 0 means 1"))),
    }
}

/// # Safety
/// `values` is NULL or holds `count` values.
pub unsafe fn many<T: Copy>(name: &str, values: *const T, count: usize) -> Result<Vec<T>> {
    let null = || Error::new(Status::NullPointer, format!("{name} is NULL"));
    // SAFETY: the caller's promise.
    unsafe { optional(values, count).ok_or_else(null) }
}

/// # Safety
/// As [`many`].
unsafe fn optional<T: Copy>(values: *const T, count: usize) -> Option<Vec<T>> {
    // SAFETY: not NULL, and the caller's promise; at most a few.
    (!values.is_null()).then(|| (0..count).map(|i| unsafe { values.add(i).read_unaligned() }).collect())
}
