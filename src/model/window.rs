//! Windows that move over an array of rows and columns: filters and medians.
#![forbid(unsafe_code)]

use super::numbered::numbered_enum;
use super::stencil::{Plane, StencilOrder};
use crate::error::{Error, Result};

/// How much of a convolution is computed, of rows x cols elements and a filter of m x n weights.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConvolveShape {
    /// rows x cols results: the middle part of FULL, from row m/2 and column n/2 on.
    #[default]
    Same = 0,
    /// (rows + m - 1) x (cols + n - 1) results: each that an element takes part in.
    Full = 1,
    /// (rows - m + 1) x (cols - n + 1) results, none where the filter is larger: those that take
    /// elements of the array only.
    Valid = 2,
}

numbered_enum!(ConvolveShape = "gpumex_convolve_shape": Same, Full, Valid);

/// Whether a filter is turned.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConvolveKind {
    /// Turned by 180 degrees, as MATLAB's conv2.
    #[default]
    Convolution = 0,
    /// As it is, as MATLAB's filter2 and imfilter.
    Correlation = 1,
}

numbered_enum!(ConvolveKind = "gpumex_convolve_kind": Convolution, Correlation);

/// Windows of a row-major array, one for each element of the result: that of (y, x) is `size` elements from (y + first.0, x + first.1) on.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    pub plane: Plane,
    pub size: [usize; 2],
    pub result: [usize; 2],
    pub first: [isize; 2],
}

impl Windows {
    /// The windows of a shape; refuses sizes whose sums overflow.
    pub fn new(shape: ConvolveShape, plane: Plane, size: [usize; 2]) -> Result<Windows> {
        let (result_rows, row) = along(shape, plane.rows, size[0])?;
        let (result_cols, col) = along(shape, plane.cols, size[1])?;
        Ok(Windows { plane, size, result: [result_rows, result_cols], first: [row, col] })
    }

    /// The same of the transposed array where it is stored in the order of columns.
    pub fn in_order(self, order: StencilOrder) -> Windows {
        match order {
            StencilOrder::Row => self,
            StencilOrder::Column => {
                let plane = Plane { rows: self.plane.cols, cols: self.plane.rows, ..self.plane };
                let [size, result] = [self.size, self.result].map(|[rows, cols]| [cols, rows]);
                Windows { plane, size, result, first: [self.first[1], self.first[0]] }
            }
        }
    }
}

/// In one direction the number of results, and where the first window begins.
fn along(shape: ConvolveShape, len: usize, window: usize) -> Result<(usize, isize)> {
    let before = window.saturating_sub(1);
    let full = len.checked_add(before).filter(|&full| isize::try_from(full).is_ok());
    let Some(full) = full else {
        return Err(Error::invalid(format!("an extent of {len} and a window of {window} are too large")));
    };
    let (count, skipped) = match shape {
        _ if len == 0 => (0, 0),
        ConvolveShape::Same => (len, window / 2),
        ConvolveShape::Full => (full, 0),
        ConvolveShape::Valid => (len.saturating_sub(before), before),
    };
    Ok((count, skipped as isize - before as isize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_lie_as_those_of_conv2() {
        assert_eq!(along(ConvolveShape::Full, 5, 3).unwrap(), (7, -2));
        assert_eq!(along(ConvolveShape::Same, 5, 3).unwrap(), (5, -1));
        assert_eq!(along(ConvolveShape::Same, 5, 4).unwrap(), (5, -1));
        assert_eq!(along(ConvolveShape::Same, 5, 1).unwrap(), (5, 0));
        assert_eq!(along(ConvolveShape::Valid, 5, 3).unwrap(), (3, 0));
        assert_eq!(along(ConvolveShape::Valid, 2, 3).unwrap(), (0, 0));
        assert_eq!(along(ConvolveShape::Full, 0, 3).unwrap().0, 0);
        assert!(along(ConvolveShape::Full, usize::MAX, 2).is_err());
        let most = (1 << 62) + (1 << 62) - 1; // the largest isize
        assert_eq!(along(ConvolveShape::Full, 1 << 62, 1 << 62).unwrap().0, most);
        assert!(along(ConvolveShape::Same, (1 << 62) + 1, 1 << 62).is_err());
    }
}
