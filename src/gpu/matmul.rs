//! Matrix product on the device: upload, one launch, download.

use std::ffi::c_int;

use super::Device;
use super::kernels::{
    Stream, gpumexk_matmul_blocked_f32, gpumexk_matmul_blocked_f64, gpumexk_matmul_naive_f32,
    gpumexk_matmul_naive_f64,
};
use super::memory::Buffer;
use crate::array::Element;
use crate::error::Result;

/// The memory path of the kernel.
#[derive(Clone, Copy)]
pub enum Path {
    Naive,
    Blocked,
}

type Launcher<T> = unsafe fn(usize, usize, usize, *const T, *const T, *mut T, Stream) -> c_int;

/// An element type with kernels.
pub trait Float: Element {
    fn launcher(path: Path) -> Launcher<Self>;
}

impl Float for f32 {
    fn launcher(path: Path) -> Launcher<f32> {
        match path {
            Path::Naive => |m, n, k, a, b, c, s| unsafe { gpumexk_matmul_naive_f32(m, n, k, a, b, c, s) },
            Path::Blocked => |m, n, k, a, b, c, s| unsafe { gpumexk_matmul_blocked_f32(m, n, k, a, b, c, s) },
        }
    }
}

impl Float for f64 {
    fn launcher(path: Path) -> Launcher<f64> {
        match path {
            Path::Naive => |m, n, k, a, b, c, s| unsafe { gpumexk_matmul_naive_f64(m, n, k, a, b, c, s) },
            Path::Blocked => |m, n, k, a, b, c, s| unsafe { gpumexk_matmul_blocked_f64(m, n, k, a, b, c, s) },
        }
    }
}

/// c (m, n) ← a (m, k) · b (k, n), row-major.
pub fn matmul<T: Float>(
    device: &Device,
    path: Path,
    [m, n, k]: [usize; 3],
    a: &[T],
    b: &[T],
    c: &mut [T],
) -> Result<()> {
    let (a, b) = (Buffer::from_host(device, a)?, Buffer::from_host(device, b)?);
    let product = Buffer::<T>::new(device, m * n)?;
    let launch = T::launcher(path);
    // SAFETY: the buffers hold m·k, k·n and m·n elements.
    device.launch(|stream| unsafe { launch(m, n, k, a.as_ptr(), b.as_ptr(), product.as_ptr(), stream) })?;
    product.to_host(c)
}
