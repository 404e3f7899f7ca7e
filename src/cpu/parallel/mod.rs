//! How an operation uses all cores: the pool's threads, loops that are divided among them, reductions in trees of fixed shape.
#![forbid(unsafe_code)]

pub mod chunks;
pub mod parallel_for;
pub mod sort;
pub mod tree;
pub mod workers;
