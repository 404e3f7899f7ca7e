//! Bytes by their value with AVX2, two with one store: for bytes of many values.
//!
//!   rows(l, l')(h) counts the first, (h') the second byte of pairs (16 h + l, 16 h' + l')
//!
//! Algorithm  The low nibbles of two neighbours choose one of 256 rows of 32 counters, the high nibbles two counters of it: the sum
//!            of the row and of a vector that has −1 in these. Counters are of 8 bits and nothing is looked at while they count.
//!            Afterwards their sum is the number of pairs, unless one of them has wrapped, which takes multiples of 256 away from
//!            it: then the bytes have to be counted another way. While a block is counted, the nibbles of the next one are
//!            parted, a vector at a time: parted all at once they are wanted before their stores are done.
//! Places     A load waits for an earlier store to another address if the low 12 bits of both are equal: on Intel's cores always,
//!            on Zen 3 if a few more bits of the physical addresses agree, as those of one pair of pages in five do. Rows are
//!            stored all the time, so they leave every other 512 bytes to what else is read all the time, the nibbles. With
//!            these in other pages a process had 2.9 to 5.0 GB/s of random bytes in the cache, by the pages it got; now 4.4 to 5.1.
//! Cost       1.7 loads, a store and three vector operations for two bytes, where a table of values takes two loads and two stores;
//!            8 KiB of rows in four pages. Emptying them costs 2 % of 128 KiB. Bytes are fetched 4 KiB ahead of their use, 2 to
//!            10 % faster from memory, 25 % where another thread shares the core.
#![forbid(unsafe_code)]

use std::arch::x86_64::{__m128i, __m256i, _MM_HINT_T0};
use std::array;
use std::hint::black_box;

use pulp::x86::V3;
use pulp::{NullaryFnOnce, cast};

use super::super::zeros;
use crate::error::Result;
use crate::model::histogram::BYTE_VALUES;

/// Bytes whose nibbles are parted while those of the block before are counted.
const BLOCK: usize = 256;
/// Bytes from those that are counted to those that the cache fetches: the hardware prefetcher does not reach that far while bytes are counted.
const AHEAD: usize = 4096;
/// Bytes of a vector, and pairs of one of its halves.
const VECTOR: usize = 32;
const PAIRS: usize = 8;
const NIBBLES: usize = 16;
const ROW: usize = 2 * NIBBLES;
/// The rows of each low nibble of the second byte are half of a strip; the other half of the first strip has a block's nibbles.
const ROWS: usize = NIBBLES * ROW;
const STRIP: usize = 2 * ROWS;
/// As many bytes as a 16-bit offset of a row may reach, so that no access needs a check.
const REACH: usize = (1 << 16) + ROW;

/// Strips, and what no offset reaches. A row lies in one line of the cache.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Strips([u8; REACH]);

impl Default for Strips {
    fn default() -> Strips {
        Strips([0; REACH])
    }
}

/// The nibbles of a vector: where the row of each pair is, 16 bits, and the high ones.
type Nibbles = [__m256i; 2];

pub struct Rows {
    token: V3,
    strips: Vec<Strips>,
    /// Which bytes of 16 are the high nibbles of each pair, for all counters of a row.
    spread: [__m256i; PAIRS],
}

impl Rows {
    /// None where the machine has no AVX2.
    pub fn new() -> Result<Option<Rows>> {
        let Some(token) = V3::try_new() else { return Ok(None) };
        let spread = array::from_fn(|pair| {
            cast::<[u8; ROW], _>(array::from_fn(|counter| (2 * pair + counter / NIBBLES) as u8))
        });
        // A shuffle the compiler knows becomes three others.
        Ok(Some(Rows { token, strips: zeros(1)?, spread: black_box(spread) }))
    }

    /// Adds the counts of whole blocks. False, and nothing is added, if there are too many of some pair.
    pub fn count(&mut self, blocks: &[[u8; BLOCK]], counts: &mut [u64; BYTE_VALUES]) -> bool {
        let Some(Strips(strips)) = self.strips.first_mut() else { return false };
        let (token, spread) = (self.token, self.spread);
        token.vectorize(Count { token, spread, strips, blocks });
        token.vectorize(Empty { token, strips, pairs: blocks.len() * BLOCK / 2, counts })
    }
}

/// One call, of which the compiler makes one function with these instructions; of a closure it makes more.
struct Count<'a> {
    token: V3,
    spread: [__m256i; PAIRS],
    strips: &'a mut [u8; REACH],
    blocks: &'a [[u8; BLOCK]],
}

impl NullaryFnOnce for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Count { token, spread, strips, blocks } = self;
        let Some(first) = blocks.first() else { return };
        for (number, bytes) in first.as_chunks().0.iter().enumerate() {
            put(strips, number, part(token, bytes));
        }
        for (number, block) in blocks.iter().enumerate() {
            fetch(token, block.as_ptr().wrapping_add(AHEAD));
            // After the last block its own nibbles once more, for nobody.
            let next = blocks.get(number + 1).unwrap_or(block);
            for (number, bytes) in next.as_chunks().0.iter().enumerate() {
                let nibbles = part(token, bytes);
                add(token, number, &spread, strips);
                put(strips, number, nibbles);
            }
        }
    }
}

/// The next block there, if there is one: fetching too much harms nobody.
#[inline(always)]
fn fetch(token: V3, block: *const u8) {
    for line in (0..BLOCK).step_by(64) {
        token.sse._mm_prefetch::<_MM_HINT_T0>(block.wrapping_add(line).cast());
    }
}

#[inline(always)]
fn part(token: V3, bytes: &[u8; VECTOR]) -> Nibbles {
    let (avx, avx2) = (token.avx, token.avx2);
    let low_bits = avx._mm256_set1_epi8(15);
    let bytes: __m256i = cast(*bytes);
    let low = avx2._mm256_and_si256(bytes, low_bits);
    let rows =
        avx2._mm256_maddubs_epi16(low, avx._mm256_set1_epi16(const { 1 + ((STRIP / ROW) << 8) as i16 }));
    let offsets = avx2._mm256_slli_epi16::<{ ROW.ilog2() as i32 }>(rows);
    let high = avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(bytes), low_bits);
    [offsets, high]
}

/// Puts the nibbles of a block's vector of this number where those of the block before are.
#[inline(always)]
fn put(strips: &mut [u8; REACH], number: usize, nibbles: Nibbles) {
    if let Some(place) = strips[ROWS + number * size_of::<Nibbles>()..].first_chunk_mut() {
        *place = cast::<_, [u8; size_of::<Nibbles>()]>(nibbles);
    }
}

/// Counts the vector of this number.
#[inline(always)]
fn add(token: V3, number: usize, spread: &[__m256i; PAIRS], strips: &mut [u8; REACH]) {
    let avx2 = token.avx2;
    let counters: __m256i = cast::<[u8; ROW], _>(array::from_fn(|counter| (counter % NIBBLES) as u8));
    for half in 0..2 {
        let offsets = ROWS + number * size_of::<Nibbles>() + half * VECTOR / 2;
        let Some(high) = strips[offsets + VECTOR..].first_chunk::<{ VECTOR / 2 }>() else { return };
        let high = avx2._mm256_broadcastsi128_si256(cast(*high));
        for (two, spread) in spread.as_chunks::<2>().0.iter().enumerate() {
            let Some(two) = strips[offsets + 4 * two..].first_chunk::<4>() else { return };
            let two = u32::from_le_bytes(*two);
            for (offset, spread) in [two & 0xffff, two >> 16].into_iter().zip(spread) {
                let ones = avx2._mm256_cmpeq_epi8(avx2._mm256_shuffle_epi8(high, *spread), counters);
                let Some(row) = strips[offset as usize..].first_chunk_mut::<ROW>() else { return };
                *row = cast(avx2._mm256_add_epi8(ones, cast(*row)));
            }
        }
    }
}

/// Clears the rows and adds what they counted, if that is all of the pairs.
struct Empty<'a> {
    token: V3,
    strips: &'a mut [u8; REACH],
    pairs: usize,
    counts: &'a mut [u64; BYTE_VALUES],
}

impl NullaryFnOnce for Empty<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Empty { token, strips, pairs, counts } = self;
        let avx2 = token.avx2;
        // Of the first and of the second bytes, by the low nibble; a sum of 16 counters has 16 bits.
        let mut sums = [[[0u16; NIBBLES]; NIBBLES]; 2];
        let [firsts, seconds] = &mut sums;
        for (strip, of_second) in strips.as_chunks_mut::<STRIP>().0.iter_mut().zip(seconds) {
            let mut sum = cast([0u16; NIBBLES]);
            for (row, of_first) in strip[..ROWS].as_chunks_mut::<ROW>().0.iter_mut().zip(&mut *firsts) {
                let counted = avx2._mm256_sub_epi8(cast([0u8; ROW]), cast(*row));
                let [first, second]: [__m128i; 2] = cast(counted);
                *of_first = cast(avx2._mm256_add_epi16(cast(*of_first), avx2._mm256_cvtepu8_epi16(first)));
                sum = avx2._mm256_add_epi16(sum, avx2._mm256_cvtepu8_epi16(second));
                *row = [0; ROW];
            }
            *of_second = cast(sum);
        }
        let total = |sums: &[[u16; NIBBLES]; NIBBLES]| {
            sums.as_flattened().iter().map(|&n| usize::from(n)).sum::<usize>()
        };
        if sums.iter().any(|sums| total(sums) != pairs) {
            return false;
        }
        for (low, of_high) in sums.iter().flat_map(|sums| sums.iter().enumerate()) {
            of_high.iter().enumerate().for_each(|(high, &n)| counts[NIBBLES * high + low] += u64::from(n));
        }
        true
    }
}
