//! Convolution and median filter of 8192 x 8192 elements: ms, GB/s read and written, and for convolution multiply-adds.
//!
//!   cargo bench --bench filters          on CUDA, in device memory: medians of the kernels' times
//!   cargo bench --bench filters cpu      on the CPU backend, of 2048 x 2048
//!
//! Beside them the copy of as many bytes (gpumex_copy: the driver's own on CUDA) in the same process.

mod common;

use std::env;
use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use common::*;

struct Bench {
    ctx: Handle,
    side: usize,
    is_cpu: bool,
    from: *mut c_void,
    to: *mut c_void,
    weights: *mut c_void,
}

fn main() {
    let is_cpu = env::args().any(|argument| argument == "cpu");
    let backend = if is_cpu { Backend::Cpu } else { Backend::Cuda };
    let ctx = gpumex_context_create(backend as i32, -1);
    assert!(!ctx.is_null(), "{}", text(gpumex_last_error()));
    println!("{}", text(gpumex_context_device_text(ctx)));
    let side = if is_cpu { 2048 } else { 8192 };
    let kind = if is_cpu { MemoryKind::Pinned } else { MemoryKind::Device };
    let [from, to] = [(); 2].map(|()| malloc(ctx, kind, 8 * side * side));
    let bench = Bench { ctx, side, is_cpu, from, to, weights: malloc(ctx, kind, 8 * 64 * 64) };
    println!("{:44} | {:>10} | {:>10} | {:>10} | {:>10}", "", "ms", "GB/s", "copy, GB/s", "GFMA/s");
    for (dtype, sums) in [
        (Dtype::F32, Dtype::F32),
        (Dtype::F64, Dtype::F64),
        (Dtype::U8, Dtype::F32),
        (Dtype::I32, Dtype::I32),
    ] {
        bench.fill(dtype, sums);
        for n in [3, 5, 7, 9, 15, 31] {
            bench.row(&format!("convolve {n} x {n}, {dtype:?}"), dtype, n * n, &|| {
                bench.convolve(dtype, sums, n)
            });
        }
    }
    for dtype in [Dtype::U8, Dtype::U16, Dtype::F32, Dtype::F64] {
        bench.fill(dtype, Dtype::F64);
        for n in [3, 5, 7, 15, 31] {
            bench.row(&format!("median {n} x {n}, {dtype:?}"), dtype, 0, &|| bench.median(dtype, n));
        }
    }
    check(gpumex_context_destroy(ctx));
}

impl Bench {
    /// Random numbers; integers of any bits.
    fn fill(&self, dtype: Dtype, sums: Dtype) {
        let count = self.side * self.side;
        let (of, count, high) = match dtype {
            Dtype::F32 | Dtype::F64 => (dtype, count, 1.0),
            _ => (Dtype::U32, count * dtype.size() / 4, 4294967295.0),
        };
        // SAFETY: as many numbers.
        check(unsafe { gpumex_random(self.ctx, of as i32, self.from, count, 1, 0.0, high) });
        let high = if sums == Dtype::I32 { 100.0 } else { 1.0 };
        // SAFETY: as above.
        check(unsafe { gpumex_random(self.ctx, sums as i32, self.weights, 64 * 64, 2, -high, high) });
    }

    fn convolve(&self, dtype: Dtype, sums: Dtype, n: usize) {
        let options = ConvolveOptions {
            dtype: dtype as i32,
            accumulator_dtype: sums as i32,
            result_dtype: dtype as i32,
            ..ConvolveOptions::default()
        };
        let (side, from, to) = (self.side, self.from, self.to);
        // SAFETY: side * side elements each, n * n weights.
        check(unsafe { gpumex_convolve(self.ctx, &options, from, side, side, self.weights, n, n, to) });
    }

    fn median(&self, dtype: Dtype, n: usize) {
        let options = MedianFilterOptions { dtype: dtype as i32, ..MedianFilterOptions::default() };
        let (side, from, to) = (self.side, self.from, self.to);
        // SAFETY: side * side elements each.
        check(unsafe { gpumex_median_filter(self.ctx, &options, from, side, side, n, n, to) });
    }

    fn row(&self, name: &str, dtype: Dtype, weights: usize, call: &dyn Fn()) {
        let count = self.side * self.side;
        let (bytes, ms) = (count * dtype.size(), self.ms(call));
        let copied = self.ms(&|| copy(self.ctx, self.to, self.from, bytes));
        let rate = |ms: f64| 2.0 * bytes as f64 / ms / 1e6;
        let sums = (count * weights) as f64 / ms / 1e6;
        println!("{name:44} | {ms:10.3} | {:10.1} | {:10.1} | {sums:10.1}", rate(ms), rate(copied));
    }

    /// Of a call.
    fn ms(&self, call: &dyn Fn()) -> f64 {
        call();
        let repeats = if self.is_cpu { 1 } else { 10 };
        median(if self.is_cpu { 5 } else { 11 }, || {
            let mut ms = 0.0;
            check(gpumex_timer_start(self.ctx));
            (0..repeats).for_each(|_| call());
            // SAFETY: writes one number.
            check(unsafe { gpumex_timer_stop(self.ctx, &mut ms) });
            ms / f64::from(repeats)
        })
    }
}
