//! Vectors of words: the operations that the networks are made of, for each instruction set.
#![forbid(unsafe_code)]

use super::network::{self, Sum};

/// An instruction set, and the logic on its vectors.
pub trait Lanes: Copy + Send + Sync {
    type Vector: Copy;

    /// 64-bit words of a vector.
    const WORDS: usize;

    /// Compiles `body` for this instruction set; what it calls must be inlined into it.
    fn vectorize<R>(self, body: impl FnOnce() -> R) -> R;

    /// The first words of a slice that has at least so many.
    fn load(self, words: &[u64]) -> Self::Vector;
    fn store(self, vector: Self::Vector, words: &mut [u64]);
    fn splat(self, word: u64) -> Self::Vector;

    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a and not b.
    fn without(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Each word shifted by 0 to 63 bits.
    fn shift_right(self, a: Self::Vector, bits: Self::Vector) -> Self::Vector;
    fn shift_left(self, a: Self::Vector, bits: Self::Vector) -> Self::Vector;

    /// Each word turned left by 0, 1 or 63 bits.
    fn turn_left(self, a: Self::Vector, bits: Self::Vector) -> Self::Vector;

    /// Funnel shift: of the 128 bits of high and low the 64 from a bit on, 1 to 63, in each word.
    #[inline(always)]
    fn extract(self, low: Self::Vector, high: Self::Vector, bit: u64) -> Self::Vector {
        self.or(self.shift_right(low, self.splat(bit)), self.shift_left(high, self.splat(64 - bit)))
    }

    #[inline(always)]
    fn xor3(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        self.xor(self.xor(a, b), c)
    }

    #[inline(always)]
    fn majority(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
        self.or(self.and(a, b), self.and(self.xor(a, b), c))
    }

    /// a where the mask is 1, b where it is 0.
    #[inline(always)]
    fn select(self, mask: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.xor(self.and(self.xor(a, b), mask), b)
    }

    /// Bit i: cell i is not 0.
    #[inline(always)]
    fn pack(self, cells: &[u8; 64]) -> u64 {
        let mut word = 0;
        for (i, eight) in cells.as_chunks::<8>().0.iter().enumerate() {
            const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
            let eight = u64::from_le_bytes(*eight);
            let alive = (((eight & LOW) + LOW) | eight) >> 7 & 0x0101_0101_0101_0101;
            // The product moves bit 8k to bit 56 + k.
            word |= (alive.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        word
    }

    /// Cell i is bit i.
    #[inline(always)]
    fn unpack(self, word: u64) -> [u8; 64] {
        let mut cells = [0; 64];
        for (byte, eight) in word.to_le_bytes().into_iter().zip(cells.as_chunks_mut::<8>().0) {
            // Byte k has bit k of the eight, alone; the sum carries it to the top of the byte.
            let bits = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            *eight = ((bits + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101).to_le_bytes();
        }
        cells
    }

    /// B3/S23.
    #[inline(always)]
    fn conway(
        self,
        above: Sum<Self::Vector>,
        same: Sum<Self::Vector>,
        below: Sum<Self::Vector>,
    ) -> Self::Vector {
        network::conway(self, above, same, below)
    }
}

/// Two words, as every 64-bit machine has them.
#[derive(Clone, Copy)]
pub struct Portable;

impl Portable {
    #[inline(always)]
    fn zip(a: [u64; 2], b: [u64; 2], f: impl Fn(u64, u64) -> u64) -> [u64; 2] {
        [f(a[0], b[0]), f(a[1], b[1])]
    }
}

#[rustfmt::skip]
impl Lanes for Portable {
    type Vector = [u64; 2];
    const WORDS: usize = 2;

    #[inline(always)]
    fn vectorize<R>(self, body: impl FnOnce() -> R) -> R { body() }

    #[inline(always)]
    fn load(self, words: &[u64]) -> [u64; 2] { [words[0], words[1]] }
    #[inline(always)]
    fn store(self, vector: [u64; 2], words: &mut [u64]) { words[..2].copy_from_slice(&vector); }
    #[inline(always)]
    fn turn_left(self, a: [u64; 2], bits: [u64; 2]) -> [u64; 2] { Portable::zip(a, bits, |a, bits| a.rotate_left(bits as u32)) }
    #[inline(always)]
    fn splat(self, word: u64) -> [u64; 2] { [word; 2] }

    #[inline(always)]
    fn and(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] { Self::zip(a, b, |a, b| a & b) }
    #[inline(always)]
    fn or(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] { Self::zip(a, b, |a, b| a | b) }
    #[inline(always)]
    fn xor(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] { Self::zip(a, b, |a, b| a ^ b) }
    #[inline(always)]
    fn without(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] { Self::zip(a, b, |a, b| a & !b) }
    #[inline(always)]
    fn shift_right(self, a: [u64; 2], bits: [u64; 2]) -> [u64; 2] { Self::zip(a, bits, |a, bits| a >> bits) }
    #[inline(always)]
    fn shift_left(self, a: [u64; 2], bits: [u64; 2]) -> [u64; 2] { Self::zip(a, bits, |a, bits| a << bits) }
}
