//! What both backends know of an operation: dtypes and numbered enums, operators and orders, the rule of Life, the bins of a
//! histogram, what a word is, the formats of printed arrays.

pub mod device_info;
pub mod dtype;
pub mod expression;
pub mod histogram;
pub mod index;
pub mod indexing;
pub mod join;
pub mod life;
pub(crate) mod matmul;
pub mod median;
pub mod numbered;
pub mod operator;
pub mod order;
pub mod payload;
pub mod print;
pub(crate) mod quicksort;
pub mod raytrace;
pub mod reduction;
pub mod scale;
pub mod set_operation;
pub mod sorted_search;
pub mod stencil;
pub mod variant;
pub mod window;
pub mod words;
