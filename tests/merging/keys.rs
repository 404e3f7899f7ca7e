//! Keys in every arrangement, and their order as the tests of merges and sorts state it, without a look at the library's ranks.
#![allow(dead_code)] // each test program uses a part

use std::cmp::Ordering;

use gpumex::model::order::SortOrder;

use crate::common::{Number, Rng, RngExt, random, size};

/// A type of keys.
pub trait TestKey: Number {
    /// A key of any bits; of floats about one in eight is a zero, an infinity or NaN of either sign.
    fn any(random: &mut impl Rng) -> Self;
    /// One of few.
    fn small(number: u8) -> Self;
    fn is_nan(self) -> bool;
}

macro_rules! integers {
    ($($number:ty),*) => {
        $(impl TestKey for $number {
            fn any(random: &mut impl Rng) -> $number {
                random.random_range(<$number>::MIN..=<$number>::MAX)
            }
            fn small(number: u8) -> $number {
                <$number>::MAX / 2 - 3 + <$number>::from(number % 7)
            }
            fn is_nan(self) -> bool {
                false
            }
        })*
    };
}

integers!(i32, u32, i64, u64);

macro_rules! floats {
    ($($number:ident),*) => {
        $(impl TestKey for $number {
            fn any(random: &mut impl Rng) -> $number {
                match random.random_range(0..48u32) {
                    0 => 0.0,
                    1 => -0.0,
                    2 => $number::NAN,
                    3 => -$number::NAN,
                    4 => $number::INFINITY,
                    5 => $number::NEG_INFINITY,
                    _ => random.random_range(-1000.0..1000.0),
                }
            }
            fn small(number: u8) -> $number {
                [-1.5, -0.0, 0.0, $number::NAN, -$number::NAN, $number::NEG_INFINITY, 2.0][usize::from(number % 7)]
            }
            fn is_nan(self) -> bool {
                $number::is_nan(self)
            }
        })*
    };
}

floats!(f32, f64);

/// What comes first: -0 equals 0, NaN equals NaN and is the greatest.
pub fn compare<K: TestKey>(order: SortOrder, x: &K, y: &K) -> Ordering {
    let ascending = match (x.is_nan(), y.is_nan()) {
        (false, false) => x.partial_cmp(y).expect("neither is NaN"),
        (x, y) => x.cmp(&y),
    };
    if order == SortOrder::Descending { ascending.reverse() } else { ascending }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    Random,
    Few,
    Equal,
    Sorted,
    Reversed,
    Near,
}

pub const ARRANGEMENTS: [Arrangement; 6] = [
    Arrangement::Random,
    Arrangement::Few,
    Arrangement::Equal,
    Arrangement::Sorted,
    Arrangement::Reversed,
    Arrangement::Near,
];

pub fn keys<K: TestKey>(seed: u64, len: usize, arrangement: Arrangement, order: SortOrder) -> Vec<K> {
    let mut random = random(seed);
    let mut keys: Vec<K> = match arrangement {
        Arrangement::Few => (0..len).map(|_| K::small(random.random_range(0..=255))).collect(),
        Arrangement::Equal => vec![K::small(6); len],
        _ => (0..len).map(|_| K::any(&mut random)).collect(),
    };
    match arrangement {
        Arrangement::Sorted => keys.sort_by(|x, y| compare(order, x, y)),
        Arrangement::Reversed => keys.sort_by(|x, y| compare(order, y, x)),
        Arrangement::Near => {
            keys.sort_by(|x, y| compare(order, x, y));
            for i in (0..len.saturating_sub(100)).step_by(29) {
                keys.swap(i, i + random.random_range(0..100usize));
            }
        }
        _ => {}
    }
    keys
}

pub const ORDERS: [SortOrder; 2] = [SortOrder::Ascending, SortOrder::Descending];

/// 4096, the tiles of the device (4352 elements of 4 bytes, 4608 of 8; 7168 and 3584 where keys are merged alone) and what it takes for
/// few, with their neighbours; 10^6 + 3 for a device where code is optimised.
pub fn sizes() -> Vec<usize> {
    let large = if cfg!(debug_assertions) { 70_003 } else { size(1_000_003, 300_003) };
    vec![
        0, 1, 2, 3, 33, 500, 3584, 3585, 4095, 4097, 4351, 4352, 4353, 4607, 4608, 4609, 7168, 7169, 8704,
        8705, 12_288, 12_289, 30_011, large,
    ]
}
