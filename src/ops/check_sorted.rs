//! Whether an array is sorted, as the operations on sorted arrays want it.
#![forbid(unsafe_code)]

use std::fmt::Display;

use crate::array::Input;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::{Error, Result};
use crate::primitives::{Key, Order};
use crate::{cpu, gpu};

/// Options of [`check_sorted`]; the default is ascending f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub dtype: Dtype,
    pub order: Order,
    /// Equal neighbours are refused too.
    pub strict: bool,
}

/// Refuses keys (count), anywhere, that are not sorted: INVALID_ARGUMENT names the first position and the keys there.
///
/// −0 equals 0; NaN equals NaN and is greater than every number. Cost: reads the keys once. Errors: UNSUPPORTED (dtype),
/// OUT_OF_MEMORY, CUDA.
pub fn check_sorted(ctx: &mut Context, options: &Options, keys: Input, count: usize) -> Result<()> {
    ctx.begin();
    by_number!(options.dtype, check(ctx, options, keys, count))
}

fn check<K: Key + Display>(ctx: &mut Context, options: &Options, keys: Input, count: usize) -> Result<()> {
    let keys = keys.view::<K>(&[count])?;
    let Options { order, strict, .. } = *options;
    let found = ctx.run(|engine| match engine {
        Engine::Cpu(workers) => {
            let keys = keys.on_host()?;
            let found = cpu::check_sorted::first_unsorted(workers, keys, order, strict)?;
            Ok(found.map(|position| (position, [keys[position - 1], keys[position]])))
        }
        Engine::Cuda(device) => gpu::check_sorted::first_unsorted(device, keys, order, strict),
    })?;
    let Some((position, [before, key])) = found else { return Ok(()) };
    let relation = if key.rank(order) == before.rank(order) { "equals it" } else { "comes before it" };
    Err(Error::invalid(format!(
        "keys are not sorted at position {position}: keys[{}] is {before}, and keys[{position}] is {key}, which {relation} in order {order:?}",
        position - 1
    )))
}
