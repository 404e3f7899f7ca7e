//! What moves with keys: values, or the positions of the keys.
#![forbid(unsafe_code)]

use super::dtypes::{index_dtype_for, supported};
use crate::array::{DynView, Element, Input};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::payload::{Payload, Values};

/// The dtype of what moves with `count` keys.
pub fn payload_dtype(
    payload: Payload,
    value_dtype: Dtype,
    index_dtype: Dtype,
    (name, count): (&str, usize),
) -> Result<Option<Dtype>> {
    match payload {
        Payload::None => Ok(None),
        Payload::Values => supported("value_dtype", value_dtype).map(Some),
        Payload::Indices => index_dtype_for(index_dtype, name, count).map(Some),
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
