//! Many intervals of elements, each from its place to its place.
//!
//! Source: S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::cost;
use super::dtypes::{index_dtype_for, supported};
use super::load_balance_search::check_objects;
use crate::array::{DynView, DynViewMut, Element, Input, Output, all_apart, optional_on_host};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::gpu::interval_move::Places as Views;
use crate::model::dtype::Dtype;
use crate::model::index::Index;
use crate::model::variant::Variant;

/// Options of [`interval_move`]; the default is elements of 4 bytes, indices of 64 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub variant: Variant,
    pub dtype: Dtype,
    pub index_dtype: Dtype,
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
    let dtype = supported("dtype", options.dtype)?;
    let Places { count, gather, scatter, scan, intervals } = places;
    let ((input, input_count), (output, output_count)) = (input, output);
    let index = index_dtype_for(options.index_dtype, "count", count)?;
    check_objects("intervals", count, intervals)?;
    let places = Views {
        count,
        gather: gather.map(|gather| gather.view_of(index, &[intervals])).transpose()?,
        scatter: scatter.map(|scatter| scatter.view_of(index, &[intervals])).transpose()?,
        scan: scan.view_of(index, &[intervals])?,
    };
    let (input, mut output) =
        (input.view_of(dtype, &[input_count])?, output.view_of(dtype, &[output_count])?);
    let arrays = all_apart(&[&output], &[&input, &places.gather, &places.scatter, &places.scan])?;
    if count == 0 || output.is_empty() || input.is_empty() {
        return Ok(());
    }
    ctx.run_auto(cost::INTERVAL_MOVE.of(options.variant, arrays), |engine| {
        match engine.select(options.variant)? {
            Engine::Cpu(workers) => {
                dispatch_sizes!(
                    dtype,
                    index,
                    move_on_cpu((workers, options.variant), &places, input, &mut output)
                )
            }
            Engine::Cuda(device) => gpu::interval_move::interval_move(device, places, input, output),
        }
    })
}

fn move_on_cpu<T: Element, I: Index>(
    (workers, variant): (&cpu::Workers, Variant),
    places: &Views,
    input: DynView,
    output: &mut DynViewMut,
) -> Result<()> {
    let places = cpu::interval_move::Places::<I> {
        count: places.count,
        gather: optional_on_host(&places.gather)?,
        scatter: optional_on_host(&places.scatter)?,
        scan: places.scan.on_host()?,
    };
    let (input, output) = (input.on_host::<T>()?, output.on_host()?);
    match variant {
        Variant::Sequential => cpu::interval_move::sequential(workers, &places, input, output),
        Variant::Auto => cpu::interval_move::interval_move(workers, &places, input, output),
    }
}
