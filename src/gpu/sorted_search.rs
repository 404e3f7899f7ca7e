//! Sorted search on the device.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::Device;
use super::kernels::{SortedArrays, gpumexk_sorted_search};
use super::memory::Writing;
use crate::array::{Element, View, ViewMut};
use crate::error::Result;
use crate::primitives::{Bound, Index, Key, Order};

/// The outputs; None where not asked for.
pub struct Outputs<'a, I> {
    pub a_indices: Option<ViewMut<'a, I>>,
    pub b_indices: Option<ViewMut<'a, I>>,
    pub a_flags: Option<ViewMut<'a, u8>>,
    pub b_flags: Option<ViewMut<'a, u8>>,
    pub matches: Option<ViewMut<'a, u64>>,
}

/// Where the elements of a lie in b, and those of b in a.
pub fn sorted_search<T: Key, I: Index>(
    device: &Device,
    order: Order,
    bound: Bound,
    a: View<T>,
    b: View<T>,
    outputs: Outputs<I>,
) -> Result<()> {
    let (from_a, from_b) = (device.read(&a)?, device.read(&b)?);
    let mut a_indices = write(device, outputs.a_indices)?;
    let mut b_indices = write(device, outputs.b_indices)?;
    let mut a_flags = write(device, outputs.a_flags)?;
    let mut b_flags = write(device, outputs.b_flags)?;
    let mut matches = write(device, outputs.matches)?;
    let arrays = SortedArrays {
        a: from_a.as_ptr().cast(),
        a_count: a.len(),
        b: from_b.as_ptr().cast(),
        b_count: b.len(),
        width: size_of::<T>() as c_int,
        dtype: T::DTYPE as c_int,
        descending: c_int::from(order == Order::Greater),
    };
    let (upper, index_width) = (c_int::from(bound == Bound::Upper), size_of::<I>() as c_int);
    let indices = (pointer(&mut a_indices).cast(), pointer(&mut b_indices).cast());
    let (flags, counts) = ((pointer(&mut a_flags), pointer(&mut b_flags)), pointer(&mut matches));
    // SAFETY: the arrays have the lengths and the sizes of elements that they state, the outputs those of a and b, matches two.
    device.launch(|stream| unsafe {
        gpumexk_sorted_search(
            &arrays,
            upper,
            index_width,
            indices.0,
            indices.1,
            flags.0,
            flags.1,
            counts,
            stream,
        )
    })?;
    finish(a_indices)?;
    finish(b_indices)?;
    finish(a_flags)?;
    finish(b_flags)?;
    finish(matches)
}

/// An output that may be left out.
pub(super) fn write<'d, 'a, T: Element>(
    device: &'d Device,
    view: Option<ViewMut<'a, T>>,
) -> Result<Option<Writing<'d, 'a, T>>> {
    view.map(|view| device.write(view)).transpose()
}

pub(super) fn pointer<T: Element>(output: &mut Option<Writing<T>>) -> *mut T {
    output.as_mut().map_or(null_mut(), Writing::as_mut_ptr)
}

pub(super) fn finish<T: Element>(output: Option<Writing<T>>) -> Result<()> {
    output.map_or(Ok(()), Writing::finish)
}
