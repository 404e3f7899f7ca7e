//! What the rooms of the ray caster have in common: the picture that is made.
#![forbid(unsafe_code)]

use crate::model::numbered::numbered_enum;
use crate::model::variant::OperationVariant;

/// Where the channels of a pixel lie. Pixel (i, j), i = column, j = row.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureLayout {
    /// Beside each other, rows of pixels: channel c at (j·width + i)·channels + c.
    #[default]
    Interleaved = 0,
    /// A plane each, row-major: (c·height + j)·width + i.
    PlanarRows = 1,
    /// A plane each, column-major, MATLAB's height × width × channels: (c·width + i)·height + j.
    PlanarColumns = 2,
}

numbered_enum!(PictureLayout = "gpumex_picture_layout": Interleaved, PlanarRows, PlanarColumns);

/// A picture's size and form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// 3, red, green and blue, or 4, alpha behind them.
    pub channels: usize,
    pub layout: PictureLayout,
}

/// How `gpumex_raytrace` computes; the pixels are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RaytraceVariant {
    /// The best one.
    #[default]
    Auto = 0,
    /// The plain loop over pixels and spheres, on one core; CPU backend only.
    Sequential = 1,
    /// Spheres in global memory.
    Global = 2,
    /// Spheres through the read-only data cache (`const __restrict__`).
    ReadOnly = 3,
    /// Spheres in constant memory, in chunks of what 64 KB hold.
    Constant = 4,
    /// Spheres by the tiles of the picture that they may be seen in; any number of them, and the best of these.
    Binned = 5,
}

numbered_enum!(RaytraceVariant = "gpumex_raytrace_variant": Auto, Sequential, Global, ReadOnly, Constant, Binned);

impl OperationVariant for RaytraceVariant {}
