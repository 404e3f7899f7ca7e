//! Bytes by their value, two with one counter: for bytes of few values, as text has them.
//!
//!   counts(v) = Σ_b pairs(v, b) + Σ_a pairs(a, v)
//!
//! Algorithm  A counter for each pair of neighbours. There are 65536 of 32 bits, of which such bytes meet few: they stay in the
//!            L1 cache.
//! Cost       One load-add-store for two bytes, about 1.5 bytes a cycle and core; folding the 256 KiB of counters costs as much as
//!            100 KB of bytes.
#![forbid(unsafe_code)]

use super::super::zeros;
use crate::error::Result;
use crate::model::histogram::BYTE_VALUES;

/// Counters: a 16-bit number needs no check.
const COUNTERS: usize = 1 << 16;
/// Bytes that 32-bit counters may count.
pub const MOST: usize = 1 << 32;

/// No counters until there is something to count.
#[derive(Default)]
pub struct Pairs(Vec<u32>);

impl Pairs {
    /// Counts bytes, an even number of them, `MOST` altogether.
    pub fn count(&mut self, data: &[u8]) -> Result<()> {
        if self.0.is_empty() {
            self.0 = zeros(COUNTERS)?;
        }
        let Some(counters) = self.0.first_chunk_mut::<COUNTERS>() else { return Ok(()) };
        for bytes in data.as_chunks::<8>().0 {
            let word = u64::from_le_bytes(*bytes);
            for pair in 0..4 {
                counters[usize::from((word >> (16 * pair)) as u16)] += 1;
            }
        }
        for &pair in data.as_chunks::<8>().1.as_chunks::<2>().0 {
            counters[usize::from(u16::from_le_bytes(pair))] += 1;
        }
        Ok(())
    }

    /// Adds what has been counted.
    pub fn fold(&self, counts: &mut [u64; BYTE_VALUES]) {
        for (second, counters) in self.0.as_chunks::<BYTE_VALUES>().0.iter().enumerate() {
            counts.iter_mut().zip(counters).for_each(|(count, &n)| *count += u64::from(n));
            counts[second] += counters.iter().map(|&n| u64::from(n)).sum::<u64>();
        }
    }
}
