//! What the parallel primitives are generic over (the type of numbers, the size of elements that only move, the type of
//! indices), and what they refuse alike.
#![forbid(unsafe_code)]

use super::widen::wide_key;
use crate::array::{DynView, DynViewMut, Element, Input};
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Operator, Payload, Values};

/// Calls a function that is generic over a number, perhaps behind or before others, with the type of a dtype: a float, or the bits of
/// an integer, whose sign a `KeyOrder` or a `Reduction` knows.
macro_rules! by_number {
    ($dtype:expr, $function:ident $(::<$other:ty>)? ($($argument:expr),* $(,)?)) => {
        match $dtype {
            $crate::model::dtype::Dtype::F32 => $function::<$($other,)? f32>($($argument),*),
            $crate::model::dtype::Dtype::F64 => $function::<$($other,)? f64>($($argument),*),
            $crate::model::dtype::Dtype::I32 | $crate::model::dtype::Dtype::U32 => $function::<$($other,)? u32>($($argument),*),
            $crate::model::dtype::Dtype::I64 | $crate::model::dtype::Dtype::U64 => $function::<$($other,)? u64>($($argument),*),
            other => $crate::ops::primitives::four_or_eight_bytes("dtype", other),
        }
    };
}

/// Calls a function that is generic over two numbers.
macro_rules! by_numbers {
    ($first:expr, $second:expr, $function:ident $arguments:tt) => {
        match $first {
            $crate::model::dtype::Dtype::F32 => by_number!($second, $function::<f32> $arguments),
            $crate::model::dtype::Dtype::F64 => by_number!($second, $function::<f64> $arguments),
            $crate::model::dtype::Dtype::I32 | $crate::model::dtype::Dtype::U32 => by_number!($second, $function::<u32> $arguments),
            $crate::model::dtype::Dtype::I64 | $crate::model::dtype::Dtype::U64 => by_number!($second, $function::<u64> $arguments),
            other => $crate::ops::primitives::four_or_eight_bytes("dtype", other),
        }
    };
}

/// Calls a function that is generic over an element that it only moves, perhaps behind another type, with the bits of a dtype.
macro_rules! by_size {
    ($dtype:expr, $function:ident $(::<$other:ty>)? ($($argument:expr),* $(,)?)) => {
        match $dtype.size() {
            4 => $function::<$($other,)? u32>($($argument),*),
            8 => $function::<$($other,)? u64>($($argument),*),
            _ => $crate::ops::primitives::four_or_eight_bytes("dtype", $dtype),
        }
    };
}

/// Calls a function that is generic over an element of 1, 2, 4 or 8 bytes that it only moves, and an index.
macro_rules! by_bits_and_size {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype.size() {
            1 => by_size!($index, $function::<u8> $arguments),
            2 => by_size!($index, $function::<u16> $arguments),
            4 => by_size!($index, $function::<u32> $arguments),
            _ => by_size!($index, $function::<u64> $arguments),
        }
    };
}

/// Calls a function that is generic over a number and an element that it only moves, or an index.
macro_rules! by_number_and_size {
    ($dtype:expr, $other:expr, $function:ident $arguments:tt) => {
        match $dtype {
            $crate::model::dtype::Dtype::F32 => by_size!($other, $function::<f32> $arguments),
            $crate::model::dtype::Dtype::F64 => by_size!($other, $function::<f64> $arguments),
            $crate::model::dtype::Dtype::I32 | $crate::model::dtype::Dtype::U32 => by_size!($other, $function::<u32> $arguments),
            $crate::model::dtype::Dtype::I64 | $crate::model::dtype::Dtype::U64 => by_size!($other, $function::<u64> $arguments),
            other => $crate::ops::primitives::four_or_eight_bytes("dtype", other),
        }
    };
}

/// Calls a function that is generic over an element that it only moves, and an index.
macro_rules! by_sizes {
    ($dtype:expr, $index:expr, $function:ident $arguments:tt) => {
        match $dtype.size() {
            4 => by_size!($index, $function::<u32> $arguments),
            8 => by_size!($index, $function::<u64> $arguments),
            _ => $crate::ops::primitives::four_or_eight_bytes("dtype", $dtype),
        }
    };
}

/// Primitives work on elements of four and eight bytes.
pub fn four_or_eight_bytes<T>(field: &str, dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "options.{field} is {}, which this operation does not serve; it serves F32, F64, I32, I64, U32 and U64",
        dtype.c_name()
    )))
}

/// A dtype that primitives serve.
pub fn served(field: &str, dtype: Dtype) -> Result<Dtype> {
    match dtype.required(field)? {
        dtype if matches!(dtype.size(), 4 | 8) => Ok(dtype),
        dtype => four_or_eight_bytes(field, dtype),
    }
}

/// A dtype of keys: numbers of 4 and 8 bytes, integers of 1 and 2, and BOOL; and the one that they are computed in.
pub fn key_dtypes(field: &str, dtype: Dtype) -> Result<(Dtype, Dtype)> {
    match dtype.required(field)? {
        Dtype::F16 | Dtype::Bf16 => Err(Error::unsupported(format!(
            "options.{field} is {}, which this operation does not serve; it serves F32, F64, integers and BOOL",
            dtype.c_name()
        ))),
        dtype => Ok((dtype, wide_key(dtype))),
    }
}

/// The dtypes of a reduction of elements of `dtype`: of its results, and the one that it computes in. Integers are accumulated in the
/// integers of `accumulator`, which hold them; without it the result has the dtype of the elements, of 4 bytes at least.
pub fn accumulators(dtype: Dtype, accumulator: Dtype) -> Result<(Dtype, Dtype)> {
    let dtype = dtype.required("dtype")?;
    let refused = |rule: &str| {
        let [dtype, accumulator] = [dtype, accumulator].map(NumberedEnum::c_name);
        Error::invalid(format!(
            "options.dtype is {dtype} and options.accumulator_dtype {accumulator}; {rule}"
        ))
    };
    match (dtype.integers().is_some(), accumulator) {
        (true, Dtype::None) if dtype.size() < 4 => {
            Err(refused("integers of 1 and 2 bytes, and BOOL, need one"))
        }
        (_, Dtype::None) => served("dtype", dtype).map(|dtype| (dtype, dtype)),
        (true, to) if to.integers().is_some() && to.size() >= dtype.size() => Ok((to, wide_key(to))),
        (true, _) => Err(refused("it is an integer type of as many bytes or more")),
        (false, to) if to == dtype => served("dtype", dtype).map(|dtype| (dtype, dtype)),
        (false, _) => Err(refused("floats are accumulated in their own dtype, which is also meant by NONE")),
    }
}

/// The dtype of positions and counts: U32 or U64.
pub fn index_of(dtype: Dtype) -> Result<Dtype> {
    match dtype.required("index_dtype")? {
        dtype @ (Dtype::U32 | Dtype::U64) => Ok(dtype),
        other => Err(Error::invalid(format!(
            "options.index_dtype is {}; positions and counts are GPUMEX_DTYPE_U32 or GPUMEX_DTYPE_U64",
            other.c_name()
        ))),
    }
}

/// The dtype of what moves with `count` keys.
pub fn payload_dtype(
    payload: Payload,
    value_dtype: Dtype,
    index_dtype: Dtype,
    (name, count): (&str, usize),
) -> Result<Option<Dtype>> {
    match payload {
        Payload::None => Ok(None),
        Payload::Values => served("value_dtype", value_dtype).map(Some),
        Payload::Indices => counted(index_dtype, name, count).map(Some),
    }
}

/// The values beside `count` keys, where the payload are values.
pub fn values_of<'a>(
    payload: Payload,
    dtype: Option<Dtype>,
    values: &Input<'a>,
    count: usize,
) -> Result<Option<DynView<'a>>> {
    let dtype = dtype.filter(|_| payload == Payload::Values);
    dtype.map(|dtype| values.view_of(dtype, &[count])).transpose()
}

/// Values on the host, or where there are none positions.
pub fn values_on_host<'a, V: Element>(values: &Option<DynView<'a>>) -> Result<Values<'a, V>> {
    values.map_or(Ok(Values::Positions(0)), |values| values.on_host().map(Values::Given))
}

/// Elements on the host of an array that may be left out.
pub fn optional_on_host<'a, T: Element>(view: &Option<DynView<'a>>) -> Result<Option<&'a [T]>> {
    view.map(|view| view.on_host()).transpose()
}

/// The same to write.
pub fn optional_mut_on_host<'v, T: Element>(view: &'v mut Option<DynViewMut>) -> Result<Option<&'v mut [T]>> {
    view.as_mut().map(DynViewMut::on_host).transpose()
}

/// The dtype of indices, which has to hold the number of elements.
pub fn counted(index: Dtype, name: &str, count: usize) -> Result<Dtype> {
    match index_of(index)? {
        Dtype::U32 if u32::try_from(count).is_err() => Err(Error::invalid(format!(
            "{name} is {count}, which GPUMEX_DTYPE_U32 does not hold; set options.index_dtype to GPUMEX_DTYPE_U64"
        ))),
        dtype => Ok(dtype),
    }
}

/// Floats have no bits to an operator.
pub fn operates_on(field: &str, op: Operator, dtype: Dtype) -> Result<()> {
    match op.is_of_bits() && dtype.is_float() {
        true => Err(Error::unsupported(format!(
            "options.{field} is {}, an operator of integers; options.dtype is {}",
            op.c_name(),
            dtype.c_name()
        ))),
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
