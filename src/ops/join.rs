//! Sort-merge join: the pairs of equal keys of two sorted arrays.
//!
//! Source: S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::{counted, fits};
use crate::array::{Input, Output, all_apart};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::cpu::join::Joining;
use crate::dtype::Dtype;
use crate::error::Result;
use crate::gpu::join::Asked;
use crate::primitives::{Index, IndexDtype, JoinKind, Key, Order};
use crate::{cpu, gpu};

/// How `gpumex_join` computes; the results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JoinVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loops, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for JoinVariant {
    const NAME: &'static str = "gpumex_join_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`join`]; the default is the inner join of ascending f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: JoinVariant,
    pub dtype: Dtype,
    pub order: Order,
    pub kind: JoinKind,
    pub index_dtype: IndexDtype,
}

/// Where the pairs go.
pub struct Target<'a> {
    pub a_indices: Output<'a>,
    pub b_indices: Output<'a>,
    pub capacity: usize,
    pub needed: Output<'a>,
}

/// a_indices, b_indices ← the first `capacity` pairs of a join; needed ← how many it has.
///
/// For each i in order (i, j) for each j in order with b\[j\] equal to a\[i\]; where there is none LEFT and OUTER have (i, −1) in its
/// place; RIGHT and OUTER end with (−1, j) for each j in order whose key is not in a. −1 has all bits set. a, b: (a_count), (b_count),
/// sorted, anywhere; where they are not, some result. Cost: reads both arrays, writes the pairs. Errors: INVALID_ARGUMENT (sizes,
/// overlap, 0 < capacity < needed where the host sees needed), UNSUPPORTED (dtype), OUT_OF_MEMORY, CUDA.
pub fn join(
    ctx: &mut Context,
    options: &Options,
    a: (Input, usize),
    b: (Input, usize),
    target: Target,
) -> Result<()> {
    ctx.begin();
    counted(options.index_dtype, "a_count", a.1)?;
    counted(options.index_dtype, "b_count", b.1)?;
    by_number_and_index!(options.dtype, options.index_dtype, joined(ctx, options, a, b, target))
}

fn joined<K: Key, I: Index>(
    ctx: &mut Context,
    options: &Options,
    (a, a_count): (Input, usize),
    (b, b_count): (Input, usize),
    target: Target,
) -> Result<()> {
    let capacity = target.capacity;
    let from = [a.view::<K>(&[a_count])?, b.view::<K>(&[b_count])?];
    let mut a_indices = target.a_indices.view::<I>(&[capacity])?;
    let mut b_indices = target.b_indices.view::<I>(&[capacity])?;
    let mut needed = target.needed.view::<u64>(&[1])?;
    all_apart(&[&a_indices, &b_indices, &needed], &[&from[0], &from[1]])?;

    let (order, keeps_a, keeps_b) = (options.order, options.kind.keeps_a(), options.kind.keeps_b());
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let joining = Joining { a: from[0].on_host()?, b: from[1].on_host()?, order, keeps_a, keeps_b };
            let (a_indices, b_indices) = (a_indices.on_host()?, b_indices.on_host()?);
            let needed = needed.on_host()?;
            needed[0] = match variant {
                JoinVariant::Sequential => cpu::join::sequential(workers, &joining, a_indices, b_indices)?,
                JoinVariant::Auto => cpu::join::join(workers, &joining, a_indices, b_indices)?,
            };
            fits(capacity, Some(needed[0]))
        }
        (Engine::Cuda(_), JoinVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), _) => {
            let asked = Asked { order, keeps_a, keeps_b };
            fits(capacity, gpu::join::join(device, &asked, from, [a_indices, b_indices], needed)?)
        }
    })
}
