//! Dimensions in another order, on the CPU.
//!
//!   result\[i\[order\[0\]\], i\[order\[1\]\], …\] = source\[i\[0\], i\[1\], …\]
//!
//! Algorithm  Where the fastest dimension stays, runs are copied (indexing). Else tiles of the result's fastest dimension and the
//!            source's: a tile is copied to the cache by rows of the source, and from there by rows of the result.
//! Cost       Reads source and writes result once.
#![forbid(unsafe_code)]

use super::Execution;
use super::gather_nd::gather_nd;
use super::indexing::Walker;
use super::parallel::chunks::parts;
use super::parallel::parallel_for::parallel_for;
use super::{is_small, run};
use crate::error::Result;
use crate::model::dtype::Bits;
use crate::model::indexing::{Dimension, Walk};
use crate::model::variant::Variant;

const TILE: usize = 64; // elements of a side
const NARROW: usize = 8;
const PART: usize = 1 << 22; // bytes

pub fn permute<T: Bits>(
    (workers, variant): Execution,
    walk: &Walk,
    source: &[T],
    result: &mut [T],
) -> Result<()> {
    let fastest = walk.dimensions.iter().position(|dimension| dimension.stride == 1);
    let Some(across) =
        fastest.filter(|&d| d > 0 && walk.dimensions[d].count >= NARROW && variant == Variant::Auto)
    else {
        return gather_nd((workers, variant), &Walker { walk, vectors: &[] }, source, result);
    };
    let (inner, outer) = walk.dimensions.split_at(across);
    let plane: usize = inner.iter().map(|dimension| dimension.count).product();
    let (width, slow) = (outer[0].count, &outer[1..]);
    let rows = (PART / (plane * size_of::<T>())).clamp(16, TILE).min(width);
    let groups = width.div_ceil(rows);
    let outer_count: usize = slow.iter().map(|dimension| dimension.count).product();
    let lens = (0..outer_count * groups).map(|part| plane * rows.min(width - part % groups * rows));
    let is_alone = is_small(result);
    run(workers, is_alone, || {
        parallel_for(is_alone, parts(result, lens)?.into_iter(), |part, chunk| {
            let first = offset_of(slow, part / groups) + part % groups * rows;
            transpose_part(inner, &source[first..], chunk, plane);
        })
    })?
}

/// A part of the result: `plane` elements of the inner dimensions for some elements of the source's fastest one.
fn transpose_part<T: Bits>(inner: &[Dimension], source: &[T], part: &mut [T], plane: usize) {
    let mut tile = [T::default(); TILE * TILE];
    let (count, stride) = (inner[0].count, inner[0].stride as usize);
    let rows = part.len() / plane;
    for begin in (0..plane).step_by(count) {
        let from = offset_of(&inner[1..], begin / count);
        for i in (0..count).step_by(TILE) {
            let columns = TILE.min(count - i);
            for column in 0..columns {
                let from = from + (i + column) * stride;
                tile[column * TILE..column * TILE + rows].copy_from_slice(&source[from..from + rows]);
            }
            for row in 0..rows {
                let to = &mut part[row * plane + begin + i..][..columns];
                to.iter_mut().zip(tile[row..].iter().step_by(TILE)).for_each(|(to, &from)| *to = from);
            }
        }
    }
}

/// Where element `number` of these dimensions is.
fn offset_of(dimensions: &[Dimension], number: usize) -> usize {
    let mut rest = number;
    let offset = |dimension: &Dimension| {
        let i = rest % dimension.count;
        rest /= dimension.count;
        i * dimension.stride as usize
    };
    dimensions.iter().map(offset).sum()
}
