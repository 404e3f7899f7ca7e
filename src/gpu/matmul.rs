//! Matrix product on the device.

use super::kernels::{
    gpumexk_matmul_blocked_f32, gpumexk_matmul_blocked_f64, gpumexk_matmul_naive_f32,
    gpumexk_matmul_naive_f64,
};
use super::tuning::Kernel;
use super::{Device, Float};
use crate::array::{View, ViewMut};
use crate::dtype::Dtype;
use crate::error::Result;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Naive,
    Blocked,
}

impl Path {
    fn kernel(self) -> Kernel {
        match self {
            Path::Naive => Kernel::MatmulNaive,
            Path::Blocked => Kernel::MatmulBlocked,
        }
    }
}

/// c (m, n) ← a (m, k) · b (k, n), row-major.
pub fn matmul<T: Float>(
    device: &Device,
    path: Path,
    [m, n, k]: [usize; 3],
    a: View<T>,
    b: View<T>,
    c: ViewMut<T>,
) -> Result<()> {
    let (a, b) = (device.read(&a)?, device.read(&b)?);
    let mut product = device.write(c)?;
    let (from_a, from_b, to, tuning) =
        (a.as_ptr(), b.as_ptr(), product.as_mut_ptr(), device.tuning(path.kernel()));
    // SAFETY: the arrays hold m·k, k·n and m·n elements of T, which is f32 or f64.
    device.launch(|stream| unsafe {
        let (a32, b32, c32) = (from_a.cast(), from_b.cast(), to.cast());
        let (a64, b64, c64) = (from_a.cast(), from_b.cast(), to.cast());
        match (path, T::DTYPE) {
            (Path::Naive, Dtype::F32) => gpumexk_matmul_naive_f32(m, n, k, a32, b32, c32, &tuning, stream),
            (Path::Naive, _) => gpumexk_matmul_naive_f64(m, n, k, a64, b64, c64, &tuning, stream),
            (Path::Blocked, Dtype::F32) => {
                gpumexk_matmul_blocked_f32(m, n, k, a32, b32, c32, &tuning, stream)
            }
            (Path::Blocked, _) => gpumexk_matmul_blocked_f64(m, n, k, a64, b64, c64, &tuning, stream),
        }
    })?;
    product.finish()
}
