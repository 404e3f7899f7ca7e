//! Keys of the primitives: their order, told by comparisons, and arrays of them that are hard to search.

use std::cmp::Ordering;

use super::{Number, RngExt, random};

/// A type of keys; the order is ascending, NaN last, and -0 is 0.
pub trait Ordered: Number {
    fn compare(self, other: Self) -> Ordering;
    fn of(value: i64) -> Self;
    /// The keys at the ends of the order, and others that are special.
    fn special() -> Vec<Self>;
}

macro_rules! integers {
    ($($integer:ty),*) => {
        $(impl Ordered for $integer {
            fn compare(self, other: Self) -> Ordering {
                self.cmp(&other)
            }
            fn of(value: i64) -> Self {
                value as $integer
            }
            fn special() -> Vec<Self> {
                vec![<$integer>::MIN, <$integer>::MAX, 0, 1, <$integer>::MAX - 1]
            }
        })*
    };
}

integers!(i32, i64, u32, u64);

macro_rules! floats {
    ($($float:ty),*) => {
        $(impl Ordered for $float {
            fn compare(self, other: Self) -> Ordering {
                self.partial_cmp(&other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
            fn of(value: i64) -> Self {
                value as $float
            }
            fn special() -> Vec<Self> {
                vec![<$float>::NAN, -<$float>::NAN, 0.0, -0.0, <$float>::INFINITY, -<$float>::INFINITY, 1e-40]
            }
        })*
    };
}

floats!(f32, f64);

/// What an array holds before it is sorted.
#[derive(Clone, Copy, Debug)]
pub enum Keys {
    /// Any numbers.
    Random,
    /// Many equal ones.
    Few,
    /// One number.
    Equal,
    /// Special ones between others.
    Special,
}

pub const ALL_KEYS: [Keys; 4] = [Keys::Random, Keys::Few, Keys::Equal, Keys::Special];

/// `len` keys, sorted.
pub fn sorted_keys<T: Ordered>(keys: Keys, seed: u64, len: usize, is_descending: bool) -> Vec<T> {
    let mut random = random(seed);
    let special = T::special();
    let mut array: Vec<T> = (0..len)
        .map(|_| match keys {
            Keys::Random => T::of(random.random_range(-1_000_000_000..1_000_000_000)),
            Keys::Few => T::of(random.random_range(0..9)),
            Keys::Equal => T::of(7),
            Keys::Special => match random.random_range(0..3) {
                0 => T::of(random.random_range(-5..6)),
                _ => special[random.random_range(0..special.len())],
            },
        })
        .collect();
    array.sort_by(|x, y| if is_descending { y.compare(*x) } else { x.compare(*y) });
    array
}

/// Runs a generic function for each type of keys.
#[allow(unused_macros)] // each test program uses a part
macro_rules! for_every_key {
    ($function:ident($($argument:expr),*)) => {
        for_every_dtype!($function($($argument),*): f32 f64 i32 i64 u32 u64)
    };
}
#[allow(unused_imports)] // as above
pub(crate) use for_every_key;

/// A type of indices.
pub trait Indexed: Number {
    fn at(position: usize) -> Self;
}

impl Indexed for u64 {
    fn at(position: usize) -> u64 {
        position as u64
    }
}

impl Indexed for u32 {
    fn at(position: usize) -> u32 {
        position as u32
    }
}

/// The exclusive sum, and the total.
pub fn exclusive_sum<I: Indexed>(lengths: &[usize]) -> (Vec<I>, usize) {
    let mut total = 0;
    let scan = lengths.iter().map(|length| {
        total += length;
        I::at(total - length)
    });
    (scan.collect(), total)
}

/// The interval of each element.
pub fn owners(lengths: &[usize]) -> Vec<usize> {
    lengths.iter().enumerate().flat_map(|(j, &length)| std::iter::repeat_n(j, length)).collect()
}

/// Lengths of intervals that are hard to balance: of all kinds, none, long ones among empty ones, and one that is long.
pub fn hard_lengths(seed: u64, intervals: usize) -> Vec<Vec<usize>> {
    let mut random = random(seed);
    let mut lengths = |length: &mut dyn FnMut(usize, u32) -> usize| -> Vec<usize> {
        (0..intervals).map(|j| length(j, random.random_range(0..1_000_000))).collect()
    };
    vec![
        lengths(&mut |_, r| r as usize % 50),
        lengths(&mut |_, r| r as usize % 3),
        lengths(&mut |_, _| 1),
        lengths(&mut |j, r| if r % 5000 == 0 || j == intervals / 2 { 9001 } else { 0 }),
        lengths(&mut |j, _| if j == 0 { 20_000 } else { j % 2 }),
    ]
}

/// Numbers whose bits tell where they were, for elements that are only moved.
pub fn numbered<T: Ordered>(len: usize) -> Vec<T> {
    (0..len as i64).map(|i| T::of(i * 3 + 1)).collect()
}
