//! The process around the library: settings, log, panics, threads and the pool of the CPU backend, forked children.

pub mod fence;
pub(crate) mod fork;
pub mod log;
pub mod panic;
pub(crate) mod pool;
pub(crate) mod rounding;
pub mod settings;
pub(crate) mod thread;
