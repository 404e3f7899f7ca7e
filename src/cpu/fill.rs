//! Arrays of one value, and of ascending ones, on the CPU.
//!
//!   fill             array[i] = value
//!   fill_ascending   array[i] = first + i·step
//!                    integers in two's complement, modulo 2^64, then truncated to the type;
//!                    floats in f64, product and sum rounded once each, then rounded to the type
//!
//! Algorithm  Chunks in parallel, each element from its own index: no sum runs along the array, so that an element
//!            depends on neither the chunks nor the backend.
//! Cost       Writes the array once.
#![forbid(unsafe_code)]

use super::Workers;
use super::parallel::chunks;
use crate::error::Result;

/// array ← value, everywhere.
pub fn fill<T: Copy + Send + Sync>(workers: &Workers, array: &mut [T], value: T) -> Result<()> {
    chunks::on_pool(workers, array, &|_, chunk| chunk.fill(value))
}

/// array\[i\] ← first + i·step. For integers `first` and `step` are whole numbers that an i64 holds.
pub fn fill_ascending<T: Ascending>(workers: &Workers, array: &mut [T], first: f64, step: f64) -> Result<()> {
    let ascend = |start: usize, chunk: &mut [T]| {
        for (i, value) in (start as u64..).zip(chunk) {
            *value = T::ascending(first, step, i);
        }
    };
    chunks::on_pool(workers, array, &ascend)
}

/// A type of ascending values.
pub trait Ascending: Copy + Send + Sync {
    /// first + i·step
    fn ascending(first: f64, step: f64, i: u64) -> Self;
}

macro_rules! ascending_integers {
    ($($integer:ty),*) => {
        $(impl Ascending for $integer {
            #[inline(always)]
            fn ascending(first: f64, step: f64, i: u64) -> $integer {
                let (first, step) = (first as i64 as u64, step as i64 as u64);
                first.wrapping_add(i.wrapping_mul(step)) as $integer
            }
        })*
    };
}

macro_rules! ascending_floats {
    ($($float:ty),*) => {
        $(impl Ascending for $float {
            #[inline(always)]
            fn ascending(first: f64, step: f64, i: u64) -> $float {
                (first + i as f64 * step) as $float
            }
        })*
    };
}

ascending_integers!(i8, i16, i32, i64, u8, u16, u32, u64);
ascending_floats!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::parallel::workers::workers;

    fn ascending<T: Ascending + Default>(len: usize, first: f64, step: f64) -> Vec<T> {
        let mut array = vec![T::default(); len];
        fill_ascending(&workers(), &mut array, first, step).unwrap();
        array
    }

    #[test]
    fn every_element_of_several_chunks_is_filled() {
        for len in [0, 1, 7, chunks::CHUNK - 1, chunks::CHUNK, 3 * chunks::CHUNK + 5] {
            let mut array = vec![1u16; len];
            fill(&workers(), &mut array, 40_000).unwrap();
            assert!(array.iter().all(|&value| value == 40_000), "{len} elements");
        }
    }

    #[test]
    fn every_chunk_goes_on_where_the_one_before_ended() {
        let len = 2 * chunks::CHUNK + 3;
        assert_eq!(ascending::<u32>(len, 7.0, 3.0), (0..len as u32).map(|i| 7 + 3 * i).collect::<Vec<_>>());
        assert_eq!(ascending::<i64>(len, 5.0, -2.0), (0..len as i64).map(|i| 5 - 2 * i).collect::<Vec<_>>());
        assert_eq!(
            ascending::<f64>(len, 0.5, 0.25),
            (0..len).map(|i| 0.5 + 0.25 * i as f64).collect::<Vec<_>>()
        );
    }

    #[test]
    fn integers_are_those_of_twos_complement() {
        assert_eq!(ascending::<i8>(4, -128.0, 85.0), [-128, -43, 42, 127]);
        assert_eq!(ascending::<u8>(3, 254.0, 1.0), [254, 255, 0]);
        assert_eq!(ascending::<u64>(2, 0.0, -1.0), [0, u64::MAX]);
        assert_eq!(ascending::<i64>(3, -(2f64.powi(53)), 2f64.powi(53)), [-(1 << 53), 0, 1 << 53]);
    }

    #[test]
    fn an_f32_is_rounded_once_from_the_f64() {
        let third = 1.0 / 3.0;
        let want: Vec<f32> = (0..9).map(|i| (0.1 + f64::from(i) * third) as f32).collect();
        assert_eq!(ascending::<f32>(9, 0.1, third), want);
        assert_eq!(ascending::<f32>(3, 16_777_216.0, 1.0), [16_777_216.0, 16_777_216.0, 16_777_218.0]);
    }
}
