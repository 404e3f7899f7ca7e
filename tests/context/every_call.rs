//! Every call that takes a context.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut, without_provenance_mut};
use std::sync::LazyLock;

use gpumex::context::KernelTuning;
use gpumex::error::Status;
use gpumex::ffi::*;
use gpumex::memory::AllocatorStats;
use gpumex::model::device_info::DeviceInfo;
use gpumex::model::dtype::Dtype;

use crate::common::{supplier::Supplier, *};

const F32: i32 = Dtype::F32 as i32;

pub fn handle_of(number: usize) -> Handle {
    without_provenance_mut(number)
}

/// Reads the timer, which is started when it was not.
fn with_timer(ctx: Handle, mut read: impl FnMut() -> i32) -> i32 {
    let status = read();
    if status != Status::InvalidArgument as i32 || !last_error().contains("not started") {
        return status;
    }
    while gpumex_timer_start(ctx) == Status::Busy as i32 {} // another thread is inside
    read()
}

/// A call that the CPU backend refuses, which is as good there as a success.
fn on_cuda(ctx: Handle, call: impl FnOnce(Handle) -> i32) -> i32 {
    let status = call(ctx);
    let is_on_cpu = status == Status::Unsupported as i32 && last_error().contains("runs on the CPU backend");
    if is_on_cpu { 0 } else { status }
}

pub type Call = (&'static str, fn(Handle) -> i32);

/// Every call that takes a context, by name, as a status.
pub const CALLS: &[Call] = &[
    ("gpumex_context_backend", |ctx| backend_of(ctx).err().unwrap_or(0)),
    ("gpumex_context_synchronize", |ctx| gpumex_context_synchronize(ctx)),
    ("gpumex_context_stream", |ctx| {
        on_cuda(ctx, |ctx| {
            let mut stream = null_mut();
            // SAFETY: a pointer to write to.
            unsafe { gpumex_context_stream(ctx, &mut stream) }
        })
    }),
    ("gpumex_context_set_threads", |ctx| gpumex_context_set_threads(ctx, 0)),
    ("gpumex_event_create", |ctx| {
        let mut event = null_mut();
        // SAFETY: a pointer to write to.
        match unsafe { gpumex_event_create(ctx, &mut event) } {
            0 => gpumex_event_destroy(event),
            status => status,
        }
    }),
    ("gpumex_context_device_info", |ctx| {
        // SAFETY: numbers only; any bytes are a value.
        let mut info = DeviceInfo { size: size_of::<DeviceInfo>(), ..unsafe { std::mem::zeroed() } };
        // SAFETY: a struct with its size.
        unsafe { gpumex_context_device_info(ctx, &mut info) }
    }),
    ("gpumex_context_device_text", |ctx| {
        let is_null = gpumex_context_device_text(ctx).is_null();
        // A text has no status: the sentence tells what went wrong.
        let failures =
            [("in use", Status::Busy), ("is NULL", Status::NullPointer), ("", Status::InvalidArgument)];
        let status =
            failures.into_iter().find(|(word, _)| last_error().contains(word)).map(|(_, status)| status);
        if is_null { status.map_or(-1, |status| status as i32) } else { 0 }
    }),
    ("gpumex_context_set_timing", |ctx| gpumex_context_set_timing(ctx, 1)),
    ("gpumex_context_kernel_ms", |ctx| {
        let mut ms = 0.0;
        let _ = gpumex_context_set_timing(ctx, 1); // what is wrong is said below
        // SAFETY: a double.
        unsafe { gpumex_context_kernel_ms(ctx, &mut ms) }
    }),
    // SAFETY: nobody is told.
    ("gpumex_context_set_progress", |ctx| unsafe { gpumex_context_set_progress(ctx, None, null_mut()) }),
    ("gpumex_add", |ctx| {
        let (x, mut y) = ([1.0f32], [2.0f32]);
        let options = AddOptions { dtype: F32, ..AddOptions::default() };
        // SAFETY: one element each.
        unsafe { gpumex_add(ctx, &options, x.as_ptr().cast(), y.as_mut_ptr().cast(), 1) }
    }),
    ("gpumex_dot", |ctx| {
        let (x, mut result) = ([1.0f32], [0.0f32]);
        let (from, options) = (x.as_ptr().cast(), DotOptions { dtype: F32, ..DotOptions::default() });
        // SAFETY: one element each.
        unsafe { gpumex_dot(ctx, &options, from, from, 1, result.as_mut_ptr().cast()) }
    }),
    ("gpumex_fill", |ctx| {
        let (value, mut array) = ([1.0f32], [0.0f32; 4]);
        // SAFETY: four floats, and one.
        unsafe { gpumex_fill(ctx, F32, array.as_mut_ptr().cast(), 4, value.as_ptr().cast()) }
    }),
    ("gpumex_fill_ascending", |ctx| {
        let mut array = [0.0f32; 4];
        // SAFETY: four floats.
        unsafe { gpumex_fill_ascending(ctx, F32, array.as_mut_ptr().cast(), 4, 1.0, 2.0) }
    }),
    ("gpumex_random", |ctx| {
        let mut array = [0.0f32; 4];
        // SAFETY: four floats.
        unsafe { gpumex_random(ctx, F32, array.as_mut_ptr().cast(), 4, 1, 0.0, 1.0) }
    }),
    ("gpumex_random_sorted", |ctx| {
        let mut array = [0.0f32; 4];
        // SAFETY: four floats.
        unsafe { gpumex_random_sorted(ctx, F32, array.as_mut_ptr().cast(), 4, 1, 0.0, 1.0) }
    }),
    ("gpumex_histogram", count),
    ("gpumex_check_edges", |ctx| {
        let (edges, mut first_bad) = ([0.0, 1.0], 0);
        // SAFETY: two doubles, a uint64_t.
        unsafe { gpumex_check_edges(ctx, edges.as_ptr(), 2, &mut first_bad) }
    }),
    ("gpumex_life", |ctx| work(ctx, 0)),
    ("gpumex_matmul", |ctx| {
        let (a, b, mut c) = ([1.0f32], [2.0f32], [0.0f32]);
        let (a, b, to) = (a.as_ptr().cast(), b.as_ptr().cast(), c.as_mut_ptr().cast());
        // SAFETY: one element each.
        unsafe { gpumex_matmul(ctx, null(), 1, 1, 1, a, b, to) }
    }),
    ("gpumex_print", |ctx| {
        let array = [1u8];
        // SAFETY: one byte, a format, no buffer for text.
        unsafe {
            gpumex_print(
                ctx,
                Dtype::U8 as i32,
                array.as_ptr().cast(),
                1,
                c"%u".as_ptr(),
                1,
                null_mut(),
                0,
                null_mut(),
            )
        }
    }),
    ("gpumex_print_to", |ctx| {
        unsafe extern "C" fn go_on(_: *mut c_void, _: *const c_char, _: usize) -> i32 {
            0
        }
        let (array, format) = ([1u8], c"%u".as_ptr());
        // SAFETY: one byte, a format, a callback that takes everything.
        unsafe {
            gpumex_print_to(
                ctx,
                Dtype::U8 as i32,
                array.as_ptr().cast(),
                1,
                format,
                1,
                Some(go_on),
                null_mut(),
            )
        }
    }),
    ("gpumex_raytrace", |ctx| {
        let mut image = [0u8; 4];
        // SAFETY: no spheres, one pixel.
        unsafe { gpumex_raytrace(ctx, null(), null(), 0, 1, 1, image.as_mut_ptr()) }
    }),
    ("gpumex_words", |ctx| {
        let (text, mut list) = (b"to be", [0u64; 3]);
        let [at, len, count] = list.each_mut().map(|number| (&raw mut *number).cast());
        // SAFETY: five bytes, an element each, no summary.
        unsafe { gpumex_words(ctx, null(), text.as_ptr().cast(), 5, 1, at, len, count, null_mut()) }
    }),
    ("gpumex_malloc", |ctx| {
        let mut at = null_mut();
        // SAFETY: a pointer to write to.
        match unsafe { gpumex_malloc(ctx, 0, 100, &mut at) } {
            0 => gpumex_free(at),
            status => status,
        }
    }),
    ("gpumex_copy", |ctx| {
        let (from, mut to) = ([1u8; 100], [0u8; 100]);
        // SAFETY: 100 bytes each.
        unsafe { gpumex_copy(ctx, to.as_mut_ptr().cast(), from.as_ptr().cast(), 100) }
    }),
    // SAFETY: no bytes.
    ("gpumex_prefetch", |ctx| unsafe { gpumex_prefetch(ctx, null_mut(), 0, 0) }),
    ("gpumex_allocator_select", |ctx| gpumex_allocator_select(ctx, 0)),
    ("gpumex_allocator_custom", |ctx| {
        static SUPPLIER: LazyLock<Supplier> = LazyLock::new(Supplier::default);
        let status = SUPPLIER.select(ctx);
        while status == 0 && gpumex_allocator_select(ctx, 0) == Status::Busy as i32 {} // another thread is inside
        status
    }),
    ("gpumex_allocator_set_capacity", |ctx| gpumex_allocator_set_capacity(ctx, 1 << 30, 1 << 30)),
    ("gpumex_allocator_trim", |ctx| gpumex_allocator_trim(ctx)),
    ("gpumex_allocator_get_stats", |ctx| {
        let mut stats = AllocatorStats { size: size_of::<AllocatorStats>(), ..AllocatorStats::default() };
        // SAFETY: a struct with its size.
        unsafe { gpumex_allocator_get_stats(ctx, &mut stats) }
    }),
    ("gpumex_timer_start", |ctx| gpumex_timer_start(ctx)),
    ("gpumex_timer_stop", |ctx| {
        let mut ms = 0.0;
        // SAFETY: a double.
        with_timer(ctx, || unsafe { gpumex_timer_stop(ctx, &mut ms) })
    }),
    ("gpumex_timer_throughput", |ctx| {
        let mut per_second = 0.0;
        // SAFETY: a double.
        with_timer(ctx, || unsafe { gpumex_timer_throughput(ctx, 1, 1, &mut per_second) })
    }),
    ("gpumex_tuning_get", |ctx| {
        on_cuda(ctx, |ctx| {
            let mut tuning = KernelTuning { size: size_of::<KernelTuning>(), ..KernelTuning::default() };
            // SAFETY: a C string, a struct with its size.
            unsafe { gpumex_tuning_get(ctx, c"add".as_ptr(), &mut tuning) }
        })
    }),
    ("gpumex_tuning_set", |ctx| {
        on_cuda(ctx, |ctx| {
            // SAFETY: a C string.
            unsafe { gpumex_tuning_set(ctx, c"add".as_ptr(), null()) }
        })
    }),
    ("gpumex_context_destroy", |ctx| gpumex_context_destroy(ctx)),
];
