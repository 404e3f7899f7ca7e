//! Reductions of segments, and of runs of equal keys, by an expression: scans that begin anew at each segment.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use super::OnDevice;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::reduce_by_key::Arrays;
use crate::gpu::runtime::kernels::*;
use crate::gpu::runtime::memory::{Buffer, source};
use crate::gpu::runtime::sized_output::{is_copied, part_ptr};
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::operator::Operator;

/// What segments take beside their arrays: where they begin, and prefixes.
struct Prefixes<'d> {
    heads: Buffer<'d, u8>,
    elements: Buffer<'d, u64>,
    scratch: Buffer<'d, u64>,
}

impl<'d> Prefixes<'d> {
    fn new(device: &'d Device, functor: &OnDevice, count: usize) -> Result<Prefixes<'d>> {
        Ok(Prefixes {
            heads: Buffer::new(device, count)?,
            elements: Buffer::new(device, (count.saturating_mul(functor.bytes)).div_ceil(size_of::<u64>()))?,
            scratch: functor.scan_scratch(device, count)?,
        })
    }

    /// result ← the elements of each segment joined.
    ///
    /// # Safety
    /// The segments' arrays and data are as long as they say, and result has an element for each.
    unsafe fn reduce(
        &self,
        functor: &OnDevice,
        segments: &FunctorSegments,
        (data, identity, result): (*const c_void, u64, *mut c_void),
        stream: Stream,
    ) -> c_int {
        let (heads, elements, count) = (self.heads.as_ptr(), self.elements.as_ptr().cast(), segments.count);
        let from = if segments.sources.is_null() { data } else { elements };
        // SAFETY: the caller's promise; heads and elements are as long as data, the scratch as was asked for.
        unsafe {
            let mut error = 0;
            let has_elements = count > 0 && segments.segments > 0;
            if has_elements {
                error = gpumexk_functor_heads(segments, data, heads, elements.cast(), stream);
            }
            if error == 0 && has_elements {
                let (args, scratch) = (functor.args(), self.scratch.as_ptr().cast());
                error = gpumexk_functor_scan(
                    &args,
                    from.cast(),
                    heads,
                    count,
                    1,
                    elements.cast(),
                    null_mut(),
                    scratch,
                    stream,
                );
            }
            match error {
                0 => gpumexk_functor_results(segments, elements.cast(), identity, result, stream),
                error => error,
            }
        }
    }
}

/// result (segments) ← the elements of each segment joined; `identity`, where it is empty.
pub fn segmented_reduce(
    device: &Device,
    program: &Program,
    data: DynView,
    offsets: DynView,
    sources: Option<DynView>,
    identity: u64,
    result: DynViewMut,
) -> Result<()> {
    let (count, functor) = (data.len(), OnDevice::new(program, data.dtype().size()));
    let (segments, index_bytes) = (result.len(), offsets.dtype().size() as c_int);
    let prefixes = Prefixes::new(device, &functor, count)?;
    let (offsets, sources) = (device.read(&offsets.bytes())?, device.read_optional(sources)?);
    let (data, mut result) = (device.read(&data.bytes())?, device.write(result.into_bytes())?);
    let segments = FunctorSegments {
        offsets: offsets.as_ptr().cast(),
        sources: source(&sources),
        limit: null(),
        segments,
        count,
        index_bytes,
        bytes: functor.bytes as c_int,
    };
    let arrays = (data.as_ptr().cast(), identity, result.as_mut_ptr().cast());
    // SAFETY: segments + 1 offsets, as many sources where there are any, count elements, as many results as segments.
    device.launch(|stream| unsafe { prefixes.reduce(&functor, &segments, arrays, stream) })?;
    result.finish()
}

/// The number of runs, where the host sees `needed`; the data of each run are joined.
pub fn reduce_by_key(device: &Device, program: &Program, arrays: Arrays) -> Result<Option<u64>> {
    if arrays.results.is_none() {
        return crate::gpu::reduce_by_key::reduce_by_key(device, Operator::Sum, Dtype::U32, arrays);
    }
    let Arrays { keys, data, unique_keys, results, offsets, capacity, needed } = arrays;
    let functor = OnDevice::new(program, results.as_ref().map_or(0, |results| results.dtype().size()));
    let (count, key_dtype, mut bytes) = (keys.len(), keys.dtype(), 0);
    // SAFETY: a number to write to.
    device.launch(|_| unsafe {
        gpumexk_reduce_by_key_scratch(count, key_dtype.size(), Dtype::U32.size(), &mut bytes)
    })?;
    let scratch = Buffer::<u64>::new(device, bytes.div_ceil(size_of::<u64>()))?;
    let prefixes = Prefixes::new(device, &functor, count)?;
    let index_bytes = offsets.as_ref().map_or(size_of::<u64>(), |offsets| offsets.dtype().size()) as c_int;
    let own_offsets = match offsets {
        None => Some(Buffer::<u64>::new(device, capacity.saturating_add(1))?),
        Some(_) => None,
    };
    let (keys, data) = (device.read(&keys.bytes())?, device.read_optional(data)?);
    let (mut unique_keys, mut results) = (device.write_part(unique_keys)?, device.write_part(results)?);
    let mut offsets = device.write_part(offsets)?;
    let offsets_to = own_offsets.as_ref().map_or(part_ptr(&mut offsets), |own| own.as_ptr().cast());
    let mut args = ReduceByKeyArgs {
        keys: keys.as_ptr().cast(),
        data: null(),
        count,
        key_dtype: key_dtype as i32,
        dtype: Dtype::U32 as i32,
        op: Operator::Sum as i32,
        offset_bytes: index_bytes,
        unique_keys: part_ptr(&mut unique_keys),
        results: null_mut(),
        offsets: offsets_to,
        capacity,
        needed: null_mut(),
    };
    let mut segments = FunctorSegments {
        offsets: offsets_to.cast_const(),
        sources: null(),
        limit: null(),
        segments: capacity,
        count,
        index_bytes,
        bytes: functor.bytes as c_int,
    };
    let joined = (source(&data), 0, part_ptr(&mut results));
    let are_copied = is_copied(&unique_keys) || is_copied(&results) || is_copied(&offsets);
    let found = device.run_sized(needed, are_copied, &mut |needed| {
        (args.needed, segments.limit) = (needed, needed.cast_const());
        // SAFETY: count keys and elements, outputs of `capacity` elements, offsets of one more; the scratch is as asked for.
        device.launch(|stream| unsafe { gpumexk_reduce_by_key(&args, scratch.as_ptr().cast(), stream) })?;
        // SAFETY: the runs are segments of the data, as far as there are offsets of them.
        device.launch(|stream| unsafe { prefixes.reduce(&functor, &segments, joined, stream) })
    })?;
    found.finish(unique_keys, capacity)?;
    found.finish(results, capacity)?;
    found.finish_offsets(offsets, capacity)?;
    Ok(found.len_on_host())
}
