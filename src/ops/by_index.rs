//! What the primitives are generic over: the type of keys, the size of elements that only move, the type of indices.
#![forbid(unsafe_code)]

use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::IndexDtype;

/// Calls a function that is generic over types, the last of them an index.
macro_rules! by_index {
    ($index:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $index {
            $crate::primitives::IndexDtype::U64 => $function::<u64>($($argument),*),
            $crate::primitives::IndexDtype::U32 => $function::<u32>($($argument),*),
        }
    };
    ($index:expr, $function:ident::<$kind:ty>($($argument:expr),* $(,)?)) => {
        match $index {
            $crate::primitives::IndexDtype::U64 => $function::<$kind, u64>($($argument),*),
            $crate::primitives::IndexDtype::U32 => $function::<$kind, u32>($($argument),*),
        }
    };
}

/// Calls a function that is generic over a key and an index with the types of two dtypes.
macro_rules! by_key_and_index {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype {
            $crate::dtype::Dtype::F32 => by_index!($index, $function::<f32> $arguments),
            $crate::dtype::Dtype::F64 => by_index!($index, $function::<f64> $arguments),
            $crate::dtype::Dtype::I32 => by_index!($index, $function::<i32> $arguments),
            $crate::dtype::Dtype::I64 => by_index!($index, $function::<i64> $arguments),
            $crate::dtype::Dtype::U32 => by_index!($index, $function::<u32> $arguments),
            $crate::dtype::Dtype::U64 => by_index!($index, $function::<u64> $arguments),
            other => $crate::ops::by_index::four_or_eight_bytes(other),
        }
    };
}

/// Calls a function that is generic over an element that it only moves, and an index.
macro_rules! by_size_and_index {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype.size() {
            4 => by_index!($index, $function::<u32> $arguments),
            8 => by_index!($index, $function::<u64> $arguments),
            _ => $crate::ops::by_index::four_or_eight_bytes($dtype),
        }
    };
}

pub(super) fn four_or_eight_bytes<T>(dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "dtype {dtype:?} is not served by this version, which serves F32, F64, I32, I64, U32 and U64"
    )))
}

/// Refuses a number of elements whose positions the indices cannot hold.
pub(super) fn counted(index: IndexDtype, name: &str, count: usize) -> Result<()> {
    match index {
        IndexDtype::U32 if u32::try_from(count).is_err() => {
            Err(Error::invalid(format!("{name} is {count}; indices of U32 end at {}, take U64", u32::MAX)))
        }
        _ => Ok(()),
    }
}

/// Refuses work items that no object has.
pub(super) fn has_objects(what: &str, count: usize, objects: usize) -> Result<()> {
    match count > 0 && objects == 0 {
        true => Err(Error::invalid(format!("count is {count} and there are no {what}"))),
        false => Ok(()),
    }
}
