//! The launch tuning of the kernels on the device of a context.

use super::{Context, Engine};
use crate::error::{Error, Result};
use crate::gpu::{Kernel, Tuning};
use crate::model::numbered::{NumberedEnum, numbered_enum};

/// Division of on-chip memory between L1 cache and shared memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePreference {
    /// As the driver chooses.
    #[default]
    Default = 0,
    /// As much shared memory as possible.
    Shared = 1,
    /// As much L1 cache as possible.
    L1 = 2,
    /// Half and half.
    Equal = 3,
}

numbered_enum!(CachePreference = "gpumex_cache_preference": Default, Shared, L1, Equal);

/// Launch parameters of a kernel: GPUMEX_KERNEL_TUNING_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelTuning {
    /// sizeof(gpumex_kernel_tuning).
    pub size: usize,
    /// Threads of a block; 0 where they are chosen by the types or the size.
    pub threads: i32,
    /// Work of a thread or a block, as the kernel's row of gpumex_tuning_text says: cells, elements,
    /// pixels, bytes or packets of 16 bytes that a thread holds at once, tiles of a block, or blocks
    /// of a multiprocessor. 0 where it is chosen by the types or the size.
    pub values: i32,
    /// A gpumex_cache_preference.
    pub cache: i32,
    /// Reserved, 0.
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

    /// The tunings in force as a human-readable table.
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
