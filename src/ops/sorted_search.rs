//! Where each element of one sorted array lies in another, and the other way round.
//!
//! Source: S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::counted;
use crate::array::{Element, Input, Memory, Output, ViewMut, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Bound, Index, IndexDtype, Key, Order};
use crate::{cpu, gpu};

/// How `gpumex_sorted_search` computes; results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortedSearchVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, a search an element, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for SortedSearchVariant {
    const NAME: &'static str = "gpumex_sorted_search_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`sorted_search`]; the default is lower bounds of ascending f32 in 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SortedSearchVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub bound: Bound,
    pub index: IndexDtype,
}

/// What to find; None is left out.
pub struct Outputs<'a> {
    pub a_indices: Option<Output<'a>>,
    pub b_indices: Option<Output<'a>>,
    pub a_flags: Option<Output<'a>>,
    pub b_flags: Option<Output<'a>>,
    pub matches: Option<Output<'a>>,
}

/// a_indices\[i\] ← lower (upper) bound of a\[i\] in b; b_indices\[j\] ← upper (lower) bound of b\[j\] in a; a_flags\[i\],
/// b_flags\[j\] ← whether the other array has an equal key, as 0 or 1; matches\[0\], matches\[1\] ← how many of a, and of b, have.
/// a (a_count), b (b_count) sorted; matches (2); all apart.
///
/// Cost: reads a and b once and writes what is asked for. Errors:
/// INVALID_ARGUMENT (size, overlap, more elements than the indices count), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn sorted_search(
    ctx: &mut Context,
    options: &Options,
    a: (Input, usize),
    b: (Input, usize),
    outputs: Outputs,
) -> Result<()> {
    ctx.begin();
    by_number_and_index!(options.dtype, options.index, search(ctx, options, a, b, outputs))
}

fn search<T: Key, I: Index>(
    ctx: &mut Context,
    options: &Options,
    (a, a_count): (Input, usize),
    (b, b_count): (Input, usize),
    outputs: Outputs,
) -> Result<()> {
    counted(options.index, "a_count", a_count)?;
    counted(options.index, "b_count", b_count)?;
    let (a, b) = (a.view::<T>(&[a_count])?, b.view::<T>(&[b_count])?);
    let mut a_indices = optional::<I>(outputs.a_indices, a_count)?;
    let mut b_indices = optional::<I>(outputs.b_indices, b_count)?;
    let mut a_flags = optional::<u8>(outputs.a_flags, a_count)?;
    let mut b_flags = optional::<u8>(outputs.b_flags, b_count)?;
    let mut matches = optional::<u64>(outputs.matches, 2)?;
    let outputs: [&dyn Memory; 5] = [&a_indices, &b_indices, &a_flags, &b_flags, &matches];
    all_apart(&outputs, &[&a, &b])?;
    if outputs.iter().all(|output| output.extent().is_empty()) {
        return Ok(());
    }

    let rules = (options.order, options.bound);
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let (a, b) = (a.on_host()?, b.on_host()?);
            let outputs = cpu::sorted_search::Outputs {
                a_indices: on_host(&mut a_indices)?,
                b_indices: on_host(&mut b_indices)?,
                a_flags: on_host(&mut a_flags)?,
                b_flags: on_host(&mut b_flags)?,
                matches: on_host(&mut matches)?,
            };
            match variant {
                SortedSearchVariant::Sequential => {
                    cpu::sorted_search::sequential(workers, rules, a, b, outputs)
                }
                SortedSearchVariant::Auto => cpu::sorted_search::sorted_search(workers, rules, a, b, outputs),
            }
        }
        (Engine::Cuda(_), SortedSearchVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), SortedSearchVariant::Auto) => {
            let outputs = gpu::sorted_search::Outputs { a_indices, b_indices, a_flags, b_flags, matches };
            gpu::sorted_search::sorted_search(device, options.order, options.bound, a, b, outputs)
        }
    })
}

/// An output that may be left out.
pub(super) fn optional<'a, T: Element>(
    output: Option<Output<'a>>,
    len: usize,
) -> Result<Option<ViewMut<'a, T>>> {
    output.map(|output| output.view::<T>(&[len])).transpose()
}

pub(super) fn on_host<'v, T: Element>(output: &'v mut Option<ViewMut<T>>) -> Result<Option<&'v mut [T]>> {
    output.as_mut().map(ViewMut::on_host).transpose()
}
