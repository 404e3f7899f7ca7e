//! Whether an array is sorted, as the operations on sorted arrays want it.
#![forbid(unsafe_code)]

use std::fmt::Display;

use super::primitives::served;
use crate::array::{DynView, Element, Input};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::{Key, KeyOrder, SortOrder};

/// Options of [`check_sorted`]; the default is ascending f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub dtype: Dtype,
    pub order: SortOrder,
    /// Equal neighbours are refused too.
    pub strict: bool,
}

/// first_bad ← the first position of keys (count), anywhere, that is out of order, `count` where they are sorted. Without first_bad
/// such keys are an error: INVALID_ARGUMENT names the position and the keys there.
///
/// −0 equals 0; NaN equals NaN and is greater than every number. Cost: reads the keys once. Errors: UNSUPPORTED (dtype),
/// OUT_OF_MEMORY, CUDA.
pub fn check_sorted(
    ctx: &mut Context,
    options: &Options,
    keys: Input,
    count: usize,
    first_bad: Option<&mut u64>,
) -> Result<()> {
    ctx.begin();
    let &Options { dtype, order, strict } = options;
    let keys = keys.view_of(served("dtype", dtype)?, &[count])?;
    let key_order = KeyOrder::new(order, dtype);
    let mut copy = [0u64; 2];
    let found = ctx.run(|engine| match engine {
        Engine::Cpu(workers) => {
            let found = by_number!(dtype, first_on_cpu(workers, keys, key_order, strict))?;
            Ok(found.map(|position| (position, keys.part(position - 1, 2))))
        }
        Engine::Cuda(device) => gpu::check_sorted::first_unsorted(device, keys, order, strict, &mut copy),
    })?;
    if let Some(first_bad) = first_bad {
        *first_bad = found.map_or(count, |(position, _)| position) as u64;
        return Ok(());
    }
    let Some((position, pair)) = found else { return Ok(()) };
    let is_equal = by_number!(dtype, are_equal(pair))?;
    let [before, key] = by_dtype!(dtype, texts_of(pair))?;
    let relation = if is_equal { "equals it" } else { "comes before it" };
    Err(Error::invalid(format!(
        "keys are not sorted at position {position}: keys[{}] is {before}, and keys[{position}] is {key}, which {relation} in order {}",
        position - 1,
        order.c_name()
    )))
}

fn first_on_cpu<K: Key>(
    workers: &cpu::Workers,
    keys: DynView,
    order: KeyOrder,
    strict: bool,
) -> Result<Option<usize>> {
    cpu::check_sorted::first_unsorted::<K>(workers, keys.on_host()?, order, strict)
}

fn are_equal<K: Key>(pair: DynView) -> Result<bool> {
    let ranks = pair.on_host::<K>()?.iter().map(|key| key.rank(KeyOrder::ASCENDING).into());
    Ok(ranks.collect::<Vec<u64>>().windows(2).all(|pair| pair[0] == pair[1]))
}

fn texts_of<T: Element + Display>(pair: DynView) -> Result<[String; 2]> {
    let pair = pair.on_host::<T>()?;
    Ok([pair[0].to_string(), pair[1].to_string()])
}
