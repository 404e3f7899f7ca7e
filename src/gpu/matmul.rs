//! Matrix product on the device.

use std::ffi::c_int;

use super::Device;
use super::kernels::{
    Stream, Tuning, gpumexk_matmul_blocked_f32, gpumexk_matmul_blocked_f64, gpumexk_matmul_naive_f32,
    gpumexk_matmul_naive_f64,
};
use super::tuning::Kernel;
use crate::array::{Element, View, ViewMut};
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

type Launcher<T> = unsafe fn(usize, usize, usize, *const T, *const T, *mut T, *const Tuning, Stream) -> c_int;

/// An element type with kernels.
pub trait Float: Element {
    fn launcher(path: Path) -> Launcher<Self>;
}

impl Float for f32 {
    fn launcher(path: Path) -> Launcher<f32> {
        match path {
            Path::Naive => {
                |m, n, k, a, b, c, t, s| unsafe { gpumexk_matmul_naive_f32(m, n, k, a, b, c, t, s) }
            }
            Path::Blocked => {
                |m, n, k, a, b, c, t, s| unsafe { gpumexk_matmul_blocked_f32(m, n, k, a, b, c, t, s) }
            }
        }
    }
}

impl Float for f64 {
    fn launcher(path: Path) -> Launcher<f64> {
        match path {
            Path::Naive => {
                |m, n, k, a, b, c, t, s| unsafe { gpumexk_matmul_naive_f64(m, n, k, a, b, c, t, s) }
            }
            Path::Blocked => {
                |m, n, k, a, b, c, t, s| unsafe { gpumexk_matmul_blocked_f64(m, n, k, a, b, c, t, s) }
            }
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
    let (launch, tuning, to) = (T::launcher(path), device.tuning(path.kernel()), product.as_mut_ptr());
    // SAFETY: the arrays hold m·k, k·n and m·n elements.
    device.launch(|stream| unsafe { launch(m, n, k, a.as_ptr(), b.as_ptr(), to, &tuning, stream) })?;
    product.finish()
}
