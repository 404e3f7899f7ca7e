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
use crate::model::numbered::Choice;
use crate::model::primitives::{Operand, Operator, Reduction};

/// How `gpumex_reduce` computes; results agree within the error bound, those of integers are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReduceVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for ReduceVariant {
    const NAME: &'static str = "gpumex_reduce_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`reduce`]; the default is the sum of f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: ReduceVariant,
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
    operates_on(options.op, options.dtype)?;
    let (dtype, op) = (served("dtype", options.dtype)?, options.op);
    let (data, mut result) = (data.view_of(dtype, &[count])?, result.view_of(dtype, &[1])?);
    all_apart(&[&result], &[&data])?;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let how = (workers, variant, Reduction::new(op, dtype));
            by_number!(dtype, reduce_on_cpu(how, data, &mut result))
        }
        (Engine::Cuda(_), ReduceVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), ReduceVariant::Auto) => gpu::reduce::reduce(device, op, data, result),
    })
}

fn reduce_on_cpu<T: Operand>(
    (workers, variant, op): (&cpu::Workers, ReduceVariant, Reduction),
    data: DynView,
    result: &mut DynViewMut,
) -> Result<()> {
    let (data, result) = (data.on_host::<T>()?, result.on_host()?);
    result[0] = match variant {
        ReduceVariant::Sequential => cpu::reduce::sequential(workers, op, data)?,
        ReduceVariant::Auto => cpu::reduce::reduce(workers, op, data)?,
    };
    Ok(())
}
