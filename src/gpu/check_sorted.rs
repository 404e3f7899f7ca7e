//! Where an array leaves its order, on the device.

use super::Device;
use super::runtime::kernels::gpumexk_check_sorted;
use super::runtime::memory::Buffer;
use crate::array::{DynView, Input, Output};
use crate::error::Result;
use crate::model::order::SortOrder;

/// The first i for which keys\[i\] comes before keys\[i − 1\], or when it is strict equals it; with both keys, copied to `pair`.
pub fn first_unsorted<'p>(
    device: &Device,
    keys: DynView,
    order: SortOrder,
    strict: bool,
    pair: &'p mut [u64; 2],
) -> Result<Option<(usize, DynView<'p>)>> {
    device.refuse_capture("the host reads what was found")?;
    let (count, dtype) = (keys.len(), keys.dtype());
    let keys = device.read(&keys.bytes())?;
    let position = Buffer::<u64>::new(device, 1)?;
    let (from, to) = (keys.as_ptr(), position.as_ptr());
    let (number, descending) = (dtype as i32, (order == SortOrder::Descending).into());
    // SAFETY: count keys of the dtype, room for one position.
    device.launch(|stream| unsafe {
        gpumexk_check_sorted(from.cast(), count, number, descending, strict.into(), to, stream)
    })?;
    let mut found = [0u64];
    device.download(&mut Output::new("the position", &mut found).view(&[1])?, to)?;
    device.synchronize()?;
    let Some(position) = usize::try_from(found[0]).ok().filter(|&position| position < count) else {
        return Ok(None);
    };
    let mut copy = Output::new("two keys", &mut pair[..]).view_of(dtype, &[2])?.into_bytes();
    device.download(&mut copy, from.wrapping_add((position - 1) * dtype.size()))?;
    device.synchronize()?;
    Ok(Some((position, Input::new("two keys", &pair[..]).view_of(dtype, &[2])?)))
}
