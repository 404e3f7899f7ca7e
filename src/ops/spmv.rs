//! The product of a sparse matrix in rows with a vector, over any semiring.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SpmvCsrUnary, SpmvCsrBinary, the indirect ones).
#![forbid(unsafe_code)]

use super::primitives::{counted, operates_on};
use super::segments;
use crate::array::{Input, Output, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Index, IndexDtype, Operand, Operator};
use crate::{cpu, gpu};

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
    by_number_and_index!(options.dtype, options.index_dtype, product(ctx, options, arrays, y))
}

fn product<T: Operand, I: Index>(
    ctx: &mut Context,
    options: &Options,
    arrays: Arrays,
    y: Output,
) -> Result<()> {
    let Arrays { nonzeros, rows, cols, .. } = arrays;
    counted(options.index_dtype, "nonzeros", nonzeros)?;
    counted(options.index_dtype, "cols", cols)?;
    let values = arrays.values.map(|values| values.view::<T>(&[nonzeros])).transpose()?;
    let columns = arrays.columns.view::<I>(&[nonzeros])?;
    let offsets = segments::offsets::<I>(&arrays.offsets, rows)?;
    let sources = arrays.sources.map(|sources| sources.view::<I>(&[rows])).transpose()?;
    let x = arrays.x.view::<T>(&[cols])?;
    let mut y = y.view::<T>(&[rows])?;
    all_apart(&[&y], &[&values, &sources, &columns, &offsets, &x])?;
    let (add, multiply) = (options.add, options.multiply.operator());
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let factors = cpu::spmv::Factors {
                add,
                multiply,
                values: values.map(|values| values.on_host()).transpose()?,
                columns: columns.on_host()?,
                offsets: offsets.on_host()?,
                sources: sources.map(|sources| sources.on_host()).transpose()?,
                x: x.on_host()?,
            };
            match variant {
                SpmvVariant::Auto => cpu::spmv::spmv(workers, factors, y.on_host()?),
                SpmvVariant::Sequential => cpu::spmv::sequential(workers, factors, y.on_host()?),
            }
        }
        (Engine::Cuda(_), SpmvVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), SpmvVariant::Auto) => {
            let arrays =
                gpu::spmv::Arrays { values, columns, offsets, sources, x, geometry: arrays.geometry };
            gpu::spmv::spmv(device, [add, multiply], arrays, y)
        }
    })
}
