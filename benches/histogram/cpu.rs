//! On the CPU, one core: bytes, the backend beside the plain loop, and samples into even bins. The number of threads is one for a process:
//! a child measures.

use std::ffi::c_void;
use std::process::Command;
use std::{env, mem};

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;
use gpumex::platform::settings::Backend;

use crate::common::*;
use crate::samples::english;

pub const CHILD: &str = "--cpu";

pub fn report() {
    let program = env::current_exe().expect("this program has a path");
    let status = Command::new(program).arg(CHILD).status();
    assert!(status.is_ok_and(|status| status.success()), "the bench of the CPU failed");
}

/// Bytes of one call. Memory gives them; a call takes a few milliseconds, of which many are undisturbed.
const CALL: usize = 4 << 20;
/// Bytes of the gauge, which stay in the cache.
const GAUGE: usize = 128 << 10;
/// An undisturbed gauge is so near to the fastest, of which one in so many does not count: a moment at a higher clock.
const NEAR: f64 = 0.94;
const LUCKY: usize = 100;
/// Rates of at least so many calls make a median.
const ENOUGH: usize = 5;

/// A virtual machine shares its cores: the other hardware thread of the core halves what this one can do, for milliseconds or for
/// minutes. So each call stands between two gauges, the plain loop over bytes in the cache: where both are about as fast as
/// the fastest, the call had the core to itself. Medians of these calls and of all, and how many these are.
pub fn measure() {
    // SAFETY: C strings; the first call of this process.
    check(unsafe { gpumex_configure(c"num_threads".as_ptr(), c"1".as_ptr()) });
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    let rate = |variant: HistogramVariant, data: &[u8]| {
        let options = HistogramOptions { variant: variant as i32, ..HistogramOptions::default() };
        let (bytes, len) = (data.as_ptr().cast(), data.len());
        let mut counts = [0u64; 256];
        let counts = counts.as_mut_ptr().cast();
        // SAFETY: len bytes, 256 counters.
        let call = || check(unsafe { gpumex_histogram(ctx, &options, bytes, len, counts, 256) });
        len as f64 / seconds(call) / 1e9
    };
    let gauge = random(GAUGE);
    let gauge = || rate(HistogramVariant::Sequential, &gauge);

    let len = 256 << 20;
    let two: Vec<u8> = (0..len).map(|i| if i % 2 == 0 { 3 } else { 200 }).collect();
    let sets =
        [("random", random(len)), ("text", english(len)), ("constant", vec![77; len]), ("two values", two)];
    let measured = sets.map(|(name, data)| {
        let calls = [HistogramVariant::Auto, HistogramVariant::Sequential].map(|variant| {
            let mut before = gauge();
            let calls = data.chunks(CALL).cycle().take(4 * len / CALL).map(|chunk| {
                let (call, after) = (rate(variant, chunk), gauge());
                (mem::replace(&mut before, after).min(after), call)
            });
            calls.collect::<Vec<_>>()
        });
        (name, calls)
    });
    report_bins(ctx);
    check(gpumex_context_destroy(ctx));

    let gauges = measured.iter().flat_map(|(_, calls)| calls.iter().flatten().map(|call| call.0));
    let mut gauges: Vec<f64> = gauges.collect();
    gauges.sort_unstable_by(|a, b| b.total_cmp(a));
    let undisturbed = NEAR * gauges[gauges.len() / LUCKY];
    println!("{:24} | {:^26} | {:^16}", "256 MiB, one core, GB/s", "core undisturbed", "all calls");
    println!(
        "{:24} | {:>7} | {:>7} | {:>6} | {:>7} | {:>6}",
        "", "gpumex", "loop", "calls", "gpumex", "loop"
    );
    for (name, calls) in &measured {
        let [all, alone] = [0.0, undisturbed].map(|least| {
            calls.each_ref().map(|calls| {
                let rates = calls.iter().filter(|call| call.0 >= least).map(|call| call.1);
                rates.collect::<Vec<_>>()
            })
        });
        let calls = alone[0].len();
        let [alone, all] = [alone, all].map(|of| {
            of.map(|rates| if rates.len() < ENOUGH { "-".into() } else { format!("{:.2}", middle(rates)) })
        });
        println!(
            "{name:24} | {:>7} | {:>7} | {calls:>6} | {:>7} | {:>6}",
            alone[0], alone[1], all[0], all[1]
        );
    }
}

/// 16 million numbers, uniform from 0 to 1, into even bins of that range.
fn report_bins(ctx: Handle) {
    let len = 16_000_000;
    println!(
        "{:24} | {:>10} | {:>10} | {:>10} | {:>10}",
        "16 million, one core", "f64", "f32", "f64 sorted", "SEQUENTIAL"
    );
    let mut doubles: Vec<f64> = random(4 * len).chunks_exact(4).map(fraction).collect();
    let floats: Vec<f32> = doubles.iter().map(|&x| x as f32).collect();
    let rate = |variant: HistogramVariant, dtype: Dtype, samples: *const c_void, bins: usize| {
        let options = HistogramOptions {
            variant: variant as i32,
            dtype: dtype as i32,
            lo: 0.0,
            hi: 1.0,
            ..HistogramOptions::default()
        };
        let mut counts = vec![0u64; bins];
        let counts = counts.as_mut_ptr().cast();
        // SAFETY: len samples, so many counters.
        let call = || check(unsafe { gpumex_histogram(ctx, &options, samples, len, counts, bins) });
        median(7, || len as f64 / seconds(call) / 1e6)
    };
    let sets = [100, 4096, 100_000];
    let uniform = sets.map(|bins| {
        let plain = rate(HistogramVariant::Sequential, Dtype::F64, doubles.as_ptr().cast(), bins);
        let of_doubles = rate(HistogramVariant::Auto, Dtype::F64, doubles.as_ptr().cast(), bins);
        (of_doubles, rate(HistogramVariant::Auto, Dtype::F32, floats.as_ptr().cast(), bins), plain)
    });
    doubles.sort_unstable_by(f64::total_cmp);
    for (bins, (of_doubles, of_floats, plain)) in sets.into_iter().zip(uniform) {
        let sorted = rate(HistogramVariant::Auto, Dtype::F64, doubles.as_ptr().cast(), bins);
        println!(
            "{:24} | {of_doubles:>10.0} | {of_floats:>10.0} | {sorted:>10.0} | {plain:>10.0}",
            format!("{bins} bins, Msamples/s")
        );
    }
}

/// A number of [0, 1) of four bytes.
fn fraction(bytes: &[u8]) -> f64 {
    f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])) / 4294967296.0
}
