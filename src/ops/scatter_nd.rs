//! Elements to positions of each dimension of an N-D array.
//!
//! Source: S. Baxter, "ModernGPU", DeviceScatter, NVIDIA 2013, for one dimension.
#![forbid(unsafe_code)]

use super::cost;
use super::fill::bits_of;
use super::indexing::{
    as_indexed, memories, of_parts, positions_of_masks, vectors, vectors_on_device, vectors_on_host,
};
use super::prelude::*;
use crate::cpu::indexing::Walker;
use crate::gpu::scatter_nd::Values;
use crate::memory::Place;
use crate::model::indexing::{Vector, Walk};

pub use super::indexing::Options;

/// target\[s0(i0), s1(i1), …\] ← values\[i0, i1, …\], dimension d of the selections' counts and extents, the first one fastest; nothing
/// where a position of an index vector is out of range, or a mask has fewer set elements. Of elements that go to one place one wins,
/// with `last` the last one.  With `broadcast` values are one element. All arrays anywhere, target apart from the others.
///
/// Cost: reads values, writes as much of target. Errors: as `gather_nd`.
pub fn scatter_nd(
    ctx: &mut Context,
    options: &Options,
    indices: &[Option<Input>],
    values: Input,
    target: Output,
) -> Result<()> {
    ctx.begin();
    let dtype = options.dtype.required("dtype")?;
    let vectors_of_indices = vectors(&options.selections, indices)?;
    let walk = Walk::indexing(&options.selections, options.broadcast)?;
    if dtype.is_complex() && options.broadcast {
        return super::dtypes::unsupported("dtype", dtype, "real ones with options.broadcast");
    }
    if dtype.is_complex() {
        return scatter_nd(ctx, &options.of_parts()?, &of_parts(indices), values, target);
    }
    let indices = vectors_of_indices;
    let is_empty = walk.count() == 0;
    let values = values
        .view_of(dtype, &if options.broadcast { vec![usize::from(!is_empty)] } else { options.counts() })?;
    let target = target.view_of(dtype, &options.shape())?;
    let inputs: Vec<_> = memories(&indices).chain([&values as _]).collect();
    let arrays = all_apart(&[&target], &inputs)?;
    let work = match options.keeps_last() {
        true => cost::SCATTER_ND.alone(options.variant, arrays, arrays.bytes),
        false => cost::SCATTER_ND.of(options.variant, arrays),
    };
    ctx.run_auto(work, |engine| match engine.select(options.variant)? {
        Engine::Cpu(workers) => {
            let of_masks = positions_of_masks(options, &indices)?;
            let vectors = vectors_on_host(workers, options, &indices, &of_masks)?;
            match is_empty || target.is_empty() {
                true => Ok(()),
                false => {
                    on_cpu((workers, options.variant), options.keeps_last(), &walk, &vectors, values, target)
                }
            }
        }
        Engine::Cuda(device) => {
            let indices = vectors_on_device(device, options, &indices)?;
            if is_empty || target.is_empty() {
                return Ok(());
            }
            let walk = Walk::indexing(&as_indexed(&options.selections, &indices), options.broadcast)?;
            let is_known = options.broadcast && matches!(values.place(), Place::Host | Place::Pinned);
            let values =
                if is_known { Values::Bits(bits_of("values", values)?) } else { Values::Array(values) };
            gpu::scatter_nd::scatter_nd(device, &walk, &indices, options.keeps_last(), values, target)
        }
    })
}

type Vectors<'a> = [Option<Vector<'a>>];

fn on_cpu(
    how: Execution,
    last: bool,
    walk: &Walk,
    vectors: &Vectors,
    values: DynView,
    mut target: DynViewMut,
) -> Result<()> {
    if let (Some(halved), Some(values), Some(target)) = (walk.halved(), values.paired(), target.paired()) {
        return on_cpu(how, last, &halved, vectors, values, target);
    }
    let in_order = how.1 == Variant::Sequential || (last && walk.may_repeat());
    let walker = Walker { walk, vectors };
    dispatch_bits!(values.dtype(), typed_on_cpu(how.0, &walker, values, target, in_order))
}

fn typed_on_cpu<T: Bits>(
    workers: &cpu::Workers,
    walker: &Walker,
    values: DynView,
    mut target: DynViewMut,
    in_order: bool,
) -> Result<()> {
    let target = target.on_host_shared::<T>()?;
    cpu::scatter_nd::scatter_nd::<T>(workers, walker, values.on_host()?, target, in_order)
}
