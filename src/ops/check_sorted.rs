//! Whether an array is sorted, as the operations on sorted arrays want it.
#![forbid(unsafe_code)]

use std::fmt::Display;

use super::cost;
use super::dtypes::key_dtypes;
use super::widen::WideInput;
use crate::array::{DynView, Element, Footprint, Input};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::variant::Variant;

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
    let (dtype, wide) = key_dtypes("dtype", dtype)?;
    let keys = keys.view_of(dtype, &[count])?;
    let key_order = KeyOrder::new(order, wide);
    let work = cost::CHECK_SORTED.of(Variant::Auto, Footprint::of(&[&keys]));
    let unsorted = ctx.run_auto(work, |engine| {
        let (keys, mut copy) = (WideInput::new(engine, keys, wide)?, [0u64; 2]);
        let keys = keys.view()?;
        let found = match engine {
            Engine::Cpu(workers) => {
                let found = dispatch_number!(wide, first_on_cpu(workers, keys, key_order, strict))?;
                found.map(|position| (position, keys.part(position - 1, 2)))
            }
            Engine::Cuda(device) => {
                gpu::check_sorted::first_unsorted(device, keys, order, strict, &mut copy)?
            }
        };
        found.map(|(position, pair)| Unsorted::new(position, pair)).transpose()
    })?;
    match (first_bad, unsorted) {
        (Some(first_bad), unsorted) => {
            *first_bad = unsorted.map_or(count, |unsorted| unsorted.position) as u64
        }
        (None, Some(unsorted)) => return Err(unsorted.error(order)),
        (None, None) => {}
    }
    Ok(())
}

/// The first key that is out of order, and the one before it.
struct Unsorted {
    position: usize,
    is_equal: bool,
    texts: [String; 2],
}

impl Unsorted {
    fn new(position: usize, pair: DynView) -> Result<Unsorted> {
        let is_equal = dispatch_number!(pair.dtype(), are_equal(pair))?;
        Ok(Unsorted { position, is_equal, texts: dispatch_dtype!(pair.dtype(), texts_of(pair))? })
    }

    fn error(&self, order: SortOrder) -> Error {
        let Unsorted { position, is_equal, texts: [before, key] } = self;
        let relation = if *is_equal { "equals it" } else { "comes before it" };
        Error::invalid(format!(
            "keys are not sorted at position {position}: keys[{}] is {before}, and keys[{position}] is {key}, which {relation} in order {}",
            position - 1,
            order.c_name()
        ))
    }
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
