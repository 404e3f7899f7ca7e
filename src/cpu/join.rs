//! Sort-merge join on the CPU.
//!
//! Algorithm  The plain loop goes through a with the place in b where equal keys begin. In parallel pieces of a count their pairs by
//!            runs; then pieces of the result, of equal lengths whatever the keys are, go to the piece of a where they begin, pass the
//!            pairs before, and write. Keys of b without a partner are counted and written by pieces of b.
//! Cost       Θ(m + n + pairs), the merge twice in parallel, and for each piece of the result up to one piece of a.
//! Source     S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
#![forbid(unsafe_code)]

use super::Workers;
use super::gallop::gallop;
use super::parallel::chunks::parts;
use super::parallel::parallel_for::parallel_for;
use super::run;
use super::zeros;
use crate::error::Result;
use crate::interrupt::Polls;
use crate::model::index::Index;
use crate::model::order::{Key, KeyOrder};

const PIECE: usize = 1 << 13; // keys of one array
const PAIRS: usize = 1 << 16; // of a piece of the result

/// What is joined: sorted keys, and whether those of a, and of b, are kept that have no partner.
pub struct Joining<'a, K> {
    pub a: &'a [K],
    pub b: &'a [K],
    pub order: KeyOrder,
    pub keeps_a: bool,
    pub keeps_b: bool,
}

/// The first pairs to a_indices and b_indices, which are equally long; returns how many there are.
pub fn join<K: Key, I: Index>(
    workers: &Workers,
    joining: &Joining<K>,
    a_indices: &mut [I],
    b_indices: &mut [I],
) -> Result<u64> {
    if joining.a.len() + joining.b.len() <= 2 * PIECE && a_indices.len() <= PAIRS {
        return Ok(workers.run_sequential(|| {
            let pairs = joining.count(0, joining.a.len());
            let written = usize::try_from(pairs).unwrap_or(usize::MAX).min(a_indices.len());
            let ((a_pairs, a_rest), (b_pairs, b_rest)) =
                (a_indices.split_at_mut(written), b_indices.split_at_mut(written));
            joining.write(0, 0, a_pairs, b_pairs);
            let lones =
                if joining.keeps_b { joining.write_lones(0, joining.b.len(), a_rest, b_rest) } else { 0 };
            pairs.saturating_add(lones)
        }));
    }
    run(workers, false, || {
        let pieces_of_a = pieces(joining.a.len());
        let mut begins = zeros(pieces_of_a.len())?;
        let pieces_and_counts = pieces_of_a.zip(&mut begins);
        parallel_for(false, pieces_and_counts, |_, ((from, to), count)| *count = joining.count(from, to))?;
        let mut pairs = 0u64;
        for begin in &mut begins {
            (*begin, pairs) = (pairs, pairs.saturating_add(*begin));
        }
        let written = usize::try_from(pairs).unwrap_or(usize::MAX).min(a_indices.len());
        let ((a_pairs, a_rest), (b_pairs, b_rest)) =
            (a_indices.split_at_mut(written), b_indices.split_at_mut(written));
        let chunks = a_pairs.chunks_mut(PAIRS).zip(b_pairs.chunks_mut(PAIRS));
        parallel_for(false, chunks, |chunk, (a_indices, b_indices)| {
            let first = (chunk * PAIRS) as u64;
            let piece = begins.partition_point(|&begin| begin <= first) - 1;
            joining.write(piece * PIECE, first - begins[piece], a_indices, b_indices);
        })?;
        if !joining.keeps_b {
            return Ok(pairs);
        }

        let pieces_of_b = pieces(joining.b.len());
        let mut counts = zeros(pieces_of_b.len())?;
        parallel_for(false, pieces_of_b.clone().zip(&mut counts), |_, ((from, to), count)| {
            *count = joining.write_lones::<I>(from, to, &mut [], &mut []) as usize;
        })?;
        let (a_parts, b_parts) =
            (parts(a_rest, counts.iter().copied())?, parts(b_rest, counts.iter().copied())?);
        parallel_for(
            false,
            pieces_of_b.zip(a_parts.into_iter().zip(b_parts)),
            |_, ((from, to), (a_part, b_part))| {
                joining.write_lones(from, to, a_part, b_part);
            },
        )?;
        Ok(pairs.saturating_add(counts.iter().sum::<usize>() as u64))
    })?
}

/// The plain loops.
pub fn sequential<K: Key, I: Index>(
    workers: &Workers,
    joining: &Joining<K>,
    a_indices: &mut [I],
    b_indices: &mut [I],
) -> Result<u64> {
    Ok(workers.run_sequential(|| {
        let (mut found, capacity) = (0usize, a_indices.len());
        let (a, b) =
            (|i: usize| joining.a[i].rank(joining.order), |j: usize| joining.b[j].rank(joining.order));
        let (a_count, b_count) = (joining.a.len(), joining.b.len());
        let mut polls = Polls::new();
        let (mut first, mut end) = (0, 0); // the partners of a[i]
        for i in 0..a_count {
            polls.step();
            while first < b_count && b(first) < a(i) {
                first += 1;
                polls.step();
            }
            end = end.max(first);
            while end < b_count && b(end) == a(i) {
                end += 1;
                polls.step();
            }
            let partners = end - first;
            let pairs = if partners == 0 && joining.keeps_a { 1 } else { partners };
            for place in found..capacity.min(found.saturating_add(pairs)) {
                let j = if partners == 0 { missing() } else { I::from_usize(first + (place - found)) };
                (a_indices[place], b_indices[place]) = (I::from_usize(i), j);
                polls.step();
            }
            found += pairs; // beyond the capacity they are counted, not visited
        }
        let mut i = 0;
        for j in 0..if joining.keeps_b { b_count } else { 0 } {
            polls.step();
            while i < a_count && a(i) < b(j) {
                i += 1;
                polls.step();
            }
            if i == a_count || a(i) != b(j) {
                if found < capacity {
                    (a_indices[found], b_indices[found]) = (missing(), I::from_usize(j));
                }
                found += 1;
            }
        }
        found as u64
    }))
}

/// All bits.
fn missing<I: Index>() -> I {
    I::from_usize(usize::MAX)
}

fn pieces(len: usize) -> impl ExactSizeIterator<Item = (usize, usize)> + Clone {
    (0..len.div_ceil(PIECE)).map(move |piece| (piece * PIECE, len.min((piece + 1) * PIECE)))
}

impl<K: Key> Joining<'_, K> {
    /// run (i, first, partners) for keys from `from` on, until it is false: the partners of a\[i\] are b\[first .. first + partners\].
    fn for_each_key(&self, from: usize, mut run: impl FnMut(usize, usize, usize) -> bool) {
        let Some(key) = self.a.get(from) else { return };
        let key = key.rank(self.order);
        let mut first = self.b.partition_point(|b| b.rank(self.order) < key);
        let (mut partners, mut last) = (0, None);
        for (i, key) in self.a.iter().enumerate().skip(from) {
            let key = key.rank(self.order);
            if last != Some(key) {
                first = gallop(first, self.b.len(), |j| self.b[j].rank(self.order) < key);
                partners = gallop(first, self.b.len(), |j| self.b[j].rank(self.order) == key) - first;
                last = Some(key);
            }
            if !run(i, first, partners) {
                return;
            }
        }
    }

    /// The pairs of the keys from .. to of a.
    fn count(&self, from: usize, to: usize) -> u64 {
        let mut pairs = 0u64;
        if from < to {
            self.for_each_key(from, |i, _, partners| {
                pairs = pairs.saturating_add(partners.max(self.keeps_a.into()) as u64);
                i + 1 < to
            });
        }
        pairs
    }

    /// Fills both with the pairs behind the first `passed` ones of the keys from `from` on.
    fn write<I: Index>(&self, from: usize, passed: u64, a_indices: &mut [I], b_indices: &mut [I]) {
        if a_indices.is_empty() {
            return;
        }
        let (mut passed, mut written) = (passed, 0);
        self.for_each_key(from, |i, first, partners| {
            let pairs = partners.max(self.keeps_a.into());
            if passed >= pairs as u64 {
                passed -= pairs as u64;
                return true;
            }
            let begin = std::mem::take(&mut passed) as usize;
            let here = (pairs - begin).min(a_indices.len() - written);
            a_indices[written..written + here].fill(I::from_usize(i));
            for (target, j) in b_indices[written..written + here].iter_mut().zip(first + begin..) {
                *target = if partners == 0 { missing() } else { I::from_usize(j) };
            }
            written += here;
            written < a_indices.len()
        });
    }

    /// Writes the keys from .. to of b that have no partner, as many as the outputs hold; returns how many there are.
    fn write_lones<I: Index>(&self, from: usize, to: usize, a_indices: &mut [I], b_indices: &mut [I]) -> u64 {
        let Some(key) = self.b[from..to].first() else { return 0 };
        let key = key.rank(self.order);
        let mut i = self.a.partition_point(|a| a.rank(self.order) < key);
        let mut found = 0;
        for (j, key) in self.b[..to].iter().enumerate().skip(from) {
            let key = key.rank(self.order);
            i = gallop(i, self.a.len(), |i| self.a[i].rank(self.order) < key);
            if self.a.get(i).is_some_and(|a| a.rank(self.order) == key) {
                continue;
            }
            if let (Some(a), Some(b)) = (a_indices.get_mut(found), b_indices.get_mut(found)) {
                (*a, *b) = (missing(), I::from_usize(j));
            }
            found += 1;
        }
        found as u64
    }
}
