//! What the rooms of the ray caster have in common: the picture that is made.
#![forbid(unsafe_code)]

use crate::model::numbered::Choice;

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

impl Choice for PictureLayout {
    const NAME: &'static str = "gpumex_picture_layout";
    const ALL: &'static [Self] = &[Self::Interleaved, Self::PlanarRows, Self::PlanarColumns];
}

/// A picture's size and form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// 3, red, green and blue, or 4, alpha behind them.
    pub channels: usize,
    pub layout: PictureLayout,
}
