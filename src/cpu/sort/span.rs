//! What is known of ranks.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::partition::part_of;
use super::wide;
use crate::cpu::parallel::parallel_for::parallel_for;
use crate::error::Result;
use crate::interrupt::{PIECE, poll};
use crate::model::order::{Key, KeyOrder};

/// Ranks from `base` on, which differ from it in these bits at most when it is subtracted.
#[derive(Clone, Copy)]
pub struct Span {
    base: u64,
    pub bits: u64,
}

impl Span {
    /// Ranks that are all the same, or of keys in order.
    pub const NOTHING: Span = Span { base: 0, bits: 0 };

    /// Ranks that differ from this one in these bits at most.
    pub fn new(rank: u64, differing: u64) -> Span {
        Span { base: rank & !below(width(differing)), bits: differing }
    }

    /// The ranks of keys, on this thread where it `is_alone`.
    pub fn of<E: Key>(order: KeyOrder, keys: &[E], is_alone: bool) -> Result<Span> {
        let (first, bits) = (keys.first().map_or(0, |&key| wide(order, key)), AtomicU64::new(0));
        parallel_for(is_alone, keys.chunks(part_of(keys.len(), is_alone)), |_, part| {
            for piece in part.chunks(PIECE) {
                poll();
                let differing = piece.iter().fold(0, |bits, &key| bits | (wide(order, key) ^ first));
                bits.fetch_or(differing, Relaxed);
            }
        })?;
        Ok(Span::new(first, bits.into_inner()))
    }

    /// The rank of a key, less the base.
    #[inline(always)]
    pub fn rank<E: Key>(self, order: KeyOrder, key: E) -> u64 {
        wide(order, key) - self.base
    }

    /// Bits of a rank, from the lowest one that counts on.
    pub fn top(self) -> u32 {
        width(self.bits)
    }

    /// The ranks whose bits from `shift` on are `begin` to `end`, without it.
    pub fn part(self, shift: u32, begin: usize, end: usize) -> Span {
        let inner = below(width((end - begin - 1) as u64)) << shift;
        Span { base: self.base + ((begin as u64) << shift), bits: inner | (self.bits & below(shift)) }
    }

    /// The same ranks where they differ in these bits at most.
    pub fn differing(self, bits: u64) -> Span {
        Span { bits, ..self }
    }
}

/// Bits of a number up to the highest that is set.
fn width(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// The lowest bits, so many.
pub fn below(bits: u32) -> u64 {
    if bits < u64::BITS { (1 << bits) - 1 } else { u64::MAX }
}
