//! The operators of multisets.
#![forbid(unsafe_code)]

use super::numbered::numbered_enum;

/// Operation on two multisets; a key occurs m times in one and n times in the other.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetOperator {
    /// min(m, n) times, the first ones of a.
    #[default]
    Intersection = 0,
    /// max(m, n) times, all of a and the last ones of b.
    Union = 1,
    /// max(m - n, 0) times, the last ones of a.
    Difference = 2,
    /// |m - n| times, the last ones of whichever has more.
    SymmetricDifference = 3,
}

numbered_enum!(SetOperator = "gpumex_set_operator": Intersection, Union, Difference, SymmetricDifference);
