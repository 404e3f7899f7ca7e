//! Matrix product: `gpumex_matmul`.

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

/// @brief Options of gpumex_matmul: GPUMEX_MATMUL_OPTIONS_INIT or GPUMEX_OPTIONS (matmul, ...).
/// @ingroup gpumex_operations
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MatmulOptions {
    /// sizeof(gpumex_matmul_options).
    pub size: usize,
    /// A gpumex_matmul_variant.
    pub variant: i32,
    /// A gpumex_dtype of A, B and C: F32 (also where it is not set), F64, F16, BF16, C64 or C128.
    pub dtype: i32,
    /// A gpumex_matmul_order of A, B and C.
    pub order: i32,
    /// 1: A is stored transposed, k*m. 2: of C64 and C128, as its conjugate transpose.
    pub trans_a: i32,
    /// 1: B is stored transposed, n*k. 2: of C64 and C128, as its conjugate transpose.
    pub trans_b: i32,
    /// 1: all products of a batch share one A, and stride_a is ignored.
    pub same_a: i32,
    /// 1: all products of a batch share one B, and stride_b is ignored.
    pub same_b: i32,
    /// A gpumex_dtype of C: that of A and B (also where it is not set), or F32 where they are F16 or
    /// BF16.
    pub dtype_c: i32,
    /// Leading dimension of A in elements: from one stored row (ROW) or column (COLUMN) to the next;
    /// 0: no gap.
    pub lda: usize,
    /// Leading dimension of B; 0: no gap.
    pub ldb: usize,
    /// Leading dimension of C; 0: no gap.
    pub ldc: usize,
    /// Number of products; 0 is 1.
    pub batch: usize,
    /// Elements from one A of a batch to the next; 0: no gap.
    pub stride_a: usize,
    /// Elements from one B of a batch to the next; 0: no gap.
    pub stride_b: usize,
    /// Elements from one C of a batch to the next; 0: no gap.
    pub stride_c: usize,
    /// Factor of A*B, a double in host memory; NULL is 1.
    pub alpha: *const f64,
    /// Factor of the C that is there, a double in host memory; NULL is 0.
    pub beta: *const f64,
    /// Imaginary part of alpha for C64 and C128, a double in host memory; NULL is 0.
    pub alpha_imag: *const f64,
    /// Imaginary part of beta for C64 and C128, a double in host memory; NULL is 0.
    pub beta_imag: *const f64,
}

zero_default!(MatmulOptions, beta_imag);

/// @brief Matrix product: C <- alpha*op(A)*op(B) + beta*C, or a batch of such products.
///
/// As in the BLAS: with beta = 0 C is only written; with alpha = 0 or k = 0 A and B are not read and
/// may be NULL; elements between the rows (ROW) or columns (COLUMN) of C stay as they are. alpha and
/// beta are rounded to the dtype. AUTO takes no variant whose measured error exceeds that of a plain
/// product; on CUDA it may take TENSOR.
///
/// F16 and BF16 are multiplied exactly and summed in float, alpha and beta are rounded to float,
/// and an element of C is rounded once, to nearest. On CUDA AUTO and TENSOR take the tensor cores of
/// compute capability 9.0, or convert A and B to F32 first, as the other variants and the CPU
/// backend do; A or B whose rows are not aligned to 16 bytes is copied.
///
/// Complex matrices (C64, C128) are multiplied as one product of real ones, 8*m*n*k operations. It
/// takes a temporary of twice the size of op(B) (ROW) or op(A) (COLUMN), and one of the size of the
/// other factor where that is stored transposed, of C where beta_imag is not 0.
///
/// Accuracy: each element differs from the exact result by at most `g * (|alpha|*|A|*|B| +
/// |beta|*|C|)`, g = j*u/(1 - j*u), j = k + 2 (TENSOR, and AUTO where it takes TENSOR: k + 10),
/// u = 2^-24 (F32) or 2^-53 (F64); of C64 and C128, as F32 and F64, j = 2*k + 12 (TENSOR, and AUTO
/// where it takes TENSOR: 2*k + 20), and 1.5 times that. TF32 rounds A and B to 11 bits first, and
/// adds at most `2^-10 * |A|*|B|`. F16 and BF16: j = 2*k + 10, u = 2^-24, and where C is not F32
/// half a unit in the last place of its dtype. Infinities, NaN and overflow are those of a plain
/// product, except with TF32 and CUBLAS; a product of two elements may be added without being
/// rounded, and then does not overflow (SEQUENTIAL rounds each). cuBLAS may multiply alpha into an
/// element of A or B first, and what is subnormal then loses bits. Variants and backends agree
/// within the bound, not bit by bit.
/// @param ctx The context that runs it.
/// @param options variant, dtype (F32 where it is not set, F64, F16, BF16, C64 or C128), dtype_c,
///   order, trans_a, trans_b, leading dimensions, batch, strides, alpha, beta, alpha_imag,
///   beta_imag; NULL: C <- A*B in F32, row-major.
/// @param m Rows of op(A) and C.
/// @param n Columns of op(B) and C.
/// @param k Columns of op(A) and rows of op(B).
/// @param a op(A) is m*k elements of the dtype in options->order (MATLAB: COLUMN); op transposes
///   where trans_a is 1, and also conjugates where it is 2.
/// @param b op(B) is k*n elements, likewise with trans_b.
/// @param c m*n elements of the dtype, or of dtype_c where that is set; the range from its first to
///   its last element overlaps neither a nor b, unless alpha = 0 or k = 0, where these are not read.
/// @return 0 or a gpumex_status: NULL_POINTER (ctx, or an array that is not empty);
///   INVALID_ARGUMENT (ctx is not a live context; a number that is not of its enum; lda, ldb or ldc
///   less than a row or column; stride_c less than a matrix; a size that exceeds the address space;
///   an array that is misaligned, overlaps an output, is too short or belongs to another device);
///   UNSUPPORTED (another dtype; a variant that the backend or the device does not have; device
///   memory on the CPU backend; a CUDA context after fork); OUT_OF_MEMORY; CUDA; BUSY (another
///   thread is in ctx); CANCELLED (gpumex_context_cancel). After OUT_OF_MEMORY, CUDA and CANCELLED
///   the outputs are unspecified.
/// @note Cost: O(m*n*k*batch).
/// @note Memory: CPU at most `(dtype < C64 ? 1 : 2)*(m + n)*min(k, 384)*max(sizeof(dtype),
///   4)*sqrt(threads) + (dtype < C64 ? 0 : max(batch, 1)*(2*k*(m + n) + m*n)*sizeof(dtype)) +
///   (sizeof(dtype) == 2 ? 4*max(batch, 1)*(m*k + k*n + m*n) : 0)`; CUDA at most `(dtype < C64 ? 1 :
///   4)*6*max(batch, 1)*(m + n)*(k + 64) + 33554432 + (dtype < C64 ? 0 : max(batch, 1)*(2*k*(m +
///   n) + m*n)*sizeof(dtype)) + (sizeof(dtype) == 2 ? 4*max(batch, 1)*(m*k + k*n + m*n) : 0)`;
///   arrays on the host `max(batch, 1)*((m*k + k*n)*sizeof(dtype) + m*n*(dtype_c == F32 ? 4 :
///   sizeof(dtype)))`.
/// @ingroup gpumex_operations
#[must_use]
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
/// alpha, beta and their imaginary parts are NULL or point to doubles.
pub(super) unsafe fn asked_for(options: &MatmulOptions) -> Result<Options> {
    let MatmulOptions { lda, ldb, ldc, stride_a, stride_b, stride_c, .. } = *options;
    let dtype = Dtype::from_c("options.dtype", options.dtype)?;
    let is_complex = dtype.is_complex();
    let transposed = |field, value| match value {
        2 if is_complex => Ok((true, true)),
        _ => options::switch(field, value).map(|transposed| (transposed, false)),
    };
    let (transposed_a, conjugate_a) = transposed("trans_a", options.trans_a)?;
    let (transposed_b, conjugate_b) = transposed("trans_b", options.trans_b)?;
    let same_a = options::switch("same_a", options.same_a)?;
    let same_b = options::switch("same_b", options.same_b)?;
    // SAFETY: NULL, or a double by the caller's promise.
    let number = |number: *const f64| unsafe { options::number(number) };
    let factor = |re, im, natural: f64| match number(im).filter(|_| is_complex) {
        None => number(re).map(|re| [re, 0.0]),
        Some(im) => Some([number(re).unwrap_or(natural), im]),
    };
    let alpha = factor(options.alpha, options.alpha_imag, 1.0);
    let beta = factor(options.beta, options.beta_imag, 0.0);
    Ok(Options {
        variant: MatmulVariant::from_c("options.variant", options.variant)?,
        dtype,
        dtype_c: Dtype::from_c("options.dtype_c", options.dtype_c)?,
        order: MatmulOrder::from_c("options.order", options.order)?,
        a: Storage {
            transposed: transposed_a,
            is_conjugate: conjugate_a,
            ld: lda,
            stride: stride_a,
            same: same_a,
        },
        b: Storage {
            transposed: transposed_b,
            is_conjugate: conjugate_b,
            ld: ldb,
            stride: stride_b,
            same: same_b,
        },
        c: Storage { ld: ldc, stride: stride_c, ..Storage::default() },
        batch: options.batch,
        alpha,
        beta,
    })
}
