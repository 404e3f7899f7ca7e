//! What a vector is multiplied with.

use super::numbered::numbered_enum;

/// What `gpumex_scale` makes of its number alpha.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScaleFactor {
    /// x <- alpha*x
    #[default]
    Alpha = 0,
    /// x <- x / alpha
    Reciprocal = 1,
    /// x <- x / sqrt (alpha): what normalises a vector by its `gpumex_dot` with itself
    ReciprocalRoot = 2,
}

numbered_enum!(ScaleFactor = "gpumex_scale_factor": Alpha, Reciprocal, ReciprocalRoot);
