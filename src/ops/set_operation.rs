//! Intersection, union, difference and symmetric difference of two sorted arrays.
//!
//! Source: S. Baxter, "ModernGPU", Multisets, NVIDIA 2013; the result is that of std::set_intersection and the like.
#![forbid(unsafe_code)]

use super::capacity::check_capacity;
use super::cost;
use super::dtypes::key_dtypes;
use super::payload::{payload_dtype, values_of, values_on_host};
use super::widen::{WideInput, WideOutput, finish_first};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart, optional_mut_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::set_operation::Sets;
use crate::error::{Error, Result};
use crate::gpu;
use crate::gpu::set_operation::Asked;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::payload::{Payload, Values};
use crate::model::set_operation::SetOperator;
use crate::model::variant::Variant;

/// Options of [`set_operation`]; the default is the intersection of ascending f32, keys alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub op: SetOperator,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: Dtype,
    /// The caller promises that neither array holds a key twice; no engine is faster for it.
    pub distinct: bool,
}

/// A sorted array, and the values beside it, which Payload::Values alone looks at.
pub struct Side<'a> {
    pub keys: Input<'a>,
    pub values: Input<'a>,
    pub count: usize,
}

/// Where the result goes. Without keys the values alone are wanted.
pub struct Target<'a> {
    pub keys: Option<Output<'a>>,
    pub values: Output<'a>,
    pub capacity: usize,
    pub needed: Output<'a>,
}

/// keys, values ← the first `capacity` elements of a op b; needed ← how many elements it has.
///
/// A key that a holds m times and b holds n times is in the result min(m, n) times (INTERSECTION, the first ones of a), max(m, n)
/// (UNION, those of a and the last ones of b), max(m − n, 0) (DIFFERENCE, the last ones of a) or |m − n| times
/// (SYMMETRIC_DIFFERENCE, the last ones of whichever has more); of equal keys those of a come first. Arrays that are not sorted, or
/// not distinct where that is promised: some result. Cost: reads both arrays, writes the result. Errors: INVALID_ARGUMENT (sizes,
/// overlap, 0 < capacity < needed where the host sees needed), UNSUPPORTED (dtypes), OUT_OF_MEMORY, CUDA.
pub fn set_operation(ctx: &mut Context, options: &Options, a: Side, b: Side, target: Target) -> Result<()> {
    ctx.begin();
    let &Options { variant, dtype, order, op, payload, .. } = options;
    let (dtype, wide) = key_dtypes("dtype", dtype)?;
    let total = a.count.checked_add(b.count).ok_or_else(|| {
        Error::invalid(format!("a_count is {} and b_count {}; together they overflow", a.count, b.count))
    })?;
    let moved =
        payload_dtype(payload, options.value_dtype, options.index_dtype, ("a_count + b_count", total))?;
    let Target { keys, values, capacity, needed } = target;
    let keys = keys.map(|keys| keys.view_of(dtype, &[capacity])).transpose()?;
    let mut values = moved.map(|dtype| values.view_of(dtype, &[capacity])).transpose()?;
    let mut needed = needed.view::<u64>(&[1])?;
    let from = [a.keys.view_of(dtype, &[a.count])?, b.keys.view_of(dtype, &[b.count])?];
    let with =
        [values_of(payload, moved, &a.values, a.count)?, values_of(payload, moved, &b.values, b.count)?];
    let arrays = all_apart(&[&keys, &values, &needed], &[&from[0], &from[1], &with[0], &with[1]])?;

    ctx.run_auto(cost::SET_OPERATION.of(options.variant, arrays), |engine| {
        let inputs = [WideInput::new(engine, from[0], wide)?, WideInput::new(engine, from[1], wide)?];
        let from = [inputs[0].view()?, inputs[1].view()?];
        let mut wide_keys = keys.map(|keys| WideOutput::new(engine, keys, wide)).transpose()?;
        let mut keys = wide_keys.as_mut().map(WideOutput::view).transpose()?;
        let limit = needed.as_view();
        let found = match engine.select(variant)? {
            Engine::Cpu(workers) => {
                let how = (workers, variant, KeyOrder::new(order, wide), op);
                let size = moved.unwrap_or(Dtype::U32);
                let found = dispatch_number_and_size!(
                    wide,
                    size,
                    sets_on_cpu(how, from, with, &mut keys, &mut values)
                )?;
                needed.on_host()?[0] = found;
                Some(found)
            }
            Engine::Cuda(device) => {
                let asked = Asked { op, order, payload, capacity };
                gpu::set_operation::set_operation(device, &asked, from, with, keys, values, needed)?
            }
        };
        finish_first(engine, wide_keys, found, limit)?;
        check_capacity(capacity, found)
    })
}

fn sets_on_cpu<K: Key, V: Index>(
    (workers, variant, order, op): (&cpu::Workers, Variant, KeyOrder, SetOperator),
    [a, b]: [DynView; 2],
    [a_values, b_values]: [Option<DynView>; 2],
    keys: &mut Option<DynViewMut>,
    values: &mut Option<DynViewMut>,
) -> Result<u64> {
    let b_values = match b_values {
        Some(values) => Values::Given(values.on_host()?),
        None => Values::Positions(a.len()),
    };
    let values_of = [values_on_host::<V>(&a_values)?, b_values];
    let sets = Sets { a: a.on_host::<K>()?, b: b.on_host()?, order, op };
    let keys = optional_mut_on_host(keys)?.unwrap_or_default();
    let values = optional_mut_on_host(values)?.unwrap_or_default();
    match variant {
        Variant::Sequential => cpu::set_operation::sequential(workers, &sets, values_of, keys, values),
        Variant::Auto => cpu::set_operation::set_operation(workers, &sets, values_of, keys, values),
    }
}
