//! One key and one reduction for each run of equal neighbouring keys: `gpumex_reduce_by_key`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::primitives::Operator;
use crate::model::variant::Variant;
use crate::ops::reduce_by_key::{self, Arrays, Options};

/// Options of `gpumex_reduce_by_key`. Set `size` to `sizeof(gpumex_reduce_by_key_options)`; zero is the default of every
/// other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ReduceByKeyOptions {
    /// sizeof(gpumex_reduce_by_key_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of data and results, not looked at without results; F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_operator`; AND, OR and XOR are for integers
    pub op: i32,
    /// a `gpumex_dtype` of keys and unique_keys, as dtype
    pub key_dtype: i32,
}

zero_default!(ReduceByKeyOptions, key_dtype);

/// For each run r of equal neighbouring keys: unique_keys[r] <- its first key, results[r] <- the reduction of its data
/// by options->op.
///
/// keys: `count` elements of options->key_dtype, in any order: equal keys that are not neighbours are different runs. -0
/// equals 0, and NaN equals NaN. data: `count` elements of options->dtype. Both may be NULL when count = 0.
/// unique_keys, results: room for `capacity` elements each; either may be NULL where it is not wanted, and without results
/// data is not read and may be NULL. All outputs lie apart from each other and from keys and data.
/// needed: one uint64_t <- the number of runs, never NULL. The first min(*needed, capacity) runs are written; capacity = 0 only
/// counts. Where the host can see `needed` (host, pinned or managed memory), 0 < capacity < *needed is INVALID_ARGUMENT
/// after they were written; with `needed` in device memory the caller compares.
/// Every array may be host, pinned, managed or device memory; when all are device memory the call may return before it is
/// done, in the order of the context's work.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend). The same arrays give the same bits each
/// time, on the CPU backend with any number of threads.
/// Accuracy: sums of floats differ from the exact ones by at most n*u/(1 - n*u) * sum |x[i]| over a run of n elements,
/// u = 2^-24 (F32) or 2^-53 (F64). Integers wrap. MIN and MAX pass over NaN.
/// Cost: reads keys and data once (the CPU backend the keys twice), writes a key and a result a run.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, a capacity that is,
/// another device's memory), UNSUPPORTED (a dtype, an operator of bits with floats, an option this version does not serve, device
/// memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; the outputs are unspecified after OUT_OF_MEMORY
/// and CUDA.
/// Source: S. Baxter, "ModernGPU", Reduce by key, NVIDIA 2013; D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan
/// with Decoupled Look-back", NVIDIA 2016.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_reduce_by_key(
    ctx: *mut Context,
    options: *const ReduceByKeyOptions,
    keys: *const c_void,
    data: *const c_void,
    count: usize,
    unique_keys: *mut c_void,
    results: *mut c_void,
    capacity: usize,
    needed: *mut u64,
) -> i32 {
    guard("gpumex_reduce_by_key", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, arrays) = unsafe {
            (
                options::read(options)?,
                Arrays {
                    keys: Input::from_raw("keys", keys),
                    data: Input::from_raw("data", data),
                    count,
                    unique_keys: (!unique_keys.is_null())
                        .then(|| Output::from_raw("unique_keys", unique_keys)),
                    results: (!results.is_null()).then(|| Output::from_raw("results", results)),
                    capacity,
                    needed: Output::from_raw("needed", needed.cast()),
                },
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: Operator::from_c("options.op", options.op)?,
            key_dtype: Dtype::from_c("options.key_dtype", options.key_dtype)?,
        };
        handle::with(ctx, |ctx| reduce_by_key::reduce_by_key(ctx, &options, arrays))
    })
}
