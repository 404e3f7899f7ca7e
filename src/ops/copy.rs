//! Copy from any place to any place.
#![forbid(unsafe_code)]

use super::cost;
use crate::array::{Footprint, Input, Output, View};
use crate::context::{Context, Engine};
use crate::cpu;
use crate::error::Result;
use crate::gpu;
use crate::model::variant::Variant;

/// to ← from, `bytes` bytes, each in host, pinned, managed or device memory, apart from one another.
///
/// Errors: INVALID_ARGUMENT (size, overlap, another device), UNSUPPORTED (device memory on the CPU backend), CUDA.
pub fn copy(ctx: &mut Context, to: Output, from: Input, bytes: usize) -> Result<()> {
    let from = from.view::<u8>(&[bytes])?;
    copy_view(ctx, to, from)
}

/// The same of bytes whose place is known.
pub fn copy_view(ctx: &mut Context, to: Output, from: View<u8>) -> Result<()> {
    ctx.begin();
    let mut to = to.view::<u8>(&[from.len()])?;
    to.apart(&from)?;
    if to.is_empty() {
        return Ok(());
    }
    let arrays = Footprint::of(&[&to, &from]);
    ctx.run_auto(cost::COPY.of(Variant::Auto, arrays), |engine| match engine {
        Engine::Cpu(workers) => cpu::copy::copy(workers, to.on_host()?, from.on_host()?),
        Engine::Cuda(device) => gpu::copy::copy(device, to, from),
    })
}
