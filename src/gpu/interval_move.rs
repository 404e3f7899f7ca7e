//! Moves of intervals on the device.

use std::ffi::c_int;

use super::Device;
use super::runtime::kernels::{IntervalMoveArgs, gpumexk_interval_move};
use super::runtime::memory::source;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;

/// Where intervals of `count` elements in all lie: in a dense row by scan, and by gather in the input, by scatter in the output.
pub struct Places<'a> {
    pub count: usize,
    pub gather: Option<DynView<'a>>,
    pub scatter: Option<DynView<'a>>,
    pub scan: DynView<'a>,
}

/// output\[scatter\[j\] + r\] ← input\[gather\[j\] + r\]
pub fn interval_move(device: &Device, places: Places, input: DynView, output: DynViewMut) -> Result<()> {
    let (gather, scatter) = (device.read_optional(places.gather)?, device.read_optional(places.scatter)?);
    let scan = device.read(&places.scan.bytes())?;
    let args = IntervalMoveArgs {
        count: places.count,
        intervals: places.scan.len(),
        index_bytes: places.scan.dtype().size() as c_int,
        gather: source(&gather),
        scatter: source(&scatter),
        scan: scan.as_ptr().cast(),
    };
    let (input_count, output_count, value_bytes) = (input.len(), output.len(), input.dtype().size() as c_int);
    // Only what the intervals cover is written: the rest of the output stays.
    let (input, mut output) = (device.read(&input.bytes())?, device.update(output.into_bytes())?);
    let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
    // SAFETY: the arrays have the lengths and widths that are stated with them.
    device.launch(|stream| unsafe {
        gpumexk_interval_move(&args, from, input_count, value_bytes, to, output_count, stream)
    })?;
    output.finish()
}
