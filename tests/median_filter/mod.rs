//! gpumex_median_filter against windows that are sorted: sizes, boundaries, dtypes, NaN, errors.

mod errors;
mod windows;
