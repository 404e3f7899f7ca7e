//! Merging, sorting by merges and sorting segments, in device memory beside CUB.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;

use crate::common::*;
use crate::peers::Peers;

const COUNTS: [usize; 2] = [1 << 28, 10_000_000];
const ROUNDS: usize = 11;
const COPY: f64 = 4300.0; // GB/s that an H200 copies
type Merge = unsafe extern "C" fn(*const c_void, usize, *const c_void, usize, *mut c_void) -> f32;
type Sort = unsafe extern "C" fn(*const c_void, usize, *mut c_void) -> f32;
type SegmentedSort = unsafe extern "C" fn(*const c_void, usize, *const c_void, usize, *mut c_void) -> f32;

/// Giga-elements a second by the time of the kernels, of u32 keys; the limit is one read and one write.
pub fn table(ctx: Handle, peers: Option<Peers>) {
    let [keys, sorted] = [4; 2].map(|bytes| malloc(ctx, MemoryKind::Device, bytes * COUNTS[0]));
    for count in COUNTS {
        merged(ctx, peers, keys, count, sorted);
        for displaced in [100, 10_000, usize::MAX] {
            nearly_sorted(ctx, peers, keys, count, displaced, sorted);
        }
        for mean in [300, 10_000, 1_000_000] {
            in_segments(ctx, peers, keys, count, mean, sorted);
        }
    }
    for array in [keys, sorted] {
        check(gpumex_free(array));
    }
}

fn merged(ctx: Handle, peers: Option<Peers>, keys: *mut c_void, count: usize, result: *mut c_void) {
    let options = MergeOptions { dtype: Dtype::U32 as i32, ..MergeOptions::default() };
    let half = count / 2;
    let other = keys.wrapping_byte_add(4 * half);
    for (array, seed) in [(keys, 1), (other, 2)] {
        // SAFETY: half of the keys.
        check(unsafe {
            gpumex_random_sorted(ctx, Dtype::U32 as i32, array, half, seed, 0.0, f64::from(u32::MAX))
        });
    }
    let ours = || {
        // SAFETY: two halves of keys, and room for both.
        let call = || unsafe {
            let (none, values) = (null(), null_mut());
            gpumex_merge(ctx, &options, keys, none, half, other, none, half, result, values)
        };
        kernel_ms(ctx, || check(call()))
    };
    let theirs = || match peers {
        None => f64::NAN,
        // SAFETY: its type, the same arrays.
        Some(peers) => {
            f64::from(unsafe { peers.function::<Merge>("peer_merge_u32")(keys, half, other, half, result) })
        }
    };
    print(&format!("merge, {count} u32 keys"), count, ours, theirs);
}

/// Keys that lie at most so many places from where they belong; usize::MAX is anywhere.
fn nearly_sorted(
    ctx: Handle,
    peers: Option<Peers>,
    keys: *mut c_void,
    count: usize,
    displaced: usize,
    sorted: *mut c_void,
) {
    let options = LocalitySortOptions { dtype: Dtype::U32 as i32, ..LocalitySortOptions::default() };
    if displaced == usize::MAX {
        random_keys(ctx, keys, count);
    } else {
        let bytes = random(4 * count);
        let far = |i: usize| u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], 0]);
        let near: Vec<u32> = (0..count).map(|i| i as u32 + far(i) % displaced as u32).collect();
        copy(ctx, keys, near.as_ptr().cast(), 4 * count);
    }
    let ours = || {
        // SAFETY: arrays of count keys.
        let call = || unsafe { gpumex_locality_sort(ctx, &options, keys, null(), count, sorted, null_mut()) };
        kernel_ms(ctx, || check(call()))
    };
    let theirs = || match peers {
        None => f64::NAN,
        // SAFETY: its type, the same arrays.
        Some(peers) => {
            f64::from(unsafe { peers.function::<Sort>("peer_merge_sort_u32")(keys, count, sorted) })
        }
    };
    let order = match displaced {
        usize::MAX => "in random order".to_string(),
        places => format!("displaced by {places} at most"),
    };
    print(&format!("locality_sort, {count} u32 keys {order}"), count, ours, theirs);
}

fn in_segments(
    ctx: Handle,
    peers: Option<Peers>,
    keys: *mut c_void,
    count: usize,
    mean: usize,
    sorted: *mut c_void,
) {
    let options = SegmentedSortOptions {
        dtype: Dtype::U32 as i32,
        index_dtype: Dtype::U32 as i32,
        ..SegmentedSortOptions::default()
    };
    random_keys(ctx, keys, count);
    let lengths = random(4 * (count / mean + 1));
    let mut offsets = vec![0u32];
    for length in lengths.chunks_exact(4) {
        let length = u32::from_le_bytes([length[0], length[1], length[2], 0]) as usize % (2 * mean) + 1;
        let next = offsets[offsets.len() - 1] as usize + length;
        if next >= count {
            break;
        }
        offsets.push(next as u32);
    }
    let segments = offsets.len();
    offsets.push(count as u32); // the end of the last one, for CUB
    let on_device = malloc(ctx, MemoryKind::Device, 4 * offsets.len());
    copy(ctx, on_device, offsets.as_ptr().cast(), 4 * offsets.len());
    let ours = || {
        // SAFETY: arrays of count keys, so many positions.
        let call = || unsafe {
            let none = null_mut();
            gpumex_segmented_sort(ctx, &options, keys, null(), count, on_device, segments, sorted, none)
        };
        kernel_ms(ctx, || check(call()))
    };
    let theirs = || match peers {
        None => f64::NAN,
        // SAFETY: its type, the same arrays.
        Some(peers) => f64::from(unsafe {
            peers.function::<SegmentedSort>("peer_segmented_sort_u32")(
                keys, count, on_device, segments, sorted,
            )
        }),
    };
    print(&format!("segmented_sort, {count} u32 keys, {mean} a segment"), count, ours, theirs);
    check(gpumex_free(on_device));
}

fn random_keys(ctx: Handle, keys: *mut c_void, count: usize) {
    // SAFETY: count keys.
    check(unsafe { gpumex_random(ctx, Dtype::U32 as i32, keys, count, 3, 0.0, f64::from(u32::MAX)) });
}

fn print(what: &str, count: usize, ours: impl Fn() -> f64, theirs: impl Fn() -> f64) {
    ours();
    let rate = |ms: f64| count as f64 / ms / 1e6;
    let (ours, theirs) = (rate(median(ROUNDS, ours)), rate(median(ROUNDS, theirs)));
    row(&format!("{what}, Gelements/s"), ours, theirs, &format!("{:.1}", COPY / 8.0));
}
