//! A table of the words of one text, in memory of the host.
//!
//! Algorithm  Open addressing with linear probing in slots that hold hash and count; where the words are lies beside them, and is looked
//!            at for new words only, and for long ones, which are compared in the text when their hashes are equal. The hashes of words of
//!            up to seven bytes that are compared as they are, or are ASCII, differ, as every step of them can be undone. The slots of
//!            32 words are looked up at once: they come from memory side by side. Twice as many slots when half of them are used.
//! Cost       32 bytes a slot; a word that is there takes its hash and one slot.

use std::hint::black_box;
use std::ops::Range;

use super::char_class::{between, each};
use super::{Rule, Tally, Words};
use crate::error::Result;
use crate::interrupt::{Polls, in_pieces, poll_at};
use crate::vector::{reserved, zeros};

const SLOTS_MIN: usize = 1 << 10;
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio, odd

/// Words whose slots are looked up together.
const BATCH: usize = 32;

/// The bit of hashes that are equal for equal words alone.
const IS_SHORT: u64 = 1 << 63;
/// A short word has fewer bytes.
const SHORT: usize = 8;

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    count: u64, // 0: empty
}

/// Where a word first begins, and its bytes.
#[derive(Clone, Copy, Default)]
struct Place {
    position: u64,
    len: u64,
}

type Word = (Slot, Place);

/// The words of `text` that were added.
pub struct Counter<'t> {
    text: &'t [u8],
    rule: Rule,
    slots: Vec<Slot>,
    places: Vec<Place>,
    used: usize,
    words: u64,
}

impl<'t> Counter<'t> {
    pub fn new(text: &'t [u8], rule: Rule) -> Result<Counter<'t>> {
        Ok(Counter { text, rule, slots: zeros(SLOTS_MIN)?, places: zeros(SLOTS_MIN)?, used: 0, words: 0 })
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
            let all = self.slots[range.clone()].iter().zip(&self.places[range]);
            let used = all.filter(|(slot, _)| slot.count > 0);
            tallies.extend(used.map(|(slot, place)| Tally {
                position: place.position,
                len: place.len,
                count: slot.count,
            }));
        });
        Ok(tallies)
    }

    /// Counts one word of the text.
    pub fn add(&mut self, word: Range<usize>) -> Result<()> {
        self.put(self.word(word), false)
    }

    /// Counts the words of text\[begin .. end\], where neither is inside one. Parts of the text are added in order.
    pub fn add_all(&mut self, begin: usize, end: usize) -> Result<()> {
        let mut words = Words::new(self.text, begin, end, self.rule);
        let mut batch = [Word::default(); BATCH];
        loop {
            let mut len = 0;
            poll_at(words.at(), self.text.len());
            for (to, word) in batch.iter_mut().zip(&mut words) {
                *to = self.word(word);
                len += 1;
            }
            self.fetch(&batch[..len]);
            batch[..len].iter().try_for_each(|&word| self.put(word, true))?;
            if len < BATCH {
                return Ok(());
            }
        }
    }

    #[inline]
    fn word(&self, word: Range<usize>) -> Word {
        let len = word.len();
        let eight = if len < SHORT { eight_of(self.text, &word) } else { !0 };
        let is_short = len < SHORT && (!self.rule.fold || eight & each(0x80) == 0);
        let hash = match is_short {
            true => hash_of_short(as_compared(eight, self.rule)),
            false => hash(&self.text[word.clone()], self.rule),
        };
        (Slot { hash, count: 1 }, Place { position: word.start as u64, len: len as u64 })
    }

    /// Loads what `put` will look at: loads that do not wait for each other.
    fn fetch(&self, batch: &[Word]) {
        let mut seen = [0; BATCH];
        for (seen, (word, _)) in seen.iter_mut().zip(batch) {
            *seen = self.slots[self.start(word.hash)].hash;
        }
        for (seen, (word, _)) in seen.iter_mut().zip(batch) {
            if word.hash & IS_SHORT == 0 && *seen == word.hash {
                *seen = self.text[self.places[self.start(word.hash)].position as usize].into();
            }
        }
        black_box(seen);
    }

    /// Counts the words of another table of the same text.
    pub fn merge(&mut self, other: &Counter) -> Result<()> {
        let mut polls = Polls::new();
        let all = other.slots.iter().zip(&other.places).inspect(|_| polls.step());
        all.filter(|(slot, _)| slot.count > 0).try_for_each(|(&slot, &place)| self.put((slot, place), false))
    }

    /// in_order: the word stands behind all that were added.
    fn put(&mut self, (word, place): Word, in_order: bool) -> Result<()> {
        self.words += word.count;
        let at = self.find(word.hash, &place);
        let slot = &mut self.slots[at];
        if slot.count == 0 {
            (*slot, self.places[at]) = (word, place);
            self.used += 1;
            return if self.used * 2 > self.slots.len() { self.grow() } else { Ok(()) };
        }
        slot.count += word.count;
        if !in_order && place.position < self.places[at].position {
            self.places[at] = place;
        }
        Ok(())
    }

    /// Where the search for a hash starts: its upper bits, but for IS_SHORT.
    #[inline]
    fn start(&self, hash: u64) -> usize {
        ((hash << 1) >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// The slot of a word, or the empty one where it belongs.
    #[inline]
    fn find(&self, hash: u64, place: &Place) -> usize {
        let bytes = |place: &Place| &self.text[place.position as usize..][..place.len as usize];
        let mask = self.slots.len() - 1;
        let mut at = self.start(hash);
        loop {
            let slot = &self.slots[at];
            let are_same =
                || hash & IS_SHORT != 0 || self.rule.are_same(bytes(&self.places[at]), bytes(place));
            if slot.count == 0 || (slot.hash == hash && are_same()) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) -> Result<()> {
        let len = self.slots.len() * 2;
        let (slots, places) = (zeros::<Slot>(len)?, zeros::<Place>(len)?);
        let (slots, places) =
            (std::mem::replace(&mut self.slots, slots), std::mem::replace(&mut self.places, places));
        in_pieces(slots.len(), |range| {
            for (slot, place) in
                slots[range.clone()].iter().zip(&places[range]).filter(|(slot, _)| slot.count > 0)
            {
                let mut at = self.start(slot.hash);
                while self.slots[at].count > 0 {
                    at = (at + 1) & (len - 1); // all of them differ
                }
                (self.slots[at], self.places[at]) = (*slot, *place);
            }
        });
        Ok(())
    }
}

/// The bytes of a short word, and zeros.
#[inline]
fn eight_of(text: &[u8], word: &Range<usize>) -> u64 {
    let (start, len) = (word.start, word.len());
    match text.get(start..start + 8).and_then(<[u8]>::first_chunk) {
        Some(&eight) => u64::from_le_bytes(eight) & ((1 << (8 * len)) - 1),
        None => {
            let mut eight = [0; 8];
            eight[..len].copy_from_slice(&text[word.clone()]);
            u64::from_le_bytes(eight)
        }
    }
}

/// A bijection of the numbers below 2^63, which short words are: products modulo 2^63 with odd numbers can be undone, as can exclusive or
/// with the upper bits.
#[inline]
fn hash_of_short(eight: u64) -> u64 {
    let hash = eight.wrapping_mul(GOLDEN) & !IS_SHORT;
    (hash ^ hash >> 32).wrapping_mul(GOLDEN) | IS_SHORT
}

/// The hash of the spelling of a word that is not short, or not ASCII.
fn hash(word: &[u8], rule: Rule) -> u64 {
    let mut hash = 0;
    if !rule.fold || word.is_ascii() {
        let (chunks, rest) = word.as_chunks::<8>();
        for &chunk in chunks {
            hash = mixed(hash, as_compared(u64::from_le_bytes(chunk), rule));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        return mixed(hash, as_compared(u64::from_le_bytes(last), rule)).wrapping_mul(GOLDEN) & !IS_SHORT;
    }
    let (mut chunk, mut len, mut chunks, mut polls) = ([0; 8], 0, 0, Polls::new());
    for character in rule.spelling(word) {
        polls.step();
        for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
            chunk[len] = byte;
            len += 1;
            if len == 8 {
                hash = mixed(hash, u64::from_le_bytes(chunk));
                (chunk, len, chunks) = ([0; 8], 0, chunks + 1);
            }
        }
    }
    let eight = u64::from_le_bytes(chunk);
    if chunks == 0 && eight & each(0x80) == 0 {
        return hash_of_short(eight); // KELVIN SIGN and U+2019 are ASCII when they are folded
    }
    mixed(hash, eight).wrapping_mul(GOLDEN) & !IS_SHORT
}

/// Eight bytes of a word, of ASCII where case does not count.
#[inline]
fn as_compared(eight: u64, rule: Rule) -> u64 {
    if !rule.fold {
        return eight;
    }
    let capitals = between(eight, b'A', b'Z') & each(0x80);
    eight | capitals >> 2
}

#[inline]
fn mixed(hash: u64, chunk: u64) -> u64 {
    let hash = (hash ^ chunk).wrapping_mul(GOLDEN);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::super::WordsEncoding;
    use super::*;

    fn counted(text: &[u8], rule: Rule) -> Counter<'_> {
        let mut counter = Counter::new(text, rule).unwrap();
        counter.add_all(0, text.len()).unwrap();
        counter
    }

    #[test]
    fn words_of_equal_hash_are_told_apart_by_their_bytes() {
        let text: Vec<u8> = (0..3000).flat_map(|i| format!("word{} ", i % 1000).into_bytes()).collect();
        let rule = Rule { encoding: WordsEncoding::Utf8, fold: true };
        let mut counter = Counter::new(&text, rule).unwrap();
        for word in Words::new(&text, 0, text.len(), rule) {
            let place = Place { position: word.start as u64, len: word.len() as u64 };
            counter.put((Slot { hash: 7, count: 1 }, place), true).unwrap();
        }
        assert_eq!((counter.words(), counter.distinct()), (3000, 1000));
        assert!(counter.tallies().unwrap().iter().all(|tally| tally.count == 3));
    }

    #[test]
    fn a_word_that_is_spelled_in_several_ways_is_counted_once() {
        let text =
            "kelvin \u{212A}elvin KELVIN don't don\u{2019}t Don't \u{212A} k K a\u{2019}b A'B".as_bytes();
        let counter = counted(text, Rule { fold: true, ..Rule::default() });
        let mut tallies: Vec<_> =
            counter.tallies().unwrap().iter().map(|tally| (tally.position, tally.count)).collect();
        tallies.sort_unstable();
        assert_eq!(tallies.iter().map(|tally| tally.1).collect::<Vec<_>>(), [3, 3, 3, 2]);
    }

    /// The hash of a short word of letters can be undone, and those of short words differ.
    #[test]
    fn short_words_have_hashes_of_their_own() {
        let mut hashes: Vec<u64> = (0..200_000u64).map(|i| hash_of_short(i | (i % 3) << 50)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 200_000);
    }

    #[test]
    fn spellings_that_are_one_have_one_hash() {
        let rule = Rule { fold: true, ..Rule::default() };
        for (a, b) in [
            ("KELVIN", "\u{212A}elvin"),
            ("Don't", "don\u{2019}t"),
            ("ÅNGSTRÖMSKALA", "\u{212B}ngströmskala"),
        ] {
            let texts = [a.as_bytes(), b.as_bytes()];
            assert!(rule.are_same(texts[0], texts[1]), "{a} {b}");
            let [a_hash, b_hash] =
                texts.map(|text| Counter::new(text, rule).unwrap().word(0..text.len()).0.hash);
            assert_eq!(a_hash, b_hash, "{a} {b}");
        }
    }
}
