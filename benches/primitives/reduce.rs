//! Reduce, scan and compact on arrays of the device, beside CUB.

use std::ffi::c_void;
use std::ptr::null_mut;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;
use crate::peers::Peers;

const MOST: usize = 1 << 28;
const COUNTS: [usize; 3] = [4096, 10_000_000, MOST];
const ROUNDS: usize = 11;

type Peer = unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> f32;
type Select = unsafe extern "C" fn(*const c_void, *const c_void, usize, *mut c_void, *mut c_void) -> f32;

/// GB/s by the kernels' time, and beside each the peer's; random numbers; half of the flags are set.
pub fn table(ctx: Handle, peers: Option<Peers>) {
    let device = |bytes| malloc(ctx, MemoryKind::Device, bytes);
    let (data, result, flags, needed) = (device(8 * MOST), device(8 * MOST), device(MOST), device(8));
    println!("\n{:44} | {:>10} | {:>10} | {:>10}", "reduce, scan, compact, GB/s", "gpumex", "CUB", "limit");
    // SAFETY: MOST bytes.
    check(unsafe { gpumex_random(ctx, Dtype::U8 as i32, flags, MOST, 3, 0.0, 1.0) });
    let dtypes = [
        (Dtype::U32, "u32", 1e9),
        (Dtype::F32, "f32", 1.0),
        (Dtype::U64, "u64", 1e18),
        (Dtype::F64, "f64", 1.0),
    ];
    for (dtype, name, highest) in dtypes {
        let bytes = dtype.size();
        // SAFETY: MOST elements.
        check(unsafe { gpumex_random(ctx, dtype as i32, data, MOST, 1, 0.0, highest) });
        // SAFETY: the types that benches/peers declares.
        let peer = |operation: &str| {
            peers.map(|peers| unsafe { peers.function::<Peer>(&format!("peer_{operation}_{name}")) })
        };
        let (peer_reduce, peer_scan) = (peer("reduce"), peer("scan"));
        let dtype = dtype as i32;
        for count in COUNTS {
            let options = ReduceOptions { dtype, ..ReduceOptions::default() };
            // SAFETY: count elements, one result.
            let ours = kernels(ctx, || unsafe { gpumex_reduce(ctx, &options, data, count, result) });
            report(
                &format!("reduce {name}, {count}"),
                bytes * count,
                ours,
                theirs(peer_reduce, data, count, result),
                4470,
            );
            let options = ScanOptions { dtype, ..ScanOptions::default() };
            // SAFETY: count elements each.
            let ours =
                kernels(ctx, || unsafe { gpumex_scan(ctx, &options, data, count, result, null_mut()) });
            report(
                &format!("scan {name}, {count}"),
                2 * bytes * count,
                ours,
                theirs(peer_scan, data, count, result),
                4300,
            );
        }
    }
    // SAFETY: the type that benches/peers declares.
    let select = peers.map(|peers| unsafe { peers.function::<Select>("peer_select_u32") });
    for count in COUNTS {
        let options = CompactOptions { dtype: Dtype::U32 as i32, ..CompactOptions::default() };
        let run = || {
            // SAFETY: count elements and flags, room for all of them, one number.
            unsafe {
                gpumex_compact(
                    ctx,
                    &options,
                    data,
                    flags.cast(),
                    count,
                    result,
                    null_mut(),
                    count,
                    needed.cast(),
                )
            }
        };
        let ours = kernels(ctx, run);
        // SAFETY: as above.
        let call = |select: Select| f64::from(unsafe { select(data, flags, count, result, needed) }) / 1e3;
        let theirs = select.map_or(f64::NAN, |select| median(ROUNDS, || call(select)));
        report(&format!("compact u32, {count}, half is kept"), 7 * count, ours, theirs, 4300);
    }
    for memory in [data, result, flags, needed] {
        check(gpumex_free(memory));
    }
}

/// The kernels' time of a call, in seconds.
fn kernels(ctx: Handle, call: impl Fn() -> i32) -> f64 {
    median(ROUNDS, || kernel_ms(ctx, || check(call())) / 1e3)
}

fn theirs(peer: Option<Peer>, data: *mut c_void, count: usize, result: *mut c_void) -> f64 {
    // SAFETY: count elements; the result has room for as many.
    let call = |peer: Peer| f64::from(unsafe { peer(data, count, result) }) / 1e3;
    peer.map_or(f64::NAN, |peer| median(ROUNDS, || call(peer)))
}

fn report(name: &str, bytes: usize, ours: f64, theirs: f64, limit: u32) {
    let speed = |seconds: f64| bytes as f64 / seconds / 1e9;
    row(name, speed(ours), speed(theirs), &limit.to_string());
}
