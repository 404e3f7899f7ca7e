//! Where an array leaves its order, on the device.

use super::Device;
use super::kernels::gpumexk_check_sorted;
use super::memory::Buffer;
use crate::array::{Output, View};
use crate::error::Result;
use crate::primitives::{Key, Order};

/// The first i for which keys\[i\] comes before keys\[i − 1\], or when it is strict equals it; with both keys.
pub fn first_unsorted<K: Key>(
    device: &Device,
    keys: View<K>,
    order: Order,
    strict: bool,
) -> Result<Option<(usize, [K; 2])>> {
    let count = keys.len();
    let keys = device.read(&keys)?;
    let position = Buffer::<u64>::new(device, 1)?;
    let (from, to) = (keys.as_ptr(), position.as_ptr());
    let (dtype, descending) = (K::DTYPE as i32, (order == Order::Greater).into());
    // SAFETY: count keys of the dtype, room for one position.
    device.launch(|stream| unsafe {
        gpumexk_check_sorted(from.cast(), count, dtype, descending, strict.into(), to, stream)
    })?;
    let mut found = [0u64];
    device.download(&mut Output::new("the position", &mut found).view(&[1])?, to)?;
    device.synchronize()?;
    let Some(position) = usize::try_from(found[0]).ok().filter(|&position| position < count) else {
        return Ok(None);
    };
    let mut pair = [K::default(); 2];
    device.download(&mut Output::new("two keys", &mut pair).view(&[2])?, from.wrapping_add(position - 1))?;
    device.synchronize()?;
    Ok(Some((position, pair)))
}
