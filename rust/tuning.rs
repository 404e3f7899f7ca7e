//! The launch parameters of the kernels.

use gpumex_core::context::KernelTuning as Core;
use gpumex_core::model::numbered::NumberedEnum;

use super::{CachePreference, Context};
use crate::Result;

/// Launch parameters of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelTuning {
    /// Threads of a block; 0 where they are chosen by the types or the size.
    pub threads: i32,
    /// Work of a thread or a block, as the kernel's row of [`Context::tuning_text`] says; 0 where it is chosen by the types or the size.
    pub values: i32,
    /// Division of on-chip memory between L1 cache and shared memory.
    pub cache: CachePreference,
}

/// On the CPU backend, which has no kernels, each of these is UNSUPPORTED.
impl Context {
    /// The tuning in force of a kernel.
    ///
    /// ```
    /// use gpumex::{Backend, Context, Status};
    ///
    /// let ctx = Context::builder().backend(Backend::Cpu).build()?;
    /// assert_eq!(ctx.tuning("matmul_blocked").unwrap_err().status(), Status::Unsupported);
    /// # Ok::<(), gpumex::Error>(())
    /// ```
    pub fn tuning(&self, kernel: &str) -> Result<KernelTuning> {
        let Core { threads, values, cache, .. } = self.call("tuning", |ctx| ctx.tuning(kernel))?;
        Ok(KernelTuning { threads, values, cache: CachePreference::from_c("cache", cache)? })
    }

    /// Sets the tuning of a kernel; None goes back to the table of its architecture.
    pub fn set_tuning(&self, kernel: &str, tuning: Option<KernelTuning>) -> Result<()> {
        let core = tuning.map(|KernelTuning { threads, values, cache }| Core {
            size: size_of::<Core>(),
            threads,
            values,
            cache: cache as i32,
            reserved: 0,
        });
        self.call("set_tuning", |ctx| ctx.set_tuning(kernel, core))
    }

    /// The tunings in force as a table.
    pub fn tuning_text(&self) -> Result<String> {
        self.call("tuning_text", |ctx| ctx.tuning_text())
    }
}
