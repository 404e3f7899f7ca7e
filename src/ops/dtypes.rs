//! The dtypes that operations serve.
#![forbid(unsafe_code)]

use super::widen::wide_key;
use crate::error::{Error, Result};
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;

/// The dtypes of most primitives, and of what only moves or is filled, as errors name them.
pub const FOUR_OR_EIGHT_BYTES: &str = "F32, F64, I32, I64, U32 and U64";
pub const ALL_NUMBERS: &str = "F32, F64, integers and BOOL";

/// Refuses a dtype that an operation does not serve.
pub fn unsupported<T>(field: &str, dtype: Dtype, supported: &str) -> Result<T> {
    let name = dtype.required(field)?.c_name();
    Err(Error::unsupported(format!(
        "options.{field} is {name}, which this operation does not serve; it serves {supported}"
    )))
}

/// Refuses a dtype, an argument and no field of options, whose elements are no numbers to this version.
pub fn check_numbers(dtype: Dtype) -> Result<()> {
    match dtype.passed()? {
        dtype if dtype.is_complex() || matches!(dtype, Dtype::F16 | Dtype::Bf16) => {
            Err(Error::unsupported(format!(
                "dtype is {}, which this operation does not serve; it serves {ALL_NUMBERS}",
                dtype.c_name()
            )))
        }
        _ => Ok(()),
    }
}

/// A dtype that primitives serve.
pub fn supported(field: &str, dtype: Dtype) -> Result<Dtype> {
    match dtype.required(field)? {
        dtype if matches!(dtype.size(), 4 | 8) && !dtype.is_complex() => Ok(dtype),
        dtype => unsupported(field, dtype, FOUR_OR_EIGHT_BYTES),
    }
}

/// A dtype of keys: numbers of 4 and 8 bytes, integers of 1 and 2, and BOOL; and the one that they are computed in.
/// Behind it: sort, segmented_sort, locality_sort, merge, sorted_search, sorted_equality_count, check_sorted, compact, join,
/// set_operation and reduce_by_key.
pub fn key_dtypes(field: &str, dtype: Dtype) -> Result<(Dtype, Dtype)> {
    match dtype.required(field)? {
        dtype @ (Dtype::F16 | Dtype::Bf16 | Dtype::C64 | Dtype::C128) => {
            unsupported(field, dtype, ALL_NUMBERS)
        }
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
        (_, Dtype::None) => supported("dtype", dtype).map(|dtype| (dtype, dtype)),
        (true, to) if to.size() >= 4 && to.integers().is_some() && to.size() >= dtype.size() => Ok((to, to)),
        (true, to) if to.holds(dtype) && to != Dtype::Bool => Ok((to, wide_key(to))),
        (true, _) => Err(refused(
            "it is an integer type of as many bytes or more, and one of 1 or 2 bytes holds every value of dtype",
        )),
        (false, to) if to == dtype => supported("dtype", dtype).map(|dtype| (dtype, dtype)),
        (false, _) => Err(refused("floats are accumulated in their own dtype, which is also meant by NONE")),
    }
}

/// The dtype of positions and counts: U32 or U64.
pub fn index_dtype(dtype: Dtype) -> Result<Dtype> {
    match dtype.required("index_dtype")? {
        dtype @ (Dtype::U32 | Dtype::U64) => Ok(dtype),
        other => Err(Error::invalid(format!(
            "options.index_dtype is {}; positions and counts are GPUMEX_DTYPE_U32 or GPUMEX_DTYPE_U64",
            other.c_name()
        ))),
    }
}

/// The dtype of indices, which has to hold the number of elements.
pub fn index_dtype_for(index: Dtype, name: &str, count: usize) -> Result<Dtype> {
    match index_dtype(index)? {
        Dtype::U32 if u32::try_from(count).is_err() => Err(Error::invalid(format!(
            "{name} is {count}, which GPUMEX_DTYPE_U32 does not hold; set options.index_dtype to GPUMEX_DTYPE_U64"
        ))),
        dtype => Ok(dtype),
    }
}

/// Floats have no bits to an operator.
pub fn check_operator(field: &str, op: Operator, dtype: Dtype) -> Result<()> {
    match op.is_of_bits() && dtype.is_float() {
        true => Err(Error::unsupported(format!(
            "options.{field} is {}, an operator of integers; options.dtype is {}",
            op.c_name(),
            dtype.c_name()
        ))),
        false => Ok(()),
    }
}

/// Refuses another operator than SUM of complex numbers; the words say what is served.
pub fn check_complex(op: Operator, dtype: Dtype, served: &str) -> Result<()> {
    match op {
        Operator::Sum => Ok(()),
        op => Err(Error::unsupported(format!(
            "options.op is {} and options.dtype {}; of complex numbers {served} served",
            op.c_name(),
            dtype.c_name()
        ))),
    }
}
