//! Reductions along a dimension: what they compute, and of which types.
#![forbid(unsafe_code)]

use super::dtype::Dtype;
use super::numbered::{NumberedEnum, numbered_enum};
use crate::error::{Error, Result};

/// Reduction along a dimension of an array.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DimReduction {
    /// The sum.
    #[default]
    Sum = 0,
    /// The product.
    Product = 1,
    /// The smallest element; -0 is less than 0.
    Min = 2,
    /// The largest element; -0 is less than 0.
    Max = 3,
    /// Whether an element is not 0.
    Any = 4,
    /// Whether no element is 0.
    All = 5,
    /// The number of elements that are not 0.
    Count = 6,
    /// The sum divided by the number of elements.
    Mean = 7,
}

numbered_enum!(DimReduction = "gpumex_dim_reduction": Sum, Product, Min, Max, Any, All, Count, Mean);

/// What NaN is to a reduction; MATLAB's nanflag.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NanFlag {
    /// OMIT for MIN, MAX, ANY and ALL, INCLUDE for the others.
    #[default]
    Default = 0,
    /// NaN is an element like others: sums and extrema of it are NaN, and it is not 0.
    Include = 1,
    /// NaN is left out; extrema and means of NaN alone are NaN.
    Omit = 2,
}

numbered_enum!(NanFlag = "gpumex_nan_flag": Default, Include, Omit);

impl DimReduction {
    /// Whether a NaN is left out.
    pub fn omits(self, flag: NanFlag) -> bool {
        match flag {
            NanFlag::Default => matches!(self, Self::Min | Self::Max | Self::Any | Self::All),
            flag => flag == NanFlag::Omit,
        }
    }

    /// The dtype of the results of elements of `dtype`, of which `accumulator` is what the caller has set.
    pub fn result_dtype(self, dtype: Dtype, accumulator: Dtype) -> Result<Dtype> {
        let natural = match self {
            Self::Sum | Self::Product if dtype.size() < 4 => Dtype::None,
            Self::Sum | Self::Product | Self::Min | Self::Max => dtype,
            Self::Any | Self::All => Dtype::Bool,
            Self::Count => Dtype::U64,
            Self::Mean if dtype == Dtype::F32 => Dtype::F32,
            Self::Mean => Dtype::F64,
        };
        let result = accumulator.or(natural);
        let is_served = match self {
            _ if result == Dtype::None => false,
            Self::Sum | Self::Product => match dtype.is_float() {
                true => result == dtype || result == Dtype::F64,
                false => result == Dtype::F64 || is_wider_integer(dtype, result),
            },
            Self::Count => matches!(result, Dtype::U32 | Dtype::U64 | Dtype::F64),
            Self::Mean => result == natural || result == Dtype::F64,
            _ => result == natural,
        };
        if is_served { Ok(result) } else { Err(self.refusal(dtype, accumulator)) }
    }

    /// The bits of the reduction of no elements.
    pub fn of_none(self, to: Dtype) -> u64 {
        let range = to.integers().unwrap_or(0..=0);
        let float = |x: f64| if to == Dtype::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
        match self {
            Self::Sum | Self::Any | Self::Count => 0,
            Self::Product if to.is_float() => float(1.0),
            Self::All | Self::Product => 1,
            Self::Mean => float(f64::NAN),
            Self::Min | Self::Max if to.is_float() => float(f64::NAN),
            Self::Min => *range.end() as u64,
            Self::Max => *range.start() as u64,
        }
    }

    fn refusal(self, dtype: Dtype, accumulator: Dtype) -> Error {
        let served = match self {
            Self::Sum | Self::Product if dtype.is_float() => "dtype or F64",
            Self::Sum | Self::Product => {
                "F64 or an integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has to hold every value \
                 of dtype; integers of 1 and 2 bytes, and BOOL, need one"
            }
            Self::Min | Self::Max => "dtype",
            Self::Any | Self::All => "BOOL",
            Self::Count => "U64, U32 or F64",
            Self::Mean => "F64, or F32 of F32",
        };
        let [op, dtype, accumulator] = [self.c_name(), dtype.c_name(), accumulator.c_name()];
        Error::invalid(format!(
            "options.op is {op}, options.dtype {dtype} and options.accumulator_dtype {accumulator}; the result of it is of {served}"
        ))
    }
}

/// Whether integers of `dtype` may be accumulated in those of `to`.
fn is_wider_integer(dtype: Dtype, to: Dtype) -> bool {
    let is_integer = to.integers().is_some() && to != Dtype::Bool;
    is_integer && if to.size() >= 4 { to.size() >= dtype.size() } else { to.holds(dtype) }
}

/// How an array (inner, count, outer) lies: element (i, j, k) at i + inner·(j + count·k). Results are (inner, outer).
#[derive(Clone, Copy, Debug)]
pub struct DimShape {
    pub inner: usize,
    pub count: usize,
    pub outer: usize,
}

impl DimShape {
    /// The number of results of a reduction.
    pub fn results(&self) -> usize {
        self.inner * self.outer
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.results() * self.count
    }
}

/// A reduction along a dimension, checked.
#[derive(Clone, Copy, Debug)]
pub struct ReduceTask {
    pub op: DimReduction,
    pub shape: DimShape,
    /// NaN is left out.
    pub omits: bool,
    /// Sums and products of integers saturate, element by element.
    pub saturates: bool,
}

/// Prefixes along a dimension, checked.
#[derive(Clone, Copy, Debug)]
pub struct ScanTask {
    pub op: DimReduction,
    pub shape: DimShape,
    pub is_inclusive: bool,
    /// From the last element to the first.
    pub is_reversed: bool,
    /// NaN is left out.
    pub omits: bool,
    /// Sums and products of integers saturate, element by element.
    pub saturates: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dtypes_of_results_are_those_that_hold_them() {
        use DimReduction::*;
        let of = |op: DimReduction, dtype, accumulator| op.result_dtype(dtype, accumulator).ok();
        assert_eq!(of(Sum, Dtype::F32, Dtype::None), Some(Dtype::F32));
        assert_eq!(of(Sum, Dtype::I8, Dtype::None), None);
        assert_eq!(of(Product, Dtype::I8, Dtype::I8), Some(Dtype::I8));
        assert_eq!(of(Sum, Dtype::I8, Dtype::U16), None);
        assert_eq!(of(Sum, Dtype::I8, Dtype::U32), Some(Dtype::U32));
        assert_eq!(of(Sum, Dtype::F64, Dtype::F32), None);
        assert_eq!(of(Max, Dtype::U16, Dtype::None), Some(Dtype::U16));
        assert_eq!(of(Mean, Dtype::Bool, Dtype::F32), None);
        assert_eq!(of(Count, Dtype::F32, Dtype::F64), Some(Dtype::F64));
    }
}
