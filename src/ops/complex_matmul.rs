//! Products of complex matrices, by one product of real ones.
//!
//! A row of A (m, k) in memory is the row of 2k real numbers re, im, re, im, …; so is one of C (m, n). With the real matrix B' (2k, 2n),
//! which has the rows (re b, im b) and (−im b, re b) for each row b of B, C = A·B' as real matrices: no part of A or C is moved.
#![forbid(unsafe_code)]

use super::map::evaluate;
use super::matmul::{MatmulVariant, product_of};
use super::workspace::Workspace;
use crate::array::{DynView, DynViewMut, Element};
use crate::context::Engine;
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::expression::Layout as Walk;
use crate::model::matmul::{Layout, Product};
use crate::model::variant::Variant;

/// A complex number in memory of the host.
pub type Factor = [f64; 2];

/// C ← alpha·op(A)·op(B) + beta·C, row-major; sizes, steps and strides are of complex numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComplexProduct {
    /// Whose alpha and beta do not count.
    pub sizes: Product,
    /// A, or B, is conjugated.
    pub conjugates: [bool; 2],
    pub alpha: Factor,
    pub beta: Factor,
}

/// The arrays of a call.
pub(super) struct Matrices<'a> {
    pub a: DynView<'a>,
    pub b: DynView<'a>,
    pub c: DynViewMut<'a>,
}

/// The product of matrices whose sizes were checked, on the engine of the call.
pub(super) fn multiply(
    engine: &Engine,
    variant: MatmulVariant,
    product: &ComplexProduct,
    matrices: Matrices,
) -> Result<()> {
    let Matrices { a, b, c } = matrices;
    if product.beta[1] != 0.0 {
        return multiply_apart(engine, variant, product, Matrices { a, b, c });
    }
    match c.dtype() {
        Dtype::C64 => parts_multiplied::<f32>(engine, variant, product, Matrices { a, b, c }),
        _ => parts_multiplied::<f64>(engine, variant, product, Matrices { a, b, c }),
    }
}

/// With a complex beta: in a matrix of its own, which is beta·C at first. C is written when nothing can be refused any more.
fn multiply_apart(
    engine: &Engine,
    variant: MatmulVariant,
    product: &ComplexProduct,
    Matrices { a, b, mut c }: Matrices,
) -> Result<()> {
    let (dtype, Product { m, n, batch, c: of_c, .. }) = (c.dtype(), product.sizes);
    let mut own = Workspace::new(engine, dtype, m * n * batch)?;
    let (lying, dense) = ([1, of_c.ld, of_c.stride], [1, n, m * n]);
    let (to_own, to_c) = (walk([n, m, batch], lying, dense)?, walk([n, m, batch], dense, lying)?);
    let text = format!("a * complex ({:?}, {:?})", product.beta[0], product.beta[1]);
    evaluate(engine, Variant::Auto, &text, &to_own, &[c.reborrow().into_view()], own.view_mut()?)?;
    let layout = Layout { transposed: false, ld: n, stride: m * n };
    let sizes = Product { c: layout, ..product.sizes };
    let product = ComplexProduct { sizes, beta: [1.0, 0.0], ..*product };
    multiply(engine, variant, &product, Matrices { a, b, c: own.view_mut()? })?;
    evaluate(engine, Variant::Auto, "a", &to_c, &[own.view()?], c)
}

fn parts_multiplied<T: Element + cpu::Float + gpu::Float + Into<f64>>(
    engine: &Engine,
    variant: MatmulVariant,
    product: &ComplexProduct,
    Matrices { a, b, c }: Matrices,
) -> Result<()> {
    let ComplexProduct { sizes, conjugates, alpha, beta } = *product;
    let dtype = c.dtype();
    let has_terms = sizes.k > 0 && alpha != [0.0; 2];
    let Product { m, n, k, batch, .. } = sizes;
    let mut real = Product { n: 2 * n, k: 2 * k, alpha: 1.0, beta: beta[0], c: doubled(sizes.c), ..sizes };
    if !has_terms {
        // A and B are not read: nothing may depend on their layout.
        let (none_of_a, none_of_b) = (
            Layout { transposed: false, ld: 1, stride: 0 },
            Layout { transposed: false, ld: 2 * n, stride: 0 },
        );
        real = Product { k: 0, alpha: 0.0, a: none_of_a, b: none_of_b, ..real };
        let none = || DynView::typed::<T>(&a.parts().part(0, 0));
        return product_of::<T>(engine, variant, &real, none(), none(), c.parts().typed());
    }
    let (batch_of_a, batch_of_b) = (distinct(sizes.a, batch), distinct(sizes.b, batch));
    let is_moved = sizes.a.transposed;
    let packed = match is_moved {
        false => None,
        true => Some(packed(engine, dtype, &sizes, conjugates[0], a, batch_of_a)?),
    };
    let (a, of_a) = match &packed {
        None => (a, doubled(sizes.a)),
        Some(packed) => {
            let stride = if batch_of_a == batch { 2 * m * k } else { 0 };
            (packed.view()?, Layout { transposed: false, ld: 2 * k, stride })
        }
    };
    real.alpha = if alpha[1] == 0.0 { alpha[0] } else { 1.0 };
    let expression = factor(conjugates[1], alpha);
    let turned = turned(&expression, conjugates[0] && !is_moved);
    let expanded = expanded(engine, dtype, &sizes, [&expression, &turned], b, batch_of_b)?;
    real.a = of_a;
    real.b = Layout { transposed: false, ld: 2 * n, stride: if batch_of_b == batch { 4 * k * n } else { 0 } };
    let b = expanded.view()?;
    product_of::<T>(engine, variant, &real, a.parts().typed(), b.parts().typed(), c.parts().typed())
}

/// Of matrices of pairs the layout as one of parts.
fn doubled(layout: Layout) -> Layout {
    Layout { ld: 2 * layout.ld, stride: 2 * layout.stride, ..layout }
}

/// How many of a batch there are: one where all are the same.
pub(super) fn distinct(layout: Layout, batch: usize) -> usize {
    if layout.stride == 0 { 1 } else { batch }
}

/// What B is multiplied by on its way, as an expression of its elements.
fn factor(is_conjugate: bool, alpha: Factor) -> String {
    let element = if is_conjugate { "conj (a)" } else { "a" };
    match alpha[1] {
        0.0 => element.to_string(),
        _ => format!("{element} * complex ({:?}, {:?})", alpha[0], alpha[1]),
    }
}

/// i·e, by which the imaginary parts of A are multiplied, and −i·e of a conjugate A.
fn turned(expression: &str, is_conjugate: bool) -> String {
    match is_conjugate {
        false => format!("complex (-imag ({expression}), real ({expression}))"),
        true => format!("complex (imag ({expression}), -real ({expression}))"),
    }
}

/// op(A) as rows.
fn packed<'e>(
    engine: &'e Engine,
    dtype: Dtype,
    sizes: &Product,
    is_conjugate: bool,
    a: DynView,
    batch: usize,
) -> Result<Workspace<'e>> {
    let (m, k) = (sizes.m, sizes.k);
    let mut to = Workspace::new(engine, dtype, m * k * batch)?;
    let (rows, cols) = sizes.a.steps();
    let walk = walk([k, m, batch], [cols, rows, sizes.a.stride], [1, k, m * k])?;
    evaluate(engine, Variant::Auto, &factor(is_conjugate, [1.0, 0.0]), &walk, &[a], to.view_mut()?)?;
    Ok(to)
}

/// B', from two expressions of the elements of B.
fn expanded<'e>(
    engine: &'e Engine,
    dtype: Dtype,
    sizes: &Product,
    expressions: [&str; 2],
    b: DynView,
    batch: usize,
) -> Result<Workspace<'e>> {
    let (n, k) = (sizes.n, sizes.k);
    let mut to = Workspace::new(engine, dtype, 2 * n * k * batch)?;
    let (rows, cols) = sizes.b.steps();
    for (part, expression) in expressions.into_iter().enumerate() {
        let walk = walk([n, k, batch], [cols, rows, sizes.b.stride], [1, 2 * n, 2 * n * k])?;
        let span = walk.span(&walk.result).unwrap_or(0);
        let to = to.view_mut()?.part(part * n, span);
        evaluate(engine, Variant::Auto, expression, &walk, &[b], to)?;
    }
    Ok(to)
}

/// A walk of three dimensions through one input.
pub(super) fn walk(shape: [usize; 3], input: [usize; 3], result: [usize; 3]) -> Result<Walk> {
    let signed = |strides: [usize; 3]| strides.map(|stride| stride as i64); // of extents within an array
    Walk::new(&shape, 1, Some(&signed(input)), Some(&signed(result)))
}
