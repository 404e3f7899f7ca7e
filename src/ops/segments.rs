//! What operations on segments check alike.
#![forbid(unsafe_code)]

use crate::array::{Input, View};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::{Index, Operator};

/// segments + 1 offsets, none for no segments.
pub fn offsets<'a, I: Index>(offsets: &Input<'a>, segments: usize) -> Result<View<'a, I>> {
    offsets.view::<I>(&[if segments == 0 { 0 } else { segments.saturating_add(1) }])
}

/// Refuses as many elements as indices cannot count.
pub fn counts<I: Index>(name: &str, count: usize) -> Result<()> {
    match I::from_usize(count).to_usize() == count {
        true => Ok(()),
        false => {
            Err(Error::invalid(format!("{name} is {count}, which index_dtype U32 cannot hold; U64 can")))
        }
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

/// Primitives work on elements of 4 and 8 bytes.
pub fn wide_enough<T>(dtype: Dtype) -> Result<T> {
    Err(Error::unsupported(format!(
        "dtype {dtype:?} is not served by this version, which serves F32, F64, I32, I64, U32 and U64"
    )))
}
