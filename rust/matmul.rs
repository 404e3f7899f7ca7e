//! Matrix products.

use gpumex_core::ops;
use gpumex_core::ops::matmul::{MatmulOrder, Storage};

use super::array::{input, output};
use super::options::options;
use super::{Array, ArrayMut, Context, Element, Factor, MatmulVariant};
use crate::Result;

options! {
    /// Options of [`Context::matmul_with`].
    MatmulOptions {
        /// How it is computed.
        variant: MatmulVariant,
        /// Row-major (the default) or column-major.
        order: MatmulOrder,
        /// How A is stored.
        a: MatrixStorage,
        /// How B is stored.
        b: MatrixStorage,
        /// How C is stored; it is neither transposed nor one for a whole batch.
        c: MatrixStorage,
        /// The number of products; 0 is 1.
        batch: usize,
        /// The factor of A·B; else 1.
        alpha: Option<f64>,
        /// The factor of what C holds before; else 0, and C is not read.
        beta: Option<f64>,
        /// The imaginary part of alpha, of complex matrices.
        alpha_imag: f64,
        /// The imaginary part of beta, of complex matrices.
        beta_imag: f64,
    }
}

options! {
    /// How a matrix of a [`Context::matmul_with`] is stored.
    MatrixStorage {
        /// The array holds the transpose.
        transposed: bool,
        /// With `transposed` it holds the conjugate transpose, of complex matrices.
        conjugate: bool,
        /// Elements from one line (a row, or a column in column-major order) to the next; 0: the lines touch.
        ld: usize,
        /// Elements from one matrix of a batch to the next; 0: the matrices touch.
        stride: usize,
        /// All products of a batch take one and the same matrix.
        same: bool,
    }
}

impl Context {
    /// C ← A·B, row-major: A (m, k), B (k, n), C (m, n).
    ///
    /// Accumulated in the type of the elements or better: |C − exact| ≤ γ·|A||B| elementwise, γ = ju/(1 − ju), j = k + 2 (TENSOR,
    /// which AUTO may take, k + 10), u = 2^-24 (f32) or 2^-53 (f64). Complex matrices are multiplied as real ones, with j = 2k + 12 (TENSOR
    /// 2k + 20), and 1.5·γ.
    ///
    /// ```
    /// let ctx = gpumex::Context::new()?;
    /// let (a, b) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    /// let mut c = [0.0; 4];
    /// ctx.matmul(&a, &b, &mut c, (2, 2, 3))?; // (2, 3) times (3, 2)
    /// assert_eq!(c, [4.0, 5.0, 10.0, 11.0]);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn matmul<T: Factor>(
        &self,
        a: &(impl Array<Elem = T> + ?Sized),
        b: &(impl Array<Elem = T> + ?Sized),
        c: &mut (impl ArrayMut<Elem = T> + ?Sized),
        (m, n, k): (usize, usize, usize),
    ) -> Result<()> {
        self.matmul_with(a, b, c, (m, n, k), &MatmulOptions::new())
    }

    /// C ← alpha·op(A)·op(B) + beta·C, for each product of a batch.
    ///
    /// ```
    /// use gpumex::{Context, MatmulOptions, MatrixStorage};
    ///
    /// let ctx = Context::new()?;
    /// let a = [1.0, 2.0, 3.0, 4.0];
    /// let mut c = [100.0; 4];
    /// let transposed = MatrixStorage::new().transposed(true);
    /// ctx.matmul_with(&a, &a, &mut c, (2, 2, 2), &MatmulOptions::new().a(transposed).beta(Some(1.0)))?;
    /// assert_eq!(c, [110.0, 114.0, 114.0, 120.0]); // Aᵀ·A + C
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn matmul_with<T: Factor>(
        &self,
        a: &(impl Array<Elem = T> + ?Sized),
        b: &(impl Array<Elem = T> + ?Sized),
        c: &mut (impl ArrayMut<Elem = T> + ?Sized),
        (m, n, k): (usize, usize, usize),
        options: &MatmulOptions,
    ) -> Result<()> {
        let options = matmul_options::<T>(options);
        self.call("matmul", |ctx| {
            ops::matmul::matmul(ctx, &options, m, n, k, input("A", a), input("B", b), output("C", c))
        })
    }
}

/// As the operation takes them.
pub(super) fn matmul_options<T: Element>(options: &MatmulOptions) -> ops::matmul::Options {
    let &MatmulOptions { variant, order, batch, alpha, beta, alpha_imag, beta_imag, .. } = options;
    ops::matmul::Options {
        variant,
        dtype: T::DTYPE,
        dtype_c: T::DTYPE,
        order,
        a: options.a.into(),
        b: options.b.into(),
        c: options.c.into(),
        batch,
        alpha: Some([alpha.unwrap_or(1.0), alpha_imag]),
        beta: Some([beta.unwrap_or(0.0), beta_imag]),
    }
}

impl From<MatrixStorage> for Storage {
    fn from(MatrixStorage { transposed, conjugate, ld, stride, same }: MatrixStorage) -> Storage {
        Storage { transposed, is_conjugate: transposed && conjugate, ld, stride, same }
    }
}
