//! The CPU backend on all cores: sorts beside C++'s std::stable_sort, reduce and scan beside what the memory allows the same threads.

use std::ffi::c_void;
use std::{ptr, thread};

use gpumex::ffi::*;
use gpumex::model::dtype::Dtype;
use gpumex::platform::settings::Backend;

use crate::common::*;
use crate::peers::Peers;

const ROUNDS: usize = 11;
const KEYS: usize = 10_000_000;
const WORDS: usize = 1 << 27;

type StableSort = unsafe extern "C" fn(*mut c_void, usize) -> f64;

/// Both in turn; medians of their rates.
fn compare(name: &str, unit: f64, mut ours: impl FnMut(), mut theirs: impl FnMut() -> f64) {
    let times: Vec<_> = (0..ROUNDS + 1).map(|_| (seconds(&mut ours), theirs())).skip(1).collect();
    let [ours, theirs] = [|time: &(f64, f64)| time.0, |time: &(f64, f64)| time.1]
        .map(|part| unit / middle(times.iter().map(part).collect()));
    println!("{name:40} | {ours:8.3} | {theirs:10.3} | {:6.2}", ours / theirs);
}

pub fn table(peers: Option<Peers>) {
    let ctx = gpumex_context_create(Backend::Cpu as i32, -1);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    println!(
        "\n{:40} | {:>8} | {:>10} | {:>6}",
        format!("CPU, {threads} threads"),
        "gpumex",
        "peer",
        "times"
    );
    if let Some(peers) = peers {
        // SAFETY: so benches/peers/cub.cu declares them.
        let [u32s, u64s, f32s] = ["u32", "u64", "f32"]
            .map(|dtype| unsafe { peers.function::<StableSort>(&format!("peer_stable_sort_{dtype}")) });
        sorts(ctx, "sort u32, 10^7, Gkey/s, std::stable_sort", Dtype::U32, 4, u32s);
        sorts(ctx, "sort u64", Dtype::U64, 8, u64s);
        sorts(ctx, "sort f32", Dtype::F32, 4, f32s);
    }
    passes(ctx, threads);
    check(gpumex_context_destroy(ctx));
}

fn sorts(ctx: Handle, name: &str, dtype: Dtype, bytes: usize, peer: StableSort) {
    let mut keys = random(bytes * KEYS);
    if dtype == Dtype::F32 {
        // As random as their bits, but numbers.
        keys.as_chunks_mut()
            .0
            .iter_mut()
            .for_each(|key| *key = (u32::from_le_bytes(*key) as f32).to_le_bytes());
    }
    let (mut sorted, mut copied) = (keys.clone(), keys.clone());
    let options = SortOptions { dtype: dtype as i32, ..SortOptions::default() };
    let (from, to) = (keys.as_ptr().cast(), sorted.as_mut_ptr().cast());
    let ours = || {
        // SAFETY: KEYS keys each, and no values.
        check(unsafe { gpumex_sort(ctx, &options, from, ptr::null(), KEYS, to, ptr::null_mut()) })
    };
    compare(name, KEYS as f64 / 1e9, ours, || {
        copied.copy_from_slice(&keys);
        // SAFETY: KEYS keys.
        unsafe { peer(copied.as_mut_ptr().cast(), KEYS) }
    });
    assert!(sorted == copied, "{name}");
}

fn passes(ctx: Handle, threads: usize) {
    let data: Vec<u64> = (0..WORDS as u64 / 2).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut result = vec![1u64; data.len()];
    let part = data.len().div_ceil(threads);
    let bytes = 4 * WORDS;

    let mut sum = 0u64;
    let options = ReduceOptions { dtype: Dtype::U32 as i32, ..ReduceOptions::default() };
    let reduce = || {
        // SAFETY: WORDS words; a word.
        check(unsafe { gpumex_reduce(ctx, &options, data.as_ptr().cast(), WORDS, (&raw mut sum).cast()) })
    };
    let read = || {
        seconds(|| {
            thread::scope(|scope| {
                for part in data.chunks(part) {
                    scope.spawn(|| std::hint::black_box(part.iter().fold(0, |sum: u64, &word| sum ^ word)));
                }
            })
        })
    };
    compare("reduce u32, 512 MiB, GB/s, reading", bytes as f64 / 1e9, reduce, read);

    let options = ScanOptions { dtype: Dtype::U32 as i32, ..ScanOptions::default() };
    let (from, to) = (data.as_ptr().cast(), result.as_mut_ptr().cast::<c_void>());
    let scan = || {
        // SAFETY: WORDS words each; no total.
        check(unsafe { gpumex_scan(ctx, &options, from, WORDS, to, ptr::null_mut()) })
    };
    let mut copied = vec![1u64; data.len()];
    let copy = || {
        seconds(|| {
            thread::scope(|scope| {
                for (to, from) in copied.chunks_mut(part).zip(data.chunks(part)) {
                    scope.spawn(|| to.copy_from_slice(from));
                }
            })
        })
    };
    compare("scan u32, 512 MiB, GB/s, copying", 2.0 * bytes as f64 / 1e9, scan, copy);
}
