//! Uniform random numbers on the device. Sorted ones have sorted keys: the mapping from keys to numbers never
//! descends.

use std::ptr::{null, null_mut};

use super::Device;
use super::runtime::kernels::{
    SortArgs, gpumexk_random_f32, gpumexk_random_f64, gpumexk_random_int, gpumexk_random_keys,
};
use super::runtime::memory::Buffer;
use super::runtime::tuning::Kernel;
use super::sort;
use crate::array::DynViewMut;
use crate::error::Result;
use crate::model::dtype::Dtype;

/// array ← uniform numbers, integers in \[lo, hi\], floats in \[lo, hi).
pub fn random(device: &Device, array: DynViewMut, seed: u64, lo: f64, hi: f64) -> Result<()> {
    map(device, array, seed, null(), lo, hi)
}

/// array ← the numbers of `random`, ascending.
pub fn random_sorted(device: &Device, array: DynViewMut, seed: u64, lo: f64, hi: f64) -> Result<()> {
    let (count, tuning) = (array.len(), device.tuning(Kernel::Random));
    let (keys, sorted) = (Buffer::<u64>::new(device, count)?, Buffer::<u64>::new(device, count)?);
    // SAFETY: the buffers hold count keys each.
    device.launch(|stream| unsafe { gpumexk_random_keys(keys.as_ptr(), count, seed, &tuning, stream) })?;
    let args = SortArgs {
        keys: keys.as_ptr().cast(),
        sorted: sorted.as_ptr().cast(),
        values: null(),
        sorted_values: null_mut(),
        count,
        dtype: Dtype::U64 as i32,
        descending: 0,
        value_bytes: 0,
        unless: null(),
    };
    // SAFETY: as above.
    unsafe { sort::launch(device, args)? };
    map(device, array, seed, sorted.as_ptr(), lo, hi)
}

/// array ← the numbers of the keys, which are those of seed and index where `keys` is null.
fn map(device: &Device, array: DynViewMut, seed: u64, keys: *const u64, lo: f64, hi: f64) -> Result<()> {
    let (count, dtype, tuning) = (array.len(), array.dtype(), device.tuning(Kernel::Random));
    let mut array = device.write(array.into_bytes())?;
    let to = array.as_mut_ptr();
    // SAFETY: the array holds count elements of the dtype, and so many keys are there unless they are null.
    device.launch(|stream| unsafe {
        match dtype {
            Dtype::F32 => {
                let (lo, hi) = (lo as f32, hi as f32);
                gpumexk_random_f32(to.cast(), count, seed, keys, lo, hi, &tuning, stream)
            }
            Dtype::F64 => gpumexk_random_f64(to.cast(), count, seed, keys, lo, hi, &tuning, stream),
            _ => {
                let (low, range) = (lo as i128 as u64, (hi as i128 - lo as i128) as u64);
                gpumexk_random_int(to.cast(), count, dtype.size(), seed, keys, low, range, &tuning, stream)
            }
        }
    })?;
    array.finish()
}
