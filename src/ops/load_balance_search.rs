//! The object to which each work item belongs.
//!
//! Source: S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::{counted, has_objects};
use crate::array::{DynView, DynViewMut, Input, Output, all_apart};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::numbered::Choice;
use crate::model::primitives::{Index, IndexDtype};

/// How `gpumex_load_balance_search` computes; results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadBalanceSearchVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for LoadBalanceSearchVariant {
    const NAME: &'static str = "gpumex_load_balance_search_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`load_balance_search`]; the default is indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: LoadBalanceSearchVariant,
    pub index: IndexDtype,
}

/// indices\[k\] ← upper bound of k in scan, less one. scan (objects): the exclusive sum of the objects' numbers of items, whose total
/// is `count`; indices (count); apart.
///
/// Cost: reads scan and writes indices; memory-bound on CUDA. Errors: INVALID_ARGUMENT (size, overlap, items without objects, more
/// than the indices count), OUT_OF_MEMORY, CUDA.
pub fn load_balance_search(
    ctx: &mut Context,
    options: &Options,
    count: usize,
    scan: Input,
    objects: usize,
    indices: Output,
) -> Result<()> {
    ctx.begin();
    let index = options.index.dtype();
    counted(options.index, "count", count)?;
    counted(options.index, "objects", objects)?;
    has_objects("objects", count, objects)?;
    let (scan, mut indices) = (scan.view_of(index, &[objects])?, indices.view_of(index, &[count])?);
    all_apart(&[&indices], &[&scan])?;
    if indices.is_empty() {
        return Ok(());
    }
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            by_size!(index, search_on_cpu((workers, variant), scan, &mut indices))
        }
        (Engine::Cuda(_), LoadBalanceSearchVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), LoadBalanceSearchVariant::Auto) => {
            gpu::load_balance_search::load_balance_search(device, scan, indices)
        }
    })
}

fn search_on_cpu<I: Index>(
    (workers, variant): (&cpu::Workers, LoadBalanceSearchVariant),
    scan: DynView,
    indices: &mut DynViewMut,
) -> Result<()> {
    let (scan, indices) = (scan.on_host::<I>()?, indices.on_host()?);
    match variant {
        LoadBalanceSearchVariant::Sequential => cpu::load_balance_search::sequential(workers, scan, indices),
        LoadBalanceSearchVariant::Auto => {
            cpu::load_balance_search::load_balance_search(workers, scan, indices)
        }
    }
}
