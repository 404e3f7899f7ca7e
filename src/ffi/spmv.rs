//! The product of a sparse matrix in rows with a vector: `gpumex_spmv`.

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
use crate::ops::spmv::{self, Arrays, Options};

/// Options of `gpumex_spmv`. Set `size` to `sizeof(gpumex_spmv_options)`; zero is the default of every other field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SpmvOptions {
    /// sizeof(gpumex_spmv_options)
    pub size: usize,
    /// a `gpumex_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of values, x and y; this version serves F32, F64, I32, I64, U32 and U64
    pub dtype: i32,
    /// a `gpumex_dtype`, U32 or U64, of columns, offsets and sources
    pub index_dtype: i32,
    /// a `gpumex_operator`, what adds up the products of a row; AND, OR and XOR are for integers
    pub add: i32,
    /// a `gpumex_operator`, what makes a product, DEFAULT is PRODUCT; AND, OR and XOR are for integers
    pub multiply: i32,
    /// has to be 0
    pub reserved: i32,
    /// NULL, or what gpumex_segments_prepare left for these offsets: saves the search that they begin with
    pub geometry: *const c_void,
    /// NULL, or one element of dtype in memory of the host: what a row without nonzeros gives
    pub identity: *const c_void,
}

zero_default!(SpmvOptions, identity, reserved);

/// y <- A*x with a sparse matrix A of rows*cols in rows (CSR): y[r] <- the sum of values[k] * x[columns[k]] over the nonzeros
/// k of row r, offsets[r] <= k < offsets[r + 1].
///
/// What is the sum and what the product options->add and options->multiply say: SUM and PRODUCT are the ordinary ones, MIN and
/// SUM shortest paths, OR and AND reachability.
/// values: `nonzeros` elements of options->dtype, or NULL: then a product is x[columns[k]] alone. columns: `nonzeros` numbers of
/// options->index_dtype, in any order, also more than once; those that are not below cols add nothing. offsets: rows + 1 of them,
/// ascending, the last at most nonzeros. x: `cols` elements. sources: NULL, or `rows` numbers: then row r still has
/// offsets[r + 1] - offsets[r] nonzeros, but they begin at sources[r]; rows may share them.
/// y: `rows` elements, apart from the other arrays. A row without nonzeros gives the identity of options->add: 0 for SUM, OR
/// and XOR, 1 for PRODUCT, all bits for AND, for MIN and MAX the largest and the smallest integer, NaN for floats.
/// values and columns may be NULL when nonzeros = 0; offsets and y when rows = 0; x when cols = 0. Every array may be host,
/// pinned, managed or device memory; when all are device memory the call may return before it is done, in the order of the
/// context's work.
/// Offsets that do not ascend, and positions beyond nonzeros, give unspecified results, but nothing outside the arrays is
/// read or written.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain loop, CPU backend). The same arrays give the same bits on one
/// device each time, on the CPU backend with any number of threads.
/// Accuracy: |error| <= n*u/(1 - n*u) * sum |values[k] * x[columns[k]]| over a row of n nonzeros, u = 2^-24 (F32) or 2^-53 (F64).
/// Integers wrap. MIN and MAX pass over NaN.
/// Cost: reads values and columns once, whatever the lengths of the rows.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (not a live context, overlap, alignment, a range that is too short, nonzeros or cols
/// that U32 cannot hold, another device's memory), UNSUPPORTED (dtype, an operator of bits with floats, an option this version
/// does not serve, device memory on the CPU backend, after fork), OUT_OF_MEMORY, CUDA, BUSY; y is unspecified after OUT_OF_MEMORY
/// and CUDA.
/// Source: D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016; S. Baxter,
/// "ModernGPU", Segmented Reduction, NVIDIA 2013.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_spmv(
    ctx: *mut Context,
    options: *const SpmvOptions,
    values: *const c_void,
    columns: *const c_void,
    nonzeros: usize,
    offsets: *const c_void,
    rows: usize,
    x: *const c_void,
    cols: usize,
    sources: *const c_void,
    y: *mut c_void,
) -> i32 {
    guard("gpumex_spmv", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, arrays, y) = unsafe {
            let options = options::read(options)?;
            (
                options,
                Arrays {
                    values: (!values.is_null()).then(|| Input::from_raw("values", values)),
                    columns: Input::from_raw("columns", columns),
                    nonzeros,
                    offsets: Input::from_raw("offsets", offsets),
                    rows,
                    x: Input::from_raw("x", x),
                    cols,
                    sources: (!sources.is_null()).then(|| Input::from_raw("sources", sources)),
                    geometry: (!options.geometry.is_null())
                        .then(|| Input::from_raw("options.geometry", options.geometry)),
                    identity: (!options.identity.is_null())
                        .then(|| Input::from_raw("options.identity", options.identity)),
                },
                Output::from_raw("y", y),
            )
        };
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
            add: Operator::from_c("options.add", options.add)?,
            multiply: Operator::from_c("options.multiply", options.multiply)?,
        };
        handle::with(ctx, |ctx| spmv::spmv(ctx, &options, arrays, y))
    })
}
