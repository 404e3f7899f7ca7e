//! The element types of arrays.

pub use gpumex_core::array::Element;
pub use gpumex_core::model::dtype::Complex;

/// Numbers that are computed with: `f32`, `f64` and integers of 4 and 8 bytes. Values that move with keys have these types too.
pub trait Number: Element {}

/// Floating-point numbers: `f32` and `f64`.
pub trait Float: Number {}

/// Elements of matrices and of inner products: `f32`, `f64`, and [`Complex`] numbers of them.
pub trait Factor: Element {}

/// Positions, counts and offsets: `u32` or `u64`. `u32` reaches arrays of less than 2^32 elements.
pub trait Index: Number {}

/// Samples of a histogram: `u8`, `u16`, `u32`, `i32`, `f32` and `f64`.
pub trait Sample: Element {}

macro_rules! mark {
    ($($mark:ident: $($element:ty),*;)*) => {
        $($(impl $mark for $element {})*)*
    };
}

mark! {
    Number: f32, f64, i32, i64, u32, u64;
    Float: f32, f64;
    Factor: f32, f64, Complex<f32>, Complex<f64>;
    Index: u32, u64;
    Sample: u8, u16, u32, i32, f32, f64;
}
