//! gpumex_map_scan: what gpumex_scan_dim makes of the elements of gpumex_map, of random expressions, dtypes, shapes and strides, every
//! operator, kind, direction and kind of memory; sums and products of floats within the bound. Errors.

mod calls;
mod errors;
mod integers;
mod layouts;
mod prefixes;
