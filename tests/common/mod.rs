//! What the tests of the library share: the backends that are here, calls that must succeed, outputs that are poison between
//! two guards before the call, random numbers from a seed, and failures that name index, got and want.
//!
//! Everything goes through the C functions, as a C program would. A test that leaves something out says so (`leave_out`);
//! GPUMEX_REQUIRE_GPU=1 turns "no CUDA here" into a failure.
#![allow(dead_code)] // each test program uses a part

mod arrays;
mod contexts;
pub mod cuda;
mod failures;
mod left_out;
mod operations;
mod ordered;
mod placed;
mod roles;
mod share;
mod small_calls;
pub mod supplier;

#[allow(unused_imports)] // for the same reason
pub use self::{
    arrays::*, contexts::*, failures::*, left_out::*, operations::*, ordered::*, placed::*, roles::*,
    share::*, small_calls::*,
};
