//! Expressions as operators of reductions and scans: on every backend they agree with plain loops, in the order of the elements.

mod calls;
mod errors;
mod joins;
mod prefixes;
mod runs;
