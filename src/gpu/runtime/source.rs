//! The driver as a source of memory: its plain allocations, and its stream-ordered pool.

use std::ffi::c_int;
use std::sync::Arc;

use cudarc::driver::{DriverError, result, sys};

use super::driver::failed;
use super::primary::Primary;
use super::stream::{self, Stream};
use crate::error::{Error, Result};
use crate::memory::Place;
use crate::memory::{MemoryKind, Source};

/// cuMemAlloc, cuMemHostAlloc and cuMemAllocManaged.
pub struct DriverSource {
    stream: Arc<Stream>,
}

impl DriverSource {
    pub fn new(stream: Arc<Stream>) -> DriverSource {
        DriverSource { stream }
    }
}

impl Source for DriverSource {
    fn allocate(&self, kind: MemoryKind, bytes: usize) -> Result<usize> {
        let _current = self.stream.primary().enter()?;
        // SAFETY: each writes one address; a context is current.
        let (what, allocated) = unsafe {
            match kind {
                MemoryKind::Device => {
                    ("cuMemAlloc", result::malloc_sync(bytes).map(|address| address as usize))
                }
                MemoryKind::Pinned => {
                    let flags = sys::CU_MEMHOSTALLOC_PORTABLE;
                    ("cuMemHostAlloc", result::malloc_host(bytes, flags).map(|address| address as usize))
                }
                MemoryKind::Managed => {
                    let everywhere = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL;
                    let address = result::malloc_managed(bytes, everywhere);
                    ("cuMemAllocManaged", address.map(|address| address as usize))
                }
            }
        };
        allocated.map_err(|error| out_of_memory(kind, bytes, what, error))
    }

    /// The stream has to be done with the memory first: the driver frees at once.
    fn release(&self, kind: MemoryKind, address: usize, bytes: usize) {
        let Some(_current) = self.stream.primary().enter_to_release() else { return }; // forked or reset: it is gone
        let _ = self.stream.synchronize();
        self.release_idle(kind, address, bytes);
    }

    fn release_idle(&self, kind: MemoryKind, address: usize, _: usize) {
        let Some(_current) = self.stream.primary().enter_to_release() else { return };
        // SAFETY: given by `allocate`, and used by nobody any more.
        let _ = unsafe {
            match kind {
                MemoryKind::Pinned => result::free_host(address as *mut _),
                _ => result::free_sync(address as sys::CUdeviceptr),
            }
        };
    }

    fn is_captured(&self) -> bool {
        self.stream.is_captured()
    }

    fn on_device(&self, call: &mut dyn FnMut()) -> Result<()> {
        let _current = self.stream.primary().enter()?;
        call();
        Ok(())
    }

    fn place(&self, kind: MemoryKind) -> Place {
        match kind {
            MemoryKind::Device => Place::Device(self.device()),
            MemoryKind::Pinned => Place::Pinned,
            MemoryKind::Managed => Place::Managed,
        }
    }

    fn device(&self) -> i32 {
        i32::try_from(self.stream.primary().ordinal()).unwrap_or(i32::MAX)
    }

    fn stream(&self) -> usize {
        self.stream.handle() as usize
    }

    fn follow(&self, other: &dyn Source) -> Result<()> {
        let primary = match usize::try_from(other.device()) {
            Ok(ordinal) if ordinal != self.stream.primary().ordinal() => Primary::open(ordinal)?,
            _ => self.stream.primary().clone(),
        };
        let mut event = None;
        other.on_device(&mut || event = Some(stream::end_of(&primary, other.stream() as sys::CUstream)))?;
        event.map_or(Ok(()), |event| self.stream.follow(&event?))
    }
}

/// Device memory from a pool of the context's own (cuMemAllocFromPoolAsync); the other kinds as [`DriverSource`].
pub struct PoolSource {
    plain: DriverSource,
    pool: sys::CUmemoryPool,
}

// SAFETY: a driver handle, usable from any thread.
unsafe impl Send for PoolSource {}
// SAFETY: as above.
unsafe impl Sync for PoolSource {}

impl PoolSource {
    /// A pool that keeps up to `capacity` bytes. The primary context is current.
    pub fn create(stream: Arc<Stream>, capacity: u64) -> Result<PoolSource> {
        // SAFETY: plain data; zero is the default of every field.
        let mut properties: sys::CUmemPoolProps = unsafe { std::mem::zeroed() };
        properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = c_int::try_from(stream.primary().ordinal()).unwrap_or(c_int::MAX);
        // SAFETY: the properties are complete.
        let pool = unsafe { result::mem_pool::create(&properties) }
            .map_err(|error| failed("cuMemPoolCreate", error))?;
        let source = PoolSource { plain: DriverSource::new(stream), pool };
        let mut keep = capacity;
        let threshold = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        // SAFETY: the threshold is a 64-bit integer, as the attribute wants.
        unsafe { result::mem_pool::set_attribute(pool, threshold, (&raw mut keep).cast()) }
            .map_err(|error| failed("cuMemPoolSetAttribute", error))?;
        Ok(source)
    }

    fn stream_handle(&self) -> sys::CUstream {
        self.plain.stream.handle()
    }

    /// Device memory in the order of a stream; the primary context is current.
    fn allocate_on(&self, stream: sys::CUstream, bytes: usize) -> Result<usize> {
        // SAFETY: pool and stream live.
        let allocated = unsafe { result::mem_pool::alloc_async(self.pool, bytes, stream) };
        let allocated = allocated.map(|address| address as usize);
        allocated.map_err(|error| out_of_memory(MemoryKind::Device, bytes, "cuMemAllocFromPoolAsync", error))
    }
}

impl Source for PoolSource {
    fn allocate(&self, kind: MemoryKind, bytes: usize) -> Result<usize> {
        if kind != MemoryKind::Device {
            return self.plain.allocate(kind, bytes);
        }
        let primary = self.plain.stream.primary();
        let _current = primary.enter()?;
        if self.is_captured() {
            // In a stream that is captured it would be memory of the graph's own, allocated at each launch.
            let beside = Stream::create_beside(primary)?;
            let address = self.allocate_on(beside.handle(), bytes)?;
            return beside.synchronize().map(|()| address);
        }
        self.allocate_on(self.stream_handle(), bytes)
    }

    fn release(&self, kind: MemoryKind, address: usize, bytes: usize) {
        if kind != MemoryKind::Device {
            return self.plain.release(kind, address, bytes);
        }
        let Some(_current) = self.plain.stream.primary().enter_to_release() else { return };
        // SAFETY: given by `allocate`; freed in stream order, behind its last use.
        let _ = unsafe { result::free_async(address as sys::CUdeviceptr, self.stream_handle()) };
    }

    fn release_idle(&self, kind: MemoryKind, address: usize, bytes: usize) {
        self.plain.release_idle(kind, address, bytes); // cuMemFree takes memory of a pool as well
    }

    fn is_captured(&self) -> bool {
        self.plain.is_captured()
    }

    fn trim(&self) {
        if self.is_captured() {
            return;
        }
        let Some(_current) = self.plain.stream.primary().enter_to_release() else { return };
        let _ = self.plain.stream.synchronize();
        // SAFETY: a pool of ours.
        let _ = unsafe { result::mem_pool::trim_to(self.pool, 0) };
    }

    fn on_device(&self, call: &mut dyn FnMut()) -> Result<()> {
        self.plain.on_device(call)
    }

    fn place(&self, kind: MemoryKind) -> Place {
        self.plain.place(kind)
    }

    fn device(&self) -> i32 {
        self.plain.device()
    }

    fn stream(&self) -> usize {
        self.plain.stream()
    }

    fn follow(&self, other: &dyn Source) -> Result<()> {
        self.plain.follow(other)
    }
}

impl Drop for PoolSource {
    fn drop(&mut self) {
        let Some(_current) = self.plain.stream.primary().enter_to_release() else { return };
        let _ = self.plain.stream.synchronize();
        // SAFETY: ours; nothing of it is in use any more.
        let _ = unsafe { result::mem_pool::destroy(self.pool) };
    }
}

fn out_of_memory(kind: MemoryKind, bytes: usize, what: &str, error: DriverError) -> Error {
    let name = match kind {
        MemoryKind::Device => "device memory",
        MemoryKind::Pinned => "pinned memory",
        MemoryKind::Managed => "managed memory",
    };
    match error.0 {
        sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::out_of_memory(name, bytes),
        _ => failed(what, error),
    }
}
