//! Words on their way to the rank that adds up their counts.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use crate::error::{Error, Result, Status};
use crate::interrupt::Polls;
use crate::model::words::{Rule, Tally};
use crate::vector;

/// The words for each rank: position, length, count and length of the spelling, 8 bytes each, and the spelling.
pub struct Entries {
    of_ranks: Vec<Vec<u8>>,
    spelling: Vec<u8>, // of one word
}

const NUMBERS: usize = 4;

impl Entries {
    pub fn new(ranks: usize) -> Result<Entries> {
        Ok(Entries { of_ranks: vector::collected((0..ranks).map(|_| Vec::new()))?, spelling: Vec::new() })
    }

    /// Adds a word of a text that begins at a byte of all texts.
    pub fn add(&mut self, text: &[u8], rule: Rule, start: u64, word: &Tally) -> Result<()> {
        let at = word.position as usize;
        self.spelling.clear();
        vector::reserve(&mut self.spelling, 2 * word.len as usize)?;
        for letter in rule.spelling(&text[at..at + word.len as usize]) {
            self.spelling.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
        let owner = (hash(&self.spelling) % self.of_ranks.len() as u64) as usize;
        let to = &mut self.of_ranks[owner];
        vector::reserve(to, NUMBERS * 8 + self.spelling.len())?;
        for number in [start + word.position, word.len, word.count, self.spelling.len() as u64] {
            to.extend_from_slice(&number.to_le_bytes());
        }
        to.extend_from_slice(&self.spelling);
        Ok(())
    }

    /// Bytes for each rank.
    pub fn lengths(&self) -> impl ExactSizeIterator<Item = usize> {
        self.of_ranks.iter().map(Vec::len)
    }

    /// Those for all ranks, one behind the other.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        let mut all = vector::reserved(self.lengths().sum())?;
        self.of_ranks.iter().for_each(|bytes| all.extend_from_slice(bytes));
        Ok(all)
    }
}

/// FNV-1a, whose high bits are folded in.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ hash >> 32
}

/// The words of entries, those of one spelling added up.
pub fn added_up(mut bytes: &[u8]) -> Result<Vec<Tally>> {
    let mut known: HashMap<&[u8], Tally> = HashMap::new();
    let mut polls = Polls::new();
    while !bytes.is_empty() {
        polls.step();
        let (word, spelling, rest) = next(bytes)?;
        bytes = rest;
        let needed = (known.len() + 1) * size_of::<(&[u8], Tally)>();
        known.try_reserve(1).map_err(|_| Error::out_of_memory("host memory", needed))?;
        let sum = known.entry(spelling).or_insert(Tally { count: 0, ..word });
        sum.count += word.count;
        if word.position < sum.position {
            (sum.position, sum.len) = (word.position, word.len);
        }
    }
    vector::collected(known.into_values())
}

/// The first entry, and what is behind it.
fn next(bytes: &[u8]) -> Result<(Tally, &[u8], &[u8])> {
    let broken = || Error::new(Status::Peer, "another rank sent a word that is cut off");
    let (numbers, rest) = bytes.split_at_checked(NUMBERS * 8).ok_or_else(broken)?;
    let number =
        |at: usize| numbers[8 * at..][..8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    let (spelling, rest) = rest.split_at_checked(number(3) as usize).ok_or_else(broken)?;
    Ok((Tally { position: number(0), len: number(1), count: number(2) }, spelling, rest))
}
