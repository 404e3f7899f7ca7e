//! Expressions of neighbours: `gpumex_stencil`, `gpumex_stencil_dtype`.

use std::ffi::c_char;

use super::map::{Fields, arrays, source};
use super::prelude::*;
use super::write;
use crate::ops::stencil::{self, Boundary, Options, StencilOrder};

/// @brief Options of gpumex_stencil: GPUMEX_STENCIL_OPTIONS_INIT or GPUMEX_OPTIONS (stencil, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StencilOptions {
    /// sizeof(gpumex_stencil_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_rules: how operations get their types.
    pub rules: i32,
    /// A gpumex_dtype of result; required. gpumex_stencil_dtype gives the natural one.
    pub dtype: i32,
    /// A gpumex_boundary: what lies outside the inputs.
    pub boundary: i32,
    /// A gpumex_stencil_order of inputs and result.
    pub order: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
    pub names: *const c_char,
    /// input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
    pub dtypes: *const i32,
    /// What lies outside, for CONSTANT, rounded to the dtype of each input: for integers halves
    /// away from zero and saturated, NaN is 0; for BOOL it is 1 unless it is 0.
    pub constant: f64,
}

zero_default!(StencilOptions, constant, reserved);

/// @brief Expression of neighbours in two dimensions: `result[y][x]` <- expression of the elements
///   around (y, x).
///
/// The expression is as of gpumex_map, but the name of an input may be followed by an offset of two
/// integers from -7 to 7: `a(dy, dx)` is `a[y + dy][x + dx]`, and `a` is `a(0, 0)`. y counts rows
/// and x columns: with GPUMEX_STENCIL_ORDER_ROW a(0, 1) is the next element in memory and a(1, 0)
/// lies cols elements later; with GPUMEX_STENCIL_ORDER_COLUMN, for MATLAB's arrays, a(1, 0) is the
/// next one and a(0, 1) lies rows elements later. What is outside the array is
/// options->boundary's. A step of the heat equation is
/// `a + 0.1 * (a(-1,0) + a(1,0) + a(0,-1) + a(0,1) - 4*a)`. An expression that occurs twice is
/// computed once.
///
/// Accuracy as of gpumex_map: the same bits on every backend but for elementary functions.
/// @param ctx The context that runs it. It caches 64 compiled expressions.
/// @param options variant, rules, dtype (required), boundary, order, names, dtypes, constant.
///   Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param expression NUL-terminated text.
/// @param inputs input_count arrays of rows*cols elements, each of its dtype in dtypes.
/// @param input_count Number of inputs, at most 16.
/// @param rows Number of rows.
/// @param cols Number of columns.
/// @param result Receives rows*cols elements; overlaps no input.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->dtypes, inputs, or an
///   array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the expression, with
///   the byte from 1 at which it is wrong; names, dtypes, dtype; input_count; a number that is not
///   one of its enum; reserved is not 0; an array that is misaligned, overlaps result, is too short
///   or belongs to another device); UNSUPPORTED (an expression of more than 160 steps, 64 literals,
///   8 intermediate results at once or 64 nested parentheses; SEQUENTIAL on CUDA; device memory on
///   the CPU backend; an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY
///   (another thread is in ctx); CANCELLED (gpumex_context_cancel). After an error result is
///   unspecified.
/// @note Cost: reads each input about once and writes result once.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host at most `rows*cols*(sizeof(dtype) +
///   input_bytes)`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_stencil(
    ctx: *mut Context,
    options: *const StencilOptions,
    expression: *const c_char,
    inputs: *const *const c_void,
    input_count: usize,
    rows: usize,
    cols: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_stencil", || {
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { options::read(options)? };
        let dtype = Dtype::from_c("options.dtype", options.dtype)?.required("dtype")?;
        // SAFETY: as above.
        let source = unsafe { source(fields_of(&options), expression, input_count)? };
        let call = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype,
            boundary: Boundary::from_c("options.boundary", options.boundary)?,
            constant: options.constant,
            order: StencilOrder::from_c("options.order", options.order)?,
        };
        // SAFETY: input_count pointers, each an array as documented.
        let inputs = unsafe { arrays(inputs, input_count)? };
        // SAFETY: as above.
        let result = unsafe { Output::from_raw("result", result) };
        let inputs: Vec<&Input> = inputs.iter().collect();
        handle::with(ctx, |ctx| stencil::stencil(ctx, &call, &source, &inputs, [rows, cols], result))
    })
}

/// @brief The natural dtype of an expression of neighbours: `*dtype` <- the type that
///   options->rules give its result.
/// @param options rules, names, dtypes, as for gpumex_stencil; other fields are ignored.
/// @param expression NUL-terminated text, as for gpumex_stencil.
/// @param input_count Number of inputs, at most 16.
/// @param dtype Receives a gpumex_dtype, in host memory.
/// @return 0 or a gpumex_status: NULL_POINTER (expression, options->dtypes, dtype);
///   INVALID_ARGUMENT (the expression, with the byte from 1 at which it is wrong; names, dtypes;
///   input_count; a number that is not one of its enum); UNSUPPORTED (64 nested parentheses or more
///   than 1024 names, numbers and operators; an unknown option); OUT_OF_MEMORY.
/// @note Cost: O(length of the text).
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_stencil_dtype(
    options: *const StencilOptions,
    expression: *const c_char,
    input_count: usize,
    dtype: *mut i32,
) -> i32 {
    guard("gpumex_stencil_dtype", || {
        // SAFETY: the caller's promise in the documentation above.
        let source = unsafe { source(fields_of(&options::read(options)?), expression, input_count)? };
        let natural = source.natural_dtype()?;
        // SAFETY: as above.
        unsafe { write("dtype", dtype, natural as i32) }
    })
}

fn fields_of(options: &StencilOptions) -> Fields {
    let &StencilOptions { rules, names, dtypes, .. } = options;
    Fields { rules, names, dtypes, has_neighbours: true }
}
