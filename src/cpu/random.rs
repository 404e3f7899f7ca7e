//! Uniform random numbers on the CPU, and sorted ones.
//!
//! Element i gets 64 random bits, its key k, from Philox (philox.rs) of seed and i. The key becomes a number by a
//! mapping that never descends:
//!
//!   integers   lo + ⌊k·(hi − lo + 1) / 2^64⌋                 in [lo, hi]
//!   f32        lo + u·(hi − lo), u = ⌊k / 2^40⌋·2^-24        in [lo, hi)
//!   f64        lo + u·(hi − lo), u = ⌊k / 2^11⌋·2^-53        in [lo, hi)
//!
//! Each integer has its share of the keys to within one key. The difference, product and sum of floats are rounded
//! once each, and what is rounded up to hi becomes the next number below it. Since nothing descends, sorting the
//! numbers is the same as sorting the keys first, which is how another backend may do it.
//!
//! Algorithm  Chunks in parallel, several blocks of the generator at a time for the best instruction set of the
//!            machine (pulp). Sorted: the same numbers, then a parallel quicksort in place.
//! Cost       About 20 operations an element; n log n comparisons more when sorted. No memory beside the array.
//! Source     D. Lemire, "Fast Random Integer Generation in an Interval", 2019, for the integers, here without the
//!            rejection.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::Workers;
use super::is_small_for_long_work;
use super::parallel::chunks;
use super::parallel::sort::sort_unstable_by_key;
use super::philox;
use super::run;
use crate::error::Result;

/// array ← uniform numbers, integers in \[lo, hi\], floats in \[lo, hi), where hi − lo is finite.
pub fn random<T: Uniform>(workers: &Workers, array: &mut [T], seed: u64, lo: T, hi: T) -> Result<()> {
    let arch = Arch::new();
    chunks::beside(workers, is_small_for_long_work(array), array, &|start, chunk| {
        generate(arch, start, chunk, seed, lo, hi);
    })
}

/// What bits mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Unsigned,
    Signed,
    Float,
}

/// Sorts numbers of `random` by their bits, ascending; they are neither NaN nor -0.
pub fn sort<T: Bits>(workers: &Workers, array: &mut [T], kind: Kind) -> Result<()> {
    let is_alone = is_small_for_long_work(array);
    run(workers, is_alone, || {
        chunks::for_each(is_alone, array, &|_, chunk| {
            chunk.iter_mut().for_each(|bits| *bits = bits.to_rank(kind))
        })?;
        sort_unstable_by_key(is_alone, array, &|&rank| rank);
        chunks::for_each(is_alone, array, &|_, chunk| {
            chunk.iter_mut().for_each(|bits| *bits = bits.of_rank(kind))
        })
    })?
}

/// The bits of a number of its size.
pub trait Bits: Copy + Ord + Send + Sync {
    /// An unsigned integer that ascends with the number.
    fn to_rank(self, kind: Kind) -> Self;
    /// The bits of the number with this rank.
    fn of_rank(self, kind: Kind) -> Self;
}

macro_rules! bits {
    ($($bits:ty),*) => {
        $(impl Bits for $bits {
            #[inline(always)]
            fn to_rank(self, kind: Kind) -> $bits {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                match kind {
                    Kind::Unsigned => self,
                    Kind::Float if self & SIGN != 0 => !self, // a larger magnitude is a smaller number
                    _ => self ^ SIGN,
                }
            }
            #[inline(always)]
            fn of_rank(self, kind: Kind) -> $bits {
                const SIGN: $bits = 1 << (<$bits>::BITS - 1);
                match kind {
                    Kind::Unsigned => self,
                    Kind::Float if self & SIGN == 0 => !self,
                    _ => self ^ SIGN,
                }
            }
        })*
    };
}

bits!(u8, u16, u32, u64);

/// Those of a chunk whose first element is number `start` of the array.
fn generate<T: Uniform>(arch: Arch, start: usize, chunk: &mut [T], seed: u64, lo: T, hi: T) {
    let groups = chunk.chunks_mut(philox::ELEMENTS);
    arch.dispatch(
        #[inline(always)]
        || {
            for (first, group) in (start..).step_by(philox::ELEMENTS).zip(groups) {
                for (value, key) in group.iter_mut().zip(philox::bits(seed, first as u64)) {
                    *value = T::uniform(key, lo, hi);
                }
            }
        },
    );
}

/// A type of random numbers.
pub trait Uniform: Copy + PartialOrd + Send + Sync {
    /// The number of a key; it never descends where the key ascends.
    fn uniform(key: u64, lo: Self, hi: Self) -> Self;
}

macro_rules! uniform_integers {
    ($($integer:ty),*) => {
        $(impl Uniform for $integer {
            #[inline(always)]
            fn uniform(key: u64, lo: $integer, hi: $integer) -> $integer {
                let range = (hi as u64).wrapping_sub(lo as u64); // hi - lo, modulo 2^64
                let offset = (u128::from(key) * u128::from(range) + u128::from(key)) >> 64; // key·(range + 1) / 2^64
                (lo as u64).wrapping_add(offset as u64) as $integer
            }
        })*
    };
}

macro_rules! uniform_floats {
    ($($float:ty),*) => {
        $(impl Uniform for $float {
            #[inline(always)]
            fn uniform(key: u64, lo: $float, hi: $float) -> $float {
                let digits = <$float>::MANTISSA_DIGITS;
                let whole = (key >> (64 - digits)) as i64; // below 2^digits
                let u = whole as $float * (<$float>::EPSILON / 2.0); // exact: EPSILON/2 is 2^-digits
                let value = lo + u * (hi - lo);
                if value >= hi { hi.next_down() } else { value }
            }
        })*
    };
}

uniform_integers!(i8, i16, i32, i64, u8, u16, u32, u64);
uniform_floats!(f32, f64);

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::cpu::parallel::workers::workers;

    const LEN: usize = 2 * chunks::CHUNK + 5;

    fn numbers<T: Uniform + Default>(len: usize, seed: u64, lo: T, hi: T) -> Vec<T> {
        let mut array = vec![T::default(); len];
        random(&workers(), &mut array, seed, lo, hi).unwrap();
        array
    }

    fn keys(len: usize, seed: u64) -> Vec<u64> {
        let groups = (0..len as u64).step_by(philox::ELEMENTS).flat_map(|first| philox::bits(seed, first));
        groups.take(len).collect()
    }

    /// The numbers are those of the keys one by one; sorting them is the same as sorting the keys first.
    #[track_caller]
    fn sorted_is_sorted<T: Uniform + Default + Debug, B: Bits>(
        kind: Kind,
        to_bits: fn(T) -> B,
        of_bits: fn(B) -> T,
        lo: T,
        hi: T,
    ) {
        for len in [0, 1, 31, 33, 2001, LEN] {
            let mut keys = keys(len, 99);
            let of_keys = |keys: &[u64]| keys.iter().map(|&key| T::uniform(key, lo, hi)).collect::<Vec<T>>();
            let numbers = numbers(len, 99, lo, hi);
            assert_eq!(numbers, of_keys(&keys), "{len} numbers");
            keys.sort_unstable();
            let mut bits: Vec<B> = numbers.into_iter().map(to_bits).collect();
            sort(&workers(), &mut bits, kind).unwrap();
            let sorted: Vec<T> = bits.into_iter().map(of_bits).collect();
            assert_eq!(sorted, of_keys(&keys), "{len} sorted numbers");
        }
    }

    #[test]
    fn sorted_numbers_are_the_sorted_random_numbers() {
        use Kind::{Float, Signed, Unsigned};
        sorted_is_sorted(Signed, |x| x as u8, |bits| bits as i8, -100, 27);
        sorted_is_sorted(Signed, |x| x as u16, |bits| bits as i16, i16::MIN, i16::MAX);
        sorted_is_sorted(Signed, |x| x as u32, |bits| bits as i32, -7, 1_000_000);
        sorted_is_sorted(Signed, |x| x as u64, |bits| bits as i64, i64::MIN, i64::MAX);
        sorted_is_sorted(Unsigned, |x| x, |bits: u8| bits, 0, 255);
        sorted_is_sorted(Unsigned, |x| x, |bits: u16| bits, 9, 9);
        sorted_is_sorted(Unsigned, |x| x, |bits: u32| bits, 0, u32::MAX);
        sorted_is_sorted(Unsigned, |x| x, |bits: u64| bits, 1, 1 << 63);
        sorted_is_sorted(Float, f32::to_bits, f32::from_bits, -1.0, 1.0);
        sorted_is_sorted(Float, f64::to_bits, f64::from_bits, 0.1, 1e9);
    }

    #[test]
    fn both_ends_of_the_keys_meet_both_ends_of_the_interval() {
        assert_eq!([0, u64::MAX].map(|key| i8::uniform(key, -100, 27)), [-100, 27]);
        assert_eq!([0, u64::MAX].map(|key| i64::uniform(key, i64::MIN, i64::MAX)), [i64::MIN, i64::MAX]);
        assert_eq!([0, 5, u64::MAX].map(|key| u64::uniform(key, 0, u64::MAX)), [0, 5, u64::MAX]);
        assert_eq!([0, u64::MAX].map(|key| f64::uniform(key, -2.0, 0.0)), [-2.0, -(2f64.powi(-52))]);
        assert_eq!(f32::uniform(u64::MAX, 0.0, 1.0), 1.0f32.next_down());
    }

    #[test]
    fn a_float_is_below_hi_where_rounding_would_reach_it() {
        let (lo, hi) = (1.0f32, 1.0f32.next_up());
        assert!(numbers(1000, 3, lo, hi).iter().all(|&value| value == lo));
        assert_eq!(f64::uniform(u64::MAX, 1e16, 1e16 + 4.0), 1e16 + 2.0);
        assert_eq!(f32::uniform(u64::MAX, -1.0, 0.0), -(2f32.powi(-24)));
    }

    #[test]
    fn every_byte_is_as_likely_as_another() {
        let mut counts = [0u32; 256];
        numbers(1 << 18, 1, 0u8, 255).iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        let chi_squared: f64 = counts.iter().map(|&count| (f64::from(count) - 1024.0).powi(2) / 1024.0).sum();
        assert!((150.0..=380.0).contains(&chi_squared), "χ² of 255 degrees of freedom: {chi_squared}");
    }

    #[test]
    fn another_seed_gives_other_numbers() {
        let [a, b] = [1, 1 << 32].map(|seed| numbers(64, seed, 0u64, u64::MAX));
        assert!(a.iter().all(|value| !b.contains(value)));
    }
}
