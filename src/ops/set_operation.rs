//! Intersection, union, difference and symmetric difference of two sorted arrays.
//!
//! Source: S. Baxter, "ModernGPU", Multisets, NVIDIA 2013; the result is that of std::set_intersection and the like.
#![forbid(unsafe_code)]

use super::primitives::{fits, index_bytes, value_bytes};
use crate::array::{Input, Output, View, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::cpu::set_operation::{From, Sets};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::gpu::set_operation::Asked;
use crate::primitives::{Index, IndexDtype, Key, Order, Payload, SetOperator};
use crate::{cpu, gpu};

/// How `gpumex_set_operation` computes; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetOperationVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for SetOperationVariant {
    const NAME: &'static str = "gpumex_set_operation_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`set_operation`]; the default is the intersection of ascending f32, keys alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SetOperationVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub op: SetOperator,
    pub payload: Payload,
    pub value_dtype: Dtype,
    pub index_dtype: IndexDtype,
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
    by_number!(options.dtype, with_payload(ctx, options, a, b, target))
}

/// Values move as bits of their size, whatever they are.
fn with_payload<K: Key>(
    ctx: &mut Context,
    options: &Options,
    a: Side,
    b: Side,
    target: Target,
) -> Result<()> {
    let total = a.count.checked_add(b.count).ok_or_else(|| {
        Error::invalid(format!("a_count is {} and b_count {}; together they overflow", a.count, b.count))
    })?;
    let width = match options.payload {
        Payload::None => 4,
        Payload::Values => value_bytes(options.value_dtype)?,
        Payload::Indices => index_bytes(options.index_dtype, "a_count + b_count", total)?,
    };
    match width {
        4 => sets::<K, u32>(ctx, options, a, b, target),
        _ => sets::<K, u64>(ctx, options, a, b, target),
    }
}

fn sets<K: Key, V: Index>(
    ctx: &mut Context,
    options: &Options,
    a: Side,
    b: Side,
    target: Target,
) -> Result<()> {
    let Target { keys, values, capacity, needed } = target;
    let has_keys = keys.is_some() || options.payload == Payload::None;
    let keys = keys.unwrap_or_else(|| Output::new::<K>("keys", &mut []));
    let mut keys = keys.view::<K>(&[if has_keys { capacity } else { 0 }])?;
    let counted = |payload, count| if options.payload == payload { count } else { 0 };
    let with_values = |count| counted(Payload::Values, count);
    let mut values = values.view::<V>(&[if options.payload == Payload::None { 0 } else { capacity }])?;
    let mut needed = needed.view::<u64>(&[1])?;
    let from = [a.keys.view::<K>(&[a.count])?, b.keys.view::<K>(&[b.count])?];
    let with: [View<V>; 2] =
        [a.values.view(&[with_values(a.count)])?, b.values.view(&[with_values(b.count)])?];
    all_apart(&[&keys, &values, &needed], &[&from[0], &from[1], &with[0], &with[1]])?;

    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (a, b) = (from[0].on_host()?, from[1].on_host()?);
            let (a_values, b_values) = (with[0].on_host()?, with[1].on_host()?);
            let (keys, values, needed) = (keys.on_host()?, values.on_host()?, needed.on_host()?);
            let value = |from| match (from, options.payload) {
                (_, Payload::None) => V::default(),
                (From::A(i), Payload::Values) => a_values[i],
                (From::B(j), Payload::Values) => b_values[j],
                (From::A(i), Payload::Indices) => V::from_usize(i),
                (From::B(j), Payload::Indices) => V::from_usize(a.len() + j),
            };
            let sets = Sets { a, b, order: options.order, op: options.op };
            let found = match variant {
                SetOperationVariant::Sequential => {
                    cpu::set_operation::sequential(workers, &sets, value, keys, values)?
                }
                SetOperationVariant::Auto => {
                    cpu::set_operation::set_operation(workers, &sets, value, keys, values)?
                }
            };
            needed[0] = found;
            fits(capacity, Some(found))
        }
        (Engine::Cuda(_), SetOperationVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => {
            let Options { op, order, payload, .. } = *options;
            let asked = Asked { op, order, payload, capacity };
            let found = gpu::set_operation::set_operation(device, &asked, from, with, keys, values, needed)?;
            fits(capacity, found)
        }
    })
}
