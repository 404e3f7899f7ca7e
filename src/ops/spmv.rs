//! The product of a sparse matrix in rows with a vector, over any semiring.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SpmvCsrUnary, SpmvCsrBinary, the indirect ones).
#![forbid(unsafe_code)]

use super::primitives::{counted, operates_on, optional_on_host, served};
use super::segments;
use crate::array::{DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::gpu::spmv::Arrays as Views;
use crate::model::dtype::Dtype;
use crate::model::numbered::Choice;
use crate::model::primitives::{Index, IndexDtype, Operand, Operator, Reduction};

/// How `gpumex_spmv` computes; results agree within the error bound.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpmvVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for SpmvVariant {
    const NAME: &'static str = "gpumex_spmv_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// What becomes of a value of the matrix and an element of x. AND, OR and XOR are for integers alone.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpmvMultiply {
    #[default]
    Product = 0,
    Sum = 1,
    Min = 2,
    Max = 3,
    And = 4,
    Or = 5,
    Xor = 6,
}

impl Choice for SpmvMultiply {
    const NAME: &'static str = "gpumex_spmv_multiply";
    const ALL: &'static [Self] =
        &[Self::Product, Self::Sum, Self::Min, Self::Max, Self::And, Self::Or, Self::Xor];
}

impl SpmvMultiply {
    pub fn operator(self) -> Operator {
        match self {
            SpmvMultiply::Product => Operator::Product,
            SpmvMultiply::Sum => Operator::Sum,
            SpmvMultiply::Min => Operator::Min,
            SpmvMultiply::Max => Operator::Max,
            SpmvMultiply::And => Operator::And,
            SpmvMultiply::Or => Operator::Or,
            SpmvMultiply::Xor => Operator::Xor,
        }
    }
}

/// Options of [`spmv`]; the default is plus-times in f32, with indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SpmvVariant,
    pub dtype: Dtype,
    pub index_dtype: IndexDtype,
    pub add: Operator,
    pub multiply: SpmvMultiply,
}

/// The matrix (rows, cols) of `nonzeros` nonzeros and the vector x (cols). values None: a product is x alone. sources: where
/// each row begins among the nonzeros, None where offsets say it.
pub struct Arrays<'a> {
    pub values: Option<Input<'a>>,
    pub columns: Input<'a>,
    pub nonzeros: usize,
    pub offsets: Input<'a>,
    pub rows: usize,
    pub x: Input<'a>,
    pub cols: usize,
    pub sources: Option<Input<'a>>,
    /// What `segments_prepare` found for the rows.
    pub geometry: Option<Input<'a>>,
}

/// y\[r\] ← ⊕ values\[k\] ⊗ x\[columns\[k\]\] for the nonzeros k of row r, offsets\[r\] ≤ k < offsets\[r + 1\].  y (rows) lies
/// apart from all others. Rows without nonzeros give the identity of ⊕; nonzeros whose column is not below cols add nothing.
///
/// Offsets that do not ascend, or are larger than nonzeros, give any results, but touch nothing else. The same arrays give the
/// same bits. Cost: reads values and columns once. Errors: INVALID_ARGUMENT (size, overlap, more than U32 counts), UNSUPPORTED
/// (dtype, bits of floats), OUT_OF_MEMORY, CUDA.
pub fn spmv(ctx: &mut Context, options: &Options, arrays: Arrays, y: Output) -> Result<()> {
    ctx.begin();
    operates_on(options.add, options.dtype)?;
    operates_on(options.multiply.operator(), options.dtype)?;
    let (dtype, index) = (served("dtype", options.dtype)?, options.index_dtype.dtype());
    let Arrays { nonzeros, rows, cols, geometry, .. } = arrays;
    counted(options.index_dtype, "nonzeros", nonzeros)?;
    counted(options.index_dtype, "cols", cols)?;
    let views = Views {
        values: arrays.values.map(|values| values.view_of(dtype, &[nonzeros])).transpose()?,
        columns: arrays.columns.view_of(index, &[nonzeros])?,
        offsets: segments::offsets(&arrays.offsets, index, rows)?,
        sources: arrays.sources.map(|sources| sources.view_of(index, &[rows])).transpose()?,
        x: arrays.x.view_of(dtype, &[cols])?,
    };
    let mut y = y.view_of(dtype, &[rows])?;
    all_apart(&[&y], &[&views.values, &views.sources, &views.columns, &views.offsets, &views.x])?;
    let operators = [options.add, options.multiply.operator()];
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let how = (workers, variant, operators.map(|operator| Reduction::new(operator, dtype)));
            by_number_and_size!(dtype, index, spmv_on_cpu(how, &views, &mut y))
        }
        (Engine::Cuda(_), SpmvVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), SpmvVariant::Auto) => gpu::spmv::spmv(device, operators, views, geometry, y),
    })
}

fn spmv_on_cpu<T: Operand, I: Index>(
    (workers, variant, [add, multiply]): (&cpu::Workers, SpmvVariant, [Reduction; 2]),
    views: &Views,
    y: &mut DynViewMut,
) -> Result<()> {
    let factors = cpu::spmv::Factors::<T, I> {
        add,
        multiply,
        values: optional_on_host(&views.values)?,
        columns: views.columns.on_host()?,
        offsets: views.offsets.on_host()?,
        sources: optional_on_host(&views.sources)?,
        x: views.x.on_host()?,
    };
    match variant {
        SpmvVariant::Auto => cpu::spmv::spmv(workers, factors, y.on_host()?),
        SpmvVariant::Sequential => cpu::spmv::sequential(workers, factors, y.on_host()?),
    }
}
