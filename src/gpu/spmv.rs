//! The product of a sparse matrix in rows with a vector on the device.

use super::Device;
use super::kernels::{Factors, gpumexk_spmv};
use super::segments::OnDevice;
use crate::array::{Input, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Operand, Operator};

/// The matrix and the vector; without values a product is x alone.
pub struct Arrays<'a, T, I> {
    pub values: Option<View<'a, T>>,
    pub columns: View<'a, I>,
    pub offsets: View<'a, I>,
    pub sources: Option<View<'a, I>>,
    pub x: View<'a, T>,
    pub geometry: Option<Input<'a>>,
}

/// y (rows) ← the product.
pub fn spmv<T: Operand, I: Index>(
    device: &Device,
    [add, multiply]: [Operator; 2],
    arrays: Arrays<T, I>,
    y: ViewMut<T>,
) -> Result<()> {
    let Arrays { values, columns, offsets, sources, x, geometry } = arrays;
    let on_device = OnDevice::new(device, &offsets, sources.as_ref(), columns.len())?;
    let on_device = on_device.prepared(device, geometry, &y)?;
    let (rows, scratch, cols) = (on_device.segments(), on_device.scratch(), x.len());
    let values = values.map(|values| device.read(&values)).transpose()?;
    let (columns, x) = (device.read(&columns)?, device.read(&x)?);
    let mut y = device.write(y)?;
    let factors = Factors {
        values: values.as_ref().map_or(std::ptr::null(), |values| values.as_ptr().cast()),
        columns: columns.as_ptr().cast(),
        x: x.as_ptr().cast(),
        cols,
        dtype: T::DTYPE as i32,
        add: add as i32,
        multiply: multiply as i32,
    };
    let to = y.as_mut_ptr().cast();
    // SAFETY: rows + 1 offsets, as many sources where there are any; a column and, where there are any, a value for each
    // nonzero; cols elements of x, rows of y; the scratch is as documented.
    device.launch(|stream| unsafe { gpumexk_spmv(&rows, &factors, to, scratch, stream) })?;
    y.finish()
}
