//! Reduction of an array by an operator.
//!
//! Source: M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007; S. Baxter, "ModernGPU", Reduce, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::{operates_on, served};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::primitives::{Operand, Operator, Reduction};
use crate::model::variant::Variant;

/// Options of [`reduce`]; the default is the sum of f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub op: Operator,
}

/// result\[0\] ← data\[0\] ∘ … ∘ data\[count − 1\].  data (count) of 4 or 8 bytes an element, anywhere. result: one element,
/// anywhere, apart from data. count = 0 gives the operator's identity.
///
/// Accuracy: sums of floats |result − Σ| ≤ γ_n Σ|x\[i\]|, γ_n = nu/(1 − nu), n = count, u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); N.
/// Higham, "Accuracy and Stability of Numerical Algorithms", §4.2. The CPU backend has 133 + ⌈log2 ⌈n/4096⌉⌉ in the place
/// of n, and bits that depend on n alone; those of CUDA depend on n and the device. All other results are the same
/// everywhere. Cost: reads data once. Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED (dtype, bits of floats),
/// OUT_OF_MEMORY, CUDA.
pub fn reduce(ctx: &mut Context, options: &Options, data: Input, count: usize, result: Output) -> Result<()> {
    ctx.begin();
    let op = options.op.or(Operator::Sum);
    operates_on("op", op, options.dtype)?;
    let dtype = served("dtype", options.dtype)?;
    let (data, mut result) = (data.view_of(dtype, &[count])?, result.view_of(dtype, &[1])?);
    all_apart(&[&result], &[&data])?;
    ctx.run(|engine| match engine.select(options.variant)? {
        Engine::Cpu(workers) => {
            let how = (workers, options.variant, Reduction::new(op, dtype));
            by_number!(dtype, reduce_on_cpu(how, data, &mut result))
        }
        Engine::Cuda(device) => gpu::reduce::reduce(device, op, data, result),
    })
}

fn reduce_on_cpu<T: Operand>(
    (workers, variant, op): (&cpu::Workers, Variant, Reduction),
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (data, result) = (data.on_host::<T>()?, result.on_host()?);
    result[0] = match variant {
        Variant::Sequential => cpu::reduce::sequential(workers, op, data)?,
        Variant::Auto => cpu::reduce::reduce(workers, op, data)?,
    };
    Ok(())
}
