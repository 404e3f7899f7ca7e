//! Bytes into their 256 values: on the device, and in ordinary memory of the host.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::ops::histogram::HistogramVariant;

use crate::common::*;
use crate::peers::Peers;
use crate::samples::*;

const BYTES: usize = 2 << 30;
type Cub = unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> f32;

pub fn report(ctx: Handle, peers: Option<Peers>) {
    let samples = Samples::new(ctx, BYTES);
    let counts = malloc(ctx, MemoryKind::Device, 4 * 256 * 8);
    // SAFETY: the type of peer_histogram_u8.
    let cub: Option<Cub> = peers.map(|peers| unsafe { peers.function("peer_histogram_u8") });
    println!("\n{:32} | {:>9} | {:>9} | {:>9}", "2 GiB of bytes, GB/s", "gpumex", "CUB", "times");
    for spread in [Spread::Random, Spread::Text, Spread::Constant, Spread::Two, Spread::Sorted] {
        samples.fill_bytes(spread);
        let mut times = [vec![], vec![]];
        for _ in 0..12 {
            times[0].push(count_ms(&samples, Dtype::U8, 1, 256, 0.0, counts));
            // SAFETY: as many bytes, room for 256 counters of 32 bits.
            times[1].push(cub.map_or(f64::NAN, |cub| f64::from(unsafe { cub(samples.at, BYTES, counts) })));
        }
        let [ours, theirs] = times.map(|times| BYTES as f64 / middle(times) / 1e6);
        println!("{:32} | {ours:9.0} | {theirs:9.0} | {:9.2}", format!("{spread:?}"), ours / theirs);
    }
    samples.fill_bytes(Spread::Random);
    for channels in 2..=4 {
        let turn = || count_ms(&samples, Dtype::U8, channels, 256, 0.0, counts);
        println!(
            "{:32} | {:9.0} |",
            format!("Random, {channels} channels"),
            BYTES as f64 / median(11, turn) / 1e6
        );
    }
    check(gpumex_free(samples.at));
    check(gpumex_free(counts));
    on_host(ctx);
}

/// 1 GiB of ordinary memory, whole calls, and the same by hand: copied to the device, then counted by the textbook's kernel.
fn on_host(ctx: Handle) {
    let data = random(1 << 30);
    let (len, mut counts) = (data.len(), [0u64; 256]);
    let at = malloc(ctx, MemoryKind::Device, len);
    let textbook =
        HistogramOptions { variant: HistogramVariant::Shared as i32, ..HistogramOptions::default() };
    let mut times = [vec![], vec![]];
    for _ in 0..11 {
        times[0].push(seconds(|| {
            // SAFETY: len bytes, 256 counters.
            check(unsafe {
                gpumex_histogram(
                    ctx,
                    std::ptr::null(),
                    data.as_ptr().cast(),
                    len,
                    counts.as_mut_ptr().cast(),
                    256,
                )
            });
        }));
        times[1].push(seconds(|| {
            // SAFETY: two blocks of len bytes; the driver copies on the legacy stream.
            ok(unsafe { cudarc::driver::sys::cuMemcpyHtoD_v2(at as u64, data.as_ptr().cast(), len) });
            // SAFETY: as above.
            check(unsafe { gpumex_histogram(ctx, &textbook, at, len, counts.as_mut_ptr().cast(), 256) });
        }));
    }
    let [ours, by_hand] = times.map(|times| len as f64 / middle(times) / 1e9);
    println!("\n{:32} | {:>9} | {:>9} | {:>9}", "1 GiB of the host, GB/s", "gpumex", "by hand", "times");
    println!("{:32} | {ours:9.1} | {by_hand:9.1} | {:9.2}", "whole calls", ours / by_hand);
    check(gpumex_free(at));
}
