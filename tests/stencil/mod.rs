//! gpumex_stencil against plain loops: neighbours, boundaries, sizes, dtypes, random expressions, boards of Life, errors.

mod boards;
pub mod calls;
mod errors;
mod neighbours;
mod random_trees;
