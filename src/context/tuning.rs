//! The launch tuning of the kernels on the device of a context.

use super::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu::{Kernel, Tuning};
use crate::model::numbered::{NumberedEnum, numbered_enum};

/// How L1 cache and shared memory divide the memory that they have in common.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePreference {
    /// As the driver sees fit.
    #[default]
    Default = 0,
    /// As much shared memory as there can be.
    Shared = 1,
    /// As much L1 cache as there can be.
    L1 = 2,
    /// Half and half.
    Equal = 3,
}

numbered_enum!(CachePreference = "gpumex_cache_preference": Default, Shared, L1, Equal);

/// How a kernel is launched. Set `size` to sizeof(gpumex_kernel_tuning) before the call.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelTuning {
    /// sizeof(gpumex_kernel_tuning)
    pub size: usize,
    /// threads of a block
    pub threads: i32,
    /// values that a thread holds at once: cells, elements, pixels, bytes of a histogram's data, else packets of
    /// 16 bytes
    pub values: i32,
    /// a `gpumex_cache_preference`
    pub cache: i32,
    /// 0
    pub reserved: i32,
}

impl Context {
    /// The tuning in force of the kernel with this name.
    pub fn tuning(&mut self, kernel: &str) -> Result<KernelTuning> {
        let Tuning { threads, values, cache } = match &self.engine {
            Engine::Cpu(_) => return Err(tunes_nothing()),
            Engine::Cuda(device) => device.tunings().get(kernel)?,
        };
        Ok(KernelTuning { size: size_of::<KernelTuning>(), threads, values, cache, reserved: 0 })
    }

    /// Sets the tuning of a kernel; None goes back to the table of its architecture.
    pub fn set_tuning(&mut self, kernel: &str, tuning: Option<KernelTuning>) -> Result<()> {
        match (&mut self.engine, tuning) {
            (Engine::Cpu(_), _) => Err(tunes_nothing()),
            (Engine::Cuda(device), None) => device.tunings_mut().reset(kernel),
            (Engine::Cuda(device), Some(KernelTuning { threads, values, cache, .. })) => {
                device.tunings_mut().set(kernel, Tuning { threads, values, cache })
            }
        }
    }

    /// The tunings in force as a table for people.
    pub fn tuning_text(&mut self) -> Result<String> {
        let mut text = format!("{:18} {:>7} {:>6}  {}", "kernel", "threads", "values", "cache");
        for kernel in Kernel::ALL {
            let KernelTuning { threads, values, cache, .. } = self.tuning(kernel.name())?;
            let cache = format!("{:?}", CachePreference::from_c("cache", cache)?).to_uppercase();
            text += &format!("\n{:18} {threads:7} {values:6}  {cache}", kernel.name());
        }
        Ok(text)
    }
}

fn tunes_nothing() -> Error {
    Error::unsupported("kernels are CUDA's; this context runs on the CPU backend")
}
