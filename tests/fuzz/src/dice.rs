//! Random choices. A case is a function of the seed and its number alone.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

pub struct Dice(Pcg64Mcg);

impl Dice {
    pub fn new(seed: u64, case: u64) -> Dice {
        let mixed = (seed ^ case.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Dice(Pcg64Mcg::seed_from_u64(mixed ^ (mixed >> 29)))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// Yes in `times` of 1000 cases.
    pub fn per_mille(&mut self, times: usize) -> bool {
        self.below(1000) < times
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A size: mostly small, often next to a power of two.
    pub fn size(&mut self) -> u64 {
        let power = 1u64 << self.below(8);
        match self.below(100) {
            0..4 => 0,
            4..12 => 1,
            12..50 => 2 + self.below(15) as u64,
            50..75 => power + self.below(3) as u64 - 1,
            75..96 => self.below(100) as u64,
            96..98 => 256,
            98 => self.below(4000) as u64 >> self.below(4),
            _ => self.below(40) as u64,
        }
    }

    /// A size beyond the first block of a parallel loop.
    pub fn large_size(&mut self) -> u64 {
        let power = 1u64 << (10 + self.below(8) + self.below(4));
        power + self.below(5) as u64 - 2
    }
}
