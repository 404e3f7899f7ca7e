//! Inner product of two vectors.
//!
//! Source of the variants: M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum, unit 7 lesson 8, 2020
//! (a tree in each block and one atomic), and M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA, 2007
//! (two passes).
#![forbid(unsafe_code)]

use super::complex_matmul::{ComplexProduct, Matrices, multiply};
use super::cost;
use crate::array::{Element, Footprint, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::matmul::{Layout, MatmulVariant, Product};
use crate::model::numbered::NumberedEnum;
pub use crate::model::variant::DotVariant;

/// Options of [`dot`]; the default is f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: DotVariant,
    pub dtype: Dtype,
    /// Of complex x: Σ conj (x\[i\])·y\[i\].
    pub conjugates: bool,
}

/// result\[0\] ← Σ x\[i\]·y\[i\].  x, y (count), f32 or f64, accumulated in that dtype, anywhere; x may be y.
/// result: one element, anywhere, apart from both. count = 0 gives 0.
///
/// Accuracy: |result − Σ| ≤ γ_n Σ|x\[i\]·y\[i\]|, γ_n = nu/(1 − nu), n = count, u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64), for
/// every variant; N. Higham, "Accuracy and Stability of Numerical Algorithms", §3.1. Trees do better: the CPU
/// backend has 134 + ⌈log2 ⌈n/4096⌉⌉ in the place of n. All but ATOMIC give the same bits for the same arrays on
/// one backend with the same tuning. Cost: reads x and y once. Errors: INVALID_ARGUMENT (size, overlap),
/// UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn dot(
    ctx: &mut Context,
    options: &Options,
    x: Input,
    y: Input,
    count: usize,
    result: Output,
) -> Result<()> {
    ctx.begin();
    match options.dtype {
        Dtype::F32 => inner_product::<f32>(ctx, options.variant, x, y, count, result),
        Dtype::F64 => inner_product::<f64>(ctx, options.variant, x, y, count, result),
        dtype @ (Dtype::C64 | Dtype::C128) => of_complex(ctx, options, dtype, (x, y), count, result),
        other => super::dtypes::unsupported("dtype", other, "F32, F64, C64 and C128"),
    }
}

/// A product of a row and a column.
fn of_complex(
    ctx: &mut Context,
    options: &Options,
    dtype: Dtype,
    (x, y): (Input, Input),
    count: usize,
    result: Output,
) -> Result<()> {
    let variant = match options.variant {
        DotVariant::Auto => MatmulVariant::Auto,
        DotVariant::Sequential => MatmulVariant::Sequential,
        other => {
            return Err(Error::unsupported(format!(
                "options.variant is {} and options.dtype {}; of complex numbers AUTO and SEQUENTIAL are served",
                other.c_name(),
                dtype.c_name()
            )));
        }
    };
    let (x, y) = (x.view_of(dtype, &[count])?, y.view_of(dtype, &[count])?);
    let result = result.view_of(dtype, &[1])?;
    let arrays = all_apart(&[&result], &[&x, &y])?;
    let layout = |ld| Layout { transposed: false, ld, stride: 0 };
    let sizes = Product {
        m: 1,
        n: 1,
        k: count,
        batch: 1,
        a: layout(count),
        b: layout(1),
        c: layout(1),
        alpha: 1.0,
        beta: 0.0,
    };
    let conjugates = [options.conjugates, false];
    let product = ComplexProduct { sizes, conjugates, alpha: [1.0, 0.0], beta: [0.0; 2] };
    let work = cost::MATMUL_COMPLEX.of_units(options.variant, arrays, count);
    ctx.run_auto(work, |engine| multiply(engine, variant, &product, Matrices { a: x, b: y, c: result }))
}

fn inner_product<T: Element + cpu::Float + gpu::Float>(
    ctx: &mut Context,
    variant: DotVariant,
    x: Input,
    y: Input,
    count: usize,
    result: Output,
) -> Result<()> {
    let (x, y, mut result) = (x.view::<T>(&[count])?, y.view::<T>(&[count])?, result.view::<T>(&[1])?);
    result.apart(&x)?;
    result.apart(&y)?;
    let arrays = Footprint::of(&[&x, &y, &result]);
    ctx.run_auto(cost::DOT.of(variant, arrays), |engine| match engine.select(variant)? {
        Engine::Cpu(workers) => {
            let (x, y, result) = (x.on_host()?, y.on_host()?, result.on_host()?);
            result[0] = match variant {
                DotVariant::Sequential => cpu::dot::sequential(workers, x, y)?,
                _ => cpu::dot::dot(workers, x, y)?,
            };
            Ok(())
        }
        Engine::Cuda(device) => gpu::dot::dot(device, variant, x, y, result),
    })
}
