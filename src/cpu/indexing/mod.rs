//! Walks of N-D indexing on the CPU.
//!
//! Algorithm  A chunk of the dense array is cut into runs of its first dimension. Consecutive elements are copied at once. Positions that
//!            have to be computed are computed for blocks of the first dimension, and used for each row of the chunk.
//! Cost       Reads index vectors once a chunk, and each element once.
#![forbid(unsafe_code)]

mod check;
mod offsets;

use std::ops::Range;

use crate::model::indexing::{Dimension, Places, Vector, Walk};

pub use check::{first_out_of_range, keep_last, positions_of, positions_of_mask};
use offsets::{BLOCK, Offsets};

/// A walk with its index vectors, by dimension of the caller.
pub struct Walker<'a> {
    pub walk: &'a Walk,
    pub vectors: &'a [Option<Vector<'a>>],
}

/// The elements of a run: nowhere, at an arithmetic progression, or each at an offset of its own.
pub enum Run<'r> {
    Nowhere,
    Strided { first: usize, stride: i64 },
    Scattered { row: i64, offsets: &'r [Option<i64>] },
}

impl Walker<'_> {
    /// Calls `run (first element of the dense array, elements, where they are)` for all elements of a range, each once; rows in order
    /// for equal columns.
    pub fn for_each_run(&self, range: Range<usize>, mut run: impl FnMut(usize, usize, Run)) {
        let Some((inner, outer)) = self.walk.dimensions.split_first() else {
            return run(0, range.len(), Run::Strided { first: self.walk.base, stride: 0 });
        };
        let (width, rows) = (inner.count, range.start / inner.count..range.end.div_ceil(inner.count));
        let row_part = |row: usize| {
            range.start.max(row * width) - row * width..range.end.min((row + 1) * width) - row * width
        };
        if inner.places == Places::Affine {
            for row in rows {
                let columns = row_part(row);
                let first =
                    self.row_offset(outer, row).map(|offset| offset + columns.start as i64 * inner.stride);
                let at = first.map_or(Run::Nowhere, |first| Run::Strided {
                    first: first as usize,
                    stride: inner.stride,
                });
                run(row * width + columns.start, columns.len(), at);
            }
            return;
        }
        let mut offsets = Offsets::new();
        let columns = if rows.len() == 1 { row_part(rows.start) } else { 0..width };
        for begin in columns.clone().step_by(BLOCK) {
            let block = begin..columns.end.min(begin + BLOCK);
            offsets.compute(inner, self.vectors, block.clone());
            for row in rows.clone() {
                let part = row_part(row);
                let (from, to) = (part.start.max(block.start), part.end.min(block.end));
                if from < to {
                    let at = self
                        .row_offset(outer, row)
                        .map_or(Run::Nowhere, |row| offsets.run(row, from - block.start..to - block.start));
                    run(row * width + from, to - from, at);
                }
            }
        }
    }

    /// Where a row begins, as far as its first element is at 0; None: nowhere.
    fn row_offset(&self, outer: &[Dimension], row: usize) -> Option<i64> {
        let (mut rest, mut offset) = (row, self.walk.base as i64);
        for dimension in outer {
            offset += offsets::offset_of(dimension, self.vectors, rest % dimension.count)?;
            rest /= dimension.count;
        }
        Some(offset)
    }
}
