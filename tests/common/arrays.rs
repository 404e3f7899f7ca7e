//! Outputs that are poison between two guards before the call, and inputs that are random numbers from a seed.

use std::fmt::{Debug, Display};

use rand::SeedableRng;
pub use rand::{Rng, RngExt};
use rand_pcg::Pcg64;

/// A number of an array, with a value that no operation writes by accident.
pub trait Number: Copy + PartialEq + Debug {
    const POISON: Self;
    fn bits(self) -> u64;
}

impl Number for u8 {
    const POISON: u8 = 0xA5;
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Number for u64 {
    const POISON: u64 = 0xA5A5_A5A5_A5A5_A5A5;
    fn bits(self) -> u64 {
        self
    }
}

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

/// An output: poison, between two guards that nobody may write to.
pub struct Output<T>(Vec<T>);

const GUARD: usize = 64;

impl<T: Number> Output<T> {
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
