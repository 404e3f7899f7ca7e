//! The CUDA backend: the driver (loaded at run time), a device with its stream, its memory, and one launch an operation.

mod device;
mod driver;
pub mod histogram;
mod kernels;
pub mod life;
pub mod matmul;
mod memory;
pub mod raytrace;

pub use device::Device;
pub use driver::{current_device, locate};
