//! Arrays of a test at any place, as the operations get them.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard};

use gpumex::ffi::*;
use gpumex::memory::{AllocatorStats, MemoryKind};
use gpumex::model::device_info::DeviceInfo;

use crate::common::*;

pub const LENT_KINDS: [MemoryKind; 3] = [MemoryKind::Device, MemoryKind::Pinned, MemoryKind::Managed];

/// Where an array lies: on the heap of the test program, or in memory of gpumex_malloc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Host,
    Of(MemoryKind),
}

pub const PLACES: [Place; 4] = [
    Place::Host,
    Place::Of(MemoryKind::Device),
    Place::Of(MemoryKind::Pinned),
    Place::Of(MemoryKind::Managed),
];

/// Memory of gpumex_malloc that is freed with the test.
pub struct Memory {
    pub at: *mut c_void,
}

impl Memory {
    /// Memory of a context, or the status.
    pub fn try_new(ctx: Handle, kind: MemoryKind, bytes: usize) -> Result<Memory, i32> {
        let mut at = null_mut();
        // SAFETY: a pointer to write to.
        match unsafe { gpumex_malloc(ctx, kind as i32, bytes, &mut at) } {
            0 => Ok(Memory { at }),
            status => Err(status),
        }
    }

    #[track_caller]
    pub fn new(ctx: Handle, kind: MemoryKind, bytes: usize) -> Memory {
        Memory::try_new(ctx, kind, bytes)
            .unwrap_or_else(|status| panic!("gpumex_malloc, {kind:?}, {bytes} bytes: {}", explain(status)))
    }

    /// Frees it now.
    #[track_caller]
    pub fn free(self) {
        let at = self.at;
        std::mem::forget(self);
        ok(gpumex_free(at), "gpumex_free");
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let status = gpumex_free(self.at);
        assert!(status == 0 || std::thread::panicking(), "gpumex_free: {}", explain(status));
    }
}

/// Bytes at a place, between two guards of poison.
pub struct Array {
    ctx: Handle,
    len: usize,
    storage: Storage,
}

enum Storage {
    Host(Vec<u64>),
    Lent(Memory),
}

const GUARD: usize = 512; // keeps the alignment of a block

impl Array {
    #[track_caller]
    pub fn holding(ctx: &Context, place: Place, bytes: &[u8]) -> Array {
        let mut all = vec![u8::POISON; GUARD + bytes.len() + GUARD];
        all[GUARD..][..bytes.len()].copy_from_slice(bytes);
        let storage = match place {
            Place::Host => Storage::Host(vec![0; all.len().div_ceil(8)]),
            Place::Of(kind) => Storage::Lent(Memory::new(ctx.handle, kind, all.len())),
        };
        let mut array = Array { ctx: ctx.handle, len: bytes.len(), storage };
        copy(ctx.handle, array.start(), all.as_ptr().cast(), all.len());
        array
    }

    /// An output.
    #[track_caller]
    pub fn poison(ctx: &Context, place: Place, len: usize) -> Array {
        Array::holding(ctx, place, &vec![u8::POISON; len])
    }

    fn start(&mut self) -> *mut c_void {
        match &mut self.storage {
            Storage::Host(words) => words.as_mut_ptr().cast(),
            Storage::Lent(memory) => memory.at,
        }
    }

    pub fn at(&mut self) -> *mut c_void {
        self.start().wrapping_byte_add(GUARD)
    }

    /// What it holds; the guards have to be intact.
    #[track_caller]
    pub fn bytes(&mut self) -> Vec<u8> {
        let mut all = vec![0u8; GUARD + self.len + GUARD];
        copy(self.ctx, all.as_mut_ptr().cast(), self.start(), all.len());
        let behind = all.split_off(GUARD + self.len);
        let held = all.split_off(GUARD);
        assert!(all.iter().chain(&behind).all(|&byte| byte == u8::POISON), "written beside the array");
        held
    }
}

/// gpumex_copy, which has to succeed.
#[track_caller]
pub fn copy(ctx: Handle, to: *mut c_void, from: *const c_void, bytes: usize) {
    // SAFETY: both hold that many bytes.
    ok(unsafe { gpumex_copy(ctx, to, from, bytes) }, format!("gpumex_copy of {bytes} bytes"));
}

/// Running out of memory empties the caches of all contexts: tests that ask what is cached, or run out of memory, take turns.
pub fn caches_are_mine() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(|poison| poison.into_inner())
}

pub fn stats_of(ctx: Handle) -> AllocatorStats {
    let mut stats = AllocatorStats { size: size_of::<AllocatorStats>(), ..AllocatorStats::default() };
    // SAFETY: a struct with its size.
    ok(unsafe { gpumex_allocator_get_stats(ctx, &mut stats) }, "gpumex_allocator_get_stats");
    stats
}

pub fn bytes_of<T: Number>(values: &[T]) -> Vec<u8> {
    let width = size_of::<T>();
    values.iter().flat_map(|value| value.bits().to_le_bytes().into_iter().take(width)).collect()
}

/// The memory of a context's device.
pub fn device_memory(ctx: &Context) -> usize {
    let DeviceInfo { total_memory, .. } = info_of(ctx.handle);
    usize::try_from(total_memory).expect("a size")
}
