//! The library through its C functions: what every operation gives on every backend that is here, how memory, contexts and the
//! process behave, and what bad input gets. One module an operation: `cargo test --test operations sort::` runs one.
//!
//! The program reads no file of the source tree: it also runs on machines with a GPU and without Rust (scripts/run-checks).

mod axpy;
mod comm;
mod common;

mod merging {
    pub mod keys;
}
mod operands {
    pub mod samples;
    pub mod sorted;
}

mod add;
mod bad_input;
mod bulk_insert;
mod bulk_remove;
mod calling_thread;
mod check_sorted;
mod compact;
mod complex;
mod context;
mod context_reset;
mod contract;
mod convolve;
mod dot;
mod fill;
mod functors;
mod gather;
mod gather_nd;
mod histogram;
mod instruction_sets;
mod interval_expand;
mod interval_move;
mod join;
mod life;
mod load_balance_search;
mod locality_sort;
mod map;
mod map_reduce;
mod map_scan;
mod matmul;
mod median_filter;
mod memory;
mod merge;
mod pattern;
mod permute;
mod print;
mod process;
mod random;
mod random_normal;
mod raytrace;
mod reduce;
mod reduce_by_key;
mod reduce_dim;
mod scale;
mod scan;
mod scan_dim;
mod scatter;
mod scatter_nd;
mod segmented_reduce;
mod segmented_sort;
mod segments_prepare;
mod set_operation;
mod small_integers;
mod sort;
mod sorted_equality_count;
mod sorted_search;
mod spmv;
mod stencil;
mod tuning;
mod words;

#[test]
#[ignore = "other tests start it in a process of its own"]
fn role_in_a_new_process() {
    let roles =
        [&context::roles()[..], &context_reset::ROLES, &print::ROLES, &process::roles(), &comm::ROLES];
    common::play(&roles.concat());
}
