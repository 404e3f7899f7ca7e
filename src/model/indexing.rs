//! N-D indexing as strided walks: where in one array each element of a dense one is.
#![forbid(unsafe_code)]

use super::dtype::Dtype;
use crate::error::{Error, Result};

pub const MAX_RANK: usize = 8;

/// Beyond it neither starts nor elements of index vectors are served, so that their sums do not overflow.
pub const MOST: i64 = 1 << 62;

/// What is taken of a dimension.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// Elements of the dimension.
    pub extent: usize,
    /// How many are taken.
    pub count: usize,
    /// Of a range start + step·i; with indices, start is added to them.
    pub start: i64,
    pub step: i64,
    /// The range is modulo the extent.
    pub wraps: bool,
    /// The type of an index vector; BOOL: a mask of `extent` elements.
    pub indices: Option<Dtype>,
}

/// Where the elements of a dimension are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Element i is at i·stride.
    Affine,
    /// Element i is at ((start + step·i) mod extent)·stride; start + step·i is at least 0.
    Wrapped { start: i64, step: i64, extent: usize },
    /// Element i is at (start + v\[i\])·stride, v the vector of this number, where start + v\[i\] is below extent; else nowhere.
    Indexed { vector: usize, start: i64, extent: usize },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    pub count: usize,
    /// In the indexed array.
    pub stride: i64,
    /// In the dense array; 0: it has one element for all.
    pub dense: usize,
    pub places: Places,
}

/// Dimensions from the fastest of the dense array on. None is left where the walk is of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Where the walk begins in the indexed array.
    pub base: usize,
    pub dimensions: Vec<Dimension>,
}

impl Walk {
    /// The walk of selections from an array of their extents, the first one fastest. is_single: the dense array is one element.
    pub fn indexing(selections: &[Selection], is_single: bool) -> Result<Walk> {
        let shape: Vec<usize> = selections.iter().map(|selection| selection.extent).collect();
        let counts: Vec<usize> = selections.iter().map(|selection| selection.count).collect();
        let (strides, dense) = (strides_of("shape", &shape)?, strides_of("counts", &counts)?);
        let is_empty = counts.contains(&0);
        let mut walk = Walk { base: 0, dimensions: Vec::new() };
        for (d, selection) in selections.iter().enumerate() {
            let (first, step, places) = places_of(d, selection, is_empty)?;
            let stride = strides[d] as i64; // of an array in the address space
            walk.base += if is_empty { 0 } else { first * strides[d] };
            walk.dimensions.push(Dimension {
                count: selection.count,
                stride: stride * step,
                dense: if is_single { 0 } else { dense[d] },
                places,
            });
        }
        Ok(walk.merged())
    }

    /// The walk of a permutation: dimension k of the dense array is dimension order\[k\] of one with this shape.
    pub fn permuting(shape: &[usize], order: &[usize]) -> Result<Walk> {
        let strides = strides_of("shape", shape)?;
        let mut dense = 1usize;
        let dimension = |&d: &usize| {
            let (count, stride, of_dense) = (shape[d], strides[d] as i64, dense);
            dense = dense.saturating_mul(count);
            Dimension { count, stride, dense: of_dense, places: Places::Affine }
        };
        Ok(Walk { base: 0, dimensions: order.iter().map(dimension).collect() }.merged())
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.dimensions.iter().map(|dimension| dimension.count).product()
    }

    /// Whether two elements may be at one place.
    pub fn may_repeat(&self) -> bool {
        self.dimensions.iter().any(|dimension| match dimension.places {
            Places::Affine => dimension.stride == 0,
            Places::Wrapped { .. } | Places::Indexed { .. } => true,
        })
    }

    /// Whether each element is at i·stride in each dimension.
    pub fn is_affine(&self) -> bool {
        self.dimensions.iter().all(|dimension| dimension.places == Places::Affine)
    }

    /// Whether the first dimension has consecutive elements of both arrays.
    pub fn has_runs(&self) -> bool {
        let dense = |d: &Dimension| d.places == Places::Affine && d.stride == 1 && d.dense == 1;
        self.dimensions.first().is_some_and(dense)
    }

    /// The same walk over elements of twice the size, where it is one.
    pub fn halved(&self) -> Option<Walk> {
        let (first, others) = self.dimensions.split_first()?;
        let is_even = |d: &Dimension| d.stride % 2 == 0 && d.dense.is_multiple_of(2);
        if !self.has_runs()
            || first.count % 2 != 0
            || !self.base.is_multiple_of(2)
            || !others.iter().all(is_even)
        {
            return None;
        }
        let half = |d: &Dimension| Dimension { stride: d.stride / 2, dense: d.dense / 2, ..*d };
        let count = first.count / 2;
        let first = (count > 1 || others.is_empty()).then_some(Dimension { count, ..*first });
        let dimensions = first.into_iter().chain(others.iter().map(half)).collect();
        Some(Walk { base: self.base / 2, dimensions })
    }

    /// Without dimensions of one element that need no look at a vector, and with those as one that follow one another in both arrays.
    fn merged(mut self) -> Walk {
        if self.count() == 0 {
            return Walk {
                base: 0,
                dimensions: vec![Dimension { count: 0, stride: 1, dense: 1, places: Places::Affine }],
            };
        }
        let mut merged: Vec<Dimension> = Vec::new();
        for dimension in std::mem::take(&mut self.dimensions) {
            let is_affine = dimension.places == Places::Affine;
            if dimension.count == 1 && is_affine {
                continue;
            }
            match merged.last_mut() {
                Some(inner)
                    if is_affine
                        && inner.places == Places::Affine
                        && i128::from(inner.stride) * inner.count as i128 == i128::from(dimension.stride)
                        && inner.dense * inner.count == dimension.dense =>
                {
                    inner.count *= dimension.count;
                }
                _ => merged.push(dimension),
            }
        }
        Walk { dimensions: merged, ..self }
    }
}

/// The first position, the step and the places of a selection; the first position is 0 where places have it.
fn places_of(d: usize, selection: &Selection, is_empty: bool) -> Result<(usize, i64, Places)> {
    let Selection { extent, count, start, step, wraps, indices } = *selection;
    let name = |field: &str| format!("options.{field}[{d}]");
    if indices.is_some() {
        if wraps {
            let name = name("wraps");
            return Err(Error::invalid(format!(
                "{name} is 1; only ranges wrap, and dimension {d} has indices"
            )));
        }
        if start.unsigned_abs() > MOST as u64 {
            let name = name("starts");
            return Err(Error::invalid(format!("{name} is {start}; beside indices it is -2^62 to 2^62")));
        }
        return Ok((0, 1, Places::Indexed { vector: d, start, extent }));
    }
    if is_empty || count == 0 {
        return Ok((0, 0, Places::Affine));
    }
    let last = i128::from(start) + i128::from(step) * (count as i128 - 1);
    let is_inside = |position: i128| (0..extent as i128).contains(&position);
    if is_inside(start.into()) && is_inside(last) {
        return Ok((start as usize, if count == 1 { 0 } else { step }, Places::Affine));
    }
    if !wraps || extent == 0 {
        return Err(Error::invalid(format!(
            "the range of dimension {d} has positions {start} to {last}; options.shape[{d}] is {extent}"
        )));
    }
    wrapped(d, selection)
}

fn wrapped(d: usize, selection: &Selection) -> Result<(usize, i64, Places)> {
    let Selection { extent, count, start, step, .. } = *selection;
    let round = extent as i128;
    let first = i128::from(start).rem_euclid(round);
    let forward = i128::from(step).rem_euclid(round);
    let (count, step) = (count as i128, if forward > round / 2 { forward - round } else { forward });
    let last = first + step * (count - 1);
    if (0..round).contains(&last) {
        return Ok((first as usize, if count == 1 { 0 } else { step as i64 }, Places::Affine));
    }
    let start = if last < 0 { first + (-last + round - 1) / round * round } else { first };
    match i64::try_from(start.max(start + step * (count - 1))) {
        Ok(_) => Ok((0, 1, Places::Wrapped { start: start as i64, step: step as i64, extent })),
        Err(_) => {
            Err(Error::unsupported(format!("the range of dimension {d} goes beyond 2^63 before it wraps")))
        }
    }
}

/// The strides of a dense array of this shape, the first dimension fastest.
fn strides_of(field: &str, shape: &[usize]) -> Result<Vec<usize>> {
    let mut stride = 1usize;
    let mut strides = Vec::with_capacity(shape.len());
    for &extent in shape {
        strides.push(stride);
        stride =
            stride.checked_mul(extent.max(1)).filter(|&count| isize::try_from(count).is_ok()).ok_or_else(
                || Error::invalid(format!("options.{field} has {shape:?}; as many elements have no address")),
            )?;
    }
    Ok(strides)
}

/// The elements of an index vector.
#[derive(Clone, Copy)]
pub enum Vector<'a> {
    U32(&'a [u32]),
    U64(&'a [u64]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    F64(&'a [f64]),
}

impl Vector<'_> {
    /// Element i; None for what is beyond every array, or no whole number.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<i64> {
        match self {
            Vector::U32(all) => Some(all[i].into()),
            Vector::U64(all) => i64::try_from(all[i]).ok(),
            Vector::I32(all) => Some(all[i].into()),
            Vector::I64(all) => Some(all[i]),
            Vector::F64(all) => whole(all[i]),
        }
    }

    /// The position of element i in a dimension.
    #[inline(always)]
    pub fn position(&self, i: usize, start: i64, extent: usize) -> Option<usize> {
        let position = self.get(i)?.checked_add(start)?;
        usize::try_from(position).ok().filter(|&position| position < extent)
    }
}

fn whole(number: f64) -> Option<i64> {
    let integer = number as i64; // saturated, NaN is 0
    (integer as f64 == number && number.abs() < MOST as f64).then_some(integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(extent: usize, count: usize, start: i64, step: i64, wraps: bool) -> Selection {
        Selection { extent, count, start, step, wraps, indices: None }
    }

    #[test]
    fn whole_arrays_are_one_run_and_blocks_are_two_dimensions() {
        let all = [range(3, 3, 0, 1, false), range(4, 4, 0, 1, false)];
        let walk = Walk::indexing(&all, false).unwrap();
        assert_eq!(walk.dimensions, [Dimension { count: 12, stride: 1, dense: 1, places: Places::Affine }]);
        let block = [range(6, 4, 2, 1, false), range(4, 3, 3, -1, false)];
        let walk = Walk::indexing(&block, false).unwrap();
        assert_eq!((walk.base, walk.dimensions.len(), walk.dimensions[1].stride), (20, 2, -6));
        let half = walk.halved().unwrap();
        assert_eq!((half.base, half.dimensions[0].count, half.dimensions[1].stride), (10, 2, -3));
        assert!(half.halved().is_none());
    }

    #[test]
    fn a_range_that_does_not_wrap_is_affine_and_others_stay_nonnegative() {
        let walk = Walk::indexing(&[range(5, 3, -3, 1, true)], false).unwrap();
        assert!(walk.is_affine() && walk.base == 2);
        for (start, step, count) in [(3, 1, 5), (-1, -1, 12), (7, 3, 9), (0, -2, 11), (4, 0, 3)] {
            let walk = Walk::indexing(&[range(5, count, start, step, true)], false).unwrap();
            for i in 0..count as i64 {
                let want = (start + step * i).rem_euclid(5);
                let found = match walk.dimensions[0].places {
                    Places::Wrapped { start, step, .. } => {
                        assert!(start + step * i >= 0);
                        (start + step * i) % 5
                    }
                    _ => walk.base as i64 + walk.dimensions[0].stride * i,
                };
                assert_eq!(found, want, "{start} {step} {i}");
            }
        }
    }

    #[test]
    fn ranges_that_leave_the_array_are_refused() {
        for refused in [
            range(5, 6, 0, 1, false),
            range(5, 2, -1, 1, false),
            range(0, 1, 0, 1, true),
            range(5, 2, 0, i64::MAX, false),
        ] {
            assert!(Walk::indexing(&[refused], false).is_err());
        }
        assert!(Walk::indexing(&[range(0, 0, 9, 1, false)], false).is_ok());
        assert!(
            Walk::indexing(&[range(usize::MAX, 1, 0, 1, false), range(2, 1, 0, 1, false)], false).is_err()
        );
    }

    #[test]
    fn permuted_neighbours_are_one_dimension() {
        let walk = Walk::permuting(&[2, 3, 4, 5], &[2, 3, 0, 1]).unwrap();
        assert_eq!(
            walk.dimensions.iter().map(|d| (d.count, d.stride)).collect::<Vec<_>>(),
            [(20, 6), (6, 1)]
        );
        assert!(Walk::permuting(&[2, 1, 4], &[1, 0, 2]).unwrap().has_runs());
        assert_eq!(Walk::permuting(&[2, 0, 4], &[1, 0, 2]).unwrap().count(), 0);
    }

    #[test]
    fn positions_are_whole_numbers_in_range() {
        let vector = Vector::F64(&[1.0, 1.5, f64::NAN, 4.0, 0.0, -0.0, 1e300, f64::NEG_INFINITY]);
        let found: Vec<_> = (0..8).map(|i| vector.position(i, -1, 4)).collect();
        assert_eq!(found, [Some(0), None, None, Some(3), None, None, None, None]);
        assert_eq!(Vector::U64(&[u64::MAX]).position(0, 1, 4), None);
        assert_eq!(Vector::I64(&[i64::MAX]).position(0, 1, 4), None);
    }
}
