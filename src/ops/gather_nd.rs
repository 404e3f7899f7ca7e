//! Elements of an N-D array at positions of each dimension.
//!
//! Source: J. Nickolls and others, "Scalable Parallel Programming with CUDA", ACM Queue 2008, for coalesced access.
#![forbid(unsafe_code)]

use super::cost;
use super::indexing::{memories, of_parts, positions_of_masks, vectors, vectors_on_device, vectors_on_host};
use super::prelude::*;
use crate::cpu::indexing::Walker;
use crate::model::indexing::Walk;

pub use super::indexing::Options;

/// result\[i0, i1, …\] ← source\[s0(i0), s1(i1), …\], dimension d of the selections' counts and extents, the first one fastest; zero bytes
/// where a position of an index vector is out of range, or a mask has fewer set elements.  indices: a vector for each selection that has
/// one. All arrays anywhere, result apart from the others; elements of 1, 2, 4 and 8 bytes.
///
/// Cost: reads what is taken of source, writes result once. Errors: INVALID_ARGUMENT (rank, dtype, a range that leaves its dimension,
/// size, overlap; with `check` a position out of range, or a mask of another count), UNSUPPORTED (a backend), OUT_OF_MEMORY, CUDA.
pub fn gather_nd(
    ctx: &mut Context,
    options: &Options,
    indices: &[Option<Input>],
    source: Input,
    result: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = options.dtype.required("dtype")?;
    let vectors_of_indices = vectors(&options.selections, indices)?;
    let walk = Walk::indexing(&options.selections, false)?;
    if dtype.is_complex() {
        return gather_nd(ctx, &options.of_parts()?, &of_parts(indices), source, result);
    }
    let indices = vectors_of_indices;
    let source = source.view_of(dtype, &options.shape())?;
    let mut result = result.view_of(dtype, &options.counts())?;
    let inputs: Vec<_> = memories(&indices).chain([&source as _]).collect();
    let arrays = all_apart(&[&result], &inputs)?;
    ctx.run_auto(cost::GATHER_ND.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                let of_masks = positions_of_masks(options, &indices)?;
                let vectors = vectors_on_host(workers, options, &indices, &of_masks)?;
                let (walker, how) = (Walker { walk: &walk, vectors: &vectors }, (workers, options.variant));
                match result.is_empty() {
                    true => Ok(()),
                    false => dispatch_bits!(dtype, on_cpu(how, &walker, source, &mut result)),
                }
            }
            Engine::Cuda(device) => {
                let indices = vectors_on_device(device, options, &indices)?;
                match (result.is_empty(), source.is_empty()) {
                    (true, _) => Ok(()),
                    (false, true) => gpu::fill::fill(device, result, 0), // every position is out of range
                    _ => gpu::gather_nd::gather_nd(device, &walk, &indices, source, result),
                }
            }
        }
    })
}

fn on_cpu<T: Bits>(how: Execution, walker: &Walker, source: DynView, result: &mut DynViewMut) -> Result<()> {
    cpu::gather_nd::gather_nd::<T>(how, walker, source.on_host()?, result.on_host()?)
}
