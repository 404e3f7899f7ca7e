//! The meaning of each operation: documents, validates, dispatches. One file an operation.
#![forbid(unsafe_code)]

/// Calls a function that is generic over the type of an element with the type of a dtype.
macro_rules! by_dtype {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::dtype::Dtype::F32 => $function::<f32>($($argument),*),
            $crate::dtype::Dtype::F64 => $function::<f64>($($argument),*),
            $crate::dtype::Dtype::I8 => $function::<i8>($($argument),*),
            $crate::dtype::Dtype::I16 => $function::<i16>($($argument),*),
            $crate::dtype::Dtype::I32 => $function::<i32>($($argument),*),
            $crate::dtype::Dtype::I64 => $function::<i64>($($argument),*),
            $crate::dtype::Dtype::U8 => $function::<u8>($($argument),*),
            $crate::dtype::Dtype::U16 => $function::<u16>($($argument),*),
            $crate::dtype::Dtype::U32 => $function::<u32>($($argument),*),
            $crate::dtype::Dtype::U64 => $function::<u64>($($argument),*),
        }
    };
}

/// Calls a function that is generic over the type of a number that operators reduce with the type of a dtype; refuses other
/// dtypes, and bits of floats.
macro_rules! by_operand {
    ($dtype:expr, $op:expr, $function:ident($($argument:expr),* $(,)?)) => {
        $crate::ops::reduce::operates_on($op, $dtype).and_then(|()| match $dtype {
            $crate::dtype::Dtype::F32 => $function::<f32>($($argument),*),
            $crate::dtype::Dtype::F64 => $function::<f64>($($argument),*),
            $crate::dtype::Dtype::I32 => $function::<i32>($($argument),*),
            $crate::dtype::Dtype::I64 => $function::<i64>($($argument),*),
            $crate::dtype::Dtype::U32 => $function::<u32>($($argument),*),
            $crate::dtype::Dtype::U64 => $function::<u64>($($argument),*),
            other => $crate::ops::wide_enough(other),
        })
    };
}
#[macro_use]
mod by_index;
/// Calls a function that is generic over a key and a number that operators reduce with the type of that number's dtype.
macro_rules! by_operand {
    ($dtype:expr, $function:ident::<$key:ty> $arguments:tt) => {
        match $dtype {
            $crate::dtype::Dtype::F32 => $function::<$key, f32> $arguments,
            $crate::dtype::Dtype::F64 => $function::<$key, f64> $arguments,
            $crate::dtype::Dtype::I32 => $function::<$key, i32> $arguments,
            $crate::dtype::Dtype::I64 => $function::<$key, i64> $arguments,
            $crate::dtype::Dtype::U32 => $function::<$key, u32> $arguments,
            $crate::dtype::Dtype::U64 => $function::<$key, u64> $arguments,
            other => $crate::ops::segments::wide_enough(other),
        }
    };
}

/// Calls a function that is generic over a number that operators reduce, and over an index, with the types of two dtypes.
macro_rules! by_operand_and_index {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype {
            $crate::dtype::Dtype::F32 => by_index_of!($index, $function, f32, $arguments),
            $crate::dtype::Dtype::F64 => by_index_of!($index, $function, f64, $arguments),
            $crate::dtype::Dtype::I32 => by_index_of!($index, $function, i32, $arguments),
            $crate::dtype::Dtype::I64 => by_index_of!($index, $function, i64, $arguments),
            $crate::dtype::Dtype::U32 => by_index_of!($index, $function, u32, $arguments),
            $crate::dtype::Dtype::U64 => by_index_of!($index, $function, u64, $arguments),
            other => $crate::ops::segments::wide_enough(other),
        }
    };
}

macro_rules! by_index_of {
    ($index:expr, $function:ident, $number:ty, $arguments:tt) => {
        match $index {
            $crate::primitives::IndexDtype::U64 => $function::<$number, u64> $arguments,
            $crate::primitives::IndexDtype::U32 => $function::<$number, u32> $arguments,
        }
    };
}

pub mod add;
pub mod bulk_insert;
pub mod bulk_remove;
pub mod copy;
pub mod dot;
pub mod fill;
pub mod histogram;
pub mod interval_expand;
pub mod interval_move;
pub mod life;
pub mod load_balance_search;
pub mod locality_sort;
pub mod matmul;
pub mod merge;
mod merging;
pub mod pattern;
pub mod prefetch;
pub mod print;
pub mod random;
pub mod raytrace;
pub mod reduce;
pub mod segmented_reduce;
mod segments;
pub mod sort;
pub mod sorted_equality_count;
pub mod sorted_search;
pub mod reduce_by_key;
pub mod segmented_reduce;
mod segments;
pub mod spmv;
pub mod scan;
pub mod segmented_sort;
pub mod set_operation;
mod text;
pub mod words;

use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::memory::Place;

/// The plain loops of the teaching material are the CPU's; a CUDA context does not run them.
fn sequential_is_for_the_cpu<T>() -> Result<T> {
    Err(Error::unsupported(
        "variant SEQUENTIAL is the plain loop of the CPU backend; this context runs on CUDA",
    ))
}

/// Operations on floats refuse the other number types.
fn floats_only<T>(dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "dtype {dtype:?} is not served by this version, which serves F32 and F64"
    )))
}

/// Primitives work on elements of 4 and 8 bytes.
fn wide_enough<T>(dtype: Dtype) -> Result<T> {
/// Operations on keys refuse the other number types.
fn keys_only<T>(dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "dtype {dtype:?} is not served by this version, which serves F32, F64, I32, I64, U32 and U64"
    )))
}

/// Refuses 32-bit indices of arrays that are too long for them.
fn has_32_bit_indices(what: &str, count: usize) -> Result<()> {
    match u32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::invalid(format!("{what} is {count}; indices of U32 serve fewer than 2^32"))),
    }
}

/// Refuses a room that is too small for a result, of a length that the host knows; a room of 0 only counts.
fn fits(capacity: usize, needed: Option<u64>) -> Result<()> {
    match needed {
        Some(needed) if capacity > 0 && (capacity as u64) < needed => Err(Error::invalid(format!(
            "capacity is {capacity}, and the result has {needed} elements; the first {capacity} of them are written"
        ))),
        _ => Ok(()),
    }
}

/// Texts, and what is read from them, are no work for a device.
fn has_to_be_the_hosts(name: &str, place: Place) -> Result<()> {
    match place {
        Place::Device(ordinal) => Err(Error::unsupported(format!(
            "{name} is memory of CUDA device {ordinal}; it has to be the host's"
        ))),
        _ => Ok(()),
    }
}

/// A number of the caller's as the whole number that an integer dtype needs.
fn whole(name: &str, value: f64, dtype: Dtype) -> Result<i128> {
    match value.fract() == 0.0 {
        true => Ok(value as i128), // saturates far beyond every dtype
        false => Err(Error::invalid(format!("{name} is {value}; for {dtype:?} it is a whole number"))),
    }
}

/// Refuses a number that is no value of an integer dtype.
fn held(what: &str, value: i128, dtype: Dtype) -> Result<()> {
    match dtype.integers() {
        Some(range) if !range.contains(&value) => {
            let (low, high) = range.into_inner();
            Err(Error::invalid(format!("{what} is {value}; {dtype:?} holds {low} to {high}")))
        }
        _ => Ok(()),
    }
}
