//! Fill, random numbers, sums, inner product, gather and scatter of vectors on one CUDA device, in device memory: GB/s
//! of the memory that they touch. Indices are a permutation by a bit reversal: every element is of another sector.
//!
//!   cargo bench --bench vectors           prints achieved | peer | limit, medians of the kernels' times
//!
//! Peers are the driver's own fill and copy in the same process. 2^28 floats, four times the L2 cache of an H200 a
//! GB. Then the same with every number of values that the kernels serve, which is what the table of tunings is
//! made from.

mod common;

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use cudarc::driver::sys;
use gpumex::context::KernelTuning;
use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::ops::dot::DotVariant;

use common::*;

const COUNT: usize = 1 << 28;
const BYTES: f64 = (COUNT * 4) as f64;
const WRITE: f64 = 4300.0; // GB/s that an H200 reaches where it writes, and where it reads alone
const READ: f64 = 4470.0;

/// Two vectors, two arrays of u32 indices (ascending, and a permutation), and a result.
type Arrays = [*mut c_void; 5];

/// A kernel's name, a call of it, how often it moves an array, and the limit in GB/s; NaN: it is that of random accesses.
type Case = (&'static CStr, &'static str, fn(Handle, Arrays) -> i32, f64, f64);

const CASES: [Case; 12] = [
    (
        c"fill",
        "fill",
        |ctx, [x, ..]| unsafe {
            let value = 1.5f32;
            gpumex_fill(ctx, Dtype::F32 as i32, x, COUNT, (&raw const value).cast())
        },
        1.0,
        WRITE,
    ),
    (
        c"fill_ascending",
        "fill_ascending",
        |ctx, [x, ..]| unsafe { gpumex_fill_ascending(ctx, Dtype::F32 as i32, x, COUNT, 0.0, 0.5) },
        1.0,
        WRITE,
    ),
    (
        c"random",
        "random",
        |ctx, [x, ..]| unsafe { gpumex_random(ctx, Dtype::F32 as i32, x, COUNT, 7, -1.0, 1.0) },
        1.0,
        WRITE,
    ),
    (c"add", "add", add, 3.0, WRITE),
    (c"axpy", "axpy", axpy, 3.0, WRITE),
    (c"scale", "scale", scale, 2.0, WRITE),
    (c"gather", "gather, ascending", |ctx, [x, y, up, ..]| gather(ctx, x, up, y), 3.0, WRITE),
    (c"gather", "gather, permutation", |ctx, [x, y, _, any, _]| gather(ctx, x, any, y), 3.0, f64::NAN),
    (c"scatter", "scatter, ascending", |ctx, [x, y, up, ..]| scatter(ctx, x, up, y), 3.0, WRITE),
    (c"scatter", "scatter, permutation", |ctx, [x, y, _, any, _]| scatter(ctx, x, any, y), 3.0, f64::NAN),
    (c"dot", "dot, atomic", |ctx, arrays| dot(ctx, arrays, DotVariant::Atomic), 2.0, READ),
    (c"dot", "dot, two passes", |ctx, arrays| dot(ctx, arrays, DotVariant::TwoPass), 2.0, READ),
];

fn add(ctx: Handle, [x, y, ..]: Arrays) -> i32 {
    let options = AddOptions { dtype: Dtype::F32 as i32, ..AddOptions::default() };
    // SAFETY: COUNT floats each.
    unsafe { gpumex_add(ctx, &options, x, y, COUNT) }
}

fn axpy(ctx: Handle, [x, y, ..]: Arrays) -> i32 {
    let alpha = -0.5f32;
    let alpha = (&raw const alpha).cast();
    let options = AxpyOptions { dtype: Dtype::F32 as i32, alpha, ..AxpyOptions::default() };
    // SAFETY: COUNT floats each.
    unsafe { gpumex_axpy(ctx, &options, x, y, COUNT) }
}

fn scale(ctx: Handle, [x, ..]: Arrays) -> i32 {
    let alpha = -1.0f32;
    let options = ScaleOptions { dtype: Dtype::F32 as i32, ..ScaleOptions::default() };
    // SAFETY: COUNT floats, one float.
    unsafe { gpumex_scale(ctx, &options, (&raw const alpha).cast(), x, COUNT) }
}

const INDICES: i32 = Dtype::U32 as i32;

fn gather(ctx: Handle, source: *mut c_void, indices: *mut c_void, result: *mut c_void) -> i32 {
    let options =
        GatherOptions { dtype: Dtype::F32 as i32, index_dtype: INDICES, ..GatherOptions::default() };
    // SAFETY: COUNT elements and indices below COUNT.
    unsafe { gpumex_gather(ctx, &options, source, COUNT, indices, COUNT, result) }
}

fn scatter(ctx: Handle, source: *mut c_void, indices: *mut c_void, target: *mut c_void) -> i32 {
    let options =
        ScatterOptions { dtype: Dtype::F32 as i32, index_dtype: INDICES, ..ScatterOptions::default() };
    // SAFETY: as above.
    unsafe { gpumex_scatter(ctx, &options, source, indices, COUNT, target, COUNT) }
}

fn dot(ctx: Handle, [x, y, .., result]: Arrays, variant: DotVariant) -> i32 {
    let options = DotOptions { variant: variant as i32, dtype: Dtype::F32 as i32, ..DotOptions::default() };
    // SAFETY: COUNT floats each, one result.
    unsafe { gpumex_dot(ctx, &options, x, y, COUNT, result) }
}

fn main() {
    open_primary();
    let ctx = context();
    println!("{}", text(gpumex_context_device_text(ctx)));
    let arrays =
        [4 * COUNT, 4 * COUNT, 4 * COUNT, 4 * COUNT, 4].map(|bytes| malloc(ctx, MemoryKind::Device, bytes));
    for array in &arrays[..2] {
        // SAFETY: COUNT floats.
        check(unsafe { gpumex_random(ctx, Dtype::F32 as i32, *array, COUNT, 3, -1.0, 1.0) });
    }
    let reversed: Vec<u32> = (0..COUNT as u32).map(|i| i.reverse_bits() >> (32 - COUNT.ilog2())).collect();
    // SAFETY: COUNT indices each.
    unsafe {
        check(gpumex_fill_ascending(ctx, INDICES, arrays[2], COUNT, 0.0, 1.0));
        check(gpumex_copy(ctx, arrays[3], reversed.as_ptr().cast(), 4 * COUNT));
    }
    println!("{:44} | {:>10} | {:>10} | {:>10}", "2^28 floats, GB/s", "gpumex", "driver", "limit");
    for (_, name, call, times, limit) in CASES {
        let peer = match name {
            "fill" => {
                driver(|stream| unsafe { sys::cuMemsetD32Async(arrays[0] as u64, 7, COUNT, stream) }, 1.0)
            }
            "add" => driver(
                |stream| unsafe {
                    sys::cuMemcpyDtoDAsync_v2(arrays[0] as u64, arrays[1] as u64, 4 * COUNT, stream)
                },
                2.0,
            ),
            _ => f64::NAN,
        };
        row(name, gbs(ctx, arrays, call, times), peer, &format!("{limit}"));
    }
    sorted(ctx, arrays[0]);

    println!("\n{:44} | {:>10} | {:>10} | {:>10}", "values a thread, GB/s", "1", "2", "4");
    for (kernel, name, call, times, _) in CASES {
        for threads in [128, 256, 512, 1024] {
            let rates = [1, 2, 4].map(|values| {
                let tuning = KernelTuning {
                    size: size_of::<KernelTuning>(),
                    threads,
                    values,
                    ..KernelTuning::default()
                };
                // SAFETY: a C string, a struct with its size.
                match unsafe { gpumex_tuning_set(ctx, kernel.as_ptr(), &tuning) } {
                    0 => format!("{:.0}", gbs(ctx, arrays, call, times)),
                    _ => "-".to_string(),
                }
            });
            println!(
                "{:44} | {:>10} | {:>10} | {:>10}",
                format!("{name}, {threads} threads"),
                rates[0],
                rates[1],
                rates[2]
            );
        }
        // SAFETY: a C string.
        check(unsafe { gpumex_tuning_set(ctx, kernel.as_ptr(), null()) });
    }
    for array in arrays {
        check(gpumex_free(array));
    }
    check(gpumex_context_destroy(ctx));
}

/// The rate of one call by the time of its kernels.
fn gbs(ctx: Handle, arrays: Arrays, call: fn(Handle, Arrays) -> i32, times: f64) -> f64 {
    check(call(ctx, arrays));
    let ms = median(11, || kernel_ms(ctx, || check(call(ctx, arrays))));
    times * BYTES / ms / 1e6
}

/// The rate of a call of the driver on the legacy stream, between two waits; long enough for them not to count.
fn driver(call: impl Fn(sys::CUstream) -> sys::CUresult, times: f64) -> f64 {
    let turn = || {
        // SAFETY: a context is current.
        ok(unsafe { sys::cuCtxSynchronize() });
        seconds(|| {
            ok(call(null_mut()));
            // SAFETY: as above.
            ok(unsafe { sys::cuCtxSynchronize() });
        })
    };
    times * BYTES / median(11, turn) / 1e9
}

fn sorted(ctx: Handle, array: *mut c_void) {
    let count = COUNT / 4;
    let turn = || {
        // SAFETY: enough floats.
        let call = || unsafe { gpumex_random_sorted(ctx, Dtype::F32 as i32, array, count, 5, 0.0, 1.0) };
        count as f64 / kernel_ms(ctx, || check(call())) / 1e6
    };
    turn();
    row("random_sorted, 2^26 floats, Gelements/s", median(11, turn), f64::NAN, "");
}
