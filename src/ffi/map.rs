//! Element-wise expressions: `gpumex_map`, `gpumex_map_dtype`.

use std::ffi::c_char;

use super::prelude::*;
use super::write;
use crate::error::{Error, Result, Status};
use crate::model::expression::{Layout, Rules, Source};
use crate::ops::map::{self, Options};

/// @brief Options of gpumex_map: GPUMEX_MAP_OPTIONS_INIT or GPUMEX_OPTIONS (map, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MapOptions {
    /// sizeof(gpumex_map_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_rules: how operations get their types.
    pub rules: i32,
    /// A gpumex_dtype of result; required. gpumex_map_dtype gives the natural one.
    pub dtype: i32,
    /// Number of dimensions, 1 to 8; 0 is 1.
    pub rank: i32,
    /// Names of the inputs, separated by blanks or commas; NULL: "a b c d e f g h i j k l m n o p".
    pub names: *const c_char,
    /// input_count elements, each a gpumex_dtype: those of the inputs; required if there are inputs.
    pub dtypes: *const i32,
    /// rank elements: the extent of each dimension of result; required.
    pub shape: *const usize,
    /// input_count*rank elements: the strides of each input, in elements of it; 0 broadcasts a
    /// dimension. NULL: every input is dense in the order of result.
    pub strides: *const i64,
    /// rank elements: the strides of result, in elements of it; NULL: dense, the first dimension
    /// fastest.
    pub result_strides: *const i64,
}

zero_default!(MapOptions, result_strides);

/// @brief Element-wise expression: `result[i]` <- expression of the elements i of the inputs, in
///   one pass over memory.
///
/// Operators, from low to high precedence: `c ? x : y`, `||`, `&&`, `|`, `&`, comparisons
/// (`== != ~= < <= > >=`), `+ -`, `* / .* ./`, unary `+ - ! ~`, `^ .^` (from the left, above unary
/// minus). `& | && ||` are logical and evaluate both sides.
///
/// Literals: `1`, `2.5`, `1e-3`, `0x1F`, `pi`, `inf`, `nan`, `eps`, `true`, `false`. Functions: abs
/// sign min max mod rem floor ceil round fix trunc sqrt cbrt exp expm1 exp2 log log1p log2 log10 sin
/// cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot power erf erfc gamma gammaln
/// isnan isinf isfinite not and or xor eq ne lt le gt ge plus minus times rdivide uminus uplus
/// ifelse select bitand bitor bitxor bitcmp bitshift, and the casts double single half bfloat16
/// int8 to int64, uint8 to uint64, logical. The name of an input hides a function or constant.
///
/// GPUMEX_RULES_C: usual arithmetic conversions, integers below 32 bits and BOOL are I32, a literal
/// takes the type of its partner; integers wrap, x/0 and rem (x, 0) are 0; casts truncate floats,
/// saturated, NaN 0. GPUMEX_RULES_MATLAB: double, unless a single or an integer takes part; integers
/// of one class only, rounded and saturated; real results only (sqrt (-1) is NaN).
///
/// Complex numbers (C64, C128; the literal 2i; complex (x, y), complex64, complex128) have
/// `+ - * / ^ == !=`, unary `+ -`, `? :`, abs arg angle real imag conj sign sqrt exp log log2 log10
/// sin cos tan sinh cosh tanh floor ceil round fix trunc isnan isinf isfinite and the casts double
/// and single, which keep them complex; with real operands, which scale both parts, their class is
/// that of the parts as the rules have it. They have no order, as MATLAB's and Octave's differ, and
/// are no conditions; a complex result is stored as C64 or C128 only. Real functions stay real: sqrt
/// (complex (x, 0)) is the complex root. Quotients are Smith's, x^n with a literal whole n up to 32
/// is a product, 0^z is 0. Parts of products and quotients are not recovered where infinities made
/// them NaN.
///
/// Accuracy: + - * / sqrt, conversions and comparisons are rounded once each and the same on every
/// backend; elementary functions within 4 ulp, gamma and gammaln 16. Complex ones, as |error| /
/// |result|, u = 2^-24 or 2^-53: * 3*u, / 8*u, sqrt exp log abs arg 16*u, sin cos sinh cosh 32*u,
/// tan tanh 64*u, ^ (16 + 8*|y*log (x)|)*u; near overflow (half the range of exponents for | | and
/// exp) they may be infinite or NaN.
/// @param ctx The context that runs it. It caches 64 compiled expressions.
/// @param options variant, rules, dtype (required), rank, names, dtypes, shape (required), strides,
///   result_strides (no element of result is written twice). Variants: AUTO, SEQUENTIAL (CPU
///   backend only).
/// @param expression NUL-terminated text.
/// @param inputs input_count arrays, each of its dtype in dtypes, laid out by shape and strides; one
///   that is broadcast in every dimension is one element, and may lie in host memory beside device
///   arrays without making the call synchronous.
/// @param input_count Number of inputs, at most 16.
/// @param result Receives elements of dtype, laid out by shape and result_strides; may be one of the
///   inputs that has the same dtype where both are dense, and overlaps them in no other way.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, expression, options->shape, options->dtypes,
///   inputs, or an array that is not empty); INVALID_ARGUMENT (ctx is not a live context; the
///   expression, with the byte from 1 at which it is wrong; names, dtypes, dtype, rank, shape,
///   strides; input_count; a number that is not one of its enum; an array that is misaligned,
///   overlaps result, is too short or belongs to another device); UNSUPPORTED (an expression of more
///   than 160 steps, 64 literals, 8 intermediate results at once or 64 nested parentheses; more than
///   16 inputs, of which complex ones count twice; SEQUENTIAL on CUDA; device memory on the CPU
///   backend; an unknown option; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
///   thread is in ctx); CANCELLED (gpumex_context_cancel). After an error result is unspecified.
/// @note Cost: reads each input and writes result once.
/// @note Memory: CPU `0`; CUDA `0`; arrays on the host at most `elements*(sizeof(dtype) +
///   input_bytes)`.
/// @ingroup gpumex_operations
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_map(
    ctx: *mut Context,
    options: *const MapOptions,
    expression: *const c_char,
    inputs: *const *const c_void,
    input_count: usize,
    result: *mut c_void,
) -> i32 {
    guard("gpumex_map", || {
        // SAFETY: the caller's promise in the documentation above.
        let options = unsafe { options::read(options)? };
        let dtype = Dtype::from_c("options.dtype", options.dtype)?.required("dtype")?;
        // SAFETY: as above.
        let source = unsafe { source(fields_of(&options), expression, input_count)? };
        let call = Options {
            variant: Variant::from_c("options.variant", options.variant)?,
            dtype,
            // SAFETY: as above.
            layout: unsafe { layout(&options, input_count)? },
        };
        // SAFETY: input_count pointers, each an array as documented.
        let inputs = unsafe { arrays(inputs, input_count)? };
        // SAFETY: as above.
        let result = unsafe { Output::from_raw("result", result) };
        let inputs: Vec<&Input> = inputs.iter().collect();
        handle::with(ctx, |ctx| map::map(ctx, &call, source, &inputs, result))
    })
}

/// @brief The natural dtype of an expression: `*dtype` <- the type that options->rules give its
///   result.
/// @param options rules, names, dtypes, as for gpumex_map; other fields are ignored.
/// @param expression NUL-terminated text, as for gpumex_map.
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
pub unsafe extern "C" fn gpumex_map_dtype(
    options: *const MapOptions,
    expression: *const c_char,
    input_count: usize,
    dtype: *mut i32,
) -> i32 {
    guard("gpumex_map_dtype", || {
        // SAFETY: the caller's promise in the documentation above.
        let source = unsafe { source(fields_of(&options::read(options)?), expression, input_count)? };
        let natural = source.natural_dtype()?;
        // SAFETY: as above.
        unsafe { write("dtype", dtype, natural as i32) }
    })
}

/// Options of functions that have an expression.
pub(super) struct Fields {
    pub rules: i32,
    pub names: *const c_char,
    pub dtypes: *const i32,
    pub has_neighbours: bool,
}

fn fields_of(options: &MapOptions) -> Fields {
    let &MapOptions { rules, names, dtypes, .. } = options;
    Fields { rules, names, dtypes, has_neighbours: false }
}

/// # Safety
/// The fields and the text are as documented.
pub(super) unsafe fn source(
    options: Fields,
    expression: *const c_char,
    input_count: usize,
) -> Result<Source> {
    // SAFETY: NULL or C strings by the caller's promise.
    let (text, names) = unsafe { (options::text(expression)?, options::text(options.names)?) };
    let text = text.ok_or_else(|| Error::new(Status::NullPointer, "expression is NULL"))?;
    check_count(input_count)?;
    // SAFETY: as many numbers by the caller's promise.
    let dtypes = unsafe { many("options.dtypes", options.dtypes, input_count)? };
    let dtype = |(index, &number)| match Dtype::from_c("options.dtypes", number) {
        Err(_) => Dtype::from_c(&format!("options.dtypes[{index}]"), number),
        dtype => dtype,
    };
    Ok(Source {
        text: text.to_string(),
        names: names.map(str::to_string),
        dtypes: dtypes.iter().enumerate().map(dtype).collect::<Result<_>>()?,
        rules: Rules::from_c("options.rules", options.rules)?,
        has_neighbours: options.has_neighbours,
    })
}

/// # Safety
/// The fields are as documented.
unsafe fn layout(options: &MapOptions, input_count: usize) -> Result<Layout> {
    // SAFETY: rank extents, as many strides, or NULL, by the caller's promise.
    let (shape, strides, result_strides) = unsafe {
        let shape = extents(options.rank, options.shape)?;
        let rank = shape.len();
        (shape, optional(options.strides, input_count * rank), optional(options.result_strides, rank))
    };
    Layout::new(&shape, input_count, strides.as_deref(), result_strides.as_deref())
}

/// # Safety
/// `shape` is NULL or holds `rank` extents, of rank 0 one.
pub(super) unsafe fn extents(rank: i32, shape: *const usize) -> Result<Vec<usize>> {
    let rank = match rank {
        0 => 1,
        rank @ 1..=8 => rank as usize,
        rank => return Err(Error::invalid(format!("options.rank is {rank}; it is 0 to 8, 0 means 1"))),
    };
    // SAFETY: the caller's promise.
    unsafe { many("options.shape", shape, rank) }
}

/// The dimension of a number from 1, from 0; None: all, which is 0.
pub(super) fn dimension(number: i32, rank: usize) -> Result<Option<usize>> {
    match usize::try_from(number) {
        Ok(0) => Ok(None),
        Ok(number) if number <= rank => Ok(Some(number - 1)),
        _ => Err(Error::invalid(format!("options.dimension is {number}; it is 0 to {rank}, 0 means all"))),
    }
}

/// # Safety
/// `inputs` is NULL or holds `count` pointers, each to an array of the caller that stays as it is, or NULL.
pub(super) unsafe fn arrays<'a>(inputs: *const *const c_void, count: usize) -> Result<Vec<Input<'a>>> {
    // SAFETY: the caller's promise.
    let inputs = unsafe { many("inputs", inputs, count)? };
    // SAFETY: as above.
    Ok(inputs.iter().map(|&at| unsafe { Input::from_raw("an input", at) }).collect())
}

fn check_count(input_count: usize) -> Result<()> {
    match input_count {
        0..=16 => Ok(()),
        _ => {
            Err(Error::invalid(format!("input_count is {input_count}; an expression has at most 16 inputs")))
        }
    }
}

/// # Safety
/// `values` is NULL or holds `count` values.
pub(super) unsafe fn many<T: Copy>(name: &str, values: *const T, count: usize) -> Result<Vec<T>> {
    if count > 0 && values.is_null() {
        return Err(Error::new(Status::NullPointer, format!("{name} is NULL")));
    }
    // SAFETY: not NULL, and the caller's promise; at most a few.
    Ok((0..count).map(|index| unsafe { values.add(index).read_unaligned() }).collect())
}

/// # Safety
/// As [`many`].
pub(super) unsafe fn optional<T: Copy>(values: *const T, count: usize) -> Option<Vec<T>> {
    // SAFETY: the caller's promise.
    if values.is_null() { None } else { unsafe { many("", values, count) }.ok() }
}
