//! The most frequent words of a table: bins are narrowed down until few more than k are left, which the host sorts.

use super::super::runtime::kernels::{WORDS_RANKS, gpumexk_words_pick, gpumexk_words_rank};
use super::super::runtime::memory::Buffer;
use super::table::Table;
use super::{Device, download};
use crate::error::Result;
use crate::model::words::{self, Tally};
use crate::vector::collected;

/// So many more than asked for are downloaded rather than narrowed down.
const SLACK: u64 = 1 << 14;
const RANK_BITS: u32 = WORDS_RANKS.ilog2();

/// What is ranked.
#[derive(Clone, Copy)]
enum Value {
    /// words - count, of all words.
    Rarity { words: u64 },
    /// First position, of the words with one count.
    Position { count: u64 },
}

/// The smallest values: so many are up to the bound, and so many of them below the bin that it ends.
struct Bound {
    value: u64,
    number: u64,
    below: u64,
}

/// The k most frequent words, their lengths unknown. `words`: the sum of the counts.
pub fn most_frequent(device: &Device, table: &Table, words: u64, k: usize) -> Result<Vec<Tally>> {
    let wanted = table.used()?.min(k as u64);
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let bound = narrow(device, table, Value::Rarity { words }, words, wanted)?;
    let count = words.saturating_sub(bound.value).max(1);
    if bound.number <= wanted + SLACK {
        return pick(device, table, count, u64::MAX, bound.number)
            .map(|found| words::most_frequent(found, k));
    }
    let value = Value::Position { count };
    let among_equals = narrow(device, table, value, u64::MAX >> 1, wanted - bound.below)?;
    let number = bound.below + among_equals.number;
    pick(device, table, count, among_equals.value, number).map(|found| words::most_frequent(found, k))
}

/// A bound on the values from 0 to `most` that `wanted` words or few more are up to, or all that have one value.
fn narrow(device: &Device, table: &Table, of: Value, most: u64, wanted: u64) -> Result<Bound> {
    let ranks = Buffer::<u64>::new(device, WORDS_RANKS)?;
    let bits = u64::BITS - most.leading_zeros();
    let (mut low, mut below, mut shift) = (0, 0, bits.saturating_sub(RANK_BITS));
    loop {
        let (words, count) = match of {
            Value::Rarity { words } => (words, 0),
            Value::Position { count } => (0, count),
        };
        // SAFETY: a table of ours, as many ranks as the launcher fills.
        device.launch(|stream| unsafe {
            gpumexk_words_rank(&table.raw(), words, count, low, shift, ranks.as_ptr(), stream)
        })?;
        let numbers = download(device, ranks.as_ptr(), WORDS_RANKS)?;
        let mut rank = 0;
        while rank + 1 < WORDS_RANKS && below + numbers[rank] < wanted {
            below += numbers[rank];
            rank += 1;
        }
        low += (rank as u64) << shift;
        let (value, number) = (low + ((1 << shift) - 1), below + numbers[rank]);
        if number <= wanted + SLACK || shift == 0 {
            return Ok(Bound { value, number, below });
        }
        shift = shift.saturating_sub(RANK_BITS);
    }
}

/// The words that occur more often than `count`, and of those that occur as often the ones that begin up to a position.
fn pick(device: &Device, table: &Table, count: u64, position: u64, most: u64) -> Result<Vec<Tally>> {
    let (picked, number) = (Buffer::<u64>::new(device, 2 * most as usize)?, Buffer::<u64>::new(device, 1)?);
    // SAFETY: room for `most` words, which is what ranking them counted.
    device.launch(|stream| unsafe {
        gpumexk_words_pick(&table.raw(), count, position, most, picked.as_ptr(), number.as_ptr(), stream)
    })?;
    let found = download(device, picked.as_ptr(), 2 * most as usize)?;
    let pairs = found.chunks_exact(2).map(|pair| Tally { position: pair[0], len: 0, count: pair[1] });
    collected(pairs)
}
