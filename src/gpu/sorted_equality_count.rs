//! Counts of equal elements on the device.

use std::ffi::c_int;

use super::Device;
use super::kernels::{SortedArrays, gpumexk_sorted_equality_count};
use super::sorted_search::{finish, pointer, write};
use crate::array::{View, ViewMut};
use crate::error::Result;
use crate::primitives::{Index, Key, Order};

/// counts\[i\] ← how many of b equal a\[i\], lower\[i\] ← how many are before it.
pub fn sorted_equality_count<T: Key, I: Index>(
    device: &Device,
    order: Order,
    a: View<T>,
    b: View<T>,
    counts: ViewMut<I>,
    lower: Option<ViewMut<I>>,
) -> Result<()> {
    let (from_a, from_b) = (device.read(&a)?, device.read(&b)?);
    let (mut counts, mut lower) = (device.write(counts)?, write(device, lower)?);
    let arrays = SortedArrays {
        a: from_a.as_ptr().cast(),
        a_count: a.len(),
        b: from_b.as_ptr().cast(),
        b_count: b.len(),
        width: size_of::<T>() as c_int,
        dtype: T::DTYPE as c_int,
        descending: c_int::from(order == Order::Greater),
    };
    let (index_width, to, bounds) =
        (size_of::<I>() as c_int, counts.as_mut_ptr().cast(), pointer(&mut lower).cast());
    // SAFETY: the arrays have the lengths and the sizes of elements that they state, the outputs the length of a.
    device.launch(|stream| unsafe {
        gpumexk_sorted_equality_count(&arrays, index_width, to, bounds, stream)
    })?;
    counts.finish()?;
    finish(lower)
}
