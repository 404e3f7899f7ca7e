//! Bytes by their value.
//!
//!   counts(c, v) = #{ i : data[i] = v, i mod channels = c }        counts (channels, 256)
//!
//! Algorithm  Parts in parallel. The bytes of one channel are counted the way that a sample of each MiB of them asks for:
//!            - many values: rows.rs, two bytes with one store into 8 KiB, with AVX2;
//!            - frequent values: pairs.rs, two bytes with one load-add-store, of counters that these bytes meet few of; with
//!              AVX-512 only if there are few values altogether, and else mixed.rs;
//!            - neighbours repeat, so that these stores would wait for each other: tables, and with AVX-512 mixed.rs.
//!            Several channels, and short parts, go into tables: each byte of a group has one of its own, so that equal neighbours
//!            do not wait for each other's store; the groups are whole pixels, and a table is that of one channel. Eight equal
//!            groups, as constant data have them, are counted at once.
//! Cost       Tables: one load-add-store a byte, about one a cycle and core, whatever the caches; so rows and pairs, which take one
//!            for two bytes. The bytes come from memory three times as fast as any of these counts them. The sample waits for
//!            memory eight times a MiB.
//! Limits     Parts are short enough for 32-bit counters.
#![forbid(unsafe_code)]

use super::super::is_small;
use super::super::parallel::parallel_for::try_parallel_for;
use super::super::zeros;
use super::pairs::{self, Pairs};
#[cfg(target_arch = "x86_64")]
use super::{mixed, rows::Rows};
use crate::error::Result;
use crate::interrupt::{poll, poll_at};
use crate::model::histogram::BYTE_VALUES;

/// Bytes of which every number is whole groups, and whole pixels.
const WHOLE: usize = 48;
/// Bytes that go into tables together: few enough for 32-bit counters.
const IN_TABLES: usize = WHOLE << 17;
/// Bytes that are counted the same way.
pub(super) const CHUNK: usize = 1 << 20;
/// Bytes of which rows are sure of their number.
#[cfg(target_arch = "x86_64")]
const IN_ROWS: usize = 1 << 17;
/// Shorter parts go into tables: the other ways have more to clear and to fold.
const SHORT: usize = 1 << 20;
/// Groups that are looked at together.
const TOGETHER: usize = 8;

/// Pieces of a chunk that are looked at, and bytes of one: each is a wait for memory.
const PIECES: usize = 8;
const PIECE: usize = 128;
/// Of so many in the sample no value is one of few.
const FREQUENT: u16 = (PIECES * PIECE / 32) as u16;
/// So many values in the sample are few: counters of pairs of them stay in the L1 cache.
const FEW: usize = 96;
/// So many pairs of a piece that are the pair before them are many: stores wait.
const REPEATS: usize = PIECE / 2 * 3 / 8;

/// (channels, 256) counts.
pub fn count(data: &[u8], channels: usize) -> Result<Vec<u64>> {
    let mut total = zeros(channels * BYTE_VALUES)?;
    if is_small(data) {
        in_tables(data, channels, &mut total);
        return Ok(total);
    }
    let part = data.len().div_ceil(rayon::current_num_threads()).next_multiple_of(WHOLE);
    let mut tables = zeros(data.len().div_ceil(part) * total.len())?;
    let parts = data.chunks(part).zip(tables.chunks_mut(total.len()));
    try_parallel_for(false, parts, |_, (part, table)| count_part(part, channels, table))?;
    for table in tables.chunks(total.len()) {
        total.iter_mut().zip(table).for_each(|(sum, more)| *sum += more);
    }
    Ok(total)
}

/// Adds the counts of a part.
pub(super) fn count_part(part: &[u8], channels: usize, counts: &mut [u64]) -> Result<()> {
    if part.len() >= SHORT
        && let Ok(counts) = <&mut [u64; BYTE_VALUES]>::try_from(&mut *counts)
    {
        return part.chunks(pairs::MOST).try_for_each(|part| by_sample(part, counts));
    }
    all_in_tables(part, channels, counts);
    Ok(())
}

/// How a chunk is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Way {
    Rows,
    Pairs,
    Tables,
}

/// Adds the counts of bytes of one channel.
fn by_sample(data: &[u8], counts: &mut [u64; BYTE_VALUES]) -> Result<()> {
    let has_mixed = has_mixed();
    #[cfg(target_arch = "x86_64")]
    let mut rows = Rows::new()?;
    let mut pairs = Pairs::default();
    // Neighbouring chunks go into the same tables: from where.
    let mut begin = 0;
    for (number, chunk) in data.as_chunks::<CHUNK>().0.iter().enumerate() {
        poll_at(number * CHUNK, data.len());
        let counted = match way(chunk, has_mixed) {
            Way::Pairs => {
                pairs.count(chunk)?;
                CHUNK
            }
            #[cfg(target_arch = "x86_64")]
            Way::Rows => rows.as_mut().map_or(0, |rows| {
                let parts = chunk.as_chunks::<IN_ROWS>().0.iter();
                IN_ROWS * parts.take_while(|part| rows.count(part.as_chunks().0, counts)).count()
            }),
            _ => 0,
        };
        if counted > 0 {
            all_in_tables(&data[begin..number * CHUNK], 1, counts);
            begin = number * CHUNK + counted;
        }
    }
    pairs.fold(counts);
    all_in_tables(&data[begin..], 1, counts);
    Ok(())
}

fn has_mixed() -> bool {
    #[cfg(target_arch = "x86_64")]
    return mixed::is_there();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// What a sample of a chunk asks for; mixed.rs counts frequent values faster than pairs that leave the L1 cache.
pub(super) fn way(chunk: &[u8; CHUNK], has_mixed: bool) -> Way {
    let pieces = chunk.as_chunks::<{ CHUNK / PIECES }>().0;
    let repeats = |stretch: &[u8; CHUNK / PIECES]| {
        let pairs = stretch[..PIECE + 2].as_chunks::<2>().0;
        pairs.windows(2).filter(|two| two[0] == two[1]).count()
    };
    // What is counted fastest is found soonest.
    if pieces.iter().map(repeats).sum::<usize>() > PIECES * REPEATS {
        return Way::Tables;
    }
    let mut seen = [0u16; BYTE_VALUES];
    pieces.iter().flat_map(|stretch| &stretch[..PIECE]).for_each(|&byte| seen[usize::from(byte)] += 1);
    let is_frequent = seen.iter().any(|&times| times > FREQUENT);
    let are_few = seen.iter().filter(|&&times| times > 0).count() <= FEW;
    match (is_frequent, has_mixed) {
        (true, false) => Way::Pairs,
        (true, true) if are_few => Way::Pairs,
        (true, true) => Way::Tables,
        (false, _) => Way::Rows,
    }
}

/// Adds the counts of any number of bytes.
fn all_in_tables(data: &[u8], channels: usize, counts: &mut [u64]) {
    for chunk in data.chunks(IN_TABLES) {
        poll();
        in_tables(chunk, channels, counts);
    }
}

/// Adds the counts of a chunk, at most `IN_TABLES` bytes.
fn in_tables(chunk: &[u8], channels: usize, counts: &mut [u64]) {
    match channels {
        #[cfg(target_arch = "x86_64")]
        1 => grouped::<16>(mixed::count(chunk, counts), channels, counts),
        3 => grouped::<24>(chunk, channels, counts),
        _ => grouped::<16>(chunk, channels, counts),
    }
}

/// Adds the counts of a chunk, in groups of `GROUP` bytes, a multiple of the channels.
#[inline(never)] // its tables are on the stack, as others' are: callers may have 64 KiB
fn grouped<const GROUP: usize>(chunk: &[u8], channels: usize, counts: &mut [u64]) {
    let mut tables = [[0u32; BYTE_VALUES]; GROUP];
    let (groups, rest) = chunk.as_chunks::<GROUP>();
    for together in groups.chunks(TOGETHER) {
        let first = &together[0];
        if together.iter().all(|group| group == first) {
            add(&mut tables, first, together.len() as u32);
        } else {
            together.iter().for_each(|group| add(&mut tables, group, 1));
        }
    }
    for (table, &byte) in tables.iter_mut().zip(rest) {
        table[usize::from(byte)] += 1;
    }
    for (lane, table) in tables.iter().enumerate() {
        let counts = &mut counts[lane % channels * BYTE_VALUES..][..BYTE_VALUES];
        counts.iter_mut().zip(table).for_each(|(sum, &more)| *sum += u64::from(more));
    }
}

#[inline]
fn add<const GROUP: usize>(tables: &mut [[u32; BYTE_VALUES]; GROUP], group: &[u8; GROUP], times: u32) {
    for (table, &byte) in tables.iter_mut().zip(group) {
        table[usize::from(byte)] += times;
    }
}
