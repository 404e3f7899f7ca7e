//! Neighbourhoods in two dimensions: what lies outside an array, and how arrays are stored.
#![forbid(unsafe_code)]

use super::dtype::Dtype;
use super::expression::half::{to_bf16, to_f16};
use super::numbered::numbered_enum;

/// What lies outside an array of rows and columns, in each of the two directions. Of the array
/// a b c d, after d:
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// d d d: the element of the edge.
    #[default]
    Clamp = 0,
    /// 0 0 0
    Dead = 1,
    /// a b c: the opposite edge.
    Torus = 2,
    /// d c b: mirrored with the edge, as MATLAB's `padarray (..., "symmetric")`.
    Mirror = 3,
    /// c b a: mirrored without the edge.
    Reflect = 4,
    /// options->constant, as an element of the array.
    Constant = 5,
}

numbered_enum!(Boundary = "gpumex_boundary": Clamp, Dead, Torus, Mirror, Reflect, Constant);

impl Boundary {
    /// The index of the element that stands for this one; None: the constant does.
    pub fn source(self, index: isize, len: usize) -> Option<usize> {
        if index >= 0 && (index as usize) < len {
            return Some(index as usize);
        }
        let (index, len) = (index as i128, len as i128);
        let source = match self {
            Boundary::Dead | Boundary::Constant => return None,
            Boundary::Clamp => index.clamp(0, len - 1),
            Boundary::Torus => index.rem_euclid(len),
            Boundary::Mirror => {
                let place = index.rem_euclid(2 * len);
                place.min(2 * len - 1 - place)
            }
            Boundary::Reflect => {
                let period = (2 * (len - 1)).max(1);
                let place = index.rem_euclid(period);
                place.min(period - place).min(len - 1)
            }
        };
        Some(source as usize)
    }
}

/// In which order an array of rows and columns is stored.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StencilOrder {
    /// Row-major, as in C: a(0, 1) is the next element in memory.
    #[default]
    Row = 0,
    /// Column-major, as in MATLAB: a(1, 0) is the next element in memory.
    Column = 1,
}

numbered_enum!(StencilOrder = "gpumex_stencil_order": Row, Column);

/// The size of row-major arrays, and what lies outside them.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub rows: usize,
    pub cols: usize,
    pub boundary: Boundary,
    /// For CONSTANT.
    pub constant: f64,
}

impl Plane {
    /// The bits of the element of a dtype that lies outside: of integers rounded, halves away from zero, and saturated, NaN 0.
    pub fn outside(&self, dtype: Dtype) -> u64 {
        let value = if self.boundary == Boundary::Constant { self.constant } else { 0.0 };
        match (dtype, dtype.integers()) {
            (Dtype::Bool, _) => u64::from(value != 0.0),
            (Dtype::F32, _) => (value as f32).to_bits().into(),
            (Dtype::F16, _) => to_f16(value as f32).into(),
            (Dtype::Bf16, _) => to_bf16(value as f32).into(),
            (_, Some(range)) => {
                let (low, high) = range.into_inner();
                let bits = (value.round() as i128).clamp(low, high) as u64;
                bits & (u64::MAX >> (64 - 8 * dtype.size()))
            }
            _ => value.to_bits(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_repeats_the_array() {
        let row = |boundary: Boundary, len: usize| -> Vec<i32> {
            (-6..7).map(|index| boundary.source(index, len).map_or(-1, |index| index as i32)).collect()
        };
        assert_eq!(row(Boundary::Clamp, 3), [0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
        assert_eq!(row(Boundary::Torus, 3), [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(row(Boundary::Mirror, 3), [0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0]);
        assert_eq!(row(Boundary::Reflect, 3), [2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2]);
        assert_eq!(row(Boundary::Dead, 2), [-1, -1, -1, -1, -1, -1, 0, 1, -1, -1, -1, -1, -1]);
        for boundary in [Boundary::Clamp, Boundary::Torus, Boundary::Mirror, Boundary::Reflect] {
            assert_eq!(row(boundary, 1), [0; 13]);
        }
    }

    #[test]
    fn a_constant_is_an_element() {
        let outside = |constant: f64, dtype| {
            let plane = Plane { rows: 1, cols: 1, boundary: Boundary::Constant, constant };
            plane.outside(dtype)
        };
        assert_eq!(outside(-2.5, Dtype::I8), 0xFD);
        assert_eq!(outside(-2.5, Dtype::U16), 0);
        assert_eq!(outside(f64::NAN, Dtype::I64), 0);
        assert_eq!(outside(1e30, Dtype::U64), u64::MAX);
        assert_eq!(outside(0.5, Dtype::Bool), 1);
        assert_eq!(outside(1.5, Dtype::F32), 1.5f32.to_bits().into());
        assert_eq!(outside(1.5, Dtype::F16), 0x3E00);
    }
}
