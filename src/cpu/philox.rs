//! Philox4x32-10, the counter-based generator: element i of a stream is a function of the seed and i alone.
//!
//! A block encrypts a counter of 128 bits with a key of 64:
//!
//!   counter = (b mod 2^32, b div 2^32, 0, 0)        key = (seed mod 2^32, seed div 2^32)
//!
//! Block b gives the 64 random bits of elements 2b, x0 | x1·2^32, and 2b + 1, x2 | x3·2^32.
//!
//! Cost       20 products of 32 by 32 bits a block, several blocks side by side for SIMD.
//! Source     J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC'11.
#![forbid(unsafe_code)]
#![allow(clippy::needless_range_loop)] // a loop over the lanes of several arrays

const ROUNDS: usize = 10;
const MULTIPLIERS: [u64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85]; // fractions of the golden ratio and of √3 - 1

const BLOCKS: usize = 64; // fewer are unrolled, and no longer a loop for SIMD
/// How many elements `bits` serves at once.
pub const ELEMENTS: usize = 2 * BLOCKS;

/// The random bits of the elements from `first`, which is even, to first + ELEMENTS.
#[inline(always)] // so that it is compiled for the instruction set of a `dispatch`
pub fn bits(seed: u64, first: u64) -> [u64; ELEMENTS] {
    let mut x = [[0; BLOCKS]; 4];
    for i in 0..BLOCKS {
        let b = (first / 2).wrapping_add(i as u64);
        (x[0][i], x[1][i]) = (low(b), high(b));
    }
    philox(&mut x, [seed as u32, (seed >> 32) as u32]);
    let mut bits = [0; ELEMENTS];
    for i in 0..BLOCKS {
        bits[2 * i] = x[0][i] | x[1][i] << 32;
        bits[2 * i + 1] = x[2][i] | x[3][i] << 32;
    }
    bits
}

/// N blocks side by side: word w of block i is \[w\]\[i\], 32 bits in a lane of 64, so that a product needs no
/// wider one.
#[inline(always)]
fn philox<const N: usize>(x: &mut [[u64; N]; 4], mut key: [u32; 2]) {
    for _ in 0..ROUNDS {
        for i in 0..N {
            let (a, b) = (MULTIPLIERS[0] * x[0][i], MULTIPLIERS[1] * x[2][i]);
            x[0][i] = high(b) ^ x[1][i] ^ u64::from(key[0]);
            x[1][i] = low(b);
            x[2][i] = high(a) ^ x[3][i] ^ u64::from(key[1]);
            x[3][i] = low(a);
        }
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
}

#[inline(always)]
fn low(value: u64) -> u64 {
    value & 0xFFFF_FFFF
}

#[inline(always)]
fn high(value: u64) -> u64 {
    value >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
        let mut x = counter.map(|word| [u64::from(word)]);
        philox(&mut x, key);
        x.map(|[word]| word as u32)
    }

    /// The known answers of Random123, its file kat_vectors.
    #[test]
    fn blocks_are_those_of_random123() {
        assert_eq!(block([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(block([!0; 4], [!0; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
        assert_eq!(
            block(pi, [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn a_block_serves_two_elements_of_64_bits() {
        assert_eq!(bits(0, 0)[..2], [0xe169_c58d_6627_e8d5, 0x9b00_dbd8_bc57_ac4c]);
    }

    #[test]
    fn counter_and_key_have_64_bits_each() {
        let (seed, first) = (0x0123_4567_89ab_cdef, (1u64 << 33) - 4); // its blocks pass 2^32
        for (i, got) in (first..).zip(bits(seed, first)) {
            let b = i / 2;
            let x = block([b as u32, (b >> 32) as u32, 0, 0], [0x89ab_cdef, 0x0123_4567]).map(u64::from);
            let want = if i % 2 == 0 { x[0] | x[1] << 32 } else { x[2] | x[3] << 32 };
            assert_eq!(got, want, "element {i}");
        }
    }
}
