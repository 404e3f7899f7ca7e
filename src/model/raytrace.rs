//! What both backends know of the ray caster: the picture that is made.
#![forbid(unsafe_code)]

use crate::model::numbered::numbered_enum;
use crate::model::variant::OperationVariant;

/// Layout of the channels of an image. Pixel (i, j): i = column, j = row; c = channel.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureLayout {
    /// Interleaved, row-major: (j*width + i)*channels + c.
    #[default]
    Interleaved = 0,
    /// One plane for each channel, row-major: (c*height + j)*width + i.
    PlanarRows = 1,
    /// One plane for each channel, column-major, MATLAB's height x width x channels: (c*width +
    /// i)*height + j.
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

/// Implementation of gpumex_raytrace; the pixels are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RaytraceVariant {
    /// BINNED; on the CPU backend its own fastest.
    #[default]
    Auto = 0,
    /// A sequential loop over pixels and spheres on one core; CPU backend only.
    Sequential = 1,
    /// Textbook: spheres in global memory.
    Global = 2,
    /// Textbook: spheres through the read-only data cache (`const __restrict__`).
    ReadOnly = 3,
    /// Textbook: spheres in constant memory, in chunks of 64 KB.
    Constant = 4,
    /// Spheres binned by tile of the image; any number of them.
    Binned = 5,
}

numbered_enum!(RaytraceVariant = "gpumex_raytrace_variant": Auto, Sequential, Global, ReadOnly, Constant, Binned);

impl OperationVariant for RaytraceVariant {}
