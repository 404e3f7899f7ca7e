//! cuBLAS, called directly.

use std::ptr::null_mut;

use cudarc::cublas::sys::*;
use gpumex::ops::matmul::MatmulDtype;

use crate::product::{Matrices, Shape};

pub struct Vendor(cublasHandle_t);

impl Vendor {
    /// None where the process cannot load it.
    pub fn load() -> Option<Vendor> {
        // SAFETY: looks for the library.
        if !unsafe { is_culib_present() } {
            return None;
        }
        let mut handle = null_mut();
        // SAFETY: writes one handle; the primary context is current.
        done(unsafe { cublasCreate_v2(&mut handle) });
        Some(Vendor(handle))
    }

    /// SGEMM or DGEMM, strictly in the dtype.
    pub fn multiply(&self, matrices: &Matrices) {
        self.multiply_in(matrices, cublasMath_t::CUBLAS_DEFAULT_MATH);
    }

    /// SGEMM with operands rounded to TF32.
    pub fn multiply_tf32(&self, matrices: &Matrices) {
        self.multiply_in(matrices, cublasMath_t::CUBLAS_TF32_TENSOR_OP_MATH);
    }

    /// Row-major: the column-major product of the transposes.
    fn multiply_in(&self, matrices: &Matrices, math: cublasMath_t) {
        let Shape { m, n, k, trans: [trans_a, trans_b] } = matrices.shape;
        let op = |trans| if trans { cublasOperation_t::CUBLAS_OP_T } else { cublasOperation_t::CUBLAS_OP_N };
        let int = |extent: usize| i64::try_from(extent).expect("shapes of a bench are small");
        let (lda, ldb) = (if trans_a { m } else { k }, if trans_b { k } else { n });
        let (a, b, c) = (matrices.a, matrices.b, matrices.c);
        // SAFETY: the blocks hold the matrices.
        unsafe {
            done(cublasSetMathMode(self.0, math));
            done(match matrices.dtype {
                MatmulDtype::F64 => cublasDgemm_v2_64(
                    self.0,
                    op(trans_b),
                    op(trans_a),
                    int(n),
                    int(m),
                    int(k),
                    &1.0,
                    b.cast(),
                    int(ldb),
                    a.cast(),
                    int(lda),
                    &0.0,
                    c.cast(),
                    int(n),
                ),
                _ => cublasSgemm_v2_64(
                    self.0,
                    op(trans_b),
                    op(trans_a),
                    int(n),
                    int(m),
                    int(k),
                    &1.0,
                    b.cast(),
                    int(ldb),
                    a.cast(),
                    int(lda),
                    &0.0,
                    c.cast(),
                    int(n),
                ),
            });
        }
    }
}

#[track_caller]
fn done(status: cublasStatus_t) {
    assert_eq!(status, cublasStatus_t::CUBLAS_STATUS_SUCCESS);
}
