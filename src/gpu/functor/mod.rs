//! An expression of two variables on the device: as the operator of reductions and scans, and as the order of keys.

mod order;
mod segments;

use std::ffi::{c_int, c_void};
use std::ptr::null;

use super::Device;
use super::map::steps_of;
use super::runtime::device::check_launch;
use super::runtime::kernels::*;
use super::runtime::memory::{Buffer, finish, target};
use super::runtime::tuning::Kernel;
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::expression::program::Program;
pub use order::{merge, sort, sorted_search};
pub use segments::{reduce_by_key, segmented_reduce};

/// A program as launchers take it; `args` is read while this lives.
struct OnDevice<'p> {
    program: &'p Program,
    steps: Vec<MapStep>,
    bytes: usize,
}

impl<'p> OnDevice<'p> {
    /// Elements of so many bytes.
    fn new(program: &'p Program, bytes: usize) -> OnDevice<'p> {
        OnDevice { program, steps: steps_of(program), bytes }
    }

    fn args(&self) -> Functor {
        Functor {
            steps: self.steps.as_ptr(),
            step_count: self.steps.len(),
            literals: self.program.literals.as_ptr(),
            literal_count: self.program.literals.len(),
            slots: self.program.slots as c_int,
            wide: self.program.is_wide.into(),
            elementary: self.program.is_elementary.into(),
            bytes: self.bytes as c_int,
        }
    }

    /// What a scan of so many elements takes beside them.
    fn scan_scratch<'d>(&self, device: &'d Device, count: usize) -> Result<Buffer<'d, u64>> {
        let mut bytes = 0;
        // SAFETY: writes one size; the program lives.
        check_launch(unsafe { gpumexk_functor_scan_scratch(&self.args(), count, &mut bytes) })?;
        Buffer::new(device, bytes.div_ceil(size_of::<u64>()))
    }
}

/// result (1) ← the elements of data joined; there is one at least.
pub fn reduce(device: &Device, program: &Program, data: DynView, result: DynViewMut) -> Result<()> {
    let (count, functor, mut bytes) = (data.len(), OnDevice::new(program, data.dtype().size()), 0);
    // SAFETY: writes one size; the program lives.
    check_launch(unsafe { gpumexk_functor_reduce_scratch(&functor.args(), count, &mut bytes) })?;
    let partials = Buffer::<u64>::new(device, bytes.div_ceil(size_of::<u64>()))?;
    let (data, mut result) = (device.read(&data.bytes())?, device.write(result.into_bytes())?);
    let (from, partials, to) = (data.as_ptr().cast(), partials.as_ptr().cast(), result.as_mut_ptr().cast());
    // SAFETY: data holds count elements, the result one; the partial results have the bytes that were asked for.
    device.launch(|stream| unsafe {
        gpumexk_functor_reduce(&functor.args(), from, count, partials, to, stream)
    })?;
    result.finish()
}

/// result ← the prefixes of data, or where it is None of itself; total (1) ← all of them joined. There is one element at least.
/// `first`: the bits of what an exclusive scan begins with; None: inclusive.
pub fn scan(
    device: &Device,
    program: &Program,
    first: Option<u64>,
    data: Option<DynView>,
    result: DynViewMut,
    total: Option<DynViewMut>,
) -> Result<()> {
    let (count, functor) = (result.len(), OnDevice::new(program, result.dtype().size()));
    let scratch = functor.scan_scratch(device, count)?;
    let mut total = device.write_optional(total)?;
    let total_at = target(&mut total);
    let (data, mut result) = match data {
        None => (None, device.update(result.into_bytes())?),
        data => (device.read_optional(data)?, device.write(result.into_bytes())?),
    };
    let to: *mut c_void = result.as_mut_ptr().cast();
    let from = data.as_ref().map_or(to.cast_const(), |data| data.as_ptr().cast());
    let (inclusive, scratch) = (first.is_none().into(), scratch.as_ptr().cast());
    // SAFETY: data and result hold count elements, the total one or it is null; the scratch has the bytes that were asked for.
    device.launch(|stream| unsafe {
        gpumexk_functor_scan(&functor.args(), from, null(), count, inclusive, to, total_at, scratch, stream)
    })?;
    if let Some(bits) = first {
        let tuning = device.tuning(Kernel::Fill);
        // SAFETY: the result holds one element at least.
        device.launch(|stream| unsafe { gpumexk_fill(to, 1, functor.bytes, bits, &tuning, stream) })?;
    }
    result.finish()?;
    finish(total)
}
