//! Sets and joins of sorted arrays in device memory, beside what the device copies.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::model::join::JoinKind;
use gpumex::model::set_operation::SetOperator;

use crate::common::*;

const COUNTS: [usize; 3] = [1 << 28, 10_000_000, 4096];
const ROUNDS: usize = 11;
const U32: i32 = Dtype::U32 as i32;

/// Gigabytes a second by the time of the kernels, of those that have to be read and written; u32 keys, half of them in a, with about
/// as many different ones as an array has elements; positions of U32.
pub fn table(ctx: Handle) {
    let most = COUNTS[0];
    let [a, b] = [2 * most; 2].map(|bytes| malloc(ctx, MemoryKind::Device, bytes));
    let [x, y] = [8 * most; 2].map(|bytes| malloc(ctx, MemoryKind::Device, bytes));
    let needed = malloc(ctx, MemoryKind::Device, 8);
    println!("\n{:44} | {:>10} | {:>10} | {:>10}", "sets and joins, GB/s", "gpumex", "", "limit");
    for count in COUNTS {
        let half = count / 2;
        for (array, seed) in [(a, 1), (b, 2)] {
            // SAFETY: half of the elements.
            check(unsafe { gpumex_random_sorted(ctx, U32, array, half, seed, 0.0, half as f64) });
        }
        let report = |name: &str, bytes: usize, call: &dyn Fn() -> i32| {
            let seconds = median(ROUNDS, || kernel_ms(ctx, || check(call())) / 1e3);
            let found = length(ctx, needed);
            row(
                &format!("{name}, {count}"),
                (4 * count + bytes * found) as f64 / seconds / 1e9,
                f64::NAN,
                "4300",
            );
        };
        for (name, op) in [
            ("intersection", SetOperator::Intersection),
            ("union", SetOperator::Union),
            ("difference", SetOperator::Difference),
            ("symmetric difference", SetOperator::SymmetricDifference),
        ] {
            let options = SetOperationOptions { dtype: U32, op: op as i32, ..SetOperationOptions::default() };
            report(name, 4, &|| {
                // SAFETY: half of the elements each, room for all of them, one number.
                unsafe {
                    gpumex_set_operation(
                        ctx,
                        &options,
                        a,
                        null(),
                        half,
                        b,
                        null(),
                        half,
                        x,
                        null_mut(),
                        count,
                        needed.cast(),
                    )
                }
            });
        }
        for (name, kind) in [("inner join", JoinKind::Inner), ("outer join", JoinKind::Outer)] {
            let options = JoinOptions {
                dtype: U32,
                kind: kind as i32,
                index_dtype: Dtype::U32 as i32,
                ..JoinOptions::default()
            };
            report(name, 8, &|| {
                // SAFETY: half of the elements each, room for twice as many pairs, one number.
                unsafe { gpumex_join(ctx, &options, a, half, b, half, x, y, 2 * count, needed.cast()) }
            });
        }
    }
    for memory in [a, b, x, y, needed] {
        check(gpumex_free(memory));
    }
}

fn length(ctx: Handle, needed: *const c_void) -> usize {
    let mut length = 0u64;
    copy(ctx, (&raw mut length).cast(), needed, 8);
    length as usize
}
