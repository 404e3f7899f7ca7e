//! What both backends know of the matrix product: what is multiplied, and how the matrices lie. All of it is row-major; a
//! column-major product is the row-major one of the transposes, Cᵀ = op(B)ᵀ·op(A)ᵀ.
#![forbid(unsafe_code)]

use crate::model::numbered::numbered_enum;
use crate::model::variant::OperationVariant;

/// How the matrices of one argument lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The matrix is stored as its transpose.
    pub transposed: bool,
    /// Elements from one row as stored to the next, at least as many as a row has.
    pub ld: usize,
    /// Elements from one matrix of a batch to the next.
    pub stride: usize,
}

/// C ← alpha·op(A)·op(B) + beta·C for each product of a batch. op(A) (m, k), op(B) (k, n), C (m, n), which is never transposed, and
/// whose matrices lie apart. With beta = 0 C is not read; with alpha = 0 or k = 0 A and B are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub batch: usize,
    pub a: Layout,
    pub b: Layout,
    pub c: Layout,
    pub alpha: f64,
    pub beta: f64,
}

impl Product {
    /// What a matrix of the batch takes, in multiplications of numbers: its own, and those that pass before a product begins.
    pub fn work_of_each(&self) -> usize {
        const TO_BEGIN: usize = 1024;
        self.m.saturating_mul(self.n).saturating_mul(self.k).saturating_add(TO_BEGIN)
    }

    /// What all of the batch takes.
    pub fn work(&self) -> usize {
        self.work_of_each().saturating_mul(self.batch)
    }
}

impl Layout {
    /// Elements from one row of op(matrix) to the next, and from one column to the next.
    pub fn steps(&self) -> (usize, usize) {
        if self.transposed { (1, self.ld) } else { (self.ld, 1) }
    }

    /// Elements from the first to the last one of `batch` matrices of `rows` x `cols` as stored; None where a size_t does not hold them.
    pub fn extent(&self, batch: usize, rows: usize, cols: usize) -> Option<usize> {
        if batch == 0 || rows == 0 || cols == 0 {
            return Some(0);
        }
        let before = (batch - 1).checked_mul(self.stride)?;
        (rows - 1).checked_mul(self.ld)?.checked_add(cols)?.checked_add(before)
    }
}

impl Product {
    /// Whether A and B count: else C ← beta·C.
    pub fn has_terms(&self) -> bool {
        self.k > 0 && self.alpha != 0.0
    }
}

/// Implementation of gpumex_matmul. Error bounds are those of gpumex_matmul; results of two variants
/// need not have the same bits. The CPU backend computes NAIVE to TF32 as AUTO.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatmulVariant {
    /// The fastest one whose measured error does not exceed that of a plain product in the dtype; of
    /// F16 and BF16 TENSOR, where the device has it.
    #[default]
    Auto = 0,
    /// A sequential triple loop on one core; CPU backend only.
    Sequential = 1,
    /// Textbook: one thread for each element of C, operands from global memory.
    Naive = 2,
    /// Textbook: square tiles of A and B in shared memory; the tuning "matmul_blocked" has their
    /// size.
    Blocked = 3,
    /// Register tiles; F64 on tensor cores, which round as the others do.
    Tiled = 4,
    /// F32 on tensor cores, each number split into three parts of 8 bits; F16 and BF16 as they are;
    /// F64 as TILED. Compute capability 8.0 or later.
    Tensor = 5,
    /// F32 on tensor cores, operands rounded to 11 bits: a thousand times the error. Compute
    /// capability 8.0 or later. Small and narrow products, which that does not make faster, are
    /// computed as AUTO.
    Tf32 = 6,
    /// NVIDIA's cuBLAS, where the process can load it; CUDA backend only.
    Cublas = 7,
}

numbered_enum!(MatmulVariant = "gpumex_matmul_variant": Auto, Sequential, Naive, Blocked, Tiled, Tensor, Tf32, Cublas);

impl OperationVariant for MatmulVariant {}
