//! Keys in the order of an expression: sorts, merges and searches.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use super::OnDevice;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::gpu::Device;
use crate::gpu::merge::Runs;
use crate::gpu::runtime::kernels::*;
use crate::gpu::runtime::memory::{Buffer, DeviceInput, finish, source, target};
use crate::gpu::sorted_search::Outputs;
use crate::model::expression::program::Program;
use crate::model::sorted_search::Bound;

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
