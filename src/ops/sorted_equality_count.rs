//! How many elements of one sorted array equal each element of another.
//!
//! Source: S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::{counted, optional_mut_on_host, served};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::dtype::Dtype;
use crate::model::numbered::Choice;
use crate::model::primitives::{Index, IndexDtype, Key, KeyOrder, Order};

/// How `gpumex_sorted_equality_count` computes; results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortedEqualityCountVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, two searches an element, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for SortedEqualityCountVariant {
    const NAME: &'static str = "gpumex_sorted_equality_count_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`sorted_equality_count`]; the default is ascending f32 and counts of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: SortedEqualityCountVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub index: IndexDtype,
}

/// counts\[i\] ← how many of b equal a\[i\]; lower\[i\] ← lower bound of a\[i\] in b. a (a_count), b (b_count) sorted; counts, lower
/// (a_count); lower may be left out; all apart.
///
/// Cost: reads a and b once and writes what is asked for. Errors: INVALID_ARGUMENT (size, overlap, more elements than the counts
/// hold), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn sorted_equality_count(
    ctx: &mut Context,
    options: &Options,
    a: (Input, usize),
    b: (Input, usize),
    counts: Output,
    lower: Option<Output>,
) -> Result<()> {
    ctx.begin();
    let (dtype, index) = (served("dtype", options.dtype)?, options.index.dtype());
    let ((a, a_count), (b, b_count)) = (a, b);
    counted(options.index, "b_count", b_count)?;
    let (a, b) = (a.view_of(dtype, &[a_count])?, b.view_of(dtype, &[b_count])?);
    let mut counts = counts.view_of(index, &[a_count])?;
    let mut lower = lower.map(|lower| lower.view_of(index, &[a_count])).transpose()?;
    all_apart(&[&counts, &lower], &[&a, &b])?;
    if a.is_empty() {
        return Ok(());
    }
    let order = options.order;
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let how = (workers, variant, KeyOrder::new(order, dtype));
            by_number_and_size!(dtype, index, count_on_cpu(how, a, b, &mut counts, &mut lower))
        }
        (Engine::Cuda(_), SortedEqualityCountVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), SortedEqualityCountVariant::Auto) => {
            gpu::sorted_equality_count::sorted_equality_count(device, order, a, b, counts, lower)
        }
    })
}

fn count_on_cpu<K: Key, I: Index>(
    (workers, variant, order): (&cpu::Workers, SortedEqualityCountVariant, KeyOrder),
    a: DynView,
    b: DynView,
    counts: &mut DynViewMut,
    lower: &mut Option<DynViewMut>,
) -> Result<()> {
    let (a, b) = (a.on_host::<K>()?, b.on_host()?);
    let (counts, lower) = (counts.on_host::<I>()?, optional_mut_on_host(lower)?);
    match variant {
        SortedEqualityCountVariant::Sequential => {
            cpu::sorted_equality_count::sequential(workers, order, a, b, counts, lower)
        }
        SortedEqualityCountVariant::Auto => {
            cpu::sorted_equality_count::sorted_equality_count(workers, order, a, b, counts, lower)
        }
    }
}
