//! The ways to compute a product, and matrices for them.

use std::ffi::CStr;
use std::ptr::null;

use gpumex::context::KernelTuning;
use gpumex::error::Status;
use gpumex::ffi::{MatmulOptions, gpumex_matmul, gpumex_tuning_get, gpumex_tuning_set};
use gpumex::model::dtype::Dtype;
use gpumex::ops::matmul::{MatmulOrder, MatmulVariant};
use gpumex::platform::settings::Backend;

use super::oracle::{Bound, Exact};
use crate::common::*;

pub const ORDERS: [MatmulOrder; 2] = [MatmulOrder::Row, MatmulOrder::Column];

/// Which of the ways to compute a product.
pub struct Way<'a> {
    pub ctx: &'a Context,
    pub variant: MatmulVariant,
    pub order: MatmulOrder,
}

impl Way<'_> {
    /// The product of row-major A and B as row-major C, whatever the order on the way.
    #[track_caller]
    pub fn product<T: Real>(&self, [m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<T> {
        match self.order {
            MatmulOrder::Row => matmul(self.ctx, self.variant, self.order, [m, n, k], a, b),
            MatmulOrder::Column => {
                let (a, b) = (transposed(a, m, k), transposed(b, k, n));
                transposed(&matmul(self.ctx, self.variant, self.order, [m, n, k], &a, &b), n, m)
            }
        }
    }

    /// How far its results may be from the exact ones.
    pub fn bound<T: Real>(&self, k: usize) -> Bound {
        bound_of::<T>(self.ctx, self.variant, k)
    }

    /// Whether each product of two numbers of the dtype counts with all of its bits.
    pub fn keeps_all_bits(&self) -> bool {
        let has_parts = matches!(self.variant, MatmulVariant::Tensor | MatmulVariant::Tf32);
        !(has_parts && self.ctx.backend == Backend::Cuda)
    }

    /// Whether numbers are split into parts, and those that cannot be are multiplied otherwise.
    pub fn is_split(&self) -> bool {
        self.variant == MatmulVariant::Tensor
    }
}

/// Runs a check for every backend, variant and order.
#[track_caller]
pub fn each_way<T: Real>(backends: &[Context], mut check: impl FnMut(&Way, String)) {
    for ctx in backends {
        for variant in variants_of::<T>(ctx) {
            for order in ORDERS {
                let what = format!("{:?}, {variant:?}, {order:?}, {:?}", ctx.backend, T::DTYPE);
                check(&Way { ctx, variant, order }, what);
            }
        }
    }
}

/// How far results may be from the exact ones.
pub fn bound_of<T: Real>(ctx: &Context, variant: MatmulVariant, k: usize) -> Bound {
    match (ctx.backend, variant) {
        (Backend::Cuda, MatmulVariant::Tf32) => Bound::of_tf32(k),
        (Backend::Cuda, MatmulVariant::Tensor) => Bound::of::<T>(k + 8),
        _ => Bound::of::<T>(k),
    }
}

/// The variants that serve T here: TF32 is for float, and CUBLAS where the process can load it. Tools that get a share of the cases
/// look at kernels of this library: its products are left out, which take them minutes.
pub fn variants_of<T: Real>(ctx: &Context) -> Vec<MatmulVariant> {
    let is_served = |&variant: &MatmulVariant| match variant {
        MatmulVariant::Tf32 => T::DTYPE == Dtype::F32,
        MatmulVariant::Cublas => share() == 1 && has_cublas(ctx),
        _ => true,
    };
    keep_tf32(ctx);
    ctx.variants().into_iter().filter(is_served).collect()
}

/// Has TF32 rounded in products of every size: with a tuning that is set its kernels take small ones too.
fn keep_tf32(ctx: &Context) {
    if ctx.backend != Backend::Cuda {
        return;
    }
    let kernel = c"matmul_tf32".as_ptr();
    let mut tuning = KernelTuning { size: size_of::<KernelTuning>(), ..KernelTuning::default() };
    // SAFETY: a live context, a text, a struct to read and write.
    ok(unsafe { gpumex_tuning_get(ctx.handle, kernel, &mut tuning) }, "gpumex_tuning_get");
    // SAFETY: likewise.
    ok(unsafe { gpumex_tuning_set(ctx.handle, kernel, &tuning) }, "gpumex_tuning_set");
}

/// Threads and values of a kernel.
pub fn tune(ctx: &Context, kernel: &CStr, [threads, values]: [i32; 2]) {
    let tuning = KernelTuning { size: size_of::<KernelTuning>(), threads, values, ..KernelTuning::default() };
    // SAFETY: a live context, a text, a struct to read.
    ok(unsafe { gpumex_tuning_set(ctx.handle, kernel.as_ptr(), &tuning) }, "gpumex_tuning_set");
}

fn has_cublas(ctx: &Context) -> bool {
    let options = MatmulOptions { variant: MatmulVariant::Cublas as i32, ..MatmulOptions::default() };
    let mut c = [0.0f32];
    // SAFETY: without terms A and B are not read; C has one element.
    let status =
        unsafe { gpumex_matmul(ctx.handle, &options, 1, 1, 0, null(), null(), c.as_mut_ptr().cast()) };
    assert!(status == 0 || status == Status::Unsupported as i32, "CUBLAS: {}", explain(status));
    status == 0
}

// ----------------------------------------------------------------------------------------------------------- matrices

/// The exact product of row-major matrices.
pub fn exact_product<T: Real>([m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<Exact> {
    let element = |i: usize, j: usize| {
        (0..k).fold(Exact::default(), |sum, l| sum.add(a[i * k + l].to_f64(), b[l * n + j].to_f64()))
    };
    (0..m * n).map(|index| element(index / n, index % n)).collect()
}

/// C ← op(A) · op(B) by these options, of tight matrices: the status.
pub fn multiply<T>(
    ctx: &Context,
    options: &MatmulOptions,
    [m, n, k]: [usize; 3],
    [a, b]: [&[T]; 2],
    c: &mut [T],
) -> i32 {
    assert!(a.len() == m * k && b.len() == k * n && c.len() == m * n);
    let [from_a, from_b] = [a, b].map(|matrix| matrix.as_ptr().cast());
    // SAFETY: the arrays hold the matrices.
    unsafe { gpumex_matmul(ctx.handle, options, m, n, k, from_a, from_b, c.as_mut_ptr().cast()) }
}

pub fn transposed<T: Copy>(matrix: &[T], rows: usize, cols: usize) -> Vec<T> {
    (0..rows * cols).map(|index| matrix[index % rows * cols + index / rows]).collect()
}

pub fn random_matrix<T: Real>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::from_f64(random.random_range(-1.0..1.0))).collect()
}

/// Whole numbers from -8 to 8: products of them are exact.
pub fn random_integers<T: Real>(seed: u64, len: usize) -> Vec<T> {
    let mut random = random(seed);
    (0..len).map(|_| T::from_f64(f64::from(random.random_range(-8..=8)))).collect()
}
