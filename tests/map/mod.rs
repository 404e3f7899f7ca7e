//! gpumex_map against a plain evaluator of its own: every operation, type and rule, random expressions, layouts, errors.

pub mod arrays;
mod complex;
mod elementary;
mod errors;
mod every_operation;
mod in_place;
mod layouts;
pub mod oracle;
pub mod random_trees;
mod rules;
pub mod tree;
