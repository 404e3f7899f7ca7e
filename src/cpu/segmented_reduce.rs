//! The reduction of each segment of an array on the CPU.
//!
//!   result\[s\] = ⊕ data\[offsets\[s\] … offsets\[s + 1\])
//!
//! Algorithm  segments.rs: equal shares of segments and elements, carries between them, 16 lanes in long segments.
//! Cost       Reads data and offsets once.
#![forbid(unsafe_code)]

use super::Workers;
use super::reduce::dispatch_operator;
use super::segments::{self, Cut, List, in_lanes};
use crate::error::Result;
use crate::interrupt::{Polls, in_pieces};
use crate::model::index::Index;
use crate::model::operator::{Operand, Reduction};

/// On all cores.
pub fn segmented_reduce<T: Operand, I: Index>(
    workers: &Workers,
    op: Reduction,
    data: &[T],
    offsets: &[I],
    sources: Option<&[I]>,
    result: &mut [T],
) -> Result<()> {
    if sources.is_some() {
        return segments::reduce(workers, op, offsets, data.len(), result, |segment, part| {
            segments::fold(op, &data[segments::place(offsets, sources, segment, part, data.len())])
        });
    }
    segments::reduce_shares(workers, op, offsets, data.len(), result, |list, from, to, part| {
        dispatch_operator!(op, T, walk(list, from, to, part, data))
    })
}

/// The segments between two cuts, for one operator: most of them are short.
fn walk<T: Operand, const OP: usize>(
    list: &List<impl Index>,
    from: Cut,
    to: Cut,
    part: &mut [T],
    data: &[T],
) -> T {
    list.walk(from, to, part, |_, elements| in_lanes::<T, OP>(&data[elements]))
}

/// The plain loop, in the order of the elements.
pub fn sequential<T: Operand, I: Index>(
    workers: &Workers,
    op: Reduction,
    data: &[T],
    offsets: &[I],
    sources: Option<&[I]>,
    result: &mut [T],
) -> Result<()> {
    workers.run_sequential(|| {
        let mut polls = Polls::new();
        for segment in 0..result.len() {
            let elements = offsets[segment].to_usize()..offsets[segment + 1].to_usize().min(data.len());
            let mut value = T::identity(op);
            let places = segments::place(offsets, sources, segment, elements, data.len());
            polls.step();
            in_pieces(places.len(), |range| {
                for place in range {
                    value = T::apply(op, value, data[places.start + place]);
                }
            });
            result[segment] = value;
        }
    });
    Ok(())
}
