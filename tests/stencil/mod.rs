//! gpumex_stencil against plain loops: neighbours, boundaries, sizes, dtypes, random expressions, boards of Life, errors.

mod boards;
mod calls;
mod errors;
mod neighbours;
mod random_trees;
