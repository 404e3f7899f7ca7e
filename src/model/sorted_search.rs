//! Where a sorted search puts a key.
#![forbid(unsafe_code)]

use super::numbered::numbered_enum;

/// Position of a key among equal ones.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// Before the first of them.
    #[default]
    Lower = 0,
    /// Behind the last of them.
    Upper = 1,
}

numbered_enum!(Bound = "gpumex_bound": Lower, Upper);
