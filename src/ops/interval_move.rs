//! Many intervals of elements, each from its place to its place.
//!
//! Source: S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::primitives::{counted, has_objects};
use crate::array::{Element, Input, Output, View};
use crate::choice::Choice;
use crate::context::{Context, Engine};
use crate::dtype::Dtype;
use crate::error::Result;
use crate::primitives::{Index, IndexDtype};
use crate::{cpu, gpu};

/// How `gpumex_interval_move` computes; results are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntervalMoveVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop, on one core; CPU backend only.
    Sequential = 1,
}

impl Choice for IntervalMoveVariant {
    const NAME: &'static str = "gpumex_interval_move_variant";
    const ALL: &'static [Self] = &[Self::Auto, Self::Sequential];
}

/// Options of [`interval_move`]; the default is elements of 4 bytes, indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: IntervalMoveVariant,
    pub dtype: Dtype,
    pub index: IndexDtype,
}

/// Where the intervals lie: interval j begins at scan\[j\] in a row of `count` elements, at gather\[j\] in the input and at scatter\[j\]
/// in the output; without gather or scatter input or output are that row.
pub struct Places<'a> {
    pub count: usize,
    pub gather: Option<Input<'a>>,
    pub scatter: Option<Input<'a>>,
    pub scan: Input<'a>,
    pub intervals: usize,
}

/// output\[scatter\[j\] + r\] ← input\[gather\[j\] + r\] for the elements r of each interval j. scan (intervals): the exclusive sum of
/// the lengths, whose total is `count`. Positions that input or output do not have are skipped; where intervals of the output
/// overlap any one wins; the rest of the output keeps what it holds. Output apart from the other arrays.
///
/// Cost: reads the indices and each element, writes each; memory-bound on CUDA for intervals of many elements. Errors:
/// INVALID_ARGUMENT (size, overlap, elements without intervals, more than the indices count), UNSUPPORTED (dtype),
/// OUT_OF_MEMORY, CUDA.
pub fn interval_move(
    ctx: &mut Context,
    options: &Options,
    places: Places,
    input: (Input, usize),
    output: (Output, usize),
) -> Result<()> {
    ctx.begin();
    by_size_and_index!(options.dtype, options.index, move_all(ctx, options, places, input, output))
}

fn move_all<T: Element, I: Index>(
    ctx: &mut Context,
    options: &Options,
    Places { count, gather, scatter, scan, intervals }: Places,
    (input, input_count): (Input, usize),
    (output, output_count): (Output, usize),
) -> Result<()> {
    counted(options.index, "count", count)?;
    has_objects("intervals", count, intervals)?;
    let gather = gather.map(|gather| gather.view::<I>(&[intervals])).transpose()?;
    let scatter = scatter.map(|scatter| scatter.view::<I>(&[intervals])).transpose()?;
    let scan = scan.view::<I>(&[intervals])?;
    let (input, mut output) = (input.view::<T>(&[input_count])?, output.view::<T>(&[output_count])?);
    output.apart(&input)?;
    for read in [gather, scatter, Some(scan)].iter().flatten() {
        output.apart(read)?;
    }
    if count == 0 || output.is_empty() || input.is_empty() {
        return Ok(());
    }
    ctx.run(|engine| match (engine, options.variant) {
        (Engine::Cpu(workers), variant) => {
            let places = cpu::interval_move::Places {
                count,
                gather: gather.as_ref().map(View::on_host).transpose()?,
                scatter: scatter.as_ref().map(View::on_host).transpose()?,
                scan: scan.on_host()?,
            };
            let (input, output) = (input.on_host()?, output.on_host()?);
            match variant {
                IntervalMoveVariant::Sequential => {
                    cpu::interval_move::sequential(workers, &places, input, output)
                }
                IntervalMoveVariant::Auto => {
                    cpu::interval_move::interval_move(workers, &places, input, output)
                }
            }
        }
        (Engine::Cuda(_), IntervalMoveVariant::Sequential) => super::sequential_is_for_the_cpu(),
        (Engine::Cuda(device), IntervalMoveVariant::Auto) => {
            let places = gpu::interval_move::Places { count, gather, scatter, scan };
            gpu::interval_move::interval_move(device, places, input, output)
        }
    })
}
