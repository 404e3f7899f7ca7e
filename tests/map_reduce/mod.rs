//! gpumex_map_reduce: what gpumex_reduce_dim makes of the elements of gpumex_map, of random expressions, dtypes, shapes and strides, every
//! reduction and kind of memory; sums and products of floats within the bound. Errors.

pub mod calls;
mod errors;
pub mod problems;
mod reductions;
