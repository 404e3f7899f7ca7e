//! Sorts of keys. The crates sort in place, gpumex_sort into another array; radsort and gpumex_sort are stable.

use std::ffi::c_void;
use std::ptr;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use rdst::{RadixKey, RadixSort};
use voracious_radix_sort::RadixSort as _;

use crate::library::{Library, SortOptions};
use crate::{Way, row, seconds};

pub fn table(library: &Library) {
    println!("\nsort, Gkey/s");
    let mut random = Pcg64::seed_from_u64(5);
    for count in [10_000, 1_000_000, 10_000_000] {
        let bits: Vec<u64> = (0..count).map(|_| random.next_u64()).collect();
        keys(library, &format!("u64, {count}"), &bits);
        keys(library, &format!("u64 below 2^20, {count}"), &made(&bits, |bits| bits >> 44));
        keys(library, &format!("u32, {count}"), &made(&bits, |bits| bits as u32));
        keys(library, &format!("f64, {count}"), &made(&bits, |bits| Double(bits as i64 as f64)));
    }
}

fn made<K>(bits: &[u64], key: impl Fn(u64) -> K) -> Vec<K> {
    bits.iter().copied().map(key).collect()
}

trait Key: Copy + Send + Sync + PartialEq + RadixKey + 'static {
    const DTYPE: i32;
    fn radsort(keys: &mut [Self]);
    fn voracious(keys: &mut [Self]);
    fn standard(keys: &mut [Self]);
}

macro_rules! keys {
    ($($key:ty: $dtype:literal, $number:ty, $of:expr;)*) => {
        $(impl Key for $key {
            const DTYPE: i32 = $dtype;
            fn radsort(keys: &mut [Self]) {
                radsort::sort($of(keys))
            }
            fn voracious(keys: &mut [Self]) {
                match rayon::current_num_threads() {
                    1 => $of(keys).voracious_sort(),
                    threads => $of(keys).voracious_mt_sort(threads),
                }
            }
            fn standard(keys: &mut [Self]) {
                keys.par_sort_unstable_by(|a, b| a.partial_cmp(b).expect("no NaN"));
            }
        })*
    };
}

keys! {
    u32: 11, u32, |keys| keys;
    u64: 12, u64, |keys| keys;
    Double: 2, f64, Double::numbers;
}

/// A number that is not NaN. rdst has no keys of doubles.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
#[repr(transparent)]
struct Double(f64);

impl Double {
    fn numbers(keys: &mut [Double]) -> &mut [f64] {
        // SAFETY: a double each.
        unsafe { &mut *(ptr::from_mut(keys) as *mut [f64]) }
    }
}

impl RadixKey for Double {
    const LEVELS: usize = 8;

    fn get_level(&self, level: usize) -> u8 {
        let bits = self.0.to_bits();
        let rank = bits ^ ((bits as i64 >> 63) as u64 | 1 << 63);
        (rank >> (8 * level)) as u8
    }
}

type Sort<K> = fn(&mut [K]);

fn keys<K: Key>(library: &Library, name: &str, keys: &[K]) {
    let options = SortOptions { size: size_of::<SortOptions>(), dtype: K::DTYPE, ..SortOptions::default() };
    let mut ours = keys.to_vec();
    let sorts: [(&str, Sort<K>); 4] = [
        ("rdst", |keys| keys.radix_sort_unstable()),
        ("radsort", K::radsort),
        ("voracious", K::voracious),
        ("std, rayon", K::standard),
    ];
    let mut theirs = sorts.map(|_| keys.to_vec());
    let (from, to) = (keys.as_ptr().cast::<c_void>(), ours.as_mut_ptr().cast::<c_void>());
    let sort = || {
        // SAFETY: arrays of keys.len() keys, and no values.
        library.check(unsafe {
            (library.sort)(library.ctx, &options, from, ptr::null(), keys.len(), to, ptr::null_mut())
        });
    };
    let mut ways: Vec<Way> = vec![("gpumex", Box::new(|| seconds(sort)))];
    for ((name, sort), sorted) in sorts.into_iter().zip(&mut theirs) {
        ways.push((
            name,
            Box::new(move || {
                sorted.copy_from_slice(keys);
                seconds(|| sort(sorted))
            }),
        ));
    }
    row(name, keys.len() as f64 / 1e9, ways);
    assert!(theirs.iter().all(|theirs| *theirs == ours), "{name}");
}
