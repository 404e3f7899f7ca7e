//! The meaning of each operation: documents, validates, dispatches. One file an operation.
#![forbid(unsafe_code)]

/// Calls a function that is generic over the type of an element with the type of a dtype.
macro_rules! by_dtype {
    ($dtype:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::model::dtype::Dtype::F32 => $function::<f32>($($argument),*),
            $crate::model::dtype::Dtype::F64 => $function::<f64>($($argument),*),
            $crate::model::dtype::Dtype::I8 => $function::<i8>($($argument),*),
            $crate::model::dtype::Dtype::I16 => $function::<i16>($($argument),*),
            $crate::model::dtype::Dtype::I32 => $function::<i32>($($argument),*),
            $crate::model::dtype::Dtype::I64 => $function::<i64>($($argument),*),
            $crate::model::dtype::Dtype::U8 | $crate::model::dtype::Dtype::Bool => $function::<u8>($($argument),*),
            $crate::model::dtype::Dtype::U16 => $function::<u16>($($argument),*),
            $crate::model::dtype::Dtype::U32 => $function::<u32>($($argument),*),
            $crate::model::dtype::Dtype::U64 => $function::<u64>($($argument),*),
            other => $crate::ops::not_served(other, "F32, F64, integers and BOOL"),
        }
    };
}

#[macro_use]
mod primitives;

pub mod add;
pub mod axpy;
pub mod bulk_insert;
pub mod bulk_remove;
mod check_indices;
pub mod check_sorted;
pub mod compact;
pub mod copy;
pub mod dot;
pub mod fill;
pub mod gather;
pub mod histogram;
pub mod interval_expand;
pub mod interval_move;
pub mod join;
pub mod life;
pub mod load_balance_search;
pub mod locality_sort;
pub mod matmul;
pub mod merge;
pub mod pattern;
pub mod prefetch;
mod prelude;
pub mod print;
pub mod random;
pub mod raytrace;
pub mod reduce;
pub mod reduce_by_key;
pub mod scale;
pub mod scan;
pub mod scatter;
pub mod segmented_reduce;
pub mod segmented_sort;
mod segments;
pub mod segments_prepare;
pub mod set_operation;
pub mod sort;
pub mod sorted_equality_count;
pub mod sorted_search;
pub mod spmv;
mod text;
mod widen;
pub mod words;

use crate::error::{Error, Result};
use crate::memory::Place;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;

/// Refuses a dtype that an operation does not serve.
fn not_served<T>(dtype: Dtype, served: &str) -> Result<T> {
    let name = dtype.required("dtype")?.c_name();
    Err(Error::unsupported(format!(
        "options.dtype is {name}, which this operation does not serve; it serves {served}"
    )))
}

/// Refuses a dtype, an argument and no field of options, whose elements are no numbers to this version.
fn has_numbers(dtype: Dtype) -> Result<()> {
    match dtype.passed()? {
        Dtype::F16 | Dtype::Bf16 => Err(Error::unsupported(format!(
            "dtype is {}, which this operation does not serve; it serves F32, F64, integers and BOOL",
            dtype.c_name()
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
        false => {
            Err(Error::invalid(format!("{name} is {value}; for {} it is a whole number", dtype.c_name())))
        }
    }
}

/// Refuses a number that is no value of an integer dtype.
fn held(what: &str, value: i128, dtype: Dtype) -> Result<()> {
    match dtype.integers() {
        Some(range) if !range.contains(&value) => {
            let (low, high) = range.into_inner();
            Err(Error::invalid(format!("{what} is {value}; {} holds {low} to {high}", dtype.c_name())))
        }
        _ => Ok(()),
    }
}
