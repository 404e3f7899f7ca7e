//! Matrix product: every variant on every backend is within the documented bound of a product in twice the precision.

mod half;
mod meaning;
mod options;
mod oracle;
mod plain;
mod problem;
mod sizes;
mod special;
mod tiles;
pub mod ways;
