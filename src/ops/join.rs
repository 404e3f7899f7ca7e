//! Sort-merge join: the pairs of equal keys of two sorted arrays.
//!
//! Source: S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::capacity::check_capacity;
use super::cost;
use super::dtypes::{index_dtype_for, key_dtypes};
use super::widen::WideInput;
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::cpu::join::Joining;
use crate::error::Result;
use crate::gpu;
use crate::gpu::join::Asked;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::join::JoinKind;
use crate::model::order::{Key, KeyOrder, SortOrder};
use crate::model::variant::Variant;

/// Options of [`join`]; the default is the inner join of ascending f32.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub order: SortOrder,
    pub kind: JoinKind,
    pub index_dtype: Dtype,
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
    let capacity = target.capacity;
    let index = match options.index_dtype {
        Dtype::None if capacity == 0 => Dtype::U64, // pairs are counted alone
        index => index_dtype_for(index_dtype_for(index, "a_count", a.1)?, "b_count", b.1)?,
    };
    let &Options { variant, order, .. } = options;
    let (dtype, wide) = key_dtypes("dtype", options.dtype)?;
    let from = [a.0.view_of(dtype, &[a.1])?, b.0.view_of(dtype, &[b.1])?];
    let mut a_indices = target.a_indices.view_of(index, &[capacity])?;
    let mut b_indices = target.b_indices.view_of(index, &[capacity])?;
    let mut needed = target.needed.view::<u64>(&[1])?;
    let arrays = all_apart(&[&a_indices, &b_indices, &needed], &[&from[0], &from[1]])?;

    let (keeps_a, keeps_b) = (options.kind.keeps_a(), options.kind.keeps_b());
    ctx.run_auto(cost::JOIN.of(options.variant, arrays), |engine| {
        let keys = [WideInput::new(engine, from[0], wide)?, WideInput::new(engine, from[1], wide)?];
        let from = [keys[0].view()?, keys[1].view()?];
        match engine.select(variant)? {
            Engine::Cpu(workers) => {
                let how = (workers, variant, KeyOrder::new(order, wide), [keeps_a, keeps_b]);
                let to = [&mut a_indices, &mut b_indices];
                let found = dispatch_number_and_size!(wide, index, join_on_cpu(how, from, to))?;
                needed.on_host()?[0] = found;
                check_capacity(capacity, Some(found))
            }
            Engine::Cuda(device) => {
                let asked = Asked { order, keeps_a, keeps_b };
                check_capacity(
                    capacity,
                    gpu::join::join(device, &asked, from, [a_indices, b_indices], needed)?,
                )
            }
        }
    })
}

fn join_on_cpu<K: Key, I: Index>(
    (workers, variant, order, [keeps_a, keeps_b]): (&cpu::Workers, Variant, KeyOrder, [bool; 2]),
    [a, b]: [DynView; 2],
    [a_indices, b_indices]: [&mut DynViewMut; 2],
) -> Result<u64> {
    let joining = Joining::<K> { a: a.on_host()?, b: b.on_host()?, order, keeps_a, keeps_b };
    let (a_indices, b_indices) = (a_indices.on_host::<I>()?, b_indices.on_host()?);
    match variant {
        Variant::Sequential => cpu::join::sequential(workers, &joining, a_indices, b_indices),
        Variant::Auto => cpu::join::join(workers, &joining, a_indices, b_indices),
    }
}
