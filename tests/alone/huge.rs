//! Memory for tests of more than 2^32 elements, on the CPU backend and on CUDA: mostly zeros, with a few elements that are put in.
//!
//! Zeros of the CPU backend are pages that nobody has touched yet, which take no memory while they are only read: an input of 17 GB fits
//! into a small machine. GPUMEX_HUGE=1 has the tests run there, where they take minutes; run-checks of a bundle sets it. Each file
//! beyond_32_*.rs is a check of its own there.

use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt::Debug;
use std::ptr::null_mut;

use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use crate::common::*;

/// Elements of an array, and a place in it: beyond 2^32, and no power of two.
pub const N: usize = (1 << 32) + 1_000_003;
pub const FAR: usize = (1 << 32) + 77_777;

/// Elements of a row of which two are more than 2^32, and which has a place beyond 2^31 (`LONG_FAR`).
pub const LONG: usize = (1 << 31) + 1003;
pub const LONG_FAR: usize = (1 << 31) + 500;

pub const U8: i32 = Dtype::U8 as i32;
pub const U32: i32 = Dtype::U32 as i32;
pub const U64: i32 = Dtype::U64 as i32;
pub const F32: i32 = Dtype::F32 as i32;

/// A call that succeeds.
macro_rules! run {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: arrays as long as the arguments say.
        let status = unsafe { $function($($argument),*) };
        $crate::common::ok(status, stringify!($function));
    }};
}
pub(crate) use run;

/// Memory of the device; None, and a word about it, where it has not so much.
pub fn device_memory(ctx: &Context, bytes: usize) -> Option<*mut c_void> {
    let mut array = null_mut();
    // SAFETY: writes one pointer.
    let status = unsafe { gpumex_malloc(ctx.handle, MemoryKind::Device as i32, bytes, &mut array) };
    if status == Status::OutOfMemory as i32 {
        leave_out(&format!("memory: the device has not {} GiB more", bytes >> 30));
        return None;
    }
    ok(status, "gpumex_malloc");
    Some(array)
}

/// A context with arrays, which end with it.
pub struct Huge {
    ctx: Context,
    arrays: RefCell<Vec<(*mut c_void, usize)>>,
}

impl Drop for Huge {
    fn drop(&mut self) {
        for &(array, bytes) in &*self.arrays.borrow() {
            match self.is_cuda() {
                true => ok(gpumex_free(array), "gpumex_free"),
                // SAFETY: mapped by `zeros`, and used no more.
                false => assert_eq!(unsafe { libc::munmap(array, bytes) }, 0),
            }
        }
    }
}

impl Huge {
    pub fn handle(&self) -> Handle {
        self.ctx.handle
    }

    /// On the CPU backend, where arrays take memory as they are touched.
    pub fn on_cpu() -> Huge {
        Huge { ctx: Context::cpu(), arrays: RefCell::default() }
    }

    pub fn is_cuda(&self) -> bool {
        self.ctx.backend == Backend::Cuda
    }

    /// None, and a word about it, where a device had too little memory for what the call needs; other failures are the test's.
    #[track_caller]
    pub fn serves(&self, status: i32, what: &str) -> Option<()> {
        if self.is_cuda() && status == Status::OutOfMemory as i32 {
            leave_out(&format!("memory: the device has too little for {what}"));
            return None;
        }
        ok(status, what);
        Some(())
    }

    /// None where the memory is not there.
    pub fn zeros(&self, bytes: usize) -> Option<*mut c_void> {
        let array = if self.is_cuda() { self.device_zeros(bytes)? } else { mapped(bytes) };
        self.arrays.borrow_mut().push((array, bytes));
        Some(array)
    }

    fn device_zeros(&self, bytes: usize) -> Option<*mut c_void> {
        let array = device_memory(&self.ctx, bytes)?;
        self.fill(Dtype::U8 as i32, array, bytes, 0u8);
        Some(array)
    }

    pub fn fill<T: Copy>(&self, dtype: i32, array: *mut c_void, count: usize, value: T) {
        // SAFETY: as many elements; one of the dtype.
        let status = unsafe { gpumex_fill(self.handle(), dtype, array, count, (&raw const value).cast()) };
        ok(status, "gpumex_fill");
    }

    /// An array of these elements.
    pub fn of<T: Copy>(&self, elements: &[T]) -> Option<*mut c_void> {
        let array = self.zeros(size_of_val(elements))?;
        self.put(array, 0, elements);
        Some(array)
    }

    /// Writes elements from `index` on.
    pub fn put<T: Copy>(&self, array: *mut c_void, index: usize, elements: &[T]) {
        // SAFETY: elements of the array, which the caller has made as long.
        let status = unsafe {
            let to = array.byte_add(index * size_of::<T>());
            gpumex_copy(self.handle(), to, elements.as_ptr().cast(), size_of_val(elements))
        };
        ok(status, "gpumex_copy");
    }

    /// Reads `COUNT` elements from `index` on.
    pub fn get<T: Copy + Default, const COUNT: usize>(
        &self,
        array: *const c_void,
        index: usize,
    ) -> [T; COUNT] {
        let mut elements = [T::default(); COUNT];
        // SAFETY: elements of the array, into as many.
        let status = unsafe {
            let from = array.byte_add(index * size_of::<T>());
            gpumex_copy(self.handle(), elements.as_mut_ptr().cast(), from, size_of_val(&elements))
        };
        ok(status, "gpumex_copy");
        elements
    }

    /// The array holds these elements from `index` on.
    #[track_caller]
    pub fn holds<T: Copy + Default + PartialEq + Debug, const COUNT: usize>(
        &self,
        array: *const c_void,
        index: usize,
        want: [T; COUNT],
    ) {
        assert_eq!(self.get::<T, COUNT>(array, index), want, "from element {index} on");
    }

    /// `*first_bad` of gpumex_check_sorted.
    pub fn first_unsorted(&self, dtype: i32, keys: *const c_void, count: usize) -> u64 {
        let options = CheckSortedOptions { dtype, ..Default::default() };
        let mut first_bad = 0;
        run!(gpumex_check_sorted(self.handle(), &options, keys, count, &mut first_bad));
        first_bad
    }

    /// How often each byte occurs.
    pub fn histogram(&self, bytes: *const c_void, count: usize) -> [u64; 256] {
        let mut counts = [0; 256];
        let options = HistogramOptions { dtype: Dtype::U8 as i32, ..Default::default() };
        // SAFETY: so many bytes, 256 counters.
        let status = unsafe {
            gpumex_histogram(self.handle(), &options, bytes, count, counts.as_mut_ptr().cast(), counts.len())
        };
        ok(status, "gpumex_histogram");
        counts
    }
}

fn mapped(bytes: usize) -> *mut c_void {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: new memory.
    let array = unsafe { libc::mmap(null_mut(), bytes, access, kind, -1, 0) };
    assert_ne!(array, libc::MAP_FAILED, "mmap of {bytes} bytes: {}", std::io::Error::last_os_error());
    array
}

/// Bytes of memory that the machine can still give.
fn available() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse().map_or(0, |kib: usize| kib << 10)
}

/// On CUDA, and on the CPU backend where GPUMEX_HUGE=1 asks for it and `gib` GiB are there. None of `body`: memory is missing.
#[track_caller]
pub fn on_each(gib: usize, body: impl Fn(&Huge) -> Option<()>) {
    let _turn = crate::turn();
    on_cuda_alone(&body);
    on_cpu_alone(gib, &body);
}

/// What needs no context, or is the same with each, as `on_each` on the CPU backend.
#[track_caller]
pub fn on_cpu(gib: usize, body: impl Fn(&Huge) -> Option<()>) {
    let _turn = crate::turn();
    on_cpu_alone(gib, &body);
}

/// On CUDA, where the arrays are too large for most machines.
#[track_caller]
pub fn on_cuda(body: impl Fn(&Huge) -> Option<()>) {
    let _turn = crate::turn();
    on_cuda_alone(&body);
}

#[track_caller]
fn on_cuda_alone(body: &impl Fn(&Huge) -> Option<()>) {
    if let Some(ctx) = Context::cuda() {
        body(&Huge { ctx, arrays: RefCell::default() });
    }
}

#[track_caller]
fn on_cpu_alone(gib: usize, body: &impl Fn(&Huge) -> Option<()>) {
    if !is_set("GPUMEX_HUGE") {
        leave_out("more than 2^32 elements on the CPU backend: GPUMEX_HUGE=1 tests them");
    } else if available() < (gib + 2) << 30 {
        leave_out(&format!("memory: the machine has not {gib} GiB more"));
    } else {
        body(&Huge::on_cpu());
    }
}
