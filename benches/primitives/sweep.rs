//! Reduce, scan, sort and histogram of every size from 2^10 to 2^30, beside CUB: the plots of docs/performance.md.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;
use crate::peers::Peers;

const SIZES: [usize; 11] = [10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
const ROUNDS: usize = 15;
const BINS: usize = 1000;
/// Of the samples, which are numbers below it.
const MOST: u32 = 1 << 30;

type Peer = unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> f32;
type PeerOfBins = unsafe extern "C" fn(*const c_void, usize, *mut c_void, i32, u32, u32) -> f32;

/// 10⁹ elements of u32 a second; the device is busy when a call begins, so that launches hide behind its work.
pub fn table(ctx: Handle, peers: Option<Peers>) {
    // SAFETY: NULL is the legacy default stream, which CUB works in as well.
    let beside = unsafe { gpumex_context_create_on_stream(0, null_mut()) };
    let most = 1 << SIZES[SIZES.len() - 1];
    let [data, result] = [4 * most + 256; 2].map(|bytes| malloc(ctx, MemoryKind::Device, bytes));
    // SAFETY: `most` elements.
    check(unsafe { gpumex_random(ctx, Dtype::U32 as i32, data, most, 5, 0.0, f64::from(MOST - 1)) });
    check(gpumex_context_synchronize(ctx));
    println!("\nu32, 10^9 elements a second; histogram into {BINS} bins");
    println!("elements,reduce,CUB reduce,scan,CUB scan,sort,CUB sort,histogram,CUB histogram");
    for count in SIZES.map(|power| 1usize << power) {
        print!("{count}");
        for operation in [reduce, scan, sort, histogram] {
            let [ours, theirs] = operation(Case { ctx: beside, peers, data, count, result });
            print!(",{ours:.3},{theirs:.3}");
        }
        println!();
    }
    check(gpumex_context_destroy(beside));
    for memory in [data, result] {
        check(gpumex_free(memory));
    }
}

/// A size of the sweep, and what its calls take.
#[derive(Clone, Copy)]
struct Case {
    ctx: Handle,
    peers: Option<Peers>,
    data: *mut c_void,
    count: usize,
    result: *mut c_void,
}

impl Case {
    /// Rates of our call and the peer's, medians, in turn.
    fn rates(self, ours: impl Fn() -> i32, theirs: impl Fn() -> f32) -> [f64; 2] {
        let mut times = [vec![], vec![]];
        for _ in 0..ROUNDS {
            keep_busy(self.ctx);
            times[0].push(device_ms(self.ctx, || check(ours())));
            keep_busy(self.ctx);
            times[1].push(f64::from(theirs()));
        }
        times.map(|times| self.count as f64 / middle(times) / 1e6)
    }

    /// A function of the peer, by its name; NaN without one.
    fn peer(self, name: &str) -> impl Fn() -> f32 {
        let Case { peers, data, count, result, .. } = self;
        // SAFETY: the type that benches/peers declares.
        let function = peers.map(|peers| unsafe { peers.function::<Peer>(name) });
        // SAFETY: `count` elements; the result has room for as many.
        move || function.map_or(f32::NAN, |function| unsafe { function(data, count, result) })
    }
}

fn reduce(case: Case) -> [f64; 2] {
    let Case { ctx, data, count, result, .. } = case;
    let options = ReduceOptions { dtype: Dtype::U32 as i32, ..ReduceOptions::default() };
    // SAFETY: `count` elements, one result.
    let ours = || unsafe { gpumex_reduce(ctx, &options, data, count, result) };
    case.rates(ours, case.peer("peer_reduce_u32"))
}

fn scan(case: Case) -> [f64; 2] {
    let Case { ctx, data, count, result, .. } = case;
    let options = ScanOptions { dtype: Dtype::U32 as i32, ..ScanOptions::default() };
    // SAFETY: `count` elements each.
    let ours = || unsafe { gpumex_scan(ctx, &options, data, count, result, null_mut()) };
    case.rates(ours, case.peer("peer_scan_u32"))
}

fn sort(case: Case) -> [f64; 2] {
    let Case { ctx, data, count, result, .. } = case;
    let options = SortOptions { dtype: Dtype::U32 as i32, ..SortOptions::default() };
    // SAFETY: `count` keys each.
    let ours = || unsafe { gpumex_sort(ctx, &options, data, null(), count, result, null_mut()) };
    case.rates(ours, case.peer("peer_sort_u32"))
}

fn histogram(case: Case) -> [f64; 2] {
    let Case { ctx, peers, data, count, result } = case;
    let options =
        HistogramOptions { dtype: Dtype::U32 as i32, hi: f64::from(MOST), ..HistogramOptions::default() };
    // SAFETY: `count` samples, the bins.
    let ours = || unsafe { gpumex_histogram(ctx, &options, data, count, result, BINS) };
    // SAFETY: the type that benches/peers declares.
    let function = peers.map(|peers| unsafe { peers.function::<PeerOfBins>("peer_histogram_u32") });
    // SAFETY: `count` samples, room for the bins.
    let of_bins = |function: PeerOfBins| unsafe { function(data, count, result, BINS as i32, 0, MOST) };
    case.rates(ours, || function.map_or(f32::NAN, of_bins))
}
