//! Reduction along a dimension of an array: `gpumex_reduce_dim`.

use super::prelude::*;
use crate::model::expression::Rules;
use crate::model::reduction::{DimReduction, NanFlag};
use crate::ops::reduce_dim::{self, Options};

/// @brief Options of gpumex_reduce_dim: GPUMEX_REDUCE_DIM_OPTIONS_INIT or GPUMEX_OPTIONS
///   (reduce_dim, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ReduceDimOptions {
    /// sizeof(gpumex_reduce_dim_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, integers or BOOL, for sums and products also a
    /// complex one;
    /// required.
    pub dtype: i32,
    /// A gpumex_dim_reduction; SUM is 0.
    pub op: i32,
    /// A gpumex_dtype of the results; NONE: the natural one.
    pub accumulator_dtype: i32,
    /// A gpumex_rules: with C integer sums and products wrap, with MATLAB they saturate.
    pub rules: i32,
    /// A gpumex_nan_flag.
    pub nan: i32,
    /// A gpumex_dtype, U32 or U64, of positions; required where that array is passed.
    pub index_dtype: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// Receives inner*outer elements of index_dtype, for MIN and MAX: the position from 0 along the
    /// dimension of the first element that is the extremum; or NULL.
    pub positions: *mut c_void,
}

zero_default!(ReduceDimOptions, positions, reserved);

/// @brief Reduction along a dimension: `result[i + inner*k]` <- `data[i + inner*(j + count*k)]`, all
///   j, reduced by options->op.
///
/// It serves any dimension of a dense array of any rank, in either order of memory: inner is the
/// product of the extents that are faster than the reduced one, outer of those that are slower.
///
/// The results have accumulator_dtype. NONE: of SUM, PRODUCT, MIN and MAX dtype, of ANY and ALL
/// BOOL, of COUNT U64, of MEAN F64, or F32 of F32. Also served: F64 for SUM, PRODUCT and MEAN; an
/// integer type of as many bytes as dtype or more, where one of 1 or 2 bytes has to hold every value
/// of dtype, for SUM and PRODUCT of integers, which need it for integers of 1 and 2 bytes and BOOL;
/// U32 and F64 for COUNT. Integers wrap; with GPUMEX_RULES_MATLAB they saturate after each element,
/// from j = 0 on.
///
/// NaN: options->nan OMIT leaves it out, INCLUDE takes it as an element that is not 0 and makes
/// sums, means and extrema NaN; the default is OMIT for MIN, MAX, ANY and ALL, else INCLUDE, as in
/// MATLAB. Extrema and means of NaN alone are NaN, at position 0. The minimum of zeros is -0, the
/// maximum 0, where there is one; with positions zeros are equal, and result is the element at the
/// position. With INCLUDE that is the first NaN.
///
/// Complex numbers (C64, C128): SUM and MEAN, of which each part is as of real numbers, and PRODUCT,
/// with |error| <= 3*n*u*|product|, without OMIT; accumulator_dtype is dtype or C128.
///
/// count = 0 gives 0 for SUM, COUNT and ANY, 1 for PRODUCT and ALL, NaN for MEAN and for MIN and MAX
/// of floats, the largest integer for MIN, the smallest for MAX, and position 0.
///
/// Accuracy: sums of floats |error| <= n*u/(1 - n*u) * sum `|x[j]|`, products n*u/(1 - n*u) *
/// |product|, n = count, u = 2^-24 (F32) or 2^-53 (F64) of accumulator_dtype; MEAN one rounding
/// more. Products overflow as gpumex_reduce says. Deterministic: on the CPU the bits depend on the
/// shape only, on CUDA on the shape, the device and the alignment of data. All other results are
/// the same on every backend.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, integers or BOOL; required), op, accumulator_dtype,
///   rules, nan, index_dtype, positions. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param data inner*count*outer elements.
/// @param inner Number of neighbouring elements that are reduced apart from one another; 1 where the
///   dimension is the fastest one.
/// @param count Extent of the dimension.
/// @param outer Number of blocks of inner*count elements.
/// @param result Receives inner*outer elements of the accumulator dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty); INVALID_ARGUMENT
///   (ctx is not a live context; a dtype not set; accumulator_dtype; positions with another op than
///   MIN and MAX; a count that U32 does not hold; a number that is not of its enum; an array that is
///   misaligned, overlaps an output, is too short or belongs to another device); UNSUPPORTED (F16,
///   BF16; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads data once. Integers that saturate have one thread of the CPU a result.
/// @note Memory: CPU at most `inner*count*outer/4 + (dtype < C64 ? 0 : 12*inner*(count + 4)*outer)`;
///   CUDA at most `inner*count*outer*(dtype < C64 ? 1 : 2) + (dtype < C64 ? 0 : 12*inner*(count +
///   4)*outer)`; arrays on the host `inner*count*outer*sizeof(dtype) +
///   inner*outer*(sizeof(accumulator_dtype) + sizeof(index_dtype))`.
/// @see M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
/// @ingroup gpumex_primitives
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_reduce_dim(
    ctx: *mut Context,
    options: *const ReduceDimOptions,
    data: *const c_void,
    inner: usize,
    count: usize,
    outer: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_reduce_dim", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, data, result) = unsafe {
            (options::read(options)?, Input::from_raw("data", data), Output::from_raw("result", result))
        };
        let is_placed = !options.positions.is_null();
        // SAFETY: the caller's promise in the documentation above.
        let positions = unsafe { Output::from_raw("options.positions", options.positions) };
        let positions = is_placed.then_some(positions);
        let options = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype: Dtype::from_c("options.dtype", options.dtype)?,
            op: DimReduction::from_c("options.op", options.op)?,
            accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
            rules: Rules::from_c("options.rules", options.rules)?,
            nan: NanFlag::from_c("options.nan", options.nan)?,
            index_dtype: Dtype::from_c("options.index_dtype", options.index_dtype)?,
        };
        let shape = (inner, count, outer);
        handle::with(ctx, |ctx| reduce_dim::reduce_dim(ctx, &options, data, shape, result, positions))
    })
}
