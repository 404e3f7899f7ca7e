//! Prefetch of managed memory.
#![forbid(unsafe_code)]

use crate::array::Output;
use crate::context::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu;
use crate::memory::Place;
use crate::model::numbered::numbered_enum;

/// Where the pages of managed memory are needed next.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrefetchTarget {
    /// On the device of the context.
    #[default]
    Device = 0,
    /// On the host.
    Host = 1,
}

numbered_enum!(PrefetchTarget = "gpumex_prefetch_target": Device, Host);

/// Moves the pages of `bytes` bytes of managed memory, in the order of the context's work.
pub fn prefetch(ctx: &mut Context, array: Output, bytes: usize, target: PrefetchTarget) -> Result<()> {
    ctx.begin();
    let array = array.view::<u8>(&[bytes])?;
    ctx.run(|engine| match (engine, array.place()) {
        (_, _) if array.is_empty() => Ok(()),
        (Engine::Cpu(_), Place::Host | Place::Managed) => Ok(()), // its own managed memory is the host's
        (Engine::Cuda(device), Place::Managed) => {
            gpu::prefetch::prefetch(device, array, target == PrefetchTarget::Device)
        }
        (_, place) => Err(Error::invalid(format!("{} is {place:?} memory, not managed", array.name()))),
    })
}
