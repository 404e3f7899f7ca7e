//! Reductions of an expression: `gpumex_map_reduce`.

use std::ffi::c_char;

use super::map::{Fields, arrays, dimension, extents, optional, source};
use super::prelude::*;
use crate::error::Result;
use crate::model::reduction::{DimReduction, NanFlag};
use crate::ops::map_reduce::{self, Options};

/// @brief Options of gpumex_map_reduce: GPUMEX_MAP_REDUCE_OPTIONS_INIT or GPUMEX_OPTIONS
///   (map_reduce, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MapReduceOptions {
    /// sizeof(gpumex_map_reduce_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_rules: how operations get their types; with C integer sums and products wrap, with
    /// MATLAB they saturate.
    pub rules: i32,
    /// A gpumex_dtype of the expression: F32, F64, integers or BOOL; required. gpumex_map_dtype
    /// gives the natural one.
    pub dtype: i32,
    /// Number of dimensions, 1 to 8; 0 is 1.
    pub rank: i32,
    /// A gpumex_dim_reduction; SUM is 0.
    pub op: i32,
    /// The dimension that is reduced, 1 to rank, of which the first is the fastest; 0: all.
    pub dimension: i32,
    /// A gpumex_dtype of the results; NONE: the natural one.
    pub accumulator_dtype: i32,
    /// A gpumex_nan_flag.
    pub nan: i32,
    /// A gpumex_dtype, U32 or U64, of positions; required where that array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
    pub names: *const c_char,
    /// input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
    pub dtypes: *const i32,
    /// rank elements: the extent of each dimension of the expression; required.
    pub shape: *const usize,
    /// input_count*rank elements: the strides of each input, in elements of it; 0 broadcasts a
    /// dimension. NULL: every input is dense, the first dimension fastest.
    pub strides: *const i64,
    /// Receives as many elements of index_dtype as result has, for MIN and MAX: the position from 0
    /// along the dimension of the first element that is the extremum, of all dimensions in the order
    /// in which the first is the fastest; or NULL.
    pub positions: *mut c_void,
}

zero_default!(MapReduceOptions, positions, reserved);

/// @brief Reduction of an expression: gpumex_reduce_dim of the result of gpumex_map, in one pass
///   over the inputs, without storing that result.
///
/// Expression, rules and accuracy of the elements are as in gpumex_map; they have the type dtype.
/// They are reduced along options->dimension, or all of them to one result, by options->op, as
/// gpumex_reduce_dim says: types of results, NaN, empty dimensions, accuracy of sums (n is the
/// number of elements that are reduced).
///
/// Sums, products and means of floats are deterministic: on the CPU the bits depend on the shape and
/// the expression only, on CUDA on these, on the device and on strides and alignment of the inputs.
/// They need not be the bits of gpumex_map and gpumex_reduce_dim. All other results are the same on
/// every backend where the elements are.
///
/// Not served are F16, BF16 and complex expressions; real ones of complex inputs, as abs (a), are.
/// @param ctx The context that runs it. It caches 64 compiled expressions.
/// @param options variant, rules, dtype (F32, F64, integers or BOOL; required), rank, op, dimension,
///   accumulator_dtype, nan, index_dtype, names, dtypes, shape (required), strides, positions.
///   Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param expression NUL-terminated text, as for gpumex_map.
/// @param inputs input_count arrays, each of its dtype in dtypes, laid out by shape and strides; one
///   that is broadcast in every dimension is one element, and may lie in host memory beside device
///   arrays without making the call synchronous.
/// @param input_count Number of inputs, at most 16.
/// @param result Receives elements of the accumulator dtype: one, or where a dimension is reduced
///   the product of the other extents, dense, the first dimension fastest.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->shape, options->dtypes,
///   inputs, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the
///   expression, with the byte from 1 at which it is wrong; names, dtypes, rank, shape, strides,
///   dimension; a dtype not set; accumulator_dtype; positions with another op than MIN and MAX; a
///   number of elements that U32 does not hold; input_count; a number that is not one of its enum;
///   an array that is misaligned, overlaps an output, is too short or belongs to another device);
///   UNSUPPORTED (dtype F16, BF16, C64, C128; an expression of more than 160 steps, 64 literals, 8
///   intermediate results at once or 64 nested parentheses; more than 16 inputs, of which complex
///   ones count twice; SEQUENTIAL on CUDA; device memory on the CPU backend; an unknown option; a
///   CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED
///   (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads each input once. Integers that saturate have one thread of the CPU a result.
/// @note Memory: CPU at most `elements/2`; CUDA at most `3*elements`; arrays on the host at most
///   `elements*(input_bytes + 8 + sizeof(index_dtype))`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_map_reduce(
    ctx: *mut Context,
    options: *const MapReduceOptions,
    expression: *const c_char,
    inputs: *const *const c_void,
    input_count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_map_reduce", || {
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { options::read(options)? };
        Dtype::from_c("options.dtype", options.dtype)?.required("dtype")?;
        let MapReduceOptions { rules, names, dtypes, positions, .. } = options;
        let fields = Fields { rules, names, dtypes, has_neighbours: false };
        // SAFETY: as above.
        let source = unsafe { source(fields, expression, input_count)? };
        // SAFETY: as above.
        let call = unsafe { call(&options, input_count)? };
        // SAFETY: input_count pointers, each an array as documented.
        let inputs = unsafe { arrays(inputs, input_count)? };
        let inputs: Vec<&Input> = inputs.iter().collect();
        // SAFETY: as above.
        let result = unsafe { Output::from_raw("result", result) };
        // SAFETY: as above.
        let places = unsafe { Output::from_raw("options.positions", positions) };
        let places = (!positions.is_null()).then_some(places);
        handle::with(ctx, |ctx| map_reduce::map_reduce(ctx, &call, source, &inputs, result, places))
    })
}

/// # Safety
/// The fields are as documented.
unsafe fn call(options: &MapReduceOptions, input_count: usize) -> Result<Options> {
    // SAFETY: rank extents and as many strides of each input, or NULL, by the caller's promise.
    let (shape, strides) = unsafe {
        let shape = extents(options.rank, options.shape)?;
        let strides = optional(options.strides, input_count * shape.len());
        (shape, strides)
    };
    Ok(Options {
        variant: Variant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        dimension: dimension(options.dimension, shape.len())?,
        shape,
        strides,
        op: DimReduction::from_c("options.op", options.op)?,
        accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
        nan: NanFlag::from_c("options.nan", options.nan)?,
        index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
    })
}
