//! The CUDA backend: the driver (loaded at run time), a device with its stream, its memory, and one file an operation.

pub mod copy;
mod device;
mod driver;
pub mod histogram;
mod kernels;
pub mod life;
pub mod matmul;
mod memory;
pub mod prefetch;
mod primary;
pub mod raytrace;
mod source;
mod staging;
mod stream;

pub use device::{Device, count};
pub use driver::{current_device, locate};
