//! A few words of each rank, on the devices of all of them.

use super::Device;
use super::peer::{Mailbox, Round};
use super::runtime::kernels::{AllgatherArgs, gpumexk_allgather, gpumexk_allreduce};
use crate::array::{View, ViewMut};
use crate::error::Result;

/// elements ← the first `element_bytes` bytes, at most 16, of the words of each rank that is one of `has`, in the order of ranks. own: memory of the
/// device, 1 word or, for elements of more than 8 bytes, 2.
pub fn allgather(
    device: &Device,
    round: &Round,
    own: View<u64>,
    has: &[bool],
    element_bytes: usize,
    mut elements: ViewMut<u8>,
) -> Result<()> {
    let count = has.iter().filter(|&&has| has).count();
    assert!(
        own.len() == element_bytes.div_ceil(8) && elements.len() >= count * element_bytes,
        "they hold them"
    );
    let bits = has.iter().enumerate().fold(0, |bits, (rank, &has)| bits | u32::from(has) << rank);
    let (args, to) = (args_of(device, round, &own)?, elements.as_mut_ptr().cast());
    // SAFETY: words of this device, mailboxes of all ranks, and an element of each of those.
    device.launch(|stream| unsafe { gpumexk_allgather(&args, bits, element_bytes as i32, to, stream) })
}

/// sums ← the sums of the words of all ranks, modulo 2^64, added to what is there if `is_added`. own: memory of the device, at most
/// [`Mailbox::WORDS`].
pub fn allreduce(
    device: &Device,
    round: &Round,
    own: View<u64>,
    sums: ViewMut<u64>,
    is_added: bool,
) -> Result<()> {
    assert!(own.len() == sums.len() && own.len() <= Mailbox::WORDS, "as many words");
    let args = args_of(device, round, &own)?;
    let mut sums = if is_added { device.update(sums)? } else { device.write(sums)? };
    let to = sums.as_mut_ptr();
    // SAFETY: words of this device, mailboxes of all ranks, and as many sums.
    device.launch(|stream| unsafe { gpumexk_allreduce(&args, is_added.into(), to, stream) })?;
    sums.finish()
}

fn args_of(device: &Device, round: &Round, own: &View<u64>) -> Result<AllgatherArgs> {
    Ok(AllgatherArgs {
        own: own.as_ptr(),
        words: own.len(),
        boxes: round.addresses(device)?,
        rank: round.rank as i32,
        ranks: round.mailboxes.len() as i32,
        round: round.number,
        stop: round.stop.as_ptr(),
        patience: round.patience,
    })
}
