//! What a vector is multiplied with.

use super::numbered::numbered_enum;

/// The factor of gpumex_scale.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScaleFactor {
    /// alpha
    #[default]
    Alpha = 0,
    /// 1 / alpha
    Reciprocal = 1,
    /// 1 / sqrt(alpha): normalises a vector by its gpumex_dot with itself
    ReciprocalRoot = 2,
}

numbered_enum!(ScaleFactor = "gpumex_scale_factor": Alpha, Reciprocal, ReciprocalRoot);
