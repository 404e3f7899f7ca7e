//! gpumex_map against a plain evaluator of its own: every operation, type and rule, random expressions, layouts, errors.

mod arrays;
mod elementary;
mod errors;
mod every_operation;
mod layouts;
mod oracle;
mod random_trees;
mod rules;
mod tree;
