//! Dimensions in another order; of a matrix, its transpose.
//!
//! Source: G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA 2009.
#![forbid(unsafe_code)]

use super::cost;
use super::prelude::*;
use crate::error::Error;
use crate::model::indexing::{MAX_RANK, Walk};
use crate::model::numbered::NumberedEnum;

/// Options of [`permute`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
}

/// result\[i(order\[0\]), i(order\[1\]), …\] ← source\[i(0), i(1), …\], the first dimension fastest in both: dimension k of result is
/// dimension order\[k\] of source, which has this shape.  source and result anywhere, apart; elements of 1, 2, 4 and 8 bytes.
///
/// Cost: reads source and writes result once. Errors: INVALID_ARGUMENT (dtype, rank, order, size, overlap), OUT_OF_MEMORY, CUDA.
pub fn permute(
    ctx: &mut Context,
    options: &Options,
    source: Input,
    (shape, order): (&[usize], &[usize]),
    result: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = options.dtype.required("dtype")?;
    check_order(shape.len(), order)?;
    if let Some(part) = dtype.part() {
        let (shape, order) = of_parts(dtype, shape, order)?;
        return permute(ctx, &Options { dtype: part, ..*options }, source, (&shape, &order), result);
    }
    let walk = Walk::permuting(shape, order)?;
    let (source, mut result) = (source.view_of(dtype, shape)?, result.view_of(dtype, shape)?);
    let arrays = all_apart(&[&result], &[&source])?;
    ctx.run_auto(cost::PERMUTE.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            _ if source.is_empty() => Ok(()),
            Engine::Cpu(workers) => {
                dispatch_bits!(dtype, on_cpu((workers, options.variant), &walk, source, &mut result))
            }
            Engine::Cuda(device) => gpu::permute::permute(device, &walk, source, result),
        }
    })
}

fn on_cpu<T: Bits>(how: Execution, walk: &Walk, source: DynView, result: &mut DynViewMut) -> Result<()> {
    cpu::permute::permute::<T>(how, walk, source.on_host()?, result.on_host()?)
}

/// Complex numbers as a dimension of two, which stays where it is.
fn of_parts(dtype: Dtype, shape: &[usize], order: &[usize]) -> Result<(Vec<usize>, Vec<usize>)> {
    if shape.len() == MAX_RANK {
        return Err(Error::unsupported(format!(
            "options.rank is {MAX_RANK} and options.dtype {}; complex arrays have {} dimensions at most",
            dtype.c_name(),
            MAX_RANK - 1
        )));
    }
    let order = std::iter::once(0).chain(order.iter().map(|&d| d + 1)).collect();
    Ok(([&[2], shape].concat(), order))
}

/// Each dimension has to be named once.
fn check_order(rank: usize, order: &[usize]) -> Result<()> {
    if !(1..=MAX_RANK).contains(&rank) || order.len() != rank {
        return Err(Error::invalid(format!("options.rank is {rank}; it is 0 to {MAX_RANK}")));
    }
    match (0..rank).all(|d| order.contains(&d)) {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "order is {order:?}; it has each number below the rank, {rank}, once"
        ))),
    }
}
