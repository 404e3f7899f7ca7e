//! Stable sort by an expression that says whether one key precedes another.
//!
//! Algorithm  A bitonic network whose comparators all put the lesser element first (kernels/map/functor_sort.cu): rounds of pairs that are
//!            independent, in blocks of which the program runs. Of two elements the later one is asked whether it precedes the earlier
//!            one, by their positions, so that one evaluation decides and the sort is stable. Pieces are sorted, and what is left of a
//!            merge is done, in the cache, on all cores. Elements are exchanged, and nothing else: whatever the expression says, the result
//!            is a permutation, the same as on a device.
//! Cost       n·log²(n)/4 evaluations. SEQUENTIAL, a plain merge sort: n·log n, one at a time.
//! Source     K. Batcher, "Sorting Networks and their Applications", AFIPS 1968.
#![forbid(unsafe_code)]

use super::{BLOCK, Form, Functor, PIECE, Span, is_small, lanes};
use crate::cpu::map::step::execute;
use crate::cpu::parallel::parallel_for::try_parallel_for;
use crate::cpu::{reserved, run, zeros};
use crate::error::Result;
use crate::interrupt;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::variant::SortVariant;

/// The logarithm of a piece.
const PIECE_BLOCK: u32 = PIECE.trailing_zeros();

/// keys ← the keys in order, positions ← where they were.
pub fn sort<F: Form, P: Index>(
    (workers, variant): (&crate::cpu::Workers, SortVariant),
    program: &Program,
    keys: &mut [F::Stored],
    positions: &mut [P],
) -> Result<()> {
    for (position, number) in positions.iter_mut().zip(0..) {
        *position = P::from_usize(number);
    }
    if variant == SortVariant::Sequential {
        return workers.run_sequential(|| sequential::<F, P>(program, keys, positions));
    }
    let is_alone = keys.len() <= PIECE || is_small(program, keys.len());
    run(workers, is_alone, || network::<F, P>(is_alone, program, keys, positions))?
}

fn network<F: Form, P: Index>(
    is_alone: bool,
    program: &Program,
    keys: &mut [F::Stored],
    positions: &mut [P],
) -> Result<()> {
    let in_pieces =
        |keys: &mut [F::Stored], positions: &mut [P], blocks: std::ops::RangeInclusive<u32>, first| {
            let pieces = keys.chunks_mut(PIECE).zip(positions.chunks_mut(PIECE));
            try_parallel_for(is_alone, pieces, |_, (keys, positions)| {
                let mut functor = Functor::<F>::new(program)?;
                blocks.clone().try_for_each(|block| {
                    (first..block).try_for_each(|round| functor.round(keys, positions, block, round))
                })
            })
        };
    let last = keys.len().next_power_of_two().trailing_zeros();
    in_pieces(keys, positions, 1..=last.min(PIECE_BLOCK), 0)?;
    for block in PIECE_BLOCK + 1..=last {
        for round in 0..block - PIECE_BLOCK {
            try_parallel_for(is_alone, halves(keys, positions, block, round)?.into_iter(), |_, halves| {
                Functor::<F>::new(program)?.exchange_halves(halves, round == 0)
            })?;
        }
        in_pieces(keys, positions, block..=block, block - PIECE_BLOCK)?;
    }
    Ok(())
}

/// Keys and positions of the lower elements of pairs, and those of the higher ones.
type Halves<'a, S, P> = [(&'a mut [S], &'a mut [P]); 2];

/// The pairs of a round whose distances are no less than a piece; those of round 0 are opposite.
fn halves<'a, S, P>(
    keys: &'a mut [S],
    positions: &'a mut [P],
    block: u32,
    round: u32,
) -> Result<Vec<Halves<'a, S, P>>> {
    let half = 1usize << (block - 1 - round);
    let mut all = reserved(keys.len() / PIECE + 2)?;
    for (keys, positions) in keys.chunks_mut(2 * half).zip(positions.chunks_mut(2 * half)) {
        let middle = half.min(keys.len());
        let (low_keys, high_keys) = keys.split_at_mut(middle);
        let (low, high) = positions.split_at_mut(middle);
        let begin = if round == 0 { middle - high.len() } else { 0 };
        let lows = low_keys[begin..].chunks_mut(PIECE).zip(low[begin..].chunks_mut(PIECE));
        if round == 0 {
            let highs = high_keys.rchunks_mut(PIECE).zip(high.rchunks_mut(PIECE));
            all.extend(lows.zip(highs).map(|(low, high)| [low, high]));
        } else {
            let highs = high_keys.chunks_mut(PIECE).zip(high.chunks_mut(PIECE));
            all.extend(lows.zip(highs).map(|(low, high)| [low, high]));
        }
    }
    Ok(all)
}

impl<F: Form> Functor<'_, F> {
    /// One round in a piece.
    fn round<P: Index>(
        &mut self,
        keys: &mut [F::Stored],
        positions: &mut [P],
        block: u32,
        round: u32,
    ) -> Result<()> {
        let shift = block - 1 - round;
        let (half, mut pairs) = (1usize << shift, reserved(BLOCK)?);
        for begin in (0..keys.len().saturating_sub(half)).step_by(2 * half) {
            let present = half.min(keys.len() - begin - half); // of the higher ones
            let offsets = if round == 0 { half - present..half } else { 0..present };
            for offset in offsets {
                let high = if round == 0 { begin + 2 * half - 1 - offset } else { begin + half + offset };
                pairs.push((begin + offset, high));
                if pairs.len() == BLOCK {
                    self.exchange(&mut pairs, keys, positions)?;
                }
            }
        }
        self.exchange(&mut pairs, keys, positions)
    }

    /// Puts the elements of pairs in order; empties the list.
    fn exchange<P: Index>(
        &mut self,
        pairs: &mut Vec<(usize, usize)>,
        keys: &mut [F::Stored],
        positions: &mut [P],
    ) -> Result<()> {
        let (mut later, mut earlier) = ([F::Stored::default(); BLOCK], [F::Stored::default(); BLOCK]);
        let mut is_swapped = [false; BLOCK];
        for (lane, &(low, high)) in pairs.iter().enumerate() {
            is_swapped[lane] = positions[high] < positions[low];
            let (a, b) = if is_swapped[lane] { (low, high) } else { (high, low) };
            (later[lane], earlier[lane]) = (keys[a], keys[b]);
        }
        let precedes = self.precede(&later[..pairs.len()], &earlier[..pairs.len()])?;
        for ((&(low, high), &precedes), is_swapped) in pairs.iter().zip(precedes).zip(is_swapped) {
            if (precedes != 0) != is_swapped {
                keys.swap(low, high);
                positions.swap(low, high);
            }
        }
        pairs.clear();
        Ok(())
    }

    /// The same of pairs whose elements lie side by side, or opposite.
    fn exchange_halves<P: Index>(
        &mut self,
        [(low_keys, low), (high_keys, high)]: Halves<F::Stored, P>,
        are_opposite: bool,
    ) -> Result<()> {
        let len = high.len().min(low.len());
        let other = |i: usize| if are_opposite { len - 1 - i } else { i };
        let (mut later, mut earlier) = ([F::Stored::default(); BLOCK], [F::Stored::default(); BLOCK]);
        for first in (0..len).step_by(BLOCK) {
            let count = BLOCK.min(len - first);
            for lane in 0..count {
                let (i, j) = (first + lane, other(first + lane));
                let is_swapped = high[j] < low[i];
                (later[lane], earlier[lane]) =
                    if is_swapped { (low_keys[i], high_keys[j]) } else { (high_keys[j], low_keys[i]) };
            }
            let precedes = self.precede(&later[..count], &earlier[..count])?;
            for (lane, &precedes) in precedes.iter().enumerate() {
                let (i, j) = (first + lane, other(first + lane));
                if (precedes != 0) != (high[j] < low[i]) {
                    std::mem::swap(&mut low_keys[i], &mut high_keys[j]);
                    std::mem::swap(&mut low[i], &mut high[j]);
                }
            }
        }
        Ok(())
    }

    /// Whether the expression is true of pairs, of a block of them at most: not 0.
    pub fn precede(&mut self, a: &[F::Stored], b: &[F::Stored]) -> Result<&[i32]> {
        interrupt::poll();
        self.load(0, a, 0, 1)?;
        self.load(1, b, 0, 1)?;
        let span = Span { arch: self.arch, first: 0, len: a.len() };
        let plan = self.program.plan();
        for instruction in &plan.instructions {
            execute(span, instruction, &mut self.pools, &self.program.literals, false);
        }
        Ok(lanes(&self.pools, plan.result, span))
    }
}

/// A merge sort from the bottom up: of two runs the first one's element, unless that of the second one precedes it.
fn sequential<F: Form, P: Index>(
    program: &Program,
    keys: &mut [F::Stored],
    positions: &mut [P],
) -> Result<()> {
    let mut functor = Functor::<F>::new(program)?;
    let (mut other_keys, mut other) = (zeros::<F::Stored>(keys.len())?, zeros::<P>(keys.len())?);
    let mut width = 1;
    while width < keys.len() {
        for begin in (0..keys.len()).step_by(2 * width) {
            let (middle, end) = ((begin + width).min(keys.len()), (begin + 2 * width).min(keys.len()));
            let (mut i, mut j) = (begin, middle);
            for to in begin..end {
                let is_second =
                    j < end && (i == middle || functor.precede(&keys[j..=j], &keys[i..=i])?[0] != 0);
                let from = if is_second { &mut j } else { &mut i };
                (other_keys[to], other[to]) = (keys[*from], positions[*from]);
                *from += 1;
            }
        }
        keys.copy_from_slice(&other_keys);
        positions.copy_from_slice(&other);
        width *= 2;
    }
    Ok(())
}
