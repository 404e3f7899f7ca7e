//! Reductions and scans by an expression on the device.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use super::Device;
use super::map::steps_of;
use super::merge::Runs;
use super::reduce_by_key::Arrays;
use super::runtime::device::check_launch;
use super::runtime::kernels::*;
use super::runtime::memory::{Buffer, DeviceInput, finish, source, target};
use super::runtime::sized_output::{is_copied, part_ptr};
use super::sorted_search::Outputs;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::expression::program::Program;
use crate::model::operator::Operator;
use crate::model::sorted_search::Bound;

/// A program as launchers take it; `args` is read while this lives.
struct OnDevice<'p> {
    program: &'p Program,
    steps: Vec<MapStep>,
    bytes: usize,
}

impl<'p> OnDevice<'p> {
    /// Elements of so many bytes.
    fn new(program: &'p Program, bytes: usize) -> OnDevice<'p> {
        OnDevice { program, steps: steps_of(program), bytes }
    }

    fn args(&self) -> Functor {
        Functor {
            steps: self.steps.as_ptr(),
            step_count: self.steps.len(),
            literals: self.program.literals.as_ptr(),
            literal_count: self.program.literals.len(),
            slots: self.program.slots as c_int,
            wide: self.program.is_wide.into(),
            elementary: self.program.is_elementary.into(),
            bytes: self.bytes as c_int,
        }
    }

    /// What a scan of so many elements takes beside them.
    fn scan_scratch<'d>(&self, device: &'d Device, count: usize) -> Result<Buffer<'d, u64>> {
        let mut bytes = 0;
        // SAFETY: writes one size; the program lives.
        check_launch(unsafe { gpumexk_functor_scan_scratch(&self.args(), count, &mut bytes) })?;
        Buffer::new(device, bytes.div_ceil(size_of::<u64>()))
    }
}

/// result (1) ← the elements of data joined; there is one at least.
pub fn reduce(device: &Device, program: &Program, data: DynView, result: DynViewMut) -> Result<()> {
    let (count, functor, mut bytes) = (data.len(), OnDevice::new(program, data.dtype().size()), 0);
    // SAFETY: writes one size; the program lives.
    check_launch(unsafe { gpumexk_functor_reduce_scratch(&functor.args(), count, &mut bytes) })?;
    let partials = Buffer::<u64>::new(device, bytes.div_ceil(size_of::<u64>()))?;
    let (data, mut result) = (device.read(&data.bytes())?, device.write(result.into_bytes())?);
    let (from, partials, to) = (data.as_ptr().cast(), partials.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: data holds count elements, the result one; the partial results have the bytes that were asked for.
    device.launch(|stream| unsafe {
        gpumexk_functor_reduce(&functor.args(), from, count, partials, to, stream)
    })?;
    result.finish()
}

/// result ← the prefixes of data, or where it is None of itself; total (1) ← all of them joined. There is one element at least.
pub fn scan(
    device: &Device,
    program: &Program,
    is_inclusive: bool,
    data: Option<DynView>,
    result: DynViewMut,
    total: Option<DynViewMut>,
) -> Result<()> {
    let (count, functor) = (result.len(), OnDevice::new(program, result.dtype().size()));
    let scratch = functor.scan_scratch(device, count)?;
    let mut total = device.write_optional(total)?;
    let total_at = target(&mut total);
    let (data, mut result) = match data {
        None => (None, device.update(result.into_bytes())?),
        data => (device.read_optional(data)?, device.write(result.into_bytes())?),
    };
    let to: *mut c_void = result.as_mut_ptr().cast();
    let from = data.as_ref().map_or(to.cast_const(), |data| data.as_ptr().cast());
    let (inclusive, scratch) = (is_inclusive.into(), scratch.as_ptr().cast());
    // SAFETY: data and result hold count elements, the total one or it is null; the scratch has the bytes that were asked for.
    device.launch(|stream| unsafe {
        gpumexk_functor_scan(&functor.args(), from, null(), count, inclusive, to, total_at, scratch, stream)
    })?;
    result.finish()?;
    finish(total)
}

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
            if count > 0 {
                error = gpumexk_functor_heads(segments, data, heads, elements.cast(), stream);
            }
            if error == 0 && count > 0 {
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

/// sorted ← the keys in the order of a program that says whether one precedes another, and sorted_values ← their values, or without values
/// their positions; each unless it is None.
pub fn sort(
    device: &Device,
    program: &Program,
    keys: DynView,
    values: Option<DynView>,
    sorted: Option<DynViewMut>,
    sorted_values: Option<DynViewMut>,
) -> Result<()> {
    let (count, functor) = (keys.len(), OnDevice::new(program, keys.dtype().size()));
    let bytes = count.saturating_mul(functor.bytes);
    let value_bytes = sorted_values.as_ref().map_or(0, |values| values.dtype().size() as c_int);
    let position_bytes = if u32::try_from(count).is_ok() { 4 } else { 8 };
    let positions = Buffer::<u8>::new(device, count.saturating_mul(position_bytes))?;
    let own_keys = match sorted {
        None => Some(Buffer::<u8>::new(device, bytes)?),
        Some(_) => None,
    };
    let (keys, values) = (device.read(&keys.bytes())?, device.read_optional(values)?);
    let (mut sorted, mut sorted_values) =
        (device.write_optional(sorted)?, device.write_optional(sorted_values)?);
    let to: *mut c_void = own_keys.as_ref().map_or(target(&mut sorted), |own| own.as_ptr().cast());
    let values_to = target(&mut sorted_values);
    if count > 0 {
        device.copy_bytes(to.cast(), keys.as_ptr().cast(), bytes)?;
    }
    let (at, from, position_bytes) = (positions.as_ptr().cast(), source(&values), position_bytes as c_int);
    // SAFETY: count keys and positions; values, where there are any, and results of as many.
    device.launch(|stream| unsafe {
        match gpumexk_functor_sort(&functor.args(), to, at, position_bytes, count, stream) {
            0 if !values_to.is_null() => {
                gpumexk_functor_place(at, position_bytes, from, values_to, value_bytes, count, stream)
            }
            error => error,
        }
    })?;
    finish(sorted)?;
    finish(sorted_values)
}

/// Where the keys of two arrays, each in the order of a program, lie in each other.
pub fn sorted_search(
    device: &Device,
    program: &Program,
    bound: Bound,
    [a, b]: [DynView; 2],
    found: Outputs,
) -> Result<()> {
    let functor = OnDevice::new(program, a.dtype().size());
    let indices = found.a_indices.as_ref().or(found.b_indices.as_ref());
    let index_bytes = indices.map_or(8, |indices| indices.dtype().size() as c_int);
    let (counts, [from_a, from_b]) =
        ([a.len(), b.len()], [device.read(&a.bytes())?, device.read(&b.bytes())?]);
    let mut a_indices = device.write_optional(found.a_indices)?;
    let mut b_indices = device.write_optional(found.b_indices)?;
    let mut a_flags = device.write_optional(found.a_flags)?;
    let mut b_flags = device.write_optional(found.b_flags)?;
    let mut matches = device.write_optional(found.matches)?;
    let count: *mut u64 = target(&mut matches).cast();
    let of_b = if count.is_null() { count } else { count.wrapping_add(1) };
    let is_upper = bound == Bound::Upper;
    let of_a = FunctorSearch {
        indices: target(&mut a_indices),
        flags: target(&mut a_flags).cast(),
        matches: count,
        index_bytes,
        ..search_of([&from_a, &from_b], counts, is_upper)
    };
    let of_b = FunctorSearch {
        indices: target(&mut b_indices),
        flags: target(&mut b_flags).cast(),
        matches: of_b,
        index_bytes,
        ..search_of([&from_b, &from_a], [counts[1], counts[0]], !is_upper)
    };
    for search in [of_a, of_b] {
        if !(search.indices.is_null() && search.flags.is_null() && search.matches.is_null()) {
            // SAFETY: keys and outputs of the counts, two numbers of matches.
            device
                .launch(|stream| unsafe { gpumexk_functor_search_run(&functor.args(), &search, stream) })?;
        }
    }
    finish(a_indices)?;
    finish(b_indices)?;
    finish(a_flags)?;
    finish(b_flags)?;
    finish(matches)
}

/// A search of the first keys among the second ones that asks for nothing yet.
fn search_of(
    [keys, others]: [&DeviceInput<u8>; 2],
    [count, other_count]: [usize; 2],
    is_upper: bool,
) -> FunctorSearch {
    FunctorSearch {
        keys: keys.as_ptr().cast(),
        others: others.as_ptr().cast(),
        count,
        other_count,
        indices: null_mut(),
        flags: null_mut(),
        matches: null_mut(),
        merged: null_mut(),
        values: null(),
        merged_values: null_mut(),
        first_position: 0,
        upper: is_upper.into(),
        index_bytes: 8,
        value_bytes: 8,
        reserved: 0,
    }
}

/// keys, values ← those of a and b, each in the order of a program.
pub fn merge(device: &Device, program: &Program, runs: Runs) -> Result<()> {
    let Runs { a_keys, a_values, b_keys, b_values, keys, values } = runs;
    let (counts, functor) = ([a_keys.len(), b_keys.len()], OnDevice::new(program, a_keys.dtype().size()));
    let value_bytes = values.as_ref().map_or(0, |values| values.dtype().size());
    let [a, b] = [device.read(&a_keys.bytes())?, device.read(&b_keys.bytes())?];
    let [a_values, b_values] = [device.read_optional(a_values)?, device.read_optional(b_values)?];
    let (mut keys, mut values) = (device.write(keys.into_bytes())?, device.write_optional(values)?);
    let (to, values_to): (*mut c_void, _) = (keys.as_mut_ptr().cast(), target(&mut values));
    let sides = [
        FunctorSearch { values: source(&a_values), ..search_of([&a, &b], counts, false) },
        FunctorSearch {
            values: source(&b_values),
            first_position: counts[0],
            ..search_of([&b, &a], [counts[1], counts[0]], true)
        },
    ];
    for side in &sides {
        // Where the inputs are not sorted, not all are written by the merge.
        let put = |to: *mut c_void, from: *const c_void, bytes: usize| match from.is_null() || side.count == 0
        {
            true => Ok(()),
            false => {
                let to = to.cast::<u8>().wrapping_add(side.first_position * bytes);
                device.copy_bytes(to.cast(), from.cast(), side.count * bytes)
            }
        };
        put(to, side.keys, functor.bytes)?;
        if !values_to.is_null() {
            put(values_to, side.values, value_bytes)?;
        }
    }
    let value_bytes = value_bytes as c_int;
    if !values_to.is_null() && a_values.is_none() {
        let total = counts[0] + counts[1];
        // SAFETY: as many positions to write.
        device.launch(|stream| unsafe {
            gpumexk_functor_place(null(), 8, null(), values_to, value_bytes, total, stream)
        })?;
    }
    for side in sides {
        let side = FunctorSearch { merged: to, merged_values: values_to, value_bytes, ..side };
        // SAFETY: keys and values of the counts, and as many as both together to write.
        device.launch(|stream| unsafe { gpumexk_functor_search_run(&functor.args(), &side, stream) })?;
    }
    finish(values)?;
    keys.finish()
}

/// The number of runs, where the host sees `needed`; the data of each run are joined.
pub fn reduce_by_key(device: &Device, program: &Program, arrays: Arrays) -> Result<Option<u64>> {
    if arrays.results.is_none() {
        return super::reduce_by_key::reduce_by_key(device, Operator::Sum, Dtype::U32, arrays);
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
