//! Elements at given positions.
#![forbid(unsafe_code)]

use super::check_indices::in_range;
use super::cost;
use super::dtypes::index_dtype;
use super::prelude::*;
use super::{gather_nd, indexing};
use crate::model::indexing::Selection;

/// Options of [`gather`], and of `scatter`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
    pub check: bool, // an index that is out of range is an error
}

/// result\[i\] ← source\[indices\[i\]\], zero bytes where the index is not below source_count.  source (source_count), indices and
/// result (count), anywhere, apart; elements of 1, 2, 4 and 8 bytes. Cost: reads the indices and writes the result once. Errors:
/// INVALID_ARGUMENT (size, overlap, dtype; with `check` an index out of range), OUT_OF_MEMORY, CUDA.
pub fn gather(
    ctx: &mut Context,
    options: &Options,
    (source, source_count): (Input, usize),
    (indices, count): (Input, usize),
    result: Output,
) -> Result<()> {
    ctx.begin();
    let (dtype, index) = (options.dtype.required("dtype")?, index_dtype(options.index_dtype)?);
    if dtype.is_complex() {
        let options = of_complex(options, source_count, count);
        return gather_nd::gather_nd(ctx, &options, &[Some(indices)], source, result);
    }
    let (source, indices) = (source.view_of(dtype, &[source_count])?, indices.view_of(index, &[count])?);
    let mut result = result.view_of(dtype, &[count])?;
    let arrays = all_apart(&[&result], &[&source, &indices])?;
    ctx.run_auto(cost::GATHER.of(options.variant, arrays), |engine| {
        if options.check {
            in_range(engine, indices, "source_count", source_count)?;
        }
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                let how = (workers, options.variant);
                dispatch_bits_and_size!(dtype, index, on_cpu(how, [source, indices], &mut result))
            }
            Engine::Cuda(device) => gpu::gather::gather(device, source, indices, result),
        }
    })
}

/// Complex numbers are moved as arrays of a dimension.
pub(super) fn of_complex(options: &Options, extent: usize, count: usize) -> indexing::Options {
    let &Options { variant, dtype, index_dtype, check } = options;
    let selection = Selection { extent, count, start: 0, step: 1, wraps: false, indices: Some(index_dtype) };
    indexing::Options { variant, dtype, selections: vec![selection], check, ..indexing::Options::default() }
}

fn on_cpu<T: Bits, I: Index>(how: Execution, from: [DynView; 2], to: &mut DynViewMut) -> Result<()> {
    cpu::gather::gather(how, from[0].on_host::<T>()?, from[1].on_host::<I>()?, to.on_host()?)
}
