//! Bytes by their value with AVX2, two with one store: for bytes of many values.
//!
//!   rows(l, l')(h) counts the first, (h') the second byte of pairs (16 h + l, 16 h' + l')
//!
//! Algorithm  The low nibbles of two neighbours choose one of 256 rows of 32 counters, the high nibbles two counters of it: the sum
//!            of the row and of a vector that has −1 in these. Pairs take turns between two tables. Counters are of 8 bits and
//!            nothing is looked at while they count. Afterwards their sum is the number of pairs, unless one of them has
//!            wrapped, which takes multiples of 256 away from it: then the bytes have to be counted another way.
//! Cost       Three loads, a store and three vector operations for two bytes, where a table of values takes two loads and two
//!            stores; 16 KiB of rows. Emptying them costs at most 3 % of 128 KiB. Bytes are
//!            fetched 4 KiB ahead of their use: 2 to 10 % faster from memory, 25 % where another thread shares the core.
#![forbid(unsafe_code)]

use std::arch::x86_64::{__m128i, __m256i, _MM_HINT_T0};
use std::array;
use std::hint::black_box;

use pulp::x86::V3;
use pulp::{NullaryFnOnce, cast};

use super::super::zeros;
use crate::error::Result;
use crate::histogram::BYTE_VALUES;

/// Bytes whose nibbles are parted before they are counted.
const BLOCK: usize = 256;
/// Bytes from those that are counted to those that the cache fetches: counting leaves it no room to see that far.
const AHEAD: usize = 4096;
/// Pairs of a vector.
const PAIRS: usize = 8;
const NIBBLES: usize = 16;
const ROW: usize = 2 * NIBBLES;
const TABLE: usize = BYTE_VALUES * ROW;
const TABLES: usize = 2;
/// As many bytes as a 16-bit offset into any table may reach, so that no access needs a check.
const REACH: usize = (1 << 16) + TABLES * TABLE;

/// A row lies in one line of the cache.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Tables([u8; REACH]);

impl Default for Tables {
    fn default() -> Tables {
        Tables([0; REACH])
    }
}

/// The nibbles of a block: where the row of each pair is, four to a word, and the high ones.
#[repr(C, align(64))]
struct Nibbles {
    offsets: [[u64; PAIRS / 4]; BLOCK / 16],
    high: [[u8; 16]; BLOCK / 16],
}

pub struct Rows {
    token: V3,
    tables: Vec<Tables>,
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
        Ok(Some(Rows { token, tables: zeros(1)?, spread: black_box(spread) }))
    }

    /// Adds the counts of whole blocks. False, and nothing is added, if there are too many of some pair.
    pub fn count(&mut self, blocks: &[[u8; BLOCK]], counts: &mut [u64; BYTE_VALUES]) -> bool {
        let Some(Tables(tables)) = self.tables.first_mut() else { return false };
        self.token.vectorize(Count { token: self.token, spread: self.spread, tables, blocks, counts })
    }
}

/// One call, of which the compiler makes one function with these instructions; of a closure it makes more.
struct Count<'a> {
    token: V3,
    spread: [__m256i; PAIRS],
    tables: &'a mut [u8; REACH],
    blocks: &'a [[u8; BLOCK]],
    counts: &'a mut [u64; BYTE_VALUES],
}

impl NullaryFnOnce for Count<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let Count { token, spread, tables, blocks, counts } = self;
        let mut nibbles = Nibbles { offsets: [[0; 2]; BLOCK / 16], high: [[0; 16]; BLOCK / 16] };
        for block in blocks {
            fetch(token, block.as_ptr().wrapping_add(AHEAD));
            part(token, block, &mut nibbles);
            add(token, &nibbles, &spread, tables);
        }
        empty(token, tables, blocks.len() * BLOCK / 2, counts)
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
fn part(token: V3, block: &[u8; BLOCK], nibbles: &mut Nibbles) {
    let (avx, avx2) = (token.avx, token.avx2);
    let low_bits = avx._mm256_set1_epi8(15);
    let parts = nibbles.offsets.as_chunks_mut::<2>().0.iter_mut().zip(nibbles.high.as_chunks_mut::<2>().0);
    for (bytes, (offsets, high)) in block.as_chunks::<32>().0.iter().zip(parts) {
        let bytes: __m256i = cast(*bytes);
        let low = avx2._mm256_and_si256(bytes, low_bits);
        let rows = avx2._mm256_maddubs_epi16(low, avx._mm256_set1_epi16(0x1001));
        *offsets = cast(avx2._mm256_slli_epi16::<{ ROW.ilog2() as i32 }>(rows));
        *high = cast(avx2._mm256_and_si256(avx2._mm256_srli_epi16::<4>(bytes), low_bits));
    }
}

#[inline(always)]
fn add(token: V3, nibbles: &Nibbles, spread: &[__m256i; PAIRS], tables: &mut [u8; REACH]) {
    let avx2 = token.avx2;
    let counters: __m256i = cast::<[u8; ROW], _>(array::from_fn(|counter| (counter % NIBBLES) as u8));
    for (offsets, high) in nibbles.offsets.iter().zip(&nibbles.high) {
        let high = avx2._mm256_broadcastsi128_si256(cast::<[u8; 16], __m128i>(*high));
        for (pair, spread) in spread.iter().enumerate() {
            let offset = (offsets[pair / 4] >> (16 * (pair % 4))) as u16;
            let ones = avx2._mm256_cmpeq_epi8(avx2._mm256_shuffle_epi8(high, *spread), counters);
            let at = pair % TABLES * TABLE + usize::from(offset);
            let Some(row) = tables[at..].first_chunk_mut::<ROW>() else { return };
            *row = cast(avx2._mm256_add_epi8(ones, cast(*row)));
        }
    }
}

/// Clears the tables and adds what they counted, if that is all of the pairs.
#[inline(always)]
fn empty(token: V3, tables: &mut [u8], pairs: usize, counts: &mut [u64; BYTE_VALUES]) -> bool {
    let avx2 = token.avx2;
    // Of the first and of the second bytes, by the low nibble; a sum of 32 counters has 16 bits.
    let mut sums = [[[0u16; NIBBLES]; NIBBLES]; 2];
    for table in tables[..TABLES * TABLE].as_chunks_mut::<TABLE>().0 {
        for (low_of_second, rows) in table.as_chunks_mut::<{ NIBBLES * ROW }>().0.iter_mut().enumerate() {
            let mut of_second = cast(sums[1][low_of_second]);
            for (row, of_first) in rows.as_chunks_mut::<ROW>().0.iter_mut().zip(&mut sums[0]) {
                let counted = avx2._mm256_sub_epi8(cast([0u8; ROW]), cast(*row));
                let [first, second]: [__m128i; 2] = cast(counted);
                *of_first = cast(avx2._mm256_add_epi16(cast(*of_first), avx2._mm256_cvtepu8_epi16(first)));
                of_second = avx2._mm256_add_epi16(of_second, avx2._mm256_cvtepu8_epi16(second));
                *row = [0; ROW];
            }
            sums[1][low_of_second] = cast(of_second);
        }
    }
    let total =
        |sums: &[[u16; NIBBLES]; NIBBLES]| sums.as_flattened().iter().map(|&n| usize::from(n)).sum::<usize>();
    if sums.iter().any(|sums| total(sums) != pairs) {
        return false;
    }
    for (low, of_high) in sums.iter().flat_map(|sums| sums.iter().enumerate()) {
        of_high.iter().enumerate().for_each(|(high, &n)| counts[NIBBLES * high + low] += u64::from(n));
    }
    true
}
