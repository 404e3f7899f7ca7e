//! A table of the words of one text, in memory of the host.
//!
//! Algorithm  Open addressing with linear probing. A slot has a word's bytes themselves, as they are compared, where they are at most 15,
//!            and so no look at the text; else its hash, and words of equal hashes are compared in the text. The slots of 64 words come
//!            from memory while the 64 words before are counted. Twice as many slots when half of them are used.
//! Cost       32 bytes a slot; a word that is there takes 16 bytes of the text, a hash and one slot.

use std::ops::Range;

use super::char_class::{between, each};
use super::{Rule, Tally, Words};
use crate::error::Result;
use crate::interrupt::{Polls, in_pieces, poll_at};
use crate::prefetch::prefetch;
use crate::vector::{reserved, zeros};

const SLOTS_MIN: usize = 1 << 10;
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 / golden ratio, odd

/// Words whose slots come from memory side by side.
const BATCH: usize = 64;

/// A short word has fewer bytes.
const SHORT: usize = 16;

/// What tells words apart. Of a short word its bytes and zeros behind them; of another one in `low` its hash, which is not 0, and in
/// `high` its bytes in the text and IS_LONG.
#[derive(Clone, Copy, Default)]
struct Key {
    low: u64, // 0: there is no word
    high: u64,
}

const IS_LONG: u64 = 1 << 63;

#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    count: u64,
    /// Where the word first begins, which is less than 2^56 as all addresses are; above it the bytes of a short word in the text, at most
    /// three times those of its key.
    place: u64,
}

const PLACE_BITS: u32 = 56;

impl Key {
    #[inline(always)]
    fn is_long(self) -> bool {
        self.high & IS_LONG != 0
    }

    /// Of equal words it is the same.
    #[inline(always)]
    fn hash(self) -> u64 {
        let high = if self.is_long() { 0 } else { self.high };
        let hash = (self.low ^ high.rotate_left(23).wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN);
        (hash ^ hash >> 32).wrapping_mul(GOLDEN)
    }
}

impl Slot {
    fn new(key: Key, word: &Range<usize>) -> Slot {
        let len = if key.is_long() { 0 } else { word.len() as u64 };
        Slot { key, count: 1, place: len << PLACE_BITS | word.start as u64 }
    }

    fn is_empty(&self) -> bool {
        self.key.low == 0
    }

    fn position(&self) -> u64 {
        self.place & ((1 << PLACE_BITS) - 1)
    }

    fn len(&self) -> u64 {
        if self.key.is_long() { self.key.high & !IS_LONG } else { self.place >> PLACE_BITS }
    }
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
            let used = self.slots[range].iter().filter(|slot| !slot.is_empty());
            tallies.extend(used.map(|slot| Tally {
                position: slot.position(),
                len: slot.len(),
                count: slot.count,
            }));
        });
        Ok(tallies)
    }

    /// Counts one word of the text.
    pub fn add(&mut self, word: Range<usize>) -> Result<()> {
        let slot = Slot::new(self.key(&word), &word);
        self.put(slot, slot.key.hash(), false)
    }

    /// Counts the words of text\[begin .. end\], where neither is inside one. Parts of the text are added in order.
    pub fn add_all(&mut self, begin: usize, end: usize) -> Result<()> {
        let mut words = Words::new(self.text, begin, end, self.rule);
        let mut batches = [[(Slot::default(), 0); BATCH]; 2];
        let [mut coming, mut here] = batches.each_mut().map(|batch| (batch, 0));
        loop {
            poll_at(words.at(), self.text.len());
            coming.1 = self.fetch(&mut words, coming.0);
            here.0[..here.1].iter().try_for_each(|&(slot, hash)| self.put(slot, hash, true))?;
            if coming.1 == 0 {
                return Ok(());
            }
            std::mem::swap(&mut coming, &mut here);
        }
    }

    /// batch ← the next words and their hashes, and prefetches of their slots; gives how many.
    #[inline(always)]
    fn fetch(&self, words: &mut Words, batch: &mut [(Slot, u64); BATCH]) -> usize {
        let (mut len, mut has_long) = (0, false);
        for (to, word) in batch.iter_mut().zip(words) {
            let slot = Slot::new(self.key(&word), &word);
            let hash = slot.key.hash();
            prefetch(std::slice::from_ref(&self.slots[self.start(hash)]));
            *to = (slot, hash);
            has_long |= slot.key.is_long();
            len += 1;
        }
        if has_long {
            self.fetch_spellings(&batch[..len]);
        }
        len
    }

    /// The bytes of long words that stand in these slots, which `put` compares.
    fn fetch_spellings(&self, batch: &[(Slot, u64)]) {
        for (word, hash) in batch.iter().filter(|(word, _)| word.key.is_long()) {
            let slot = &self.slots[self.start(*hash)];
            if slot.key.low == word.key.low {
                prefetch(&self.text[slot.position() as usize..][..1]);
            }
        }
    }

    #[inline(always)]
    fn key(&self, word: &Range<usize>) -> Key {
        if word.len() < SHORT {
            let [low, high] = short_key(self.text, word);
            if !self.rule.fold {
                return Key { low, high };
            }
            if (low | high) & each(0x80) == 0 {
                return Key { low: folded(low), high: folded(high) };
            }
        }
        long_key(&self.text[word.clone()], self.rule)
    }

    /// Counts the words of another table of the same text.
    pub fn merge(&mut self, other: &Counter) -> Result<()> {
        let mut polls = Polls::new();
        let mut used = other.slots.iter().inspect(|_| polls.step()).filter(|slot| !slot.is_empty());
        used.try_for_each(|&slot| self.put(slot, slot.key.hash(), false))
    }

    /// in_order: the word stands behind all that were added.
    #[inline(always)]
    fn put(&mut self, word: Slot, hash: u64, in_order: bool) -> Result<()> {
        self.words += word.count;
        let at = self.find(&word, hash);
        let slot = &mut self.slots[at];
        if slot.is_empty() {
            *slot = word;
            self.used += 1;
            return if self.used * 2 > self.slots.len() { self.grow() } else { Ok(()) };
        }
        slot.count += word.count;
        if !in_order && word.position() < slot.position() {
            *slot = Slot { count: slot.count, ..word };
        }
        Ok(())
    }

    /// Where the search for a hash starts: its upper bits.
    #[inline(always)]
    fn start(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// The slot of a word, or the empty one where it belongs.
    #[inline(always)]
    fn find(&self, word: &Slot, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.start(hash);
        loop {
            let slot = &self.slots[at];
            if slot.is_empty() || (slot.key.low == word.key.low && self.are_same(slot, word)) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Whether two words are one, whose keys have the same lower half.
    #[inline(always)]
    fn are_same(&self, a: &Slot, b: &Slot) -> bool {
        let bytes = |slot: &Slot| &self.text[slot.position() as usize..][..slot.len() as usize];
        let are_long = || a.key.is_long() && b.key.is_long();
        a.key.high == b.key.high && !a.key.is_long() || are_long() && self.rule.are_same(bytes(a), bytes(b))
    }

    #[cold]
    fn grow(&mut self) -> Result<()> {
        let len = self.slots.len() * 2;
        let slots = std::mem::replace(&mut self.slots, zeros::<Slot>(len)?);
        in_pieces(slots.len(), |range| {
            for slot in slots[range].iter().filter(|slot| !slot.is_empty()) {
                let mut at = self.start(slot.key.hash());
                while !self.slots[at].is_empty() {
                    at = (at + 1) & (len - 1); // all of them differ
                }
                self.slots[at] = *slot;
            }
        });
        Ok(())
    }
}

/// The bytes of a short word, and zeros.
#[inline(always)]
fn short_key(text: &[u8], word: &Range<usize>) -> [u64; 2] {
    let (start, len) = (word.start, word.len());
    let sixteen = match text.get(start..start + SHORT).and_then(<[u8]>::first_chunk::<SHORT>) {
        Some(&sixteen) => u128::from_le_bytes(sixteen) & ((1 << (8 * len)) - 1),
        None => {
            let mut sixteen = [0; SHORT];
            sixteen[..len].copy_from_slice(&text[word.clone()]);
            u128::from_le_bytes(sixteen)
        }
    };
    [sixteen as u64, (sixteen >> 64) as u64]
}

/// The key of a word that is not short, or of which other characters than those of ASCII are compared.
#[inline(never)]
fn long_key(word: &[u8], rule: Rule) -> Key {
    let long = |hash: u64| Key { low: hash.wrapping_mul(GOLDEN) | 1, high: IS_LONG | word.len() as u64 };
    let mut hash = 0;
    if !rule.fold || word.is_ascii() {
        let as_compared = |eight: u64| if rule.fold { folded(eight) } else { eight };
        let (chunks, rest) = word.as_chunks::<8>();
        for &chunk in chunks {
            hash = mixed(hash, as_compared(u64::from_le_bytes(chunk)));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        return long(mixed(hash, as_compared(u64::from_le_bytes(last))));
    }
    let (mut chunk, mut len, mut first, mut chunks, mut polls) = ([0; 8], 0, 0, 0, Polls::new());
    for character in rule.spelling(word) {
        polls.step();
        for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
            chunk[len] = byte;
            len += 1;
            if len == 8 {
                let eight = u64::from_le_bytes(chunk);
                first = if chunks == 0 { eight } else { first };
                hash = mixed(hash, eight);
                (chunk, len, chunks) = ([0; 8], 0, chunks + 1);
            }
        }
    }
    let last = u64::from_le_bytes(chunk);
    if chunks < 2 && (first | last) & each(0x80) == 0 {
        // KELVIN SIGN and U+2019 are ASCII when they are folded.
        return if chunks == 0 { Key { low: last, high: 0 } } else { Key { low: first, high: last } };
    }
    long(mixed(hash, last))
}

/// Eight bytes of ASCII without capitals.
#[inline]
fn folded(eight: u64) -> u64 {
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
            let key = Key { low: 7, high: IS_LONG | word.len() as u64 };
            counter.put(Slot::new(key, &word), key.hash(), true).unwrap();
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

    /// Words of every length around that of a short one, in ASCII and beyond, at the text's end too.
    #[test]
    fn words_of_every_length_are_counted() {
        for (letters, bytes) in [("abcXYZ", 1), ("äöüÄÖÜ", 2)] {
            for fold in [false, true] {
                let rule = Rule { fold, ..Rule::default() };
                let letters: Vec<char> = letters.chars().collect();
                let word = |len: usize| (0..len).map(|i| letters[i % 6]).collect::<String>();
                let mut text: String =
                    (1..40).map(|len| word(len) + " " + &word(len).to_lowercase() + ", ").collect();
                text += &word(15);
                let counter = counted(text.as_bytes(), rule);
                let mut tallies = counter.tallies().unwrap();
                tallies.sort_unstable_by_key(|tally| tally.position);
                let lens: Vec<u64> = tallies.iter().map(|tally| tally.len).collect();
                // Up to three letters both are the same word.
                let want: Vec<u64> = (1..40u64)
                    .flat_map(|len| if fold || len < 4 { vec![len * bytes] } else { vec![len * bytes; 2] })
                    .collect();
                assert_eq!(lens, want);
                assert_eq!(counter.words(), 79);
            }
        }
    }

    #[test]
    fn spellings_that_are_one_have_one_key() {
        let rule = Rule { fold: true, ..Rule::default() };
        for (a, b) in [
            ("KELVIN", "\u{212A}elvin"),
            ("Don't", "don\u{2019}t"),
            ("ÅNGSTRÖMSKALA", "\u{212B}ngströmskala"),
        ] {
            let texts = [a.as_bytes(), b.as_bytes()];
            assert!(rule.are_same(texts[0], texts[1]), "{a} {b}");
            let [a_key, b_key] = texts.map(|text| {
                let key = Counter::new(text, rule).unwrap().key(&(0..text.len()));
                (key.low, if key.is_long() { IS_LONG } else { key.high }, key.hash())
            });
            assert_eq!(a_key, b_key, "{a} {b}");
        }
    }
}
