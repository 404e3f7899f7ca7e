//! gpumex_convolve against plain loops: shapes, boundaries, dtypes, filters of every size, weights of 0, errors.

pub mod calls;
mod errors;
mod sums;
