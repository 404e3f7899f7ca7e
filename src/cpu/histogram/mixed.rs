//! Bytes by their value with AVX-512: a third of a block in tables, the rest as bits, at the same time.
//!
//!   counts(v) = Σ popcount(H(v / 16) ∧ L(v mod 16)) + Σ tables(v)
//!
//! Algorithm  Counting in tables is bound by the one store a cycle, and leaves the vector units idle. These take two thirds of the
//!            block: its bytes become eight planes of bits, the planes sets H and L of the bytes that have each high and each
//!            low nibble, and a value's bytes are those in both sets. Bytes of a table's third are put between the 256 values.
//!            Blocks that repeat their first 64 bytes, as constant data have them, are counted at once.
//! Cost       12 vector operations and 5 stores for 12 bytes; 1.25 loads of sets, since four high nibbles share a low one's. With
//!            94 % zeros 1.8 times as fast as tables alone, where a table's stores wait for each other; the bits do not.
//! Use        For bytes of one channel with repeats, or with frequent values that are not few. The rows of rows.rs are faster where
//!            there are many values.
//! Source     Histograms as positional popcounts of one-hot bytes: H. Aptroot, "Histogramming bytes with positional popcount", 2024;
//!            here sets of nibbles instead of one-hot words.
#![forbid(unsafe_code)]

use std::arch::x86_64::{__m512i, _MM_HINT_T0};
use std::array;

use pulp::cast;

use crate::model::histogram::BYTE_VALUES;

pulp::simd_type! {
    /// Bits of vectors are counted in one instruction.
    pub struct Avx512 {
        pub sse: "sse",
        pub avx512f: "avx512f",
        pub avx512bw: "avx512bw",
        pub avx512vl: "avx512vl",
        pub avx512vpopcntdq: "avx512vpopcntdq",
    }
}

const NIBBLES: usize = 16;
/// Bytes whose planes are vectors.
const PLANE: usize = 512;
/// Vectors of a set.
const PARTS: usize = 4;
const AS_BITS: usize = PARTS * PLANE;
/// Bytes that go into tables for each value, each into one of its own.
const TABLES: usize = 4;
const BLOCK: usize = AS_BITS + BYTE_VALUES * TABLES;
/// High nibbles whose sets are in registers while those of all low nibbles pass.
const TOGETHER: usize = 4;
/// Bytes from a block to those that the cache fetches meanwhile.
const AHEAD: usize = 4096;
const REPEATED: usize = 64;

/// The bytes of a part of a block that have each nibble.
type Sets = [[__m512i; PARTS]; NIBBLES];

/// What is counted so far, and the sets of the block that is.
struct BlockState {
    high: Sets,
    low: Sets,
    by_bits: [[__m512i; NIBBLES]; NIBBLES],
    by_tables: [[u32; BYTE_VALUES]; TABLES],
}

/// Whether this is such a machine.
pub fn is_there() -> bool {
    Avx512::try_new().is_some()
}

/// Adds the counts of whole blocks, and returns the bytes that are left: all of them where there is no such machine.
#[inline(never)] // its state is on the stack, as others' are: callers may have 64 KiB
pub fn count<'d>(data: &'d [u8], counts: &mut [u64]) -> &'d [u8] {
    let Some(token) = Avx512::try_new() else { return data };
    let (blocks, rest) = data.as_chunks::<BLOCK>();
    if blocks.is_empty() {
        return data;
    }
    let zero = cast([0u64; 8]);
    let mut state = BlockState {
        high: [[zero; PARTS]; NIBBLES],
        low: [[zero; PARTS]; NIBBLES],
        by_bits: [[zero; NIBBLES]; NIBBLES],
        by_tables: [[0; BYTE_VALUES]; TABLES],
    };
    token.vectorize(
        #[inline(always)]
        || {
            for block in blocks {
                let (repeats, _) = block.as_chunks::<REPEATED>();
                if repeats.iter().all(|repeat| *repeat == repeats[0]) {
                    repeats[0].iter().for_each(|&byte| counts[usize::from(byte)] += repeats.len() as u64);
                } else {
                    add_block(token, block, &mut state);
                }
            }
        },
    );
    for (value, count) in counts.iter_mut().enumerate() {
        let bits: [u64; 8] = cast(state.by_bits[value / NIBBLES][value % NIBBLES]);
        *count += bits.iter().sum::<u64>();
        *count += state.by_tables.iter().map(|table| u64::from(table[value])).sum::<u64>();
    }
    rest
}

#[inline(always)]
fn add_block(token: Avx512, block: &[u8; BLOCK], state: &mut BlockState) {
    let (as_bits, groups) = block.split_at(AS_BITS);
    // There is a group for each value; an array has a length that the loops below need not compare.
    let groups = groups.as_chunks::<TABLES>().0.as_chunks::<TOGETHER>().0.as_chunks::<NIBBLES>().0;
    let Some(groups) = groups.first_chunk::<{ NIBBLES / TOGETHER }>() else { return };
    find_sets(token, as_bits, state);
    let totals = state.by_bits.as_chunks_mut::<TOGETHER>().0;
    let highs = state.high.as_chunks::<TOGETHER>().0.iter().zip(totals).zip(groups);
    for (number, ((highs, totals), groups)) in highs.enumerate() {
        fetch(token, block.as_ptr().wrapping_add(AHEAD + number * BLOCK * TOGETHER / NIBBLES));
        // Copies stay in registers; the tables might be where these sets are, for all the compiler knows.
        let highs = *highs;
        for (nibble, (&low, groups)) in state.low.iter().zip(groups).enumerate() {
            for ((high, totals), group) in highs.into_iter().zip(&mut *totals).zip(groups) {
                totals[nibble] = add_both(token, totals[nibble], high, low);
                let group = u32::from_le_bytes(*group);
                for (place, table) in state.by_tables.iter_mut().enumerate() {
                    table[usize::from((group >> (8 * place)) as u8)] += 1;
                }
            }
        }
    }
}

/// The lines of so much of a later block as is counted at once, if there is one: fetching too much harms nobody.
#[inline(always)]
fn fetch(token: Avx512, bytes: *const u8) {
    for line in (0..BLOCK * TOGETHER / NIBBLES).step_by(64) {
        token.sse._mm_prefetch::<_MM_HINT_T0>(bytes.wrapping_add(line).cast());
    }
}

/// Adds how many bytes are in both sets.
#[inline(always)]
fn add_both(token: Avx512, total: __m512i, high: [__m512i; PARTS], low: [__m512i; PARTS]) -> __m512i {
    let f = token.avx512f;
    let [a, b, c, d] = array::from_fn(|part| popcounts(f._mm512_and_si512(high[part], low[part])));
    let sum = f._mm512_add_epi64(f._mm512_add_epi64(a, b), f._mm512_add_epi64(c, d));
    f._mm512_add_epi64(total, sum)
}

/// Finds the bytes with each high, and with each low nibble.
#[inline(always)]
fn find_sets(token: Avx512, bytes: &[u8], state: &mut BlockState) {
    for (part, bytes) in bytes.as_chunks::<PLANE>().0.iter().enumerate().take(PARTS) {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = planes(token, bytes);
        let (high, low) = (nibbles(token, [p4, p5, p6, p7]), nibbles(token, [p0, p1, p2, p3]));
        for nibble in 0..NIBBLES {
            state.high[nibble][part] = high[nibble];
            state.low[nibble][part] = low[nibble];
        }
    }
}

/// Bit i of plane k is bit k of byte i.
#[inline(always)]
fn planes(token: Avx512, bytes: &[u8; PLANE]) -> [__m512i; 8] {
    let mut planes = [[0u64; 8]; 8];
    for (word, bytes) in bytes.as_chunks::<64>().0.iter().enumerate() {
        for (k, plane) in planes.iter_mut().enumerate() {
            plane[word] = token.avx512bw._mm512_test_epi8_mask(cast(*bytes), cast([1u8 << k; 64]));
        }
    }
    planes.map(cast)
}

/// Which bits are set in four planes: set n has the bytes whose nibble is n.
#[inline(always)]
fn nibbles(token: Avx512, [a, b, c, d]: [__m512i; 4]) -> [__m512i; NIBBLES] {
    let f = token.avx512f;
    let pairs = |low, high| {
        let neither = f._mm512_andnot_si512(f._mm512_or_si512(low, high), cast([!0u64; 8]));
        let (one, two) = (f._mm512_andnot_si512(high, low), f._mm512_andnot_si512(low, high));
        [neither, one, two, f._mm512_and_si512(low, high)]
    };
    let (lower, upper) = (pairs(a, b), pairs(c, d));
    array::from_fn(|nibble| f._mm512_and_si512(lower[nibble % 4], upper[nibble / 4]))
}

/// How many bits are set in each word; one instruction.
#[inline(always)]
fn popcounts(bits: __m512i) -> __m512i {
    let words: [u64; 8] = cast(bits);
    cast(words.map(|word| u64::from(word.count_ones())))
}
