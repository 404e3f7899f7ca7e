//! One product of matrices on the device, and the call that computes it.

use std::ffi::c_void;

use gpumex::ffi::*;
use gpumex::memory::MemoryKind;
use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::MatmulVariant;

use crate::common::*;

/// C (m, n) ← op(A) (m, k) · op(B) (k, n), row-major, tight.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    pub trans: [bool; 2],
}

impl Shape {
    pub fn square(n: usize) -> Shape {
        Shape { m: n, n, k: n, trans: [false, false] }
    }

    pub fn flop(&self) -> f64 {
        2.0 * self.m as f64 * self.n as f64 * self.k as f64
    }

    pub fn text(&self) -> String {
        let letter = |trans| if trans { 'T' } else { 'N' };
        let Shape { m, n, k, trans: [a, b] } = *self;
        format!("{m} x {n} x {k} {}{}", letter(a), letter(b))
    }
}

/// Three matrices on the device.
pub struct Matrices {
    pub ctx: Handle,
    pub shape: Shape,
    pub dtype: Dtype,
    pub a: *mut c_void,
    pub b: *mut c_void,
    pub c: *mut c_void,
}

impl Matrices {
    /// A and B of uniform random numbers, C of NaN.
    pub fn random(ctx: Handle, shape: Shape, dtype: Dtype) -> Matrices {
        let Shape { m, n, k, .. } = shape;
        let width = width_of(dtype);
        let of = |elements: usize| malloc(ctx, MemoryKind::Device, elements * width);
        let matrices = Matrices { ctx, shape, dtype, a: of(m * k), b: of(k * n), c: of(m * n) };
        fill_randomly(ctx, dtype, matrices.a, m * k, 1 + n as u64);
        fill_randomly(ctx, dtype, matrices.b, k * n, 2 + n as u64);
        matrices.poison();
        matrices
    }

    /// C ← NaN, so that an element that nobody writes shows.
    pub fn poison(&self) {
        let ones = u16::MAX; // a NaN of every type
        let words = self.shape.m * self.shape.n * width_of(self.dtype) / 2;
        // SAFETY: C holds that many.
        check(unsafe { gpumex_fill(self.ctx, Dtype::U16 as i32, self.c, words, (&raw const ones).cast()) });
    }

    /// The status of one call.
    pub fn try_multiply(&self, variant: MatmulVariant) -> i32 {
        // SAFETY: the blocks hold the matrices.
        unsafe { multiply(self.ctx, self.shape, self.dtype, variant, [self.a, self.b, self.c]) }
    }

    pub fn multiply(&self, variant: MatmulVariant) {
        check(self.try_multiply(variant));
    }

    /// The time of the kernels of one call, in ms: between the library's own two events.
    pub fn kernel_ms(&self, variant: MatmulVariant) -> f64 {
        keep_busy(self.ctx);
        kernel_ms(self.ctx, || self.multiply(variant))
    }

    /// The time of another's kernels, in ms: between two events.
    pub fn device_ms(&self, call: impl FnOnce()) -> f64 {
        keep_busy(self.ctx);
        device_ms(self.ctx, call)
    }
}

/// Uniform random numbers of a float type.
fn fill_randomly(ctx: Handle, dtype: Dtype, to: *mut c_void, count: usize, seed: u64) {
    let is_half = matches!(dtype, Dtype::F16 | Dtype::Bf16);
    let (drawn, width) = if is_half { (Dtype::F32, 4) } else { (dtype, 0) };
    let block = malloc(ctx, MemoryKind::Device, count * width);
    let numbers = if is_half { block } else { to };
    // SAFETY: the blocks hold that many elements.
    check(unsafe { gpumex_random(ctx, drawn as i32, numbers, count, seed, -1.0, 1.0) });
    if is_half {
        let (dtypes, shape) = (Dtype::F32 as i32, count);
        let options =
            MapOptions { dtype: dtype as i32, dtypes: &dtypes, shape: &shape, ..MapOptions::default() };
        let input = numbers.cast_const();
        // SAFETY: both arrays hold that many elements, of their dtypes.
        check(unsafe { gpumex_map(ctx, &options, c"a".as_ptr(), &input, 1, to) });
    }
    check(gpumex_free(block));
}

impl Drop for Matrices {
    fn drop(&mut self) {
        for block in [self.a, self.b, self.c] {
            check(gpumex_free(block));
        }
    }
}

/// The status of one call of gpumex_matmul.
///
/// # Safety
/// A, B and C are as large as the shape says.
pub unsafe fn multiply(
    ctx: Handle,
    shape: Shape,
    dtype: Dtype,
    variant: MatmulVariant,
    [a, b, c]: [*mut c_void; 3],
) -> i32 {
    let Shape { m, n, k, trans: [trans_a, trans_b] } = shape;
    let options = MatmulOptions {
        variant: variant as i32,
        dtype: dtype as i32,
        trans_a: trans_a.into(),
        trans_b: trans_b.into(),
        ..MatmulOptions::default()
    };
    // SAFETY: the caller's promise.
    unsafe { gpumex_matmul(ctx, &options, m, n, k, a, b, c) }
}

pub fn width_of(dtype: Dtype) -> usize {
    dtype.size()
}
