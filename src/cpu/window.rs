//! Parts of an array and what is around them, converted.
#![forbid(unsafe_code)]

use pulp::Arch;

use super::map::load::run;
use crate::model::stencil::Plane;

/// Rows and columns of a plane, which may begin before the array and end behind it.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub row: isize,
    pub col: isize,
    pub rows: usize,
    pub cols: usize,
}

impl Window {
    /// Brings the elements of the window to rows of `pitch` elements; `outside` is what the boundary's constant is.
    pub fn load<S: Copy, T: Copy>(
        &self,
        (arch, plane): (Arch, &Plane),
        from: &[S],
        (to, pitch): (&mut [T], usize),
        outside: T,
        convert: impl Fn(S) -> T + Copy,
    ) {
        for (row, to) in to.chunks_mut(pitch).take(self.rows).enumerate() {
            let to = &mut to[..self.cols];
            match plane.boundary.source(self.row + row as isize, plane.rows) {
                Some(row) => {
                    let from = &from[row * plane.cols..][..plane.cols];
                    load_row((arch, plane, self.col), from, to, outside, convert);
                }
                None => to.fill(outside),
            }
        }
    }
}

/// A row of a window from a row of the array.
fn load_row<S: Copy, T: Copy>(
    (arch, plane, first): (Arch, &Plane, isize),
    from: &[S],
    to: &mut [T],
    outside: T,
    convert: impl Fn(S) -> T + Copy,
) {
    let before = (first.min(0).unsigned_abs()).min(to.len());
    let inside = from.len().saturating_sub(first.max(0) as usize).min(to.len() - before);
    run(arch, &from[from.len().min(first.max(0) as usize)..], 1, &mut to[before..before + inside], convert);
    for index in (0..before).chain(before + inside..to.len()) {
        let source = plane.boundary.source(first + index as isize, from.len());
        to[index] = source.map_or(outside, |source| convert(from[source]));
    }
}
