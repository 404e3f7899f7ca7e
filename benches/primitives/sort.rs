//! Keys and pairs, sorted in device memory beside CUB.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::order::SortOrder;
use gpumex::model::payload::Payload;

use crate::common::*;
use crate::peers::Peers;

const COUNTS: [usize; 3] = [1 << 28, 10_000_000, 4096];
const ROUNDS: usize = 11;
type OfKeys = unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> f32;
type OfPairs = unsafe extern "C" fn(*const c_void, *const c_void, usize, *mut c_void, *mut c_void) -> f32;

/// What is sorted: the name of the row, the keys, what moves with them, CUB's function.
type Case = (&'static str, Dtype, Payload, &'static str);

const CASES: [Case; 8] = [
    ("u32 keys", Dtype::U32, Payload::None, "peer_sort_u32"),
    ("i32 keys", Dtype::I32, Payload::None, ""),
    ("f32 keys", Dtype::F32, Payload::None, "peer_sort_f32"),
    ("u64 keys", Dtype::U64, Payload::None, "peer_sort_u64"),
    ("f64 keys", Dtype::F64, Payload::None, ""),
    ("u32 keys, u32 values", Dtype::U32, Payload::Values, "peer_sort_pairs_u32"),
    ("u32 keys, positions", Dtype::U32, Payload::Indices, ""),
    ("u32 keys, CUB by merging", Dtype::U32, Payload::None, "peer_merge_sort_u32"),
];

/// Giga-elements a second by the time of the kernels; the limit reads the keys once more than it moves the pairs.
pub fn table(ctx: Handle, peers: Option<Peers>) {
    const COPY: f64 = 4300.0; // GB/s that an H200 copies
    let most = COUNTS[0];
    let [keys, sorted] = [8; 2].map(|bytes| malloc(ctx, MemoryKind::Device, bytes * most));
    let [values, sorted_values] = [4; 2].map(|bytes| malloc(ctx, MemoryKind::Device, bytes * most));
    for (count, (name, dtype, payload, peer)) in
        COUNTS.into_iter().flat_map(|count| CASES.map(|case| (count, case)))
    {
        let (lo, hi) = match dtype {
            Dtype::F32 | Dtype::F64 => (-1e6, 1e6),
            Dtype::I32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
            Dtype::U32 => (0.0, f64::from(u32::MAX)),
            _ => (0.0, 2f64.powi(63)),
        };
        // SAFETY: count keys, and values.
        check(unsafe { gpumex_random(ctx, dtype as i32, keys, count, 3, lo, hi) });
        check(unsafe { gpumex_fill_ascending(ctx, Dtype::U32 as i32, values, count, 0.0, 1.0) });
        let options = SortOptions {
            dtype: dtype as i32,
            order: SortOrder::Ascending as i32,
            payload: payload as i32,
            value_dtype: Dtype::U32 as i32,
            index_dtype: Dtype::U32 as i32,
            ..SortOptions::default()
        };
        let ours = || {
            let (values, sorted_values) = if payload == Payload::None {
                (null(), null_mut())
            } else {
                (values.cast_const(), sorted_values)
            };
            // SAFETY: arrays of count elements on the device.
            let call = || unsafe { gpumex_sort(ctx, &options, keys, values, count, sorted, sorted_values) };
            kernel_ms(ctx, || check(call()))
        };
        let theirs = || match peers.filter(|_| !peer.is_empty()) {
            None => f64::NAN,
            // SAFETY: the types of these functions, arrays of count elements.
            Some(peers) => f64::from(unsafe {
                match payload {
                    Payload::None => peers.function::<OfKeys>(peer)(keys, count, sorted),
                    _ => peers.function::<OfPairs>(peer)(keys, values, count, sorted, sorted_values),
                }
            }),
        };
        ours();
        let rate = |ms: f64| count as f64 / ms / 1e6;
        let (ours, theirs) = (rate(median(ROUNDS, ours)), rate(median(ROUNDS, theirs)));
        let bytes = dtype.size() as f64 + 2.0 * (dtype.size() * moved(dtype, payload)) as f64;
        row(&format!("sort, {count} {name}, Gelements/s"), ours, theirs, &format!("{:.1}", COPY / bytes));
    }
    for array in [keys, sorted, values, sorted_values] {
        check(gpumex_free(array));
    }
}

/// How many keys' worth of bytes the passes move for a key, each way.
fn moved(dtype: Dtype, payload: Payload) -> usize {
    let passes = dtype.size();
    if payload == Payload::None { passes } else { passes + passes * 4 / dtype.size() }
}
