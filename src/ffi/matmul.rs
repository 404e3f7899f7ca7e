//! Matrix product: `matmul` and `gpumex_matmul`.

use std::ffi::c_void;

use super::options::zero_default;
use super::{guard, options};
use crate::array::{Input, Output};
use crate::context::Context;
use crate::error::Result;
use crate::handle;
use crate::model::dtype::Dtype;
use crate::model::numbered::NumberedEnum;
use crate::ops::matmul::{self, MatmulOrder, MatmulVariant, Options, Storage};

/// Options of `gpumex_matmul`. Set `size` to `sizeof(gpumex_matmul_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MatmulOptions {
    /// sizeof(gpumex_matmul_options)
    pub size: usize,
    /// a `gpumex_matmul_variant`
    pub variant: i32,
    /// a `gpumex_dtype` of A, B and C: F32 (also where it is not set) or F64
    pub dtype: i32,
    /// a `gpumex_matmul_order` of A, B and C
    pub order: i32,
    /// 1: A is given transposed, k*m
    pub trans_a: i32,
    /// 1: B is given transposed, n*k
    pub trans_b: i32,
    /// 1: all products of a batch take one A, and stride_a is not read
    pub same_a: i32,
    /// likewise for B
    pub same_b: i32,
    /// has to be 0
    pub reserved: i32,
    /// elements from one row (ROW) or column (COLUMN) of A as given to the next, 0 = tight
    pub lda: usize,
    /// likewise for B
    pub ldb: usize,
    /// likewise for C
    pub ldc: usize,
    /// how many products, 0 = 1
    pub batch: usize,
    /// elements from one A of a batch to the next, 0 = tight
    pub stride_a: usize,
    /// likewise for B
    pub stride_b: usize,
    /// likewise for C
    pub stride_c: usize,
    /// factor of A*B, a double in memory of the host; NULL is 1
    pub alpha: *const f64,
    /// factor of the C that is there, a double in memory of the host; NULL is 0
    pub beta: *const f64,
}

zero_default!(MatmulOptions, beta, reserved);

/// C <- A*B in float32, row-major: A is m*k, B is k*n, C is m*n, any sizes; k = 0 gives zeros.
///
/// C overlaps neither A nor B. A pointer may be NULL when its matrix has no elements.
/// Accuracy: each element differs from the exact product by at most k*u/(1-k*u) * (|A|*|B|), u = 2^-24.
///
/// Runs on the default context; callable from any thread, calls take turns.
/// Errors: NULL_POINTER, INVALID_ARGUMENT (size, overlap, alignment), OUT_OF_MEMORY, CUDA; C is unspecified after
/// one.
#[cfg(feature = "plain-names")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn matmul(
    m: usize,
    n: usize,
    k: usize,
    a: *const f32,
    b: *const f32,
    c: *mut f32,
) -> i32 {
    guard("matmul", || {
        // SAFETY: the caller's promise in the documentation above.
        let (a, b, c) = unsafe {
            (Input::from_raw("A", a.cast()), Input::from_raw("B", b.cast()), Output::from_raw("C", c.cast()))
        };
        handle::with_default(|ctx| matmul::matmul(ctx, &Options::default(), m, n, k, a, b, c))
    })
}

/// C <- alpha*op(A)*op(B) + beta*C, on a context of the caller's and with options; a batch of such products.
///
/// a, b, c: op(A) is m*k, op(B) k*n and C m*n elements of options->dtype in options->order; op is the transpose where trans_a or
/// trans_b is 1. For MATLAB arrays: order COLUMN. As in the BLAS: where beta is 0 C is only written; where alpha or k is 0 A and B are
/// not read and may be NULL; what lies between the rows (ROW) or columns (COLUMN) of C stays as it is. alpha and beta are rounded to the
/// dtype. The range of memory from C's first to its last element overlaps neither that of A nor that of B.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain triple loop, CPU backend), NAIVE, BLOCKED (the textbook's), TILED,
/// TENSOR, TF32, CUBLAS; AUTO takes none whose error is larger than a plain product's.
/// Accuracy: each element differs from the exact result by at most g * (|alpha|*|A|*|B| + |beta|*|C|), g = j*u/(1-j*u), j = k + 2,
/// with TENSOR k + 10, u = 2^-24 for F32 and 2^-53 for F64. TF32 rounds A and B to 11 bits first, and differs by at most 2^-10 * |A|*|B| more. Infinity,
/// NaN and numbers near the largest give what a plain product in the dtype gives, but for TF32 and CUBLAS. Two variants, and two
/// backends, agree within the bound and not to the last bit: where one fuses a multiplication with an addition it rounds once, and sums
/// are added in different orders.
/// Errors: as `matmul`, INVALID_ARGUMENT (not a live context, lda, ldb or ldc less than a row or column has elements, stride_c less
/// than a matrix takes, an array that is too short, another device's memory), UNSUPPORTED (F16, BF16, a variant that the backend or the
/// device does not have, device memory on the CPU backend, after fork), BUSY (another thread is in `ctx`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpumex_matmul(
    ctx: *mut Context,
    options: *const MatmulOptions,
    m: usize,
    n: usize,
    k: usize,
    a: *const c_void,
    b: *const c_void,
    c: *mut c_void,
) -> i32 {
    guard("gpumex_matmul", || {
        // SAFETY: the caller's promise in the documentation above.
        let (options, a, b, c) = unsafe {
            (
                asked_for(&options::read(options)?)?,
                Input::from_raw("A", a),
                Input::from_raw("B", b),
                Output::from_raw("C", c),
            )
        };
        handle::with(ctx, |ctx| matmul::matmul(ctx, &options, m, n, k, a, b, c))
    })
}

/// The options of C as those of the operation.
///
/// # Safety
/// alpha and beta are NULL or point to doubles.
unsafe fn asked_for(options: &MatmulOptions) -> Result<Options> {
    let MatmulOptions { lda, ldb, ldc, stride_a, stride_b, stride_c, .. } = *options;
    let transposed_a = options::switch("trans_a", options.trans_a)?;
    let transposed_b = options::switch("trans_b", options.trans_b)?;
    let same_a = options::switch("same_a", options.same_a)?;
    let same_b = options::switch("same_b", options.same_b)?;
    // SAFETY: NULL, or a double by the caller's promise.
    let (alpha, beta) = unsafe { (options::number(options.alpha), options::number(options.beta)) };
    Ok(Options {
        variant: MatmulVariant::from_c("options.variant", options.variant)?,
        dtype: Dtype::from_c("options.dtype", options.dtype)?,
        order: MatmulOrder::from_c("options.order", options.order)?,
        a: Storage { transposed: transposed_a, ld: lda, stride: stride_a, same: same_a },
        b: Storage { transposed: transposed_b, ld: ldb, stride: stride_b, same: same_b },
        c: Storage { ld: ldc, stride: stride_c, ..Storage::default() },
        batch: options.batch,
        alpha,
        beta,
    })
}
