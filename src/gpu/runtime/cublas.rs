//! NVIDIA's cuBLAS, which is no part of this library: loaded at its first use, where the process finds it.

use std::ffi::c_longlong;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

use cudarc::cublas::sys;

use super::device::Device;
use super::kernels::MatmulArgs;
use super::primary::Primary;
use crate::error::{Error, Result, Status};
use crate::gpu::Float;
use crate::model::dtype::Dtype;
use crate::platform::fork;
use crate::platform::panic;

/// A handle of cuBLAS for one context of ours.
pub struct Cublas {
    handle: sys::cublasHandle_t,
    primary: Arc<Primary>,
}

// SAFETY: a handle may be used from any thread, by one at a time: a context has one user at a time.
unsafe impl Send for Cublas {}

impl Cublas {
    /// The primary context is current.
    pub fn load(primary: &Arc<Primary>) -> Result<Cublas> {
        if !is_present() {
            return Err(Error::unsupported(
                "options.variant is GPUMEX_MATMUL_VARIANT_CUBLAS, which needs cuBLAS 12 or later, which this process cannot load: libcublas.so, libcublas.so.13 and \
                 libcublas.so.12 were looked for, as LD_LIBRARY_PATH says",
            ));
        }
        let mut handle = null_mut();
        // SAFETY: writes one handle.
        done("cublasCreate", unsafe { sys::cublasCreate_v2(&mut handle) })?;
        Ok(Cublas { handle, primary: primary.clone() })
    }

    /// Enqueues the product. A row-major product is the column-major product of the transposes, in the other order.
    pub fn multiply<T: Float>(&self, device: &Device, product: &MatmulArgs) -> Result<()> {
        self.enqueue(device, || match T::DTYPE {
            Dtype::F32 => self.call("cublasSgemmStridedBatched", sys::cublasSgemmStridedBatched_64, product),
            _ => self.call("cublasDgemmStridedBatched", sys::cublasDgemmStridedBatched_64, product),
        })
    }

    /// The same of matrices of F16 or BF16, C of the dtype `to`, with sums in f32.
    pub fn multiply_halves(
        &self,
        device: &Device,
        dtype: Dtype,
        to: Dtype,
        product: &MatmulArgs,
    ) -> Result<()> {
        self.enqueue(device, || self.call_for_halves(dtype, to, product))
    }

    /// Runs a call of cuBLAS on the stream of the context.
    fn enqueue(&self, device: &Device, call: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut status = Ok(());
        device.launch(|stream| {
            // SAFETY: the handle is this context's, used by one thread at a time.
            let on_stream = unsafe { sys::cublasSetStream_v2(self.handle, stream.cast()) };
            status = done("cublasSetStream", on_stream).and_then(|()| call());
            0
        })?;
        status
    }

    fn call_for_halves(&self, dtype: Dtype, to: Dtype, product: &MatmulArgs) -> Result<()> {
        let [m, n, k, lda, ldb, ldc, batch] = extents(product)?;
        let [stride_a, stride_b, stride_c] = strides(product)?;
        let (alpha, beta) = (product.alpha as f32, product.beta as f32);
        let (of_ab, of_c) = (data_type(dtype), data_type(to));
        // SAFETY: the matrices hold what `product` says, of their dtypes; alpha and beta are read before the call returns.
        done("cublasGemmStridedBatchedEx", unsafe {
            sys::cublasGemmStridedBatchedEx_64(
                self.handle,
                op(product.trans_b),
                op(product.trans_a),
                n,
                m,
                k,
                (&raw const alpha).cast(),
                product.b,
                of_ab,
                ldb,
                stride_b,
                product.a,
                of_ab,
                lda,
                stride_a,
                (&raw const beta).cast(),
                product.c,
                of_c,
                ldc,
                stride_c,
                batch,
                sys::cublasComputeType_t::CUBLAS_COMPUTE_32F,
                sys::cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
            )
        })
    }

    fn call<T: Float>(&self, name: &str, gemm: Gemm<T>, product: &MatmulArgs) -> Result<()> {
        let [m, n, k, lda, ldb, ldc, batch] = extents(product)?;
        let [stride_a, stride_b, stride_c] = strides(product)?;
        let (alpha, beta) = (T::from_f64(product.alpha), T::from_f64(product.beta));
        let (a, b, c) = (product.a.cast(), product.b.cast(), product.c.cast());
        let (op_a, op_b) = (op(product.trans_a), op(product.trans_b));
        // SAFETY: the matrices hold what `product` says, of T; alpha and beta are read before the call returns.
        done(name, unsafe {
            gemm(
                self.handle,
                op_b,
                op_a,
                n,
                m,
                k,
                &alpha,
                b,
                ldb,
                stride_b,
                a,
                lda,
                stride_a,
                &beta,
                c,
                ldc,
                stride_c,
                batch,
            )
        })
    }
}

/// cublasSgemmStridedBatched_64 or cublasDgemmStridedBatched_64.
type Gemm<T> = unsafe fn(
    sys::cublasHandle_t,
    sys::cublasOperation_t,
    sys::cublasOperation_t,
    i64,
    i64,
    i64,
    *const T,
    *const T,
    i64,
    c_longlong,
    *const T,
    i64,
    c_longlong,
    *const T,
    *mut T,
    i64,
    c_longlong,
    i64,
) -> sys::cublasStatus_t;

impl Drop for Cublas {
    fn drop(&mut self) {
        if let Some(_current) = self.primary.enter_to_release() {
            // SAFETY: the handle of `load`, used by nobody any more.
            let _ = unsafe { sys::cublasDestroy_v2(self.handle) };
        }
    }
}

/// Whether the process can load a cuBLAS with 64-bit sizes; looks once.
fn is_present() -> bool {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    let look = || {
        // SAFETY: looks for the library, and for one function in it.
        let found = panic::caught(|| unsafe {
            sys::is_culib_present()
                && sys::culib().get::<*const ()>(b"cublasDgemmStridedBatched_64\0").is_ok()
        });
        found.unwrap_or(false)
    };
    PRESENT.get().copied().unwrap_or_else(|| fork::without_fork(|| *PRESENT.get_or_init(look)))
}

fn extents(product: &MatmulArgs) -> Result<[i64; 7]> {
    let MatmulArgs { m, n, k, lda, ldb, ldc, batch, .. } = *product;
    let mut signed = [0; 7];
    for (to, from) in signed.iter_mut().zip([m, n, k, lda.max(1), ldb.max(1), ldc.max(1), batch]) {
        *to = i64::try_from(from).map_err(|_| too_large(from))?;
    }
    Ok(signed)
}

fn strides(product: &MatmulArgs) -> Result<[c_longlong; 3]> {
    let signed = |from: usize| c_longlong::try_from(from).map_err(|_| too_large(from));
    Ok([signed(product.stride_a)?, signed(product.stride_b)?, signed(product.stride_c)?])
}

fn too_large(size: usize) -> Error {
    Error::invalid(format!("{size} is more than cuBLAS takes"))
}

fn data_type(dtype: Dtype) -> sys::cudaDataType {
    match dtype {
        Dtype::F16 => sys::cudaDataType::CUDA_R_16F,
        Dtype::Bf16 => sys::cudaDataType::CUDA_R_16BF,
        _ => sys::cudaDataType::CUDA_R_32F,
    }
}

fn op(transposed: i32) -> sys::cublasOperation_t {
    if transposed == 1 { sys::cublasOperation_t::CUBLAS_OP_T } else { sys::cublasOperation_t::CUBLAS_OP_N }
}

fn done(what: &str, status: sys::cublasStatus_t) -> Result<()> {
    match status {
        sys::cublasStatus_t::CUBLAS_STATUS_SUCCESS => Ok(()),
        other => Err(Error::new(Status::Cuda, format!("{what}: {other:?}"))),
    }
}
