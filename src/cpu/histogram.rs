//! Byte histogram on the CPU.
//!
//!   counts[v] = #{ i : data[i] = v }        data (len) u8, counts (256) u64
//!
//! Algorithm  Chunks in parallel; each counts into eight tables in turn, so that equal neighbours do not wait for each other's
//!            store, and adds them up at its end.
//! Cost       One load-add-store a byte, about one a cycle and core; a chunk is small enough for 32-bit counters.
#![forbid(unsafe_code)]

use rayon::prelude::*;

use super::Workers;
use crate::error::Result;

const TABLES: usize = 8;
const CHUNK: usize = 1 << 20;
const SMALL: usize = 1 << 15; // counted before the pool has woken up
type Counts = [u64; 256];

/// counts ← the histogram of data.
pub fn histogram(workers: &Workers, data: &[u8], counts: &mut [u64]) -> Result<()> {
    let total = match data.len() {
        0..SMALL => workers.run_sequential(|| count(data)),
        _ => workers.run(|| data.par_chunks(CHUNK).map(count).reduce(|| [0; 256], add))?,
    };
    counts.copy_from_slice(&total);
    Ok(())
}

fn count(chunk: &[u8]) -> Counts {
    let mut tables = [[0u32; 256]; TABLES];
    let groups = chunk.chunks_exact(TABLES);
    for &byte in groups.remainder() {
        tables[0][usize::from(byte)] += 1;
    }
    for group in groups {
        for (table, &byte) in tables.iter_mut().zip(group) {
            table[usize::from(byte)] += 1;
        }
    }
    std::array::from_fn(|value| tables.iter().map(|table| u64::from(table[value])).sum())
}

fn add(a: Counts, b: Counts) -> Counts {
    std::array::from_fn(|value| a[value] + b[value])
}

/// The plain loop.
pub fn sequential(workers: &Workers, data: &[u8], counts: &mut [u64]) -> Result<()> {
    workers.run_sequential(|| {
        counts.fill(0);
        for &byte in data {
            counts[usize::from(byte)] += 1;
        }
    });
    Ok(())
}
