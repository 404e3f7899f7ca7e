//! Whether indices are in range, for operations that check on request.
#![forbid(unsafe_code)]

use crate::array::DynView;
use crate::context::Engine;
use crate::cpu;
use crate::error::{Error, Result};
use crate::gpu;
use crate::model::index::Index;

/// Refuses indices of which one is not below `limit`, an argument's value: INVALID_ARGUMENT names the first position and the index.
///
/// Cost: reads the indices once, and waits for the answer.
pub fn in_range(engine: &Engine, indices: DynView, limit_name: &str, limit: usize) -> Result<()> {
    if indices.is_empty() {
        return Ok(());
    }
    let found = match engine {
        Engine::Cpu(workers) => dispatch_size!(indices.dtype(), first_on_cpu(workers, indices, limit))?,
        Engine::Cuda(device) => gpu::check_indices::first_out_of_range(device, indices, limit)?,
    };
    found.map_or(Ok(()), |(position, index)| {
        Err(Error::invalid(format!(
            "indices at position {position} is {index}; indices are below {limit_name}, {limit}"
        )))
    })
}

fn first_on_cpu<I: Index>(
    workers: &cpu::Workers,
    indices: DynView,
    limit: usize,
) -> Result<Option<(usize, u64)>> {
    let indices = indices.on_host::<I>()?;
    let found = cpu::check_indices::first_out_of_range(workers, indices, limit)?;
    Ok(found.map(|position| (position, indices[position].to_usize() as u64)))
}
