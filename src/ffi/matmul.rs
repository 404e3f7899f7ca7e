//! Matrix product: `matmul` and `gpumex_matmul`.

use std::ffi::c_void;

use super::{guard, options};
use crate::array::{Input, Output};
use crate::choice::Choice;
use crate::context::Context;
use crate::ops::matmul::{self, MatmulDtype, MatmulOrder, MatmulVariant, Options};
use crate::tokens;

/// Options of `gpumex_matmul`. Set `size` to `sizeof(gpumex_matmul_options)`; zero is the default of every other
/// field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MatmulOptions {
    /// sizeof(gpumex_matmul_options)
    pub size: usize,
    /// a `gpumex_matmul_variant`
    pub variant: i32,
    /// a `gpumex_matmul_dtype` of A, B and C; this version serves F32 and F64
    pub dtype: i32,
    /// a `gpumex_matmul_order` of A, B and C
    pub order: i32,
    /// A is given transposed; this version serves 0
    pub trans_a: i32,
    /// B is given transposed; this version serves 0
    pub trans_b: i32,
    /// 0: C <- A*B; 1: C <- alpha*A*B + beta*C. This version serves 0
    pub scaled: i32,
    /// elements from one row (ROW) or column (COLUMN) of A to the next, 0 = tight; this version serves 0
    pub lda: usize,
    /// likewise for B
    pub ldb: usize,
    /// likewise for C
    pub ldc: usize,
    /// how many products, 0 = 1; this version serves 0 and 1
    pub batch: usize,
    /// elements from one A of a batch to the next; this version serves 0
    pub stride_a: usize,
    /// likewise for B
    pub stride_b: usize,
    /// likewise for C
    pub stride_c: usize,
    /// read when `scaled` is 1; this version serves 0
    pub alpha: f64,
    /// read when `scaled` is 1; this version serves 0
    pub beta: f64,
}

impl Default for MatmulOptions {
    fn default() -> Self {
        // SAFETY: integers and floats only; zero is the default of each.
        MatmulOptions { size: size_of::<Self>(), ..unsafe { std::mem::zeroed() } }
    }
}

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
        tokens::with_default(|ctx| matmul::matmul(ctx, &Options::default(), m, n, k, a, b, c))
    })
}

/// C <- A*B as `matmul`, on a context of the caller's and with options.
///
/// a, b, c: m*k, k*n and m*n elements of options->dtype in options->order. For MATLAB arrays: order COLUMN.
/// options: NULL for the defaults. Variants: SEQUENTIAL (the plain triple loop, CPU backend), NAIVE, BLOCKED.
/// Accuracy: as `matmul`, u = 2^-24 for F32 and 2^-53 for F64.
/// Errors: as `matmul`, INVALID_ARGUMENT (not a live context, an array that is too short, another device's
/// memory), UNSUPPORTED (an option this version does not serve, device memory on the CPU backend, after fork),
/// BUSY (another thread is in `ctx`).
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
                options::read(options)?,
                Input::from_raw("A", a),
                Input::from_raw("B", b),
                Output::from_raw("C", c),
            )
        };
        options::serves("trans_a", options.trans_a, &[0])?;
        options::serves("trans_b", options.trans_b, &[0])?;
        options::serves("scaled", options.scaled, &[0])?;
        options::serves("lda", options.lda, &[0])?;
        options::serves("ldb", options.ldb, &[0])?;
        options::serves("ldc", options.ldc, &[0])?;
        options::serves("batch", options.batch, &[0, 1])?;
        options::serves("stride_a", options.stride_a, &[0])?;
        options::serves("stride_b", options.stride_b, &[0])?;
        options::serves("stride_c", options.stride_c, &[0])?;
        options::serves("alpha", options.alpha, &[0.0])?;
        options::serves("beta", options.beta, &[0.0])?;
        let options = Options {
            variant: MatmulVariant::from_number(options.variant)?,
            dtype: MatmulDtype::from_number(options.dtype)?,
            order: MatmulOrder::from_number(options.order)?,
        };
        tokens::with(ctx, |ctx| matmul::matmul(ctx, &options, m, n, k, a, b, c))
    })
}
