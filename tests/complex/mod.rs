//! Complex numbers in operations that are no expressions: products, sums and moves, against plain loops in double.

mod moves;
pub mod number;
mod products;
mod sums;
