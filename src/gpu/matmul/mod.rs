//! Matrix product on the device.

mod auto;
pub mod half;
mod launch;
mod matrices;
mod slabs;

use super::Device;
use super::Float;
use super::runtime::kernels::MatmulArgs;
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::model::matmul::MatmulVariant;
use crate::model::matmul::Product;

use launch::launch;
use matrices::{Shape, Source, Target};

/// C ← alpha·op(A)·op(B) + beta·C, row-major.
pub fn matmul<T: Float>(
    device: &Device,
    variant: MatmulVariant,
    product: &Product,
    a: View<T>,
    b: View<T>,
    mut c: ViewMut<T>,
) -> Result<()> {
    let Product { m, n, batch, .. } = *product;
    let b_shape = product.b_shape();
    if slabs::pay(product, a.place(), c.place(), a.bytes() + c.len() * size_of::<T>()) {
        let b = Source::new(device, &b, &product.b, b_shape)?;
        return slabs::matmul(device, variant, product, &a, &b, &mut c);
    }
    let a = Source::new(device, &a, &product.a, product.a_shape())?;
    let b = Source::new(device, &b, &product.b, b_shape)?;
    let mut c = Target::new(device, c, &product.c, Shape::new(batch, &product.c, m, n), product.beta != 0.0)?;
    let to = c.as_mut_ptr();
    let product = Product { a: a.layout, b: b.layout, c: c.layout(), ..*product };
    launch::<T>(device, variant, &on_device(&product, a.as_ptr(), b.as_ptr(), to))?;
    c.finish()
}

impl Product {
    fn a_shape(&self) -> Shape {
        let (rows, cols) = if self.a.transposed { (self.k, self.m) } else { (self.m, self.k) };
        Shape::new(self.batch, &self.a, rows, cols)
    }

    fn b_shape(&self) -> Shape {
        let (rows, cols) = if self.b.transposed { (self.n, self.k) } else { (self.k, self.n) };
        Shape::new(self.batch, &self.b, rows, cols)
    }
}

/// The product as kernels take it.
fn on_device<T>(product: &Product, a: *const T, b: *const T, c: *mut T) -> MatmulArgs {
    MatmulArgs {
        m: product.m,
        n: product.n,
        k: product.k,
        batch: product.batch,
        trans_a: product.a.transposed.into(),
        trans_b: product.b.transposed.into(),
        a: a.cast(),
        b: b.cast(),
        c: c.cast(),
        lda: product.a.ld,
        ldb: product.b.ld,
        ldc: product.c.ld,
        stride_a: product.a.stride,
        stride_b: product.b.stride,
        stride_c: product.c.stride,
        alpha: product.alpha,
        beta: product.beta,
    }
}
