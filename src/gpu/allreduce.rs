//! A few elements of each rank, joined on the devices of all of them.

use super::Device;
use super::peer::{Mailbox, Round};
use super::runtime::kernels::{AllreduceArgs, gpumexk_allreduce, gpumexk_allreduce_load};
use crate::array::{DynView, DynViewMut};
use crate::error::Result;
use crate::model::dtype::Dtype;
use crate::model::operator::Operator;

/// Loads the kernel for elements of a dtype on the device. An agreement comes between this and [`allreduce`]: what is loaded later may wait for a
/// kernel that waits for this rank.
pub fn load(device: &Device, op: Operator, dtype: Dtype) -> Result<()> {
    // SAFETY: no memory is named.
    device.launch(|stream| unsafe { gpumexk_allreduce_load(dtype as i32, op as i32, stream) })
}

/// result (count) ← the elements of those ranks of which a bit of `has` is set, joined in the order of ranks, behind what is there if `is_added`.
/// own: memory of the device, 4 or 8 bytes an element, at most [`Mailbox::ELEMENTS`], or several pieces of one element.
pub fn allreduce(
    device: &Device,
    round: &Round,
    (op, own, has): (Operator, DynView, u32),
    result: DynViewMut,
    is_added: bool,
) -> Result<()> {
    let (count, dtype) = (result.len(), result.dtype());
    assert!(dtype == own.dtype() && count <= Mailbox::ELEMENTS, "elements of the mailboxes");
    assert!(own.len() == count || count == 1, "pieces of one element");
    let args = AllreduceArgs {
        own: own.bytes().as_ptr().cast(),
        pieces: own.len() / count,
        count,
        boxes: round.addresses(device)?,
        rank: round.rank as i32,
        ranks: round.mailboxes.len() as i32,
        round: round.number,
        has,
        stop: round.stop.as_ptr(),
        patience: round.patience,
    };
    let result = result.into_bytes();
    let mut result = if is_added { device.update(result)? } else { device.write(result)? };
    let (to, dtype, op, adds) = (result.as_mut_ptr().cast(), dtype as i32, op as i32, is_added.into());
    // SAFETY: elements of this device, mailboxes of all ranks, and as many results.
    device.launch(|stream| unsafe { gpumexk_allreduce(&args, dtype, op, adds, to, stream) })?;
    result.finish()
}
