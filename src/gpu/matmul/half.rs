//! Products of matrices of F16 or BF16 by the kernels for Hopper.

use super::super::Device;
use super::super::runtime::device::check_launch;
use super::super::runtime::kernels::{
    gpumexk_matmul_bf16, gpumexk_matmul_f16, gpumexk_matmul_half_scratch, gpumexk_matmul_half_serves,
};
use super::super::runtime::memory::Buffer;
use super::super::runtime::tuning::Kernel;
use super::matrices::{Shape, Source, Target};
use super::on_device;
use crate::array::{DynView, DynViewMut, Element, ViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::matmul::{MatmulVariant, Product};

/// A, B and C, row-major: A and B of F16 or BF16, C of the same dtype or of F32.
pub struct Halves<'a> {
    pub a: DynView<'a>,
    pub b: DynView<'a>,
    pub c: DynViewMut<'a>,
}

/// Whether [`multiply`] computes the product on this device.
pub fn serves(device: &Device, product: &Product) -> Result<bool> {
    if device.compute() != (9, 0) {
        return Ok(false);
    }
    let mut serves = 0;
    let args = on_device::<u16>(product, std::ptr::null(), std::ptr::null(), std::ptr::null_mut());
    // SAFETY: writes one int; no pointer of the product is followed.
    device.launch(|_| unsafe { gpumexk_matmul_half_serves(&args, &mut serves) })?;
    Ok(serves == 1)
}

/// C ← alpha·op(A)·op(B) + beta·C by kernels of the library, or of cuBLAS.
pub fn multiply(device: &Device, variant: MatmulVariant, product: &Product, halves: Halves) -> Result<()> {
    let Halves { a, b, c } = halves;
    match c.dtype() {
        Dtype::F32 => multiply_into::<f32>(device, variant, product, (a, b), c.typed()),
        _ => multiply_into::<u16>(device, variant, product, (a, b), c.typed()),
    }
}

/// `C`: the bits of an element of C.
fn multiply_into<C: Element>(
    device: &Device,
    variant: MatmulVariant,
    product: &Product,
    (a, b): (DynView, DynView),
    c: ViewMut<C>,
) -> Result<()> {
    let dtype = a.dtype();
    let a = Source::<u16>::new(device, &a.typed(), &product.a, product.a_shape())?;
    let b = Source::<u16>::new(device, &b.typed(), &product.b, product.b_shape())?;
    let shape = Shape::new(product.batch, &product.c, product.m, product.n);
    let mut c = Target::new(device, c, &product.c, shape, product.beta != 0.0)?;
    let to = c.as_mut_ptr();
    let product = Product { a: a.layout, b: b.layout, c: c.layout(), ..*product };
    let mut args = on_device(&product, a.as_ptr(), b.as_ptr(), to.cast());
    args.c = to.cast();
    let is_float = size_of::<C>() == size_of::<f32>();
    if variant == MatmulVariant::Cublas {
        device.refuse_capture("the workspace of cuBLAS belongs to the context")?;
        let to = if is_float { Dtype::F32 } else { dtype };
        device.cublas()?.multiply_halves(device, dtype, to, &args)?;
        return c.finish();
    }
    let mut bytes = 0;
    // SAFETY: writes one size.
    check_launch(unsafe { gpumexk_matmul_half_scratch(&args, &mut bytes) })?;
    let scratch = Buffer::<u8>::new(device, bytes)?;
    let (is_float, scratch, tuning) =
        (is_float.into(), scratch.as_ptr().cast(), device.tuning(Kernel::MatmulHalf));
    // SAFETY: the matrices hold what `product` says, of their dtypes; scratch has as many bytes as asked for.
    device.launch(|stream| unsafe {
        match dtype {
            Dtype::F16 => gpumexk_matmul_f16(&args, is_float, scratch, &tuning, stream),
            _ => gpumexk_matmul_bf16(&args, is_float, scratch, &tuning, stream),
        }
    })?;
    c.finish()
}
