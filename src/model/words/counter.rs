//! A table of the words of one text, in memory of the host.
//!
//! Algorithm  Open addressing with linear probing in slots that hold hash, place and count; words of equal hash are compared in the
//!            text, but for those of up to seven bytes, as they are: every step of their hash can be undone, so that theirs differ.
//!            Twice as many slots when half of them are used.
//! Cost       32 bytes a slot; a word that is there takes its hash, one slot and one comparison.

use std::ops::Range;

use super::{Rule, Tally};
use crate::error::Result;
use crate::interrupt::{Polls, in_pieces};
use crate::vector::{reserved, zeros};

const SLOTS_MIN: usize = 1 << 10;
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio, odd

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    position: u64,
    len: u64,
    count: u64, // 0: empty
}

/// The words of `text` that were added.
pub struct Counter<'t> {
    text: &'t [u8],
    rule: Rule,
    slots: Vec<Slot>,
    used: usize,
    words: u64,
}

impl<'t> Counter<'t> {
    pub fn new(text: &'t [u8], rule: Rule) -> Result<Counter<'t>> {
        Ok(Counter { text, rule, slots: zeros(SLOTS_MIN)?, used: 0, words: 0 })
    }

    pub fn words(&self) -> u64 {
        self.words
    }

    pub fn distinct(&self) -> u64 {
        self.used as u64
    }

    /// The words that it has.
    pub fn tallies(&self) -> Result<Vec<Tally>> {
        let mut tallies = reserved(self.used)?;
        in_pieces(self.slots.len(), |range| {
            let used = self.slots[range].iter().filter(|slot| slot.count > 0);
            tallies.extend(used.map(|&Slot { position, len, count, .. }| Tally { position, len, count }));
        });
        Ok(tallies)
    }

    /// Counts one word of the text.
    #[inline]
    pub fn add(&mut self, word: Range<usize>) -> Result<()> {
        let bytes = &self.text[word.clone()];
        let (position, len) = (word.start as u64, bytes.len() as u64);
        self.put(Slot { hash: hash(bytes, self.rule), position, len, count: 1 })
    }

    /// Counts the words of another table of the same text.
    pub fn merge(&mut self, other: &Counter) -> Result<()> {
        let mut polls = Polls::new();
        other
            .slots
            .iter()
            .inspect(|_| polls.step())
            .filter(|slot| slot.count > 0)
            .try_for_each(|&slot| self.put(slot))
    }

    fn put(&mut self, added: Slot) -> Result<()> {
        self.words += added.count;
        let at = self.find(&added);
        let slot = &mut self.slots[at];
        if slot.count == 0 {
            *slot = added;
            self.used += 1;
            return if self.used * 2 > self.slots.len() { self.grow() } else { Ok(()) };
        }
        slot.count += added.count;
        if added.position < slot.position {
            (slot.position, slot.len) = (added.position, added.len);
        }
        Ok(())
    }

    /// The slot of a word, or the empty one where it belongs.
    fn find(&self, word: &Slot) -> usize {
        let bytes = |slot: &Slot| &self.text[slot.position as usize..][..slot.len as usize];
        let mask = self.slots.len() - 1;
        let mut at = word.hash as usize & mask;
        loop {
            let slot = &self.slots[at];
            let is_short = !self.rule.fold && word.len < 8 && slot.len == word.len;
            let are_same = || is_short || self.rule.are_same(bytes(slot), bytes(word));
            if slot.count == 0 || (slot.hash == word.hash && are_same()) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) -> Result<()> {
        let larger = zeros::<Slot>(self.slots.len() * 2)?;
        let mask = larger.len() - 1;
        let slots = std::mem::replace(&mut self.slots, larger);
        in_pieces(slots.len(), |range| {
            for &slot in slots[range].iter().filter(|slot| slot.count > 0) {
                let mut at = slot.hash as usize & mask;
                while self.slots[at].count > 0 {
                    at = (at + 1) & mask; // all of them differ
                }
                self.slots[at] = slot;
            }
        });
        Ok(())
    }
}

/// The hash of a word's spelling.
fn hash(word: &[u8], rule: Rule) -> u64 {
    let mut hash = 0;
    if !rule.fold || word.is_ascii() {
        let (chunks, rest) = word.as_chunks::<8>();
        for &chunk in chunks {
            hash = mixed(hash, as_compared(chunk, rule));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        return finished(mixed(hash, as_compared(last, rule)));
    }
    let (mut chunk, mut len, mut polls) = ([0; 8], 0, Polls::new());
    for character in rule.spelling(word) {
        polls.step();
        for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
            chunk[len] = byte;
            len += 1;
            if len == 8 {
                hash = mixed(hash, u64::from_le_bytes(chunk));
                (chunk, len) = ([0; 8], 0);
            }
        }
    }
    finished(mixed(hash, u64::from_le_bytes(chunk)))
}

/// Eight bytes of a word, of ASCII where case does not count.
fn as_compared(chunk: [u8; 8], rule: Rule) -> u64 {
    let eight = u64::from_le_bytes(chunk);
    if !rule.fold {
        return eight;
    }
    // Bit 7 of a byte that is a capital: from 'A' on, and not behind 'Z'. No sum carries, as all are below 0x80.
    let each = |byte: u64| byte * 0x0101_0101_0101_0101;
    let capitals = (eight + each(0x80 - 0x41)) & !(eight + each(0x80 - 0x5B)) & each(0x80);
    eight | capitals >> 2
}

fn mixed(hash: u64, chunk: u64) -> u64 {
    let hash = (hash ^ chunk).wrapping_mul(GOLDEN);
    hash ^ hash >> 32
}

fn finished(hash: u64) -> u64 {
    hash.wrapping_mul(GOLDEN).rotate_left(32) // the low bits choose the slot
}

#[cfg(test)]
mod tests {
    use super::super::WordsEncoding;
    use super::super::next_word;
    use super::*;

    #[test]
    fn words_of_equal_hash_are_told_apart_by_their_bytes() {
        let text: Vec<u8> = (0..3000).flat_map(|i| format!("word{} ", i % 1000).into_bytes()).collect();
        let rule = Rule { encoding: WordsEncoding::Utf8, fold: true }; // compares all of them
        let mut counter = Counter::new(&text, rule).unwrap();
        let mut at = 0;
        while let Some(word) = next_word(&text, at, rule) {
            at = word.end;
            let (position, len) = (word.start as u64, word.len() as u64);
            counter.put(Slot { hash: 7, position, len, count: 1 }).unwrap();
        }
        assert_eq!((counter.words(), counter.distinct()), (3000, 1000));
        assert!(counter.tallies().unwrap().iter().all(|tally| tally.count == 3));
    }

    #[test]
    fn spellings_that_are_one_have_one_hash() {
        let rule = Rule { fold: true, ..Rule::default() };
        for (a, b) in [
            ("KELVIN", "\u{212A}elvin"),
            ("Don't", "don\u{2019}t"),
            ("ÅNGSTRÖMSKALA", "\u{212B}ngströmskala"),
        ] {
            assert!(rule.are_same(a.as_bytes(), b.as_bytes()), "{a} {b}");
            assert_eq!(hash(a.as_bytes(), rule), hash(b.as_bytes(), rule), "{a} {b}");
        }
    }
}
