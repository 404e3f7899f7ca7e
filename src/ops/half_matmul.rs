//! Products of matrices of F16 or BF16, with sums in f32: by kernels of their own where the device has them, else of matrices converted
//! to F32, which holds every number of theirs, and so does TF32.
#![forbid(unsafe_code)]

use super::complex_matmul::{distinct, walk};
use super::map::evaluate;
use super::matmul::{MatmulVariant, product_of};
use super::workspace::Workspace;
use crate::array::DynView;
use crate::context::Engine;
use crate::error::Result;
use crate::gpu;
use crate::gpu::matmul::half::Halves;
use crate::model::dtype::Dtype;
use crate::model::matmul::{Layout, Product};
use crate::model::variant::Variant;

/// C ← alpha·op(A)·op(B) + beta·C, row-major, of matrices whose sizes were checked; C of the dtype of A and B, or of F32.
pub(super) fn multiply(
    engine: &Engine,
    variant: MatmulVariant,
    product: &Product,
    halves: Halves,
) -> Result<()> {
    match (engine.select(variant)?, variant) {
        // Without terms cuBLAS reads A and B, which may be NULL.
        (Engine::Cuda(device), MatmulVariant::Cublas) if product.has_terms() => {
            gpu::matmul::half::multiply(device, variant, product, halves)
        }
        (Engine::Cuda(device), MatmulVariant::Auto | MatmulVariant::Tensor)
            if gpu::matmul::half::serves(device, product)? =>
        {
            gpu::matmul::half::multiply(device, variant, product, halves)
        }
        (Engine::Cuda(device), MatmulVariant::Auto) if device.compute() >= (8, 0) => {
            multiply_widened(engine, MatmulVariant::Tf32, product, halves)
        }
        (Engine::Cuda(_), MatmulVariant::Tensor) => {
            multiply_widened(engine, MatmulVariant::Tf32, product, halves)
        }
        _ => multiply_widened(engine, variant, product, halves),
    }
}

/// By a product of matrices of F32.
fn multiply_widened(
    engine: &Engine,
    variant: MatmulVariant,
    product: &Product,
    Halves { a, b, mut c }: Halves,
) -> Result<()> {
    let Product { m, n, k, batch, .. } = *product;
    let has_terms = product.has_terms();
    let a = Widened::new(engine, a, &product.a, [m, k], batch, has_terms)?;
    let b = Widened::new(engine, b, &product.b, [k, n], batch, has_terms)?;
    let (of_a, of_b) = (a.elements.view()?, b.elements.view()?);
    let wide = Product { a: a.layout, b: b.layout, ..*product };
    if c.dtype() == Dtype::F32 {
        return product_of::<f32>(engine, variant, &wide, of_a.typed(), of_b.typed(), c.typed());
    }
    let mut own = Workspace::new(engine, Dtype::F32, m * n * batch)?;
    let (lying, dense) = ([1, product.c.ld, product.c.stride], [1, n, m * n]);
    if product.beta != 0.0 {
        let walk = walk([n, m, batch], lying, dense)?;
        evaluate(engine, Variant::Auto, "a", &walk, &[c.reborrow().into_view()], own.view_mut()?)?;
    }
    let wide = Product { c: Layout { transposed: false, ld: n, stride: m * n }, ..wide };
    product_of::<f32>(engine, variant, &wide, of_a.typed(), of_b.typed(), own.view_mut()?.typed())?;
    evaluate(engine, Variant::Auto, "a", &walk([n, m, batch], dense, lying)?, &[own.view()?], c)
}

/// The matrices of an argument as F32, one behind the other.
struct Widened<'e> {
    elements: Workspace<'e>,
    layout: Layout,
}

impl<'e> Widened<'e> {
    /// Those whose op() has `[rows, cols]`; none where they are not read.
    fn new(
        engine: &'e Engine,
        from: DynView,
        layout: &Layout,
        [rows, cols]: [usize; 2],
        batch: usize,
        is_read: bool,
    ) -> Result<Widened<'e>> {
        let (lines, length) = if layout.transposed { (cols, rows) } else { (rows, cols) };
        let matrices = if is_read { distinct(*layout, batch) } else { 0 };
        let mut elements = Workspace::new(engine, Dtype::F32, lines * length * matrices)?;
        if matrices > 0 {
            let walk =
                walk([length, lines, matrices], [1, layout.ld, layout.stride], [1, length, lines * length])?;
            evaluate(engine, Variant::Auto, "a", &walk, &[from], elements.view_mut()?)?;
        }
        let stride = if matrices == batch { lines * length } else { 0 };
        Ok(Widened { elements, layout: Layout { ld: length, stride, ..*layout } })
    }
}
