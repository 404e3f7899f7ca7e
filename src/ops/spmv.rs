//! The product of a sparse matrix in rows with a vector, over any semiring.
//!
//! Source: S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SpmvCsrUnary, SpmvCsrBinary, the indirect ones).
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{check_operator, index_dtype_for, supported};
use super::segments;
use crate::array::{DynViewMut, Input, Output, all_apart, optional_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::gpu::spmv::Arrays as Views;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::operator::{Operand, Operator, Reduction};
use crate::model::variant::Variant;

/// Options of [`spmv`]; the default is plus-times in f32, with indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
    pub add: Operator,
    /// `Operator::Default` is PRODUCT.
    pub multiply: Operator,
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
    /// What rows without nonzeros give, one element on the host; None: the identity of ⊕.
    pub identity: Option<Input<'a>>,
}

/// y\[r\] ← ⊕ values\[k\] ⊗ x\[columns\[k\]\] for the nonzeros k of row r, offsets\[r\] ≤ k < offsets\[r + 1\].  y (rows) lies
/// apart from all others. Rows without nonzeros give the identity of ⊕; nonzeros whose column is not below cols add nothing.
///
/// Offsets that do not ascend, or are larger than nonzeros, give any results, but touch nothing else. The same arrays give the
/// same bits. Cost: reads values and columns once. Errors: INVALID_ARGUMENT (size, overlap, more than U32 counts), UNSUPPORTED
/// (dtype, bits of floats), OUT_OF_MEMORY, CUDA.
pub fn spmv(ctx: &mut Context, options: &Options, arrays: Arrays, y: Output) -> Result<()> {
    ctx.begin();
    let operators = [options.add.or(Operator::Sum), options.multiply.or(Operator::Product)];
    check_operator("add", operators[0], options.dtype)?;
    check_operator("multiply", operators[1], options.dtype)?;
    let dtype = supported("dtype", options.dtype)?;
    let Arrays { nonzeros, rows, cols, geometry, .. } = arrays;
    let index = index_dtype_for(options.index_dtype, "nonzeros", nonzeros)?;
    index_dtype_for(options.index_dtype, "cols", cols)?;
    let views = Views {
        values: arrays.values.map(|values| values.view_of(dtype, &[nonzeros])).transpose()?,
        columns: arrays.columns.view_of(index, &[nonzeros])?,
        offsets: segments::offsets(&arrays.offsets, index, rows)?,
        sources: arrays.sources.map(|sources| sources.view_of(index, &[rows])).transpose()?,
        x: arrays.x.view_of(dtype, &[cols])?,
    };
    let identity = segments::identity(arrays.identity, dtype)?;
    let mut y = y.view_of(dtype, &[rows])?;
    let arrays =
        all_apart(&[&y], &[&views.values, &views.sources, &views.columns, &views.offsets, &views.x])?;
    ctx.run_auto(cost::SPMV.of(options.variant, arrays), |engine| match engine.select(options.variant)? {
        Engine::Cpu(workers) => {
            let how = (workers, options.variant, operators.map(|operator| Reduction::new(operator, dtype)));
            dispatch_number_and_size!(dtype, index, spmv_on_cpu(how, &views, &mut y))?;
            segments::fill_empty_on_host(views.offsets, &mut y, identity)
        }
        Engine::Cuda(device) => gpu::spmv::spmv(device, operators, views, geometry, identity, y),
    })
}

fn spmv_on_cpu<T: Operand, I: Index>(
    (workers, variant, [add, multiply]): (&cpu::Workers, Variant, [Reduction; 2]),
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
        Variant::Auto => cpu::spmv::spmv(workers, factors, y.on_host()?),
        Variant::Sequential => cpu::spmv::sequential(workers, factors, y.on_host()?),
    }
}
