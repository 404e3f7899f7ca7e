//! What merge, locality_sort and segmented_sort ask of their options.
#![forbid(unsafe_code)]

use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::IndexDtype;

/// Keys are numbers of four or eight bytes.
pub fn keys_only<T>(dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "dtype {dtype:?} is not served by this version, which serves I32, U32, I64, U64, F32 and F64"
    )))
}

/// The bytes of a value, which is moved and not looked at.
pub fn value_bytes(dtype: Dtype) -> Result<usize> {
    match dtype.size() {
        size @ (4 | 8) => Ok(size),
        size => Err(Error::unsupported(format!(
            "value_dtype {dtype:?} has {size} bytes; this version moves values of 4 and of 8"
        ))),
    }
}

/// The bytes of a position, which holds every number up to `count`.
pub fn index_bytes(dtype: IndexDtype, count: usize) -> Result<usize> {
    match dtype {
        IndexDtype::U64 => Ok(8),
        IndexDtype::U32 if u32::try_from(count).is_ok() => Ok(4),
        IndexDtype::U32 => Err(Error::invalid(format!("positions of U32 do not reach {count} elements"))),
    }
}
