//! The memory that a context lends, and its allocator.

use std::ffi::c_void;
use std::sync::Arc;

use super::{Context, Engine};
use crate::array::Owned;
use crate::error::{Error, Result};
use crate::memory::custom::{Allocate, CustomSource, Release};
use crate::memory::host::HostSource;
use crate::memory::{Allocator, AllocatorStats, MemoryKind, Source};

impl Context {
    /// Memory that lives until it is freed; 0 bytes are NULL.
    pub fn malloc(&mut self, kind: MemoryKind, bytes: usize) -> Result<usize> {
        if let Engine::Cuda(device) = &self.engine {
            device.check_usable()?;
        }
        if bytes == 0 {
            return Ok(0);
        }
        let lent = self.heap.allocate(kind, bytes);
        lent.or_else(|error| self.run(|_| Err(error))) // which keeps a fault as the answer to later calls
    }

    /// Memory where the arrays of the context lie, for the length of a call.
    pub(crate) fn work(&mut self, bytes: usize) -> Result<Owned> {
        let address = self.malloc(MemoryKind::Device, bytes)?;
        // SAFETY: lent by the allocator just now, to nobody else.
        Ok(unsafe { Owned::new(address, bytes) })
    }

    /// Changes the allocator, when nothing of it is held.
    pub fn select_allocator(&mut self, allocator: Allocator) -> Result<()> {
        let source = match allocator {
            Allocator::Caching | Allocator::Simple => self.plain_source(),
            Allocator::Pool => self.pool_source()?,
            Allocator::Custom => {
                return Err(Error::invalid("CUSTOM needs two functions; gpumex_allocator_custom sets them"));
            }
        };
        self.heap.select(allocator, source)
    }

    /// Changes the allocator to a pair of the caller's functions.
    pub fn custom_allocator(
        &mut self,
        allocate: Allocate,
        release: Release,
        user: *mut c_void,
    ) -> Result<()> {
        self.is_stream_known = true; // to these functions
        let source = CustomSource::new(allocate, release, user, self.plain_source());
        self.heap.select(Allocator::Custom, Arc::new(source))
    }

    /// Where memory comes from when nothing stands between.
    fn plain_source(&self) -> Arc<dyn Source> {
        match &self.engine {
            Engine::Cpu(_) => Arc::new(HostSource),
            Engine::Cuda(device) => device.driver_source(),
        }
    }

    fn pool_source(&mut self) -> Result<Arc<dyn Source>> {
        let capacity = self.heap.stats().capacity;
        self.run(|engine| match engine {
            Engine::Cpu(_) => {
                Err(Error::unsupported("POOL is the CUDA driver's; this context runs on the CPU backend"))
            }
            Engine::Cuda(device) => device.pool_source(capacity),
        })
    }

    /// How many bytes are held, allocated and cached, and the largest block that is cached.
    pub fn set_allocator_capacity(&mut self, capacity: u64, largest: u64) {
        self.heap.set_capacity(capacity, largest);
    }

    pub fn trim_allocator(&mut self) {
        self.heap.trim();
        if let Some(beside) = &self.beside {
            beside.heap.trim();
        }
    }

    pub fn allocator_stats(&self) -> AllocatorStats {
        self.heap.stats()
    }
}
