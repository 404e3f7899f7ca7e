//! 2^28 numbers of 4 bytes into more bins than a byte has values.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;
use crate::peers::Peers;
use crate::samples::*;

const COUNT: usize = 1 << 28;
const BINS: [usize; 9] = [256, 1024, 2048, 4096, 8192, 32768, 65536, 1 << 20, 1 << 24];
/// CUB of CUDA 13.0 reads beyond its memory with 2^24.
const PEER_BINS: usize = 1 << 20;
const SPREADS: [Spread; 5] = [Spread::Random, Spread::Constant, Spread::Two, Spread::Sorted, Spread::Skewed];
type OfIntegers = unsafe extern "C" fn(*const c_void, usize, *mut c_void, i32, u32, u32) -> f32;
type OfFloats = unsafe extern "C" fn(*const c_void, usize, *mut c_void, i32, f32, f32) -> f32;

pub fn report(ctx: Handle, peers: Option<Peers>) {
    let samples = Samples::new(ctx, COUNT * 4);
    let counts = malloc(ctx, MemoryKind::Device, BINS[BINS.len() - 1] * 8);
    for dtype in [Dtype::U32, Dtype::F32] {
        let (most, ours) = match dtype {
            Dtype::F32 => (1.0, Dtype::F32),
            _ => (3e8, Dtype::U32),
        };
        print!("\n{:24}", format!("2^28 {dtype:?}, Gsamples/s"));
        SPREADS
            .iter()
            .for_each(|spread| print!(" | {:>8} {:>6} {:>6}", format!("{spread:?}"), "CUB", "times"));
        println!();
        for bins in BINS {
            print!("{:24}", format!("{bins} bins"));
            for spread in SPREADS {
                samples.fill(dtype, spread, most);
                let mut times = [vec![], vec![]];
                for _ in 0..11 {
                    times[0].push(count_ms(&samples, ours, 1, bins, most, counts));
                    times[1].push(peer_ms(peers, dtype, &samples, bins, most, counts));
                }
                let [ours, theirs] = times.map(|times| COUNT as f64 / middle(times) / 1e6);
                print!(" | {ours:8.1} {theirs:6.1} {:6.2}", ours / theirs);
            }
            println!();
        }
    }
    check(gpumex_free(samples.at));
    check(gpumex_free(counts));
}

fn peer_ms(
    peers: Option<Peers>,
    dtype: Dtype,
    samples: &Samples,
    bins: usize,
    most: f64,
    counts: *mut c_void,
) -> f64 {
    let Some(peers) = peers.filter(|_| bins <= PEER_BINS) else { return f64::NAN };
    // SAFETY: the types of these functions; COUNT samples, room for as many counters of 32 bits.
    f64::from(unsafe {
        match dtype {
            Dtype::F32 => {
                let cub: OfFloats = peers.function("peer_histogram_f32");
                cub(samples.at, COUNT, counts, bins as i32, 0.0, most as f32)
            }
            _ => {
                let cub: OfIntegers = peers.function("peer_histogram_u32");
                cub(samples.at, COUNT, counts, bins as i32, 0, most as u32)
            }
        }
    })
}
