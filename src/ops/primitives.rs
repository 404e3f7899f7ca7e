//! What the parallel primitives are generic over (the type of numbers, the size of elements that only move, the type of
//! indices), and what they refuse alike.
#![forbid(unsafe_code)]

use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::{IndexDtype, Operator};

/// Calls a function that is generic over a number, perhaps behind another type, with the type of a dtype.
macro_rules! by_number {
    ($dtype:expr, $function:ident $(::<$other:ty>)? ($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::dtype::Dtype::F32 => $function::<$($other,)? f32>($($argument),*),
            $crate::dtype::Dtype::F64 => $function::<$($other,)? f64>($($argument),*),
            $crate::dtype::Dtype::I32 => $function::<$($other,)? i32>($($argument),*),
            $crate::dtype::Dtype::I64 => $function::<$($other,)? i64>($($argument),*),
            $crate::dtype::Dtype::U32 => $function::<$($other,)? u32>($($argument),*),
            $crate::dtype::Dtype::U64 => $function::<$($other,)? u64>($($argument),*),
            other => $crate::ops::primitives::four_or_eight_bytes("dtype", other),
        }
    };
}

/// Calls a function that is generic over an index, perhaps behind another type.
macro_rules! by_index {
    ($index:expr, $function:ident $(::<$other:ty>)? ($($argument:expr),* $(,)?)) => {
        match $index {
            $crate::primitives::IndexDtype::U64 => $function::<$($other,)? u64>($($argument),*),
            $crate::primitives::IndexDtype::U32 => $function::<$($other,)? u32>($($argument),*),
        }
    };
}

/// Calls a function that is generic over a number and an index.
macro_rules! by_number_and_index {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype {
            $crate::dtype::Dtype::F32 => by_index!($index, $function::<f32> $arguments),
            $crate::dtype::Dtype::F64 => by_index!($index, $function::<f64> $arguments),
            $crate::dtype::Dtype::I32 => by_index!($index, $function::<i32> $arguments),
            $crate::dtype::Dtype::I64 => by_index!($index, $function::<i64> $arguments),
            $crate::dtype::Dtype::U32 => by_index!($index, $function::<u32> $arguments),
            $crate::dtype::Dtype::U64 => by_index!($index, $function::<u64> $arguments),
            other => $crate::ops::primitives::four_or_eight_bytes("dtype", other),
        }
    };
}

/// Calls a function that is generic over an element that it only moves, and an index.
macro_rules! by_size_and_index {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype.size() {
            4 => by_index!($index, $function::<u32> $arguments),
            8 => by_index!($index, $function::<u64> $arguments),
            _ => $crate::ops::primitives::four_or_eight_bytes("dtype", $dtype),
        }
    };
}

/// Primitives work on elements of four and eight bytes.
pub fn four_or_eight_bytes<T>(name: &str, dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "{name} {dtype:?} is not served by this version, which serves F32, F64, I32, I64, U32 and U64"
    )))
}

/// The bytes of a value, which is moved and not looked at.
pub fn value_bytes(dtype: Dtype) -> Result<usize> {
    match dtype.size() {
        size @ (4 | 8) => Ok(size),
        _ => four_or_eight_bytes("value_dtype", dtype),
    }
}

/// The bytes of a position among `count` elements.
pub fn index_bytes(dtype: IndexDtype, name: &str, count: usize) -> Result<usize> {
    counted(dtype, name, count)?;
    Ok(if dtype == IndexDtype::U64 { 8 } else { 4 })
}

/// Refuses a number of elements that indices do not count.
pub fn counted(index: IndexDtype, name: &str, count: usize) -> Result<()> {
    match index {
        IndexDtype::U32 if u32::try_from(count).is_err() => {
            Err(Error::invalid(format!("{name} is {count}; indices of U32 end at {}, take U64", u32::MAX)))
        }
        _ => Ok(()),
    }
}

/// Floats have no bits to an operator.
pub fn operates_on(op: Operator, dtype: Dtype) -> Result<()> {
    match op.is_of_bits() && dtype.integers().is_none() {
        true => {
            Err(Error::unsupported(format!("operator {op:?} is one of integers; the dtype is {dtype:?}")))
        }
        false => Ok(()),
    }
}

/// Refuses work items that no object has.
pub fn has_objects(what: &str, count: usize, objects: usize) -> Result<()> {
    match count > 0 && objects == 0 {
        true => Err(Error::invalid(format!("count is {count} and there are no {what}"))),
        false => Ok(()),
    }
}

/// Refuses a room that is too small for a result, of a length that the host knows; a room of 0 only counts.
pub fn fits(capacity: usize, needed: Option<u64>) -> Result<()> {
    match needed {
        Some(needed) if capacity > 0 && (capacity as u64) < needed => Err(Error::invalid(format!(
            "capacity is {capacity}, and the result has {needed} elements; the first {capacity} of them are written"
        ))),
        _ => Ok(()),
    }
}
