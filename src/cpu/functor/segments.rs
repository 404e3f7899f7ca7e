//! The reduction of each segment of an array by an expression.
//!
//! Algorithm  The shares of segments.rs, each of which has its own elements beside one another, in parts of segments. Long parts are
//!            joined on their own, the others all together, in rounds: a block of pairs is of as many segments as it takes. What a
//!            share leaves open is joined with the segment's part in the next one afterwards, in their order.
#![forbid(unsafe_code)]

use super::{BLOCK, Form, Functor, is_small};
use crate::cpu::parallel::chunks::parts;
use crate::cpu::parallel::parallel_for::try_parallel_for;
use crate::cpu::segments::{Cut, List, SHARE, place};
use crate::cpu::{Execution, collected, reserved, run};
use crate::error::Result;
use crate::interrupt;
use crate::model::expression::program::Program;
use crate::model::index::Index;
use crate::model::variant::Variant;

/// Elements of a part that is joined on its own.
const LONG: usize = 256;

/// Elements in segments.
pub struct Segments<'a, S, I> {
    pub data: &'a [S],
    pub offsets: &'a [I],
    pub sources: Option<&'a [I]>,
    /// The result of an empty segment.
    pub identity: S,
}

/// What a share finds beside results: of its first segment whether there is nothing of it, and what it leaves open at its end.
#[derive(Clone, Copy)]
struct Ends<S> {
    is_first_empty: bool,
    open: Option<S>,
}

/// result\[s\] ← the elements of segment s joined.
pub fn segmented_reduce<F: Form, I: Index>(
    (workers, variant): Execution,
    program: &Program,
    segments: &Segments<F::Stored, I>,
    result: &mut [F::Stored],
) -> Result<()> {
    if variant == Variant::Sequential {
        return workers.run_sequential(|| sequential::<F, I>(program, segments, result));
    }
    let list = List::new(segments.offsets, segments.data.len());
    let shares = list.len().div_ceil(SHARE);
    let mut cuts = reserved(shares + 1)?;
    cuts.extend((0..=shares).map(|share| list.cut(share * SHARE)));
    let ends = cuts.windows(2).map(|cuts| cuts[1].segment.saturating_sub(cuts[0].segment));
    let mut parts = parts(result, ends)?;
    let none = Ends { is_first_empty: true, open: None };
    let mut found = collected((0..shares).map(|_| none))?;
    let is_alone = shares <= 1 || is_small(program, list.len());
    run(workers, is_alone, || {
        try_parallel_for(is_alone, parts.iter_mut().zip(&mut found), |share, (part, found)| {
            *found = of_share::<F, I>(program, segments, &list, [cuts[share], cuts[share + 1]], part)?;
            Ok(())
        })
    })??;
    let mut functor = Functor::<F>::new(program)?;
    let mut open = None;
    for (part, found) in parts.iter_mut().zip(found) {
        match part.first_mut() {
            Some(first) => {
                if let Some(open) = open {
                    *first = if found.is_first_empty { open } else { functor.apply(open, *first)? };
                }
                open = found.open;
            }
            None => open = functor.joined(open, found.open)?,
        }
    }
    Ok(())
}

/// Writes the segments that end between two cuts.
fn of_share<F: Form, I: Index>(
    program: &Program,
    segments: &Segments<F::Stored, I>,
    list: &List<I>,
    [from, to]: [Cut; 2],
    results: &mut [F::Stored],
) -> Result<Ends<F::Stored>> {
    let &Segments { data, offsets, sources, identity } = segments;
    let mut functor = Functor::<F>::new(program)?;
    let (mut element, last) = (from.element, to.element.max(from.element));
    let mut values = reserved(last - element)?;
    let mut lens = reserved(results.len() + 1)?;
    for index in 0..=results.len() {
        let segment = from.segment + index;
        let end = if index < results.len() { list.end(segment).clamp(element, last) } else { last };
        let part = &data[place(offsets, sources, segment, element..end, data.len())];
        match part.len() {
            LONG.. => values.push(functor.fold(part)?),
            _ => values.extend_from_slice(part),
        }
        lens.push(if part.len() >= LONG { 1 } else { part.len() });
        element = end;
    }
    functor.fold_parts(&mut values, &mut lens)?;
    let mut values = values.iter().copied();
    let mut next = |len: usize| if len == 0 { None } else { values.next() };
    let is_first_empty = lens[0] == 0;
    for (result, &len) in results.iter_mut().zip(&lens) {
        *result = next(len).unwrap_or(identity);
    }
    Ok(Ends { is_first_empty, open: next(lens[lens.len() - 1]) })
}

/// The plain loop, in the order of the elements.
fn sequential<F: Form, I: Index>(
    program: &Program,
    segments: &Segments<F::Stored, I>,
    result: &mut [F::Stored],
) -> Result<()> {
    let &Segments { data, offsets, sources, identity } = segments;
    let mut functor = Functor::<F>::new(program)?;
    for (segment, result) in result.iter_mut().enumerate() {
        interrupt::poll();
        let elements = offsets[segment].to_usize()..offsets[segment + 1].to_usize().min(data.len());
        let mut total = None;
        for &value in &data[place(offsets, sources, segment, elements, data.len())] {
            total = functor.joined(total, Some(value))?;
        }
        *result = total.unwrap_or(identity);
    }
    Ok(())
}

impl<F: Form> Functor<'_, F> {
    /// Two parts of one segment, each of which may be empty, as one.
    fn joined(&mut self, a: Option<F::Stored>, b: Option<F::Stored>) -> Result<Option<F::Stored>> {
        match (a, b) {
            (Some(a), Some(b)) => Ok(Some(self.apply(a, b)?)),
            (a, b) => Ok(a.or(b)),
        }
    }

    /// Joins the elements of each part: one is left of each that is not empty, one behind the other.
    fn fold_parts(&mut self, values: &mut Vec<F::Stored>, lens: &mut [usize]) -> Result<()> {
        let (mut pairs, mut targets) = (reserved(2 * BLOCK)?, reserved(BLOCK)?);
        while lens.iter().any(|&len| len > 1) {
            let (mut read, mut written) = (0, 0);
            for len in lens.iter_mut() {
                for _ in 0..*len / 2 {
                    pairs.extend_from_slice(&values[read..read + 2]);
                    targets.push(written);
                    (read, written) = (read + 2, written + 1);
                    if targets.len() == BLOCK {
                        self.join_to(&mut pairs, &mut targets, values)?;
                    }
                }
                if *len % 2 == 1 {
                    values[written] = values[read];
                    (read, written) = (read + 1, written + 1);
                }
                *len = len.div_ceil(2);
            }
            self.join_to(&mut pairs, &mut targets, values)?;
            values.truncate(written);
        }
        Ok(())
    }

    /// values\[targets\[i\]\] ← pair i joined; empties both lists. Their places were read before.
    fn join_to(
        &mut self,
        pairs: &mut Vec<F::Stored>,
        targets: &mut Vec<usize>,
        values: &mut [F::Stored],
    ) -> Result<()> {
        let mut results = [F::Stored::default(); BLOCK];
        let results = &mut results[..targets.len()];
        self.join_pairs(pairs, results)?;
        for (&target, &mut result) in targets.iter().zip(results) {
            values[target] = result;
        }
        pairs.clear();
        targets.clear();
        Ok(())
    }
}
