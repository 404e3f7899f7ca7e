//! Matrix product.
//!
//! Source of the variants: RSE-Sheffield, CUDALab03, exercise 1.
#![forbid(unsafe_code)]

use std::sync::Once;

use crate::array::{Element, Input, Output};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::{cpu, fork, gpu};

/// How `gpumex_matmul` computes; results agree within the error bound.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain triple loop, on one core; CPU backend only.
    Sequential = 1,
    /// One thread an element of C, operands from global memory.
    Naive = 2,
    /// Square tiles of A and B in shared memory.
    Blocked = 3,
}

/// Element type of a matrix product.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulDtype {
    /// float
    #[default]
    F32 = 0,
    /// double
    F64 = 1,
    /// IEEE half
    F16 = 2,
    /// bfloat16
    Bf16 = 3,
}

/// Order of the elements of a matrix.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulOrder {
    /// Row after row, as in C.
    #[default]
    Row = 0,
    /// Column after column, as in MATLAB.
    Column = 1,
}

impl Choice for MatmulVariant {
    const NAME: &'static str = "gpumex_matmul_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential, Self::Naive, Self::Blocked];
}

impl Choice for MatmulDtype {
    const NAME: &'static str = "gpumex_matmul_dtype";
    const ALL: &'static [Self] = &[Self::F32, Self::F64, Self::F16, Self::Bf16];
}

impl Choice for MatmulOrder {
    const NAME: &'static str = "gpumex_matmul_order";
    const ALL: &'static [Self] = &[Self::Row, Self::Column];
}

/// Options of [`matmul`]; the default is f32, row-major.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: MatmulVariant,
    pub dtype: MatmulDtype,
    pub order: MatmulOrder,
}

/// C ← A·B.  A (m,k), B (k,n), C (m,n), all of one dtype and order, accumulated in that dtype; k = 0 gives zeros.
///
/// Accuracy: |C − AB| ≤ γ_k |A||B| elementwise, γ_k = ku/(1 − ku), u = 2⁻²⁴ (f32) or 2⁻⁵³ (f64); N. Higham,
/// "Accuracy and Stability of Numerical Algorithms", §3.5. Errors: INVALID_ARGUMENT (size, overlap), UNSUPPORTED
/// (dtype), OUT_OF_MEMORY, CUDA.
#[allow(clippy::too_many_arguments)] // three sizes and three matrices, as everyone writes it
pub fn matmul(
    ctx: &mut Context,
    options: &Options,
    m: usize,
    n: usize,
    k: usize,
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    ctx.begin();
    // A column-major product is the row-major product of the transposes, in the other order: Cᵀ = Bᵀ·Aᵀ.
    let (m, n, a, b) = match options.order {
        MatmulOrder::Row => (m, n, a, b),
        MatmulOrder::Column => (n, m, b, a),
    };
    match options.dtype {
        MatmulDtype::F32 => product::<f32>(ctx, options.variant, [m, n, k], a, b, c),
        MatmulDtype::F64 => product::<f64>(ctx, options.variant, [m, n, k], a, b, c),
        MatmulDtype::F16 | MatmulDtype::Bf16 => {
            Err(Error::unsupported(format!("dtype {:?} is not served by this version", options.dtype)))
        }
    }
}

fn product<T: Element + cpu::Float + gpu::Float>(
    ctx: &mut Context,
    variant: MatmulVariant,
    [m, n, k]: [usize; 3],
    a: Input,
    b: Input,
    c: Output,
) -> Result<()> {
    let (a, b) = (a.view::<T>(&[m, k])?, b.view::<T>(&[k, n])?);
    let mut c = c.view::<T>(&[m, n])?;
    c.apart(&a)?;
    c.apart(&b)?;
    if c.is_empty() {
        return Ok(());
    }
    ctx.run(|engine| match (engine, variant) {
        (Engine::Cpu(workers), MatmulVariant::Sequential) => {
            cpu::matmul::sequential(workers, [m, n, k], a.on_host()?, b.on_host()?, c.on_host()?)
        }
        (Engine::Cpu(workers), _) => {
            prepare_cpu();
            cpu::matmul::matmul(workers, [m, n, k], a.on_host()?, b.on_host()?, c.on_host()?)
        }
        (Engine::Cuda(_), MatmulVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), variant) => {
            let path = match variant {
                MatmulVariant::Naive => gpu::matmul::Path::Naive,
                _ => gpu::matmul::Path::Blocked,
            };
            gpu::matmul::matmul(device, path, [m, n, k], a, b, c)
        }
    })
}

/// What the CPU's product finds out once a process.
fn prepare_cpu() {
    static READY: Once = Once::new();
    if !READY.is_completed() {
        fork::undivided(|| READY.call_once(cpu::matmul::prepare));
    }
}
