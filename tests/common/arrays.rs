//! Outputs that are poison between two guards before the call, and inputs that are random numbers from a seed.

use std::fmt::{Debug, Display};

use gpumex::array::Element;
use rand::SeedableRng;
pub use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

use super::assert_same;

/// A number of an array, with a value that no operation writes by accident.
pub trait Number: Element + PartialEq + PartialOrd + Debug {
    const POISON: Self;
    fn bits(self) -> u64;
}

/// Whether two numbers differ; NaN is the same as NaN.
pub fn differ<T: Number>(got: &T, want: &T) -> bool {
    let is_nan = |number: &T| number.partial_cmp(number).is_none();
    got != want && !(is_nan(got) && is_nan(want))
}

macro_rules! integers {
    ($($integer:ty),*) => {
        $(impl Number for $integer {
            const POISON: $integer = 0xA5A5_A5A5_A5A5_A5A5u64 as $integer;
            fn bits(self) -> u64 {
                self as u64
            }
        })*
    };
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Number for f32 {
    const POISON: f32 = f32::from_bits(0x7FE5_A5A5); // a quiet NaN, so that adding to it shows
    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Number for f64 {
    const POISON: f64 = f64::from_bits(0x7FFD_A5A5_A5A5_A5A5);
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// Runs a generic function for each of the ten number types.
#[allow(unused_macros)] // each test program uses a part
macro_rules! for_every_dtype {
    ($function:ident($($argument:expr),*)) => {
        for_every_dtype!($function($($argument),*): f32 f64 i8 i16 i32 i64 u8 u16 u32 u64)
    };
    ($function:ident $arguments:tt: $($number:ty)*) => {
        $($function::<$number> $arguments;)*
    };
}
#[allow(unused_imports)] // as above
pub(crate) use for_every_dtype;

/// An output: poison, between two guards that nobody may write to.
pub struct Output<T>(Vec<T>);

const GUARD: usize = 64;

impl<T: Number> Output<T> {
    /// Elements of each guard.
    pub const GUARD: usize = GUARD;

    pub fn new(len: usize) -> Output<T> {
        Output(vec![T::POISON; GUARD + len + GUARD])
    }

    /// An array that is input and output at once.
    pub fn holding(values: &[T]) -> Output<T> {
        let mut output = Output::new(values.len());
        output.0[GUARD..GUARD + values.len()].copy_from_slice(values);
        output
    }

    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.0[GUARD..].as_mut_ptr()
    }

    /// The array with its guards.
    pub fn whole(&mut self) -> &mut [T] {
        &mut self.0
    }

    /// What the call wrote; the guards have to be intact.
    #[track_caller]
    pub fn written(self, what: impl Display) -> Vec<T> {
        let Output(mut memory) = self;
        let end = memory.len() - GUARD;
        let (before, behind) = (&memory[..GUARD], &memory[end..]);
        let is_intact = |guard: &[T]| guard.iter().all(|value| value.bits() == T::POISON.bits());
        assert!(is_intact(before), "{what}: wrote before the output: {before:?}");
        assert!(is_intact(behind), "{what}: wrote behind the output: {behind:?}");
        memory.truncate(end);
        memory.drain(..GUARD);
        memory
    }
}

/// Two arrays have the same bits: NaNs are equal to themselves, and the zeros differ.
#[track_caller]
pub fn assert_same_bits<T: Number>(got: &[T], want: &[T], what: impl Display) {
    let bits = |values: &[T]| values.iter().map(|value| value.bits()).collect::<Vec<u64>>();
    assert_same(&bits(got), &bits(want), format!("{what}, {:?} as bits", T::DTYPE));
}

/// Random numbers that are the same everywhere.
pub fn random(seed: u64) -> Pcg64 {
    Pcg64::seed_from_u64(seed)
}

/// Bytes of any value.
pub fn random_bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    random(seed).fill_bytes(&mut bytes);
    bytes
}

/// A board with about a third of its cells alive, each a byte from 1 to 255.
pub fn random_board(seed: u64, cells: usize) -> Vec<u8> {
    let alive = |byte: u8| if byte < 85 { byte * 3 + 1 } else { 0 };
    random_bytes(seed, cells).into_iter().map(alive).collect()
}

/// Numbers from -1 to 1.
pub fn random_f32(seed: u64, len: usize) -> Vec<f32> {
    let mut random = random(seed);
    (0..len).map(|_| random.random_range(-1.0..1.0)).collect()
}

/// Spheres that a picture of this size shows, many behind one another.
pub fn random_spheres(seed: u64, count: usize, width: usize, height: usize) -> Vec<f32> {
    let mut random = random(seed);
    let (w, h) = (width as f32, height as f32);
    let largest = (w + h) / 8.0 + 1.0;
    let mut sphere = || {
        let mut between = |from: f32, to: f32| random.random_range(from..to);
        let colour = [between(0.0, 1.0), between(0.0, 1.0), between(0.0, 1.0)];
        let [r, g, b] = colour;
        [r, g, b, between(0.1, largest), between(-0.6, 0.6) * w, between(-0.6, 0.6) * h, between(-50.0, 50.0)]
    };
    (0..count).flat_map(|_| sphere()).collect()
}
