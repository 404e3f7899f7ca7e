//! Memory that the library lends: where it comes from, how it is recycled, and who holds it.
//!
//! | file | what it holds |
//! |---|---|
//! | [`heap`] | the allocator of one context: takes blocks from a source, and recycles them |
//! | `cache` | idle blocks by size class, and which of them goes first |
//! | `registry` | every block of the process by address, what a pointer is, and whose; behind one lock |
//! | [`host`], [`custom`] | sources: this machine's memory, a caller's pair of functions; the driver's are in `gpu` |

mod cache;
pub mod custom;
pub mod heap;
pub mod host;
mod limit;
mod registry;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::model::numbered::numbered_enum;

pub use heap::{Allocator, AllocatorStats, Heap};
pub use registry::Found;

/// Kind of memory of gpumex_malloc. On the CPU backend all three are host memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryKind {
    /// Device memory; the host must not access it.
    #[default]
    Device = 0,
    /// Page-locked host memory: copies to and from the device run at full speed.
    Pinned = 1,
    /// Memory whose pages migrate to the host or device that accesses them.
    Managed = 2,
}

numbered_enum!(MemoryKind = "gpumex_memory_kind": Device, Pinned, Managed);

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Ordinary memory of the host.
    Host,
    /// Page-locked memory of the host, which a device reads and writes at full speed.
    Pinned,
    /// Memory that host and devices may touch alike.
    Managed,
    /// Memory of the device of this ordinal.
    Device(i32),
}

/// Blocks are aligned to this many bytes, which is what texture objects ask for.
pub const ALIGNMENT: usize = 512;

/// Where a heap takes its blocks from. Its memory is used in the order of one stream.
pub trait Source: Send + Sync {
    /// `bytes` (not 0) of memory, aligned to [`ALIGNMENT`]; OUT_OF_MEMORY where there is no more.
    fn allocate(&self, kind: MemoryKind, bytes: usize) -> Result<usize>;

    /// Takes back what `allocate` gave, after all that the stream has done with it.
    fn release(&self, kind: MemoryKind, address: usize, bytes: usize);

    /// As `release`, of what nothing works on any more; the stream may be gone.
    fn release_idle(&self, kind: MemoryKind, address: usize, bytes: usize) {
        self.release(kind, address, bytes);
    }

    /// Whether the stream is being captured into a CUDA graph: then nothing can be released in its order.
    fn is_captured(&self) -> bool {
        false
    }

    /// Calls with the device current that the memory is of.
    fn on_device(&self, call: &mut dyn FnMut()) -> Result<()> {
        call();
        Ok(())
    }

    /// Gives what the source itself keeps back to the device.
    fn trim(&self) {}

    /// Where memory of this kind lies.
    fn place(&self, kind: MemoryKind) -> Place;

    /// The ordinal of the device; -1 on the CPU.
    fn device(&self) -> i32;

    /// The stream, as a number that tells the streams of a device apart; 0 on the CPU.
    fn stream(&self) -> usize;

    /// What this source's stream does next comes behind all that the other's has done so far.
    fn follow(&self, other: &dyn Source) -> Result<()>;
}

/// Whether two sources work in the order of one stream. All devices call their default stream 0.
fn is_one_stream(a: &dyn Source, b: &dyn Source) -> bool {
    (a.device(), a.stream()) == (b.device(), b.stream())
}

/// What lies at an address, when it is memory of the library.
pub fn find(address: usize) -> Option<Found> {
    registry::open().find(address)
}

/// Gives memory that C holds back to the heap that it came from, which may have outlived its context.
pub fn free(address: usize) -> Result<()> {
    let users = registry::open().users(address);
    if users.iter().any(|user| user.is_captured()) {
        return Err(Error::unsupported(format!(
            "the memory at {address:#x} was used on the stream of another context, which is being captured into a CUDA graph: free it \
             after the capture"
        )));
    }
    let mut registry = registry::open();
    let block = registry.remove(address)?;
    if block.users.is_empty() {
        block.heap.put_back(registry, block.kind, address, block.size);
        return Ok(());
    }
    let source = block.heap.source(&mut registry);
    drop(registry);
    let ordered = block.users.iter().map(|user| source.follow(&**user)).fold(Ok(()), Result::and);
    block.heap.give_back(block.kind, address, block.size);
    ordered
}

/// Orders the stream of `source` behind all others that use the memory at an address, when C holds it.
pub fn use_on(source: &Arc<dyn Source>, address: usize) -> Result<()> {
    let others = registry::open().use_on(address, source);
    others.iter().try_for_each(|other| source.follow(&**other))
}
