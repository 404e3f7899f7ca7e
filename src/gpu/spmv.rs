//! The product of a sparse matrix in rows with a vector on the device.

use super::Device;
use super::runtime::kernels::{SpmvArgs, gpumexk_spmv};
use super::runtime::memory::source;
use super::segments::OnDevice;
use crate::array::{DynView, DynViewMut, Input};
use crate::error::Result;
use crate::model::operator::Operator;

/// The matrix and the vector; without values a product is x alone.
pub struct Arrays<'a> {
    pub values: Option<DynView<'a>>,
    pub columns: DynView<'a>,
    pub offsets: DynView<'a>,
    pub sources: Option<DynView<'a>>,
    pub x: DynView<'a>,
}

/// y (rows) ← the product.
pub fn spmv(
    device: &Device,
    [add, multiply]: [Operator; 2],
    arrays: Arrays,
    geometry: Option<Input>,
    identity: Option<u64>,
    y: DynViewMut,
) -> Result<()> {
    let Arrays { values, columns, offsets, sources, x } = arrays;
    let (cols, of, dtype) = (x.len(), x.dtype(), x.dtype() as i32);
    let on_device = OnDevice::new(device, &offsets, sources, columns.len())?;
    let on_device = on_device.prepared(device, geometry, &y)?;
    let (rows, scratch) = (on_device.segments(), on_device.scratch());
    let values = device.read_optional(values)?;
    let (columns, x) = (device.read(&columns.bytes())?, device.read(&x.bytes())?);
    let mut y = device.write(y.into_bytes())?;
    let args = SpmvArgs {
        values: source(&values),
        columns: columns.as_ptr().cast(),
        x: x.as_ptr().cast(),
        cols,
        dtype,
        add: add as i32,
        multiply: multiply as i32,
    };
    let to = y.as_mut_ptr().cast();
    // SAFETY: rows + 1 offsets, as many sources where there are any; a column and, where there are any, a value for each
    // nonzero; cols elements of x, rows of y; the scratch is as documented.
    device.launch(|stream| unsafe { gpumexk_spmv(&rows, &args, to, scratch, stream) })?;
    on_device.fill_empty(device, of, identity, to)?;
    y.finish()
}
