//! Expressions as operators of reductions and scans, and as the order of sorts, merges and searches: on every backend they agree with plain loops.

mod calls;
mod errors;
mod joins;
mod merges;
mod orders;
mod prefixes;
mod runs;
