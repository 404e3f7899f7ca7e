//! cuBLAS, called directly.

use std::ptr::null_mut;

use cudarc::cublas::sys::*;
use gpumex::model::dtype::Dtype;

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

    /// SGEMM or DGEMM, strictly in the dtype; of F16 and BF16 GemmEx, with sums in float.
    pub fn multiply(&self, matrices: &Matrices) {
        self.multiply_in(matrices, cublasMath_t::CUBLAS_DEFAULT_MATH);
    }

    /// SGEMM with operands rounded to TF32.
    pub fn multiply_tf32(&self, matrices: &Matrices) {
        self.multiply_in(matrices, cublasMath_t::CUBLAS_TF32_TENSOR_OP_MATH);
    }

    /// Row-major: the column-major product of the transposes.
    fn multiply_in(&self, matrices: &Matrices, math: cublasMath_t) {
        // SAFETY: the handle is ours.
        done(unsafe { cublasSetMathMode(self.0, math) });
        match matrices.dtype {
            Dtype::F64 => self.call(cublasDgemm_v2_64, [1.0, 0.0], matrices),
            Dtype::F16 => self.call_for_halves(cudaDataType::CUDA_R_16F, matrices),
            Dtype::Bf16 => self.call_for_halves(cudaDataType::CUDA_R_16BF, matrices),
            _ => self.call(cublasSgemm_v2_64, [1.0, 0.0], matrices),
        }
    }

    fn call<T>(&self, gemm: Gemm<T>, [alpha, beta]: [T; 2], matrices: &Matrices) {
        let Given { op_a, op_b, m, n, k, lda, ldb } = Given::of(matrices.shape);
        let (a, b, c) = (matrices.a.cast(), matrices.b.cast(), matrices.c.cast());
        // SAFETY: the blocks hold the matrices, of T.
        done(unsafe { gemm(self.0, op_b, op_a, n, m, k, &alpha, b, ldb, a, lda, &beta, c, n) });
    }

    fn call_for_halves(&self, of: cudaDataType, matrices: &Matrices) {
        let Given { op_a, op_b, m, n, k, lda, ldb } = Given::of(matrices.shape);
        let (one, zero) = (1.0f32, 0.0f32);
        let (alpha, beta) = ((&raw const one).cast(), (&raw const zero).cast());
        let (sums, any) = (cublasComputeType_t::CUBLAS_COMPUTE_32F, cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT);
        let Matrices { a, b, c, .. } = *matrices;
        // SAFETY: the blocks hold the matrices, of that type.
        done(unsafe {
            cublasGemmEx_64(
                self.0, op_b, op_a, n, m, k, alpha, b, of, ldb, a, of, lda, beta, c, of, n, sums, any,
            )
        });
    }
}

/// A shape as cuBLAS takes it.
struct Given {
    op_a: cublasOperation_t,
    op_b: cublasOperation_t,
    m: i64,
    n: i64,
    k: i64,
    lda: i64,
    ldb: i64,
}

impl Given {
    fn of(shape: Shape) -> Given {
        let Shape { m, n, k, trans: [trans_a, trans_b] } = shape;
        let op = |trans| if trans { cublasOperation_t::CUBLAS_OP_T } else { cublasOperation_t::CUBLAS_OP_N };
        let int = |extent: usize| i64::try_from(extent).expect("shapes of a bench are small");
        Given {
            op_a: op(trans_a),
            op_b: op(trans_b),
            m: int(m),
            n: int(n),
            k: int(k),
            lda: int(if trans_a { m } else { k }),
            ldb: int(if trans_b { k } else { n }),
        }
    }
}

/// cublasSgemm_v2_64 or cublasDgemm_v2_64.
type Gemm<T> = unsafe fn(
    cublasHandle_t,
    cublasOperation_t,
    cublasOperation_t,
    i64,
    i64,
    i64,
    *const T,
    *const T,
    i64,
    *const T,
    i64,
    *const T,
    *mut T,
    i64,
) -> cublasStatus_t;

#[track_caller]
fn done(status: cublasStatus_t) {
    assert_eq!(status, cublasStatus_t::CUBLAS_STATUS_SUCCESS);
}
