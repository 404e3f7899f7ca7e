//! Moves of intervals on the device.

use std::ffi::c_int;
use std::ptr::null;

use super::Device;
use super::kernels::{Intervals, gpumexk_interval_move};
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::Index;

/// Where intervals of `count` elements in all lie: in a dense row by scan, and by gather in the input, by scatter in the output.
pub struct Places<'a, I> {
    pub count: usize,
    pub gather: Option<View<'a, I>>,
    pub scatter: Option<View<'a, I>>,
    pub scan: View<'a, I>,
}

/// output\[scatter\[j\] + r\] ← input\[gather\[j\] + r\]
pub fn interval_move<T: Element, I: Index>(
    device: &Device,
    places: Places<I>,
    input: View<T>,
    output: ViewMut<T>,
) -> Result<()> {
    let read = |view: Option<View<'_, I>>| view.map(|view| device.read(&view)).transpose();
    let (gather, scatter, scan) = (read(places.gather)?, read(places.scatter)?, device.read(&places.scan)?);
    let intervals = Intervals {
        count: places.count,
        intervals: places.scan.len(),
        index_width: size_of::<I>() as c_int,
        gather: gather.as_ref().map_or(null(), |gather| gather.as_ptr().cast()),
        scatter: scatter.as_ref().map_or(null(), |scatter| scatter.as_ptr().cast()),
        scan: scan.as_ptr().cast(),
    };
    let (input_count, output_count, width) = (input.len(), output.len(), size_of::<T>() as c_int);
    // Only what the intervals cover is written: the rest of the output stays.
    let (input, mut output) = (device.read(&input)?, device.update(output)?);
    let (from, to) = (input.as_ptr().cast(), output.as_mut_ptr().cast());
    // SAFETY: the arrays have the lengths and widths that are stated with them.
    device.launch(|stream| unsafe {
        gpumexk_interval_move(&intervals, from, input_count, width, to, output_count, stream)
    })?;
    output.finish()
}
