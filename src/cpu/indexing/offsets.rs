//! Offsets of the elements of a dimension.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::Run;
use crate::model::indexing::{Dimension, Places, Vector};

/// Elements whose offsets are held at once.
pub const BLOCK: usize = 1024;

/// The offset of element i; None: it is nowhere.
pub fn offset_of(dimension: &Dimension, vectors: &[Option<Vector>], i: usize) -> Option<i64> {
    let position = match dimension.places {
        Places::Affine => i as i64,
        Places::Wrapped { start, step, extent } => (start + step * i as i64) % extent as i64,
        Places::Indexed { vector, start, extent } => {
            vectors[vector].as_ref()?.position(i, start, extent)? as i64
        }
    };
    Some(position * dimension.stride)
}

/// The offsets of a block of elements.
pub struct Offsets {
    all: [Option<i64>; BLOCK],
    are_consecutive: bool,
}

impl Offsets {
    pub fn new() -> Offsets {
        Offsets { all: [None; BLOCK], are_consecutive: false }
    }

    pub fn compute(&mut self, dimension: &Dimension, vectors: &[Option<Vector>], block: Range<usize>) {
        let all = &mut self.all[..block.len()];
        if let Places::Wrapped { start, step, extent } = dimension.places {
            let (round, mut position) = (extent as i64, (start + step * block.start as i64) % extent as i64);
            let step = step.rem_euclid(round);
            for offset in all.iter_mut() {
                *offset = Some(position * dimension.stride);
                position = if position >= round - step { position - (round - step) } else { position + step };
            }
        } else {
            for (offset, i) in all.iter_mut().zip(block) {
                *offset = offset_of(dimension, vectors, i);
            }
        }
        let follows = |pair: &[Option<i64>]| pair[0].zip(pair[1]).is_some_and(|(one, next)| next == one + 1);
        self.are_consecutive = all[0].is_some() && all.windows(2).all(follows);
    }

    /// The run of some of them behind a row's offset.
    pub fn run(&self, row: i64, part: Range<usize>) -> Run<'_> {
        match self.all[part.start] {
            Some(first) if self.are_consecutive => Run::Strided { first: (row + first) as usize, stride: 1 },
            _ => Run::Scattered { row, offsets: &self.all[part] },
        }
    }
}
