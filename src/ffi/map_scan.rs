//! Prefixes of an expression: `gpumex_map_scan`.

use std::ffi::c_char;

use super::map::{Fields, arrays, dimension, extents, optional, source};
use super::prelude::*;
use crate::error::Result;
use crate::model::reduction::{DimReduction, NanFlag};
use crate::ops::map_scan::{self, Options};
use crate::ops::scan::ScanKind;

/// @brief Options of gpumex_map_scan: GPUMEX_MAP_SCAN_OPTIONS_INIT or GPUMEX_OPTIONS (map_scan,
///   ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MapScanOptions {
    /// sizeof(gpumex_map_scan_options).
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
    /// A gpumex_dim_reduction: SUM (0), PRODUCT, MIN or MAX.
    pub op: i32,
    /// The dimension that is scanned, 1 to rank, of which the first is the fastest; 0: all elements,
    /// in the order in which the first dimension is the fastest.
    pub dimension: i32,
    /// A gpumex_scan_kind: EXCLUSIVE or INCLUSIVE.
    pub kind: i32,
    /// A gpumex_dtype of the results; NONE: the natural one.
    pub accumulator_dtype: i32,
    /// A gpumex_nan_flag.
    pub nan: i32,
    /// 1: from the last element of the dimension to the first; 0: from the first.
    pub reverse: i32,
    /// Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
    pub names: *const c_char,
    /// input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
    pub dtypes: *const i32,
    /// rank elements: the extent of each dimension of the expression; required.
    pub shape: *const usize,
    /// input_count*rank elements: the strides of each input, in elements of it; 0 broadcasts a
    /// dimension. NULL: every input is dense, the first dimension fastest.
    pub strides: *const i64,
}

zero_default!(MapScanOptions, strides);

/// @brief Prefix scan of an expression: gpumex_scan_dim of the result of gpumex_map, without memory
///   for that result.
///
/// Expression, rules and accuracy of the elements are as in gpumex_map; they have the type dtype.
/// They are scanned along options->dimension, or all of them in their order, by options->op, as
/// gpumex_scan_dim says: types of results, NaN, identities.
///
/// Accuracy: sums of floats |error| <= n*u/(1 - n*u) * the sum of the |elements| added, products
/// n*u/(1 - n*u) * |product|, n the number of elements of the dimension, u = 2^-24 (F32) or 2^-53
/// (F64) of accumulator_dtype, unless some of the factors overflow as gpumex_reduce says.
/// Deterministic: on the CPU the bits depend on variant, shape and
/// expression, on CUDA on shape, expression, device, strides and alignment of the inputs. They need
/// not be the bits of gpumex_map and gpumex_scan_dim. All other results are the same on every
/// backend where the elements are.
///
/// Not served are F16, BF16 and complex expressions; real ones of complex inputs, as abs (a), are.
/// @param ctx The context that runs it. It caches 64 compiled expressions.
/// @param options variant, rules, dtype (F32, F64, integers or BOOL; required), rank, op (SUM,
///   PRODUCT, MIN or MAX), dimension, kind, accumulator_dtype, nan, reverse, names, dtypes, shape
///   (required), strides. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param expression NUL-terminated text, as for gpumex_map.
/// @param inputs input_count arrays, each of its dtype in dtypes, laid out by shape and strides; one
///   that is broadcast in every dimension is one element, and may lie in host memory beside device
///   arrays without making the call synchronous.
/// @param input_count Number of inputs, at most 16.
/// @param result Receives elements of the accumulator dtype, as many as shape says, dense, the first
///   dimension fastest; apart from the inputs.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->shape, options->dtypes,
///   inputs, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the
///   expression, with the byte from 1 at which it is wrong; names, dtypes, rank, shape, strides,
///   dimension; a dtype not set; accumulator_dtype; reverse; input_count; a number that is not one
///   of its enum; an array that is misaligned, overlaps the output, is too short or belongs to
///   another device); UNSUPPORTED (dtype F16, BF16, C64, C128; another op; an expression of more
///   than 160 steps, 64 literals, 8 intermediate results at once or 64 nested parentheses; more than
///   16 inputs, of which complex ones count twice; SEQUENTIAL on CUDA; device memory on the CPU
///   backend; an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
///   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
///   the outputs are unspecified.
/// @note Cost: reads each input and writes the result once; where there are few columns and many
///   rows, or the other way round, it reads the inputs twice, or the result as well.
/// @note Memory: CPU at most `elements/2`; CUDA at most `elements`; arrays on the host at most
///   `elements*(input_bytes + sizeof(accumulator_dtype))`.
/// @see D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
///   2016.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_map_scan(
    ctx: *mut Context,
    options: *const MapScanOptions,
    expression: *const c_char,
    inputs: *const *const c_void,
    input_count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_map_scan", || {
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { options::read(options)? };
        Dtype::from_c("options.dtype", options.dtype)?.required("dtype")?;
        let MapScanOptions { rules, names, dtypes, .. } = options;
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
        handle::with(ctx, |ctx| map_scan::map_scan(ctx, &call, source, &inputs, result))
    })
}

/// # Safety
/// The fields are as documented.
unsafe fn call(options: &MapScanOptions, input_count: usize) -> Result<Options> {
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
        kind: ScanKind::from_c("options.kind", options.kind)?,
        accumulator_dtype: Dtype::from_c("options.accumulator_dtype", options.accumulator_dtype)?,
        nan: NanFlag::from_c("options.nan", options.nan)?,
        is_reversed: options::switch("reverse", options.reverse)?,
    })
}
