//! Bytes by their value.
//!
//!   counts(c, v) = #{ i : data[i] = v, i mod channels = c }        counts (channels, 256)
//!
//! Algorithm  Chunks in parallel. Each byte of a group has a table of its own, so that equal neighbours do not wait for each other's
//!            store; the groups are whole pixels, and a table is that of one channel. Eight equal groups, as constant data have
//!            them, are counted at once. With AVX-512 one channel is counted by mixed.rs.
//! Cost       One load-add-store a byte, about one a cycle and core; a chunk is small enough for 32-bit counters.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::super::{is_small, zeros};
use crate::error::Result;
use crate::histogram::BYTE_VALUES;

/// Bytes of which every number is whole groups, and whole pixels.
const WHOLE: usize = 48;
/// Bytes of a chunk: few enough for 32-bit counters.
const CHUNK: usize = WHOLE << 17;
/// Groups that are looked at together.
const TOGETHER: usize = 8;

/// (channels, 256) counts.
pub fn count(data: &[u8], channels: usize) -> Result<Vec<u64>> {
    let mut total = zeros(channels * BYTE_VALUES)?;
    if is_small(data) {
        count_chunk(data, channels, &mut total);
        return Ok(total);
    }
    let part = data.len().div_ceil(rayon::current_num_threads()).next_multiple_of(WHOLE);
    let parts = data.par_chunks(part).map(|part| {
        let mut counts = zeros(channels * BYTE_VALUES)?;
        part.chunks(CHUNK).for_each(|chunk| count_chunk(chunk, channels, &mut counts));
        Ok(counts)
    });
    for counts in parts.collect::<Result<Vec<Vec<u64>>>>()? {
        total.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
    }
    Ok(total)
}

/// Adds the counts of a chunk, the fastest way of the machine.
pub(super) fn count_chunk(chunk: &[u8], channels: usize, counts: &mut [u64]) {
    match channels {
        #[cfg(target_arch = "x86_64")]
        1 => grouped::<16>(super::mixed::count(chunk, counts), channels, counts),
        3 => grouped::<24>(chunk, channels, counts),
        _ => grouped::<16>(chunk, channels, counts),
    }
}

/// Adds the counts of a chunk, in groups of `GROUP` bytes, a multiple of the channels.
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
