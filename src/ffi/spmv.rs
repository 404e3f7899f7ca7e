//! The product of a sparse matrix in rows with a vector: `gpumex_spmv`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::model::operator::Operator;
use crate::model::variant::Variant;
use crate::ops::spmv::{self, Arrays, Options};

/// @brief Options of gpumex_spmv: GPUMEX_SPMV_OPTIONS_INIT or GPUMEX_OPTIONS (spmv, ...).
/// @ingroup gpumex_primitives
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SpmvOptions {
    /// sizeof(gpumex_spmv_options).
    pub size: usize,
    /// A gpumex_variant.
    pub variant: i32,
    /// A gpumex_dtype of the elements: F32, F64, I32, I64, U32 or U64; required.
    pub dtype: i32,
    /// A gpumex_dtype, U32 or U64, of columns, offsets and sources; required.
    pub index_dtype: i32,
    /// A gpumex_operator that adds the products of a row; DEFAULT is SUM. AND, OR and XOR are for
    /// integers.
    pub add: i32,
    /// A gpumex_operator that makes a product; DEFAULT is PRODUCT. AND, OR and XOR are for integers.
    pub multiply: i32,
    /// Reserved, 0.
    pub reserved: i32,
    /// The geometry of gpumex_segments_prepare for these offsets, or NULL.
    pub geometry: *const c_void,
    /// The result of a row without nonzeros, one element of dtype in host memory; NULL: the identity
    /// of add.
    pub identity: *const c_void,
}

zero_default!(SpmvOptions, identity, reserved);

/// @brief Sparse matrix-vector product in CSR: `y[r]` <- the sum of `values[k] * x[columns[k]]` for
/// `offsets[r]` <= k < `offsets[r + 1]`.
///
/// options->add and options->multiply replace sum and product: MIN and SUM give shortest paths, OR
/// and AND reachability. A row without nonzeros gives options->identity (of min-plus, infinity), and
/// without one that of add: 0 for SUM, OR and XOR, 1 for PRODUCT, all bits set for AND, for MIN and
/// MAX the largest and the smallest integer, NaN for floats. Integers wrap; MIN and MAX ignore NaN.
/// Accuracy: |error| <= n*u/(1 - n*u) * sum `|values[k] * x[columns[k]]|` for a row of n nonzeros, u
/// = 2^-24 (F32) or 2^-53 (F64). Deterministic for one device, on the CPU with any number of
/// threads. Offsets that do not ascend or exceed nonzeros give unspecified results, without access
/// out of bounds.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32, F64, I32, I64, U32, U64; required), index_dtype (U32 or U64;
///   required), add (DEFAULT is SUM), multiply (DEFAULT is PRODUCT), geometry (of
///   gpumex_segments_prepare, or NULL), identity. Variants: AUTO, SEQUENTIAL (CPU backend only).
/// @param values nonzeros elements of dtype. NULL: a product is `x[columns[k]]` alone.
/// @param columns nonzeros elements of index_dtype, in any order, repeats allowed; those not below
///   cols are ignored.
/// @param nonzeros Number of nonzeros.
/// @param offsets rows + 1 elements of index_dtype, ascending, the last at most nonzeros; may be
///   NULL where rows = 0.
/// @param rows Rows of the matrix.
/// @param x cols elements of dtype.
/// @param cols Columns of the matrix.
/// @param sources rows elements of index_dtype: row r begins at nonzero `sources[r]`, its length
///   still from offsets; rows may share nonzeros. NULL: they begin at their offsets.
/// @param y Receives rows elements of dtype.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a dtype not set; a number that is not of its
///   enum; nonzeros or cols that U32 does not hold; an array that is misaligned, overlaps an
///   output, is too short or belongs to another device); UNSUPPORTED (another dtype; AND, OR, XOR
///   of floats; SEQUENTIAL on CUDA; device memory on the CPU backend; a CUDA context after fork);
///   OUT_OF_MEMORY; CUDA; BUSY (another thread is in ctx); CANCELLED (gpumex_context_cancel). After
///   OUT_OF_MEMORY, CUDA and CANCELLED the outputs are unspecified.
/// @note Cost: reads values and columns once, whatever the lengths of the rows.
/// @note Memory: CPU `(nonzeros + rows)/819`; CUDA `0`; arrays on the host `nonzeros*((values ?
///   sizeof(dtype) : 0) + sizeof(index_dtype)) + (rows + 1)*sizeof(index_dtype)*(sources ? 2 : 1) +
///   (rows + cols)*sizeof(dtype)`.
/// @see D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016;
///   S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013.
/// @ingroup gpumex_primitives
#[must_use]
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
