//! What the operations of the CUDA backend run on: the driver (loaded at run time), the device with its primary context, streams,
//! memory, the staging of host arrays, the launch tuning, and the launchers of kernels/kernels.h.

pub mod capture;
pub mod chunks;
pub mod cublas;
pub mod device;
pub mod driver;
pub mod event;
mod fault;
pub mod kernels;
pub mod launch;
pub mod memory;
pub mod pitched;
pub mod primary;
pub mod sized_output;
pub mod source;
pub mod staging;
pub mod stream;
pub mod tuning;
pub mod zero_copy;
