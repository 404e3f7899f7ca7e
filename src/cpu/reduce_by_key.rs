//! One key and one reduction for each run of equal neighbouring keys, on the CPU.
//!
//! Algorithm  Pieces of one length: each marks the keys at which a run begins, a bit a key, and counts them, which tells where its results
//!            go; and then reduces its runs up to its end. Keys are compared side by side; of bits that are few, the next one is found by
//!            counting zeros, and of many a list is made without a branch.
//!            A run of at most 16 elements is 16 lanes, joined in halves, of which those behind it are the identity; longer
//!            ones take 16 lanes as often as they have elements. What a piece has before its first run is added to the last
//!            run before it afterwards, in the order of the pieces: the bits are the same with any number of threads.
//! Cost       Reads the keys and the data once, and the first keys of runs again.
#![forbid(unsafe_code)]

use std::hint::select_unpredictable;
use std::ops::Range;

use pulp::{Arch, NullaryFnOnce};

use super::Workers;
use super::is_small;
use super::parallel::chunks::{parts, take};
use super::parallel::parallel_for::parallel_for_beside;
use super::parallel::tree::in_halves;
use super::reduce::{dispatch_operator, operator};
use super::segments::{fold, in_lanes};
use super::zeros;
use crate::error::Result;
use crate::interrupt::in_pieces;
use crate::model::index::Index;
use crate::model::operator::{Operand, Reduction};
use crate::model::order::Key;

const PIECE: usize = 1 << 15;
/// Keys whose runs are listed at once.
const BLOCK: usize = 1024;
/// Keys whose bits are a word, and words of a piece.
const WORD: usize = u64::BITS as usize;
const WORDS: usize = PIECE / WORD;
/// Bits of a word that are looked for one by one.
const FEW: u32 = 20;
/// Elements of a short run.
const SHORT: usize = 16;
/// Which lanes of a run of n elements are its own: from SHORT - n on.
const OWN: [bool; 2 * SHORT] = {
    let mut own = [false; 2 * SHORT];
    let (first, _) = own.split_at_mut(SHORT);
    *first.first_chunk_mut().expect("as many") = [true; SHORT];
    own
};

/// What is reduced, and where it goes: the first keys and the reductions of the first runs, where they are wanted.
pub struct Runs<'a, K, T> {
    pub op: Reduction,
    pub keys: &'a [K],
    pub data: &'a [T],
    pub unique_keys: Option<&'a mut [K]>,
    pub results: Option<&'a mut [T]>,
}

/// The number of runs, on all cores.
pub fn reduce_by_key<K: Key, T: Operand>(workers: &Workers, runs: Runs<K, T>) -> Result<u64> {
    let Runs { op, keys, data, unique_keys, mut results } = runs;
    let is_alone = is_alone(keys);
    let Begins { bits, counts } = begins(workers, keys)?;
    let needed: usize = counts.iter().sum();
    if unique_keys.is_none() && results.is_none() {
        return Ok(needed as u64);
    }
    let data = results.is_some().then_some(data);
    let mut leads = zeros(counts.len())?; // what each piece has before its first run
    let firsts = parts(unique_keys.unwrap_or_default(), counts.iter().copied())?;
    let parts = parts(results.as_deref_mut().unwrap_or_default(), counts.iter().copied())?;
    let pieces = firsts.into_iter().zip(parts).zip(&mut leads).zip(bits.chunks(WORDS));
    parallel_for_beside(workers, is_alone, pieces, |piece, (((firsts, part), lead), bits)| {
        let here = bounds(keys.len(), piece);
        *lead = reduce_piece(op, &keys[here.clone()], data.map(|data| &data[here]), bits, firsts, part);
    })?;
    let (results, mut before) = (results.unwrap_or_default(), 0);
    for (lead, begins) in leads.into_iter().zip(counts) {
        if let (Some(lead), Some(open)) = (lead, results.get_mut(usize::wrapping_sub(before, 1))) {
            *open = T::apply(op, *open, lead);
        }
        before += begins;
    }
    Ok(needed as u64)
}

/// The plain loop, in the order of the elements.
pub fn sequential<K: Key, T: Operand>(workers: &Workers, runs: Runs<K, T>) -> Result<u64> {
    let Runs { op, keys, data, mut unique_keys, mut results } = runs;
    Ok(workers.run_sequential(|| {
        let mut runs = 0;
        in_pieces(keys.len(), |range| {
            for i in range {
                if is_first(keys, i) {
                    runs += 1;
                    if let Some(key) = unique_keys.as_mut().and_then(|keys| keys.get_mut(runs - 1)) {
                        *key = keys[i];
                    }
                    if let Some(result) = results.as_mut().and_then(|results| results.get_mut(runs - 1)) {
                        *result = T::identity(op);
                    }
                }
                if let Some(result) = results.as_mut().and_then(|results| results.get_mut(runs - 1)) {
                    *result = T::apply(op, *result, data[i]);
                }
            }
        });
        runs as u64
    }))
}

/// offsets ← where the runs begin and, behind the last one, the number of keys, as far as there is memory for them; on all cores.
pub fn offsets<K: Key, I: Index>(workers: &Workers, keys: &[K], offsets: &mut [I]) -> Result<()> {
    let begins = begins(workers, keys)?;
    let needed: usize = begins.counts.iter().sum();
    write_offsets(workers, keys, &begins, offsets)?;
    if let Some(end) = offsets.get_mut(needed) {
        *end = I::from_usize(keys.len());
    }
    Ok(())
}

/// Whether a run begins here.
fn is_first<K: Key>(keys: &[K], i: usize) -> bool {
    i == 0 || !keys[i].is_same(keys[i - 1])
}

/// Whether one core works on so few keys.
fn is_alone<K>(keys: &[K]) -> bool {
    keys.len() <= PIECE || is_small(keys)
}

/// Where a piece of `count` elements lies.
fn bounds(count: usize, piece: usize) -> Range<usize> {
    piece * PIECE..count.min((piece + 1) * PIECE)
}

/// At which keys a run begins, a bit each, and at how many of each piece.
struct Begins {
    bits: Vec<u64>,
    counts: Vec<usize>,
}

fn begins<K: Key>(workers: &Workers, keys: &[K]) -> Result<Begins> {
    let mut counts = zeros(keys.len().div_ceil(PIECE))?;
    let mut bits = zeros(keys.len().div_ceil(WORD))?;
    let pieces = counts.iter_mut().zip(bits.chunks_mut(WORDS));
    parallel_for_beside(workers, is_alone(keys), pieces, |piece, (count, bits)| {
        mark(keys, bounds(keys.len(), piece), bits);
        *count = bits.iter().map(|word| word.count_ones() as usize).sum();
    })?;
    Ok(Begins { bits, counts })
}

/// bits ← at which keys of a piece a run begins.
fn mark<K: Key>(keys: &[K], bounds: Range<usize>, bits: &mut [u64]) {
    let (arch, mut flags) = (Arch::new(), [0; BLOCK]);
    for (from, words) in bounds.clone().step_by(BLOCK).zip(bits.chunks_mut(BLOCK / WORD)) {
        let (here, behind) = flags.split_at_mut(BLOCK.min(bounds.end - from));
        let skipped = usize::from(from == 0); // the first key of all begins a run
        here[..skipped].fill(1);
        behind.fill(0);
        arch.dispatch(Mark { keys: &keys[from + skipped - 1..bounds.end], flags: &mut here[skipped..] });
        arch.dispatch(Pack { flags: &flags, words });
    }
}

// A structure, and no closure, is compiled for the instruction set of `dispatch` whatever its size.

/// flags ← which keys, from the second one on, differ from the one before.
struct Mark<'a, K> {
    keys: &'a [K],
    flags: &'a mut [u8],
}

impl<K: Key> NullaryFnOnce for Mark<'_, K> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for ((flag, a), b) in self.flags.iter_mut().zip(self.keys).zip(&self.keys[1..]) {
            *flag = u8::from(!a.is_same(*b));
        }
    }
}

/// words ← a bit for each flag.
struct Pack<'a> {
    flags: &'a [u8; BLOCK],
    words: &'a mut [u64],
}

impl NullaryFnOnce for Pack<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        const GATHER: u64 = 0x0102_0408_1020_4080; // bit 0 of each byte to the highest byte, without a carry
        for (word, flags) in self.words.iter_mut().zip(self.flags.as_chunks::<WORD>().0) {
            let bytes = flags
                .as_chunks::<8>()
                .0
                .iter()
                .map(|&eight| u64::from_le_bytes(eight).wrapping_mul(GATHER) >> 56);
            *word = bytes.enumerate().fold(0, |word, (at, byte)| word | byte << (8 * at));
        }
    }
}

/// Calls `body` with where runs begin, counted from the first key of a piece, some at a time.
fn for_begins(bits: &[u64], mut body: impl FnMut(&[u32])) {
    let mut begins = [0; BLOCK];
    for (block, words) in bits.chunks(BLOCK / WORD).enumerate() {
        let mut found = 0;
        for (place, &word) in (block * BLOCK..).step_by(WORD).zip(words) {
            if word.count_ones() <= FEW {
                let mut rest = word;
                while rest != 0 {
                    begins[found % BLOCK] = place as u32 + rest.trailing_zeros();
                    (found, rest) = (found + 1, rest & (rest - 1));
                }
            } else {
                for at in 0..WORD {
                    begins[found % BLOCK] = (place + at) as u32;
                    found += (word >> at & 1) as usize;
                }
            }
        }
        body(&begins[..found]);
    }
}

/// offsets ← where the runs begin.
fn write_offsets<K: Key, I: Index>(
    workers: &Workers,
    keys: &[K],
    begins: &Begins,
    offsets: &mut [I],
) -> Result<()> {
    let parts = parts(offsets, begins.counts.iter().copied())?;
    let pieces = parts.into_iter().zip(begins.bits.chunks(WORDS));
    parallel_for_beside(workers, is_alone(keys), pieces, |piece, (part, bits)| {
        let (first, mut rest) = (piece * PIECE, part);
        for_begins(bits, |begins| {
            let to = take(&mut rest, begins.len()).iter_mut();
            to.zip(begins).for_each(|(to, &at)| *to = I::from_usize(first + at as usize));
        });
    })
}

/// Writes the first keys of the runs that begin in a piece and, of data, their reductions as far as they lie in it; returns what is
/// before the first one, if anything.
fn reduce_piece<K: Key, T: Operand>(
    op: Reduction,
    keys: &[K],
    data: Option<&[T]>,
    bits: &[u64],
    mut firsts: &mut [K],
    mut part: &mut [T],
) -> Option<T> {
    let (mut begin, mut lead) = (None, None); // begin: of the open run
    for_begins(bits, |begins| {
        let firsts = take(&mut firsts, begins.len()).iter_mut().zip(begins);
        firsts.for_each(|(first, &at)| *first = keys[at as usize]);
        let (Some(data), Some((&first, others)), Some(&last)) = (data, begins.split_first(), begins.last())
        else {
            return;
        };
        let ends = match begin {
            Some(_) => begins,
            None => {
                lead = (first > 0).then(|| fold(op, &data[..first as usize]));
                others
            }
        };
        let begin = begin.replace(last as usize).unwrap_or(first as usize);
        dispatch_operator!(op, T, runs(data, begin, ends, take(&mut part, ends.len())));
    });
    let data = data?;
    match begin {
        None => Some(fold(op, data)),
        Some(begin) => {
            part.iter_mut().take(1).for_each(|result| *result = fold(op, &data[begin..]));
            lead
        }
    }
}

fn runs<T: Operand, const OP: usize>(data: &[T], begin: usize, ends: &[u32], results: &mut [T]) {
    Arch::new().dispatch(Runs16::<T, OP> { data, begin, ends, results });
}

/// results ← the reductions of neighbouring runs.
struct Runs16<'a, T, const OP: usize> {
    data: &'a [T],
    begin: usize,
    ends: &'a [u32],
    results: &'a mut [T],
}

impl<T: Operand, const OP: usize> NullaryFnOnce for Runs16<'_, T, OP> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Runs16 { data, mut begin, ends, results } = self;
        for (result, &end) in results.iter_mut().zip(ends) {
            let len = end as usize - begin;
            *result = match data[begin..].first_chunk::<SHORT>() {
                Some(run) if len <= SHORT => short::<T, OP>(run, &OWN[SHORT - len..]),
                _ => in_lanes::<T, OP>(&data[begin..end as usize]),
            };
            begin = end as usize;
        }
    }
}

/// The reduction of the first lanes, which are the run's own.
#[inline(always)]
fn short<T: Operand, const OP: usize>(run: &[T; SHORT], own: &[bool]) -> T {
    let (op, own) = (operator(OP), &own[..SHORT]);
    let mut lanes = [T::identity(op); SHORT];
    for lane in 0..SHORT {
        lanes[lane] = select_unpredictable(own[lane], run[lane], lanes[lane]);
    }
    in_halves(lanes, |a, b| T::apply(op, a, b))
}
