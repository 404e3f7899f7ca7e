//! What the thread of a caller is like does not matter: how it rounds, whether it flushes subnormals or traps, and how small its stack is.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::thread;

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use crate::common::*;
use crate::context::graphs::table::{ROWS_OF_TABLE, Row};

/// What a row gives in memory of the host.
fn results(ctx: &Context, row: &Row) -> (i32, Vec<Vec<u8>>) {
    let (inputs, mut outputs) = ((row.inputs)(1), (row.outputs)());
    let from: Vec<*const c_void> = inputs.iter().map(|array| array.as_ptr().cast()).collect();
    let to: Vec<*mut c_void> = outputs.iter_mut().map(|array| array.as_mut_ptr().cast()).collect();
    let status = (row.call)(ctx.handle, &from, &to);
    (status, outputs)
}

/// Runs `body` on a thread with a stack as small as the header lets it be.
fn on_small_stack(backend: Backend, body: impl FnOnce() + Send) {
    let kib = if backend == Backend::Cpu { 64 } else { 256 };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(kib << 10).spawn_scoped(scope, body);
        thread.expect("a thread starts").join().expect("the calls return");
    });
}

#[test]
fn every_operation_runs_on_a_small_stack() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        for row in ROWS_OF_TABLE {
            on_small_stack(backend, || {
                let ctx = Context::open(backend).expect("it was there before");
                ok(results(&ctx, row).0, row.name);
            });
        }
    }
}

#[test]
fn loops_over_long_arrays_run_on_a_small_stack() {
    const COUNT: usize = 300_000; // which a pool shares
    const ROW: usize = 100;
    let (x, mut z, mut more) = (vec![0.5f64; COUNT], vec![0f64; 2 * COUNT], vec![0f64; 2 * COUNT]);
    let keys: Vec<u64> = (0..COUNT as u64).map(|i| i / 7).collect();
    let columns: Vec<u32> = (0..COUNT as u32).map(|i| i % 1000).collect();
    let offsets: Vec<u32> = (0..=COUNT / ROW).map(|row| (row * ROW) as u32).collect();
    on_small_stack(Backend::Cpu, || {
        let ctx = Context::open(Backend::Cpu).expect("it was there before");
        let (dtype, whole, index) = (Dtype::F64 as i32, Dtype::U64 as i32, Dtype::U32 as i32);
        let (from, to, to_more): (*const c_void, *mut c_void, *mut c_void) =
            (x.as_ptr().cast(), z.as_mut_ptr().cast(), more.as_mut_ptr().cast());
        let (keys, columns, offsets): (*const c_void, *const c_void, *const c_void) =
            (keys.as_ptr().cast(), columns.as_ptr().cast(), offsets.as_ptr().cast());
        let (rows, mut needed) = (COUNT / ROW, 0);
        let shape = COUNT;
        let (reduce, dot) =
            (ReduceOptions { dtype, ..Default::default() }, DotOptions { dtype, ..Default::default() });
        let axpy = AxpyOptions { dtype, ..Default::default() };
        let gather = GatherOptions { dtype, index_dtype: index, ..Default::default() };
        let scatter = ScatterOptions { dtype, index_dtype: index, ..Default::default() };
        let by_key = ReduceByKeyOptions { dtype, key_dtype: whole, ..Default::default() };
        let merge = MergeOptions { dtype: whole, ..Default::default() };
        let map = MapOptions { dtype, dtypes: &dtype, shape: &shape, ..Default::default() };
        let segments = SegmentedReduceOptions { dtype, index_dtype: index, ..Default::default() };
        let spmv = SpmvOptions { dtype, index_dtype: index, ..Default::default() };
        // SAFETY: arrays of these lengths and dtypes; there is room for twice COUNT elements in z and more.
        unsafe {
            ok(gpumex_reduce(ctx.handle, &reduce, from, COUNT, to), "reduce");
            ok(gpumex_dot(ctx.handle, &dot, from, from, COUNT, to), "dot");
            ok(gpumex_axpy(ctx.handle, &axpy, from, to, COUNT), "axpy");
            ok(gpumex_gather(ctx.handle, &gather, from, COUNT, columns, COUNT, to), "gather");
            ok(gpumex_scatter(ctx.handle, &scatter, from, columns, COUNT, to, COUNT), "scatter");
            ok(gpumex_random_normal(ctx.handle, dtype, to, COUNT, 1, 0.0, 1.0), "random_normal");
            ok(gpumex_map(ctx.handle, &map, c"sqrt(a) + exp(a)".as_ptr(), &from, 1, to), "map");
            ok(
                gpumex_reduce_by_key(
                    ctx.handle,
                    &by_key,
                    keys,
                    from,
                    COUNT,
                    to_more,
                    to,
                    null_mut(),
                    COUNT,
                    &mut needed,
                ),
                "reduce_by_key",
            );
            ok(
                gpumex_merge(ctx.handle, &merge, keys, null(), COUNT, keys, null(), COUNT, to, null_mut()),
                "merge",
            );
            ok(
                gpumex_segmented_reduce(ctx.handle, &segments, from, COUNT, offsets, rows, null(), to),
                "segmented_reduce",
            );
            ok(
                gpumex_spmv(ctx.handle, &spmv, from, columns, COUNT, offsets, rows, from, 1000, null(), to),
                "spmv",
            );
        }
        assert_eq!(needed, (COUNT as u64).div_ceil(7));
    });
}

#[test]
fn histograms_of_every_length_run_on_a_small_stack() {
    for backend in backends().iter().map(|ctx| ctx.backend) {
        for (count, channels) in [(1, 1), (100, 1), (9000, 3), (70_000, 1), (400_000, 4), (1 << 20, 1)] {
            let bytes: Vec<u8> = random_board(count as u64, count);
            let mut counts = vec![0u64; 256 * channels];
            let count = count / channels * channels;
            on_small_stack(backend, || {
                let ctx = Context::open(backend).expect("it was there before");
                let options = HistogramOptions { channels: channels as i32, ..HistogramOptions::default() };
                let (from, to) = (bytes.as_ptr().cast(), counts.as_mut_ptr().cast());
                // SAFETY: count bytes, 256 counters a channel.
                ok(
                    unsafe { gpumex_histogram(ctx.handle, &options, from, count, to, 256) },
                    "gpumex_histogram",
                );
            });
            assert_eq!(counts.iter().sum::<u64>(), count as u64);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod mxcsr {
    use std::ptr::{null, null_mut};

    use gpumex::error::Status;
    use gpumex::model::dtype::Dtype;
    use gpumex::ops::matmul::MatmulVariant;

    use super::*;

    const DEFAULT: u32 = 0x1f80;
    const FLUSH_TO_ZERO: u32 = 0x8000;
    const DENORMALS_ARE_ZERO: u32 = 0x0040;
    const UPWARD: u32 = 0x4000;
    const TOWARD_ZERO: u32 = 0x6000;
    const EXCEPTIONS_MASKED: u32 = 0x1f80;
    const INEXACT: u32 = 0x0020; // has happened

    /// What a host program may have set.
    const MODES: [u32; 4] = [
        DEFAULT | UPWARD | INEXACT,
        DEFAULT | TOWARD_ZERO,
        DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO,
        DEFAULT & !EXCEPTIONS_MASKED,
    ];

    fn set(mode: u32) {
        // SAFETY: a valid MXCSR for this thread.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &mode, options(nostack)) };
    }

    /// What `call` returns in a mode, and the mode behind it.
    fn in_mode<T>(mode: u32, call: impl FnOnce() -> T) -> (T, u32) {
        let mut after = 0;
        set(mode);
        let value = call();
        // SAFETY: writes one number.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut after, options(nostack)) };
        set(DEFAULT);
        (value, after)
    }

    #[test]
    fn results_are_the_same_in_every_mode_and_the_mode_stays() {
        for ctx in backends() {
            // Sums of floats in the order of a device's atomics are not the same bits twice.
            let repeats = |row: &&Row| {
                ctx.backend == Backend::Cpu || !row.name.contains("dot") && !row.name.contains("weights")
            };
            for row in ROWS_OF_TABLE.iter().filter(repeats) {
                let (inputs, mut outputs) = ((row.inputs)(1), (row.outputs)());
                let from: Vec<*const c_void> = inputs.iter().map(|array| array.as_ptr().cast()).collect();
                let (status, want) = results(&ctx, row);
                ok(status, row.name);
                for mode in MODES {
                    outputs = (row.outputs)();
                    let to: Vec<*mut c_void> =
                        outputs.iter_mut().map(|array| array.as_mut_ptr().cast()).collect();
                    let (status, after) = in_mode(mode, || (row.call)(ctx.handle, &from, &to));
                    ok(status, format!("{}, MXCSR {mode:#x}", row.name));
                    assert_eq!(after, mode, "{}", row.name);
                    assert!(outputs == want, "{}: other bits with MXCSR {mode:#x}", row.name);
                }
                drop(outputs);
            }
        }
    }

    /// Samples in bins of one width: the same in every mode. Returns the counters.
    #[track_caller]
    fn counts_in_every_mode<T: Number>(
        ctx: &Context,
        samples: &[T],
        [lo, hi]: [f64; 2],
        bins: usize,
    ) -> Vec<u64> {
        let options = HistogramOptions { dtype: T::DTYPE as i32, lo, hi, ..HistogramOptions::default() };
        let count = || {
            let mut counts = vec![0u64; bins];
            let (from, to) = (samples.as_ptr().cast(), counts.as_mut_ptr().cast());
            // SAFETY: the samples, bins counters.
            let status = unsafe { gpumex_histogram(ctx.handle, &options, from, samples.len(), to, bins) };
            (status, counts)
        };
        let want = count();
        ok(want.0, "gpumex_histogram");
        for mode in MODES {
            assert!(
                in_mode(mode, count).0 == want,
                "{:?}, {bins} bins from {lo:e} to {hi:e} with MXCSR {mode:#x}",
                ctx.backend
            );
        }
        want.1
    }

    #[test]
    fn even_bins_are_where_they_are_in_every_mode() {
        for ctx in backends() {
            for bins in [3, 7, 49, 100] {
                for hi in [2.0, 7.0, 31.0] {
                    let samples: Vec<f32> = (0..bins).map(|i| i as f32 * hi as f32 / bins as f32).collect();
                    counts_in_every_mode(&ctx, &samples, [0.0, hi], bins);
                }
            }
        }
    }

    #[test]
    fn bins_between_subnormal_ends_count_in_every_mode() {
        for ctx in backends() {
            let (small, smaller) = ([0.0, 1e-40f32, 2.5e-40, 3.5e-40], [0.0, 1e-310, 2.5e-310, 3.5e-310]);
            assert_eq!(counts_in_every_mode(&ctx, &small, [1e-41, 4e-40], 3), [1, 1, 1]);
            assert_eq!(counts_in_every_mode(&ctx, &smaller, [1e-311, 4e-310], 3), [1, 1, 1]);
            assert_eq!(counts_in_every_mode(&ctx, &small, [-4e-310, 4e-310], 2), [0, 1]);
        }
    }

    #[test]
    fn the_least_step_counts_in_every_mode() {
        let least = f64::from_bits(1);
        for ctx in backends() {
            let ascending = |dtype: Dtype, array: &mut [u64], first| {
                let to = array.as_mut_ptr().cast();
                // SAFETY: as many elements, of 8 bytes at most.
                unsafe { gpumex_fill_ascending(ctx.handle, dtype as i32, to, array.len(), first, least) }
            };
            for mode in [DEFAULT].into_iter().chain(MODES) {
                let mut bits = [7; 5];
                let (status, _) = in_mode(mode, || ascending(Dtype::F64, &mut bits, 0.0));
                ok(status, format!("MXCSR {mode:#x}"));
                assert_eq!(bits, [0, 1, 2, 3, 4], "{:?}, multiples of 2^-1074, MXCSR {mode:#x}", ctx.backend);
                let (status, _) = in_mode(mode, || ascending(Dtype::I32, &mut bits, 5.0));
                let words = ["step is 0.0000", "GPUMEX_DTYPE_I32"];
                refused(status, Status::InvalidArgument, &words, format!("MXCSR {mode:#x}"));
            }
        }
    }

    #[test]
    fn alpha_and_beta_are_rounded_alike_in_every_mode() {
        let (alpha, beta) = (0.1, 1.0 / 3.0);
        for ctx in backends() {
            let variants = ctx.distinct_variants::<MatmulVariant>();
            for variant in variants.into_iter().filter(|&variant| variant != MatmulVariant::Cublas) {
                for [m, n, k] in [[1, 1, 1], [5, 7, 9], [64, 64, 64]] {
                    let (a, b, before) = (random_f32(1, m * k), random_f32(2, k * n), random_f32(3, m * n));
                    let options = MatmulOptions {
                        variant: variant as i32,
                        alpha: &alpha,
                        beta: &beta,
                        ..MatmulOptions::default()
                    };
                    let product = || {
                        let mut c = before.clone();
                        let [from_a, from_b] = [&a, &b].map(|matrix| matrix.as_ptr().cast());
                        let to = c.as_mut_ptr().cast();
                        // SAFETY: m k, k n and m n floats.
                        let status =
                            unsafe { gpumex_matmul(ctx.handle, &options, m, n, k, from_a, from_b, to) };
                        (status, c.into_iter().map(f32::to_bits).collect::<Vec<_>>())
                    };
                    let want = product();
                    ok(want.0, "gpumex_matmul");
                    for mode in MODES {
                        let what = format!("{:?}, {variant:?}, {m} {n} {k}, MXCSR {mode:#x}", ctx.backend);
                        assert!(in_mode(mode, product).0 == want, "{what}: other bits");
                    }
                }
            }
        }
    }

    #[test]
    fn subnormal_numbers_count_in_every_mode() {
        for ctx in backends() {
            for mode in MODES {
                let (draw, after) = in_mode(mode, || {
                    let mut x = [0.0f32; 8];
                    // SAFETY: eight floats.
                    let status = unsafe {
                        gpumex_random(
                            ctx.handle,
                            Dtype::F32 as i32,
                            x.as_mut_ptr().cast(),
                            8,
                            1,
                            1e-40,
                            2e-40,
                        )
                    };
                    (status, x.iter().all(|x| x.to_bits() != 0))
                });
                assert_eq!((draw.0, draw.1, after), (0, true, mode), "{}", last_error());
                let (printed, _) = in_mode(mode, || {
                    let (x, mut text) = ([1e-40f32], [0u8; 32]);
                    // SAFETY: one float, a text of 32 bytes.
                    let status = unsafe {
                        let (array, to) = (x.as_ptr().cast(), text.as_mut_ptr().cast());
                        gpumex_print(
                            ctx.handle,
                            Dtype::F32 as i32,
                            array,
                            1,
                            c"%.3g".as_ptr(),
                            1,
                            to,
                            32,
                            null_mut(),
                        )
                    };
                    (status, String::from_utf8_lossy(&text).contains("1e-40"))
                });
                assert_eq!(printed, (0, true), "{}", last_error());
            }
        }
    }

    #[test]
    fn a_refused_call_leaves_the_mode() {
        for mode in MODES {
            // SAFETY: NULL is refused.
            let (status, after) = in_mode(mode, || unsafe {
                gpumex_sort(null_mut(), null(), null(), null(), 1, null_mut(), null_mut())
            });
            assert!(status != 0 && after == mode);
        }
    }
}
