//! What a context tells of its device.

use super::{Context, Engine};
use crate::error::Result;
use crate::model::device_info::DeviceInfo;
use crate::platform::settings::Backend;

impl Context {
    pub fn device_info(&mut self) -> Result<DeviceInfo> {
        self.run(|engine| match engine {
            Engine::Cpu(workers) => {
                let machine = workers.machine();
                let mut info = DeviceInfo::named(Backend::Cpu as i32, -1, &machine.name);
                info.multiprocessors = i32::try_from(machine.threads).unwrap_or(i32::MAX);
                (info.total_memory, info.free_memory) = (machine.total_memory, machine.free_memory);
                Ok(info)
            }
            Engine::Cuda(device) => device.info(),
        })
    }

    /// The device as human-readable text, a few lines.
    pub fn device_text(&mut self) -> Result<String> {
        let info = self.device_info()?;
        let mib = |bytes: u64| bytes >> 20;
        let memory =
            format!("FreeMem: {:6} MiB   TotalMem: {:6} MiB", mib(info.free_memory), mib(info.total_memory));
        Ok(match &self.engine {
            Engine::Cpu(_) => format!("{}\n{memory}", self.headline()),
            Engine::Cuda(device) => format!(
                "{} : {:.3} MHz   (Ordinal {})\n{} SMs enabled. Compute Capability sm_{}{}\n{memory}   64-bit pointers.\n\
                 Mem Clock: {:.3} MHz x {} bits   ({:.1} GB/s)\nECC {}",
                device.name(),
                f64::from(info.clock_khz) / 1e3,
                info.device,
                info.multiprocessors,
                info.compute_major,
                info.compute_minor,
                f64::from(info.memory_clock_khz) / 1e3,
                info.memory_bus_bits,
                info.bandwidth_gbs,
                if info.ecc == 1 { "Enabled" } else { "Disabled" },
            ),
        })
    }
}
