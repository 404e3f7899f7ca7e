//! The allocator of a context.

use std::ffi::c_void;

use gpumex_core::memory::AllocatorStats as Core;
use gpumex_core::memory::custom::{Allocate, Release};
use gpumex_core::model::numbered::NumberedEnum;

use super::{Allocator, Context};
use crate::Result;

/// Statistics of the allocator of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllocatorStats {
    /// Which allocator it is.
    pub allocator: Allocator,
    /// Bytes in use, rounded up to whole blocks.
    pub allocated: u64,
    /// Bytes of idle blocks.
    pub cached: u64,
    /// Limit of allocated + cached, as far as evicting idle blocks can keep it.
    pub capacity: u64,
    /// Bytes of the largest block that is kept idle.
    pub largest: u64,
    /// Maximum of `allocated`.
    pub peak: u64,
    /// Blocks in use.
    pub allocated_blocks: u64,
    /// Idle blocks.
    pub cached_blocks: u64,
    /// Allocations served by an idle block.
    pub hits: u64,
    /// Allocations from the driver.
    pub misses: u64,
    /// Idle blocks returned to the driver.
    pub evictions: u64,
}

impl Context {
    /// Changes the allocator; BUSY while arrays of the context are there.
    ///
    /// ```
    /// use gpumex::{Allocator, Context};
    ///
    /// let ctx = Context::new()?;
    /// ctx.select_allocator(Allocator::Simple)?;
    /// assert_eq!(ctx.allocator_stats()?.allocator, Allocator::Simple);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn select_allocator(&self, allocator: Allocator) -> Result<()> {
        self.call("select_allocator", |ctx| ctx.select_allocator(allocator))
    }

    /// Memory comes from a pair of C functions, as with `gpumex_allocator_custom`.
    ///
    /// # Safety
    /// `allocate` gives memory of the context's device, aligned to 512 bytes, or answers a number other than 0; both functions and
    /// `user` may be used from any thread for as long as the context or an array of it is there.
    pub unsafe fn custom_allocator(
        &self,
        allocate: AllocateCallback,
        release: ReleaseCallback,
        user: *mut c_void,
    ) -> Result<()> {
        self.call("custom_allocator", |ctx| ctx.custom_allocator(allocate, release, user))
    }

    /// How many bytes the allocator holds, in use and idle, and the largest block that it keeps idle.
    pub fn set_allocator_capacity(&self, capacity: u64, largest: u64) -> Result<()> {
        self.call("set_allocator_capacity", |ctx| {
            ctx.set_allocator_capacity(capacity, largest);
            Ok(())
        })
    }

    /// Gives idle blocks back to the driver.
    pub fn trim_allocator(&self) -> Result<()> {
        self.call("trim_allocator", |ctx| {
            ctx.trim_allocator();
            Ok(())
        })
    }

    /// Statistics of the allocator.
    pub fn allocator_stats(&self) -> Result<AllocatorStats> {
        let stats = self.call("allocator_stats", |ctx| Ok(ctx.allocator_stats()))?;
        let Core { capacity, largest, allocated, cached, peak, .. } = stats;
        let Core { allocated_blocks, cached_blocks, hits, misses, evictions, .. } = stats;
        Ok(AllocatorStats {
            allocator: Allocator::from_c("allocator", stats.allocator)?,
            allocated,
            cached,
            capacity,
            largest,
            peak,
            allocated_blocks,
            cached_blocks,
            hits,
            misses,
            evictions,
        })
    }
}

/// Allocates: `*memory` receives `bytes` bytes, used in the order of `stream`; 0 is success.
pub type AllocateCallback = Allocate;
/// Takes back what an [`AllocateCallback`] gave.
pub type ReleaseCallback = Release;
