//! What the rooms of the matrix product have in common: what is multiplied, and how the matrices lie. All of it is row-major; a
//! column-major product is the row-major one of the transposes, Cᵀ = op(B)ᵀ·op(A)ᵀ.
#![forbid(unsafe_code)]

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
