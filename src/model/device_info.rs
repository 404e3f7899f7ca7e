//! What a context tells of its device.

use std::ffi::c_char;

/// The device of a context: GPUMEX_DEVICE_INFO_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceInfo {
    /// sizeof(gpumex_device_info).
    pub size: usize,
    /// GPUMEX_BACKEND_CPU or GPUMEX_BACKEND_CUDA.
    pub backend: i32,
    /// CUDA ordinal; -1 on the CPU backend.
    pub device: i32,
    /// Name of the device, NUL-terminated.
    pub name: [c_char; 128],
    /// Streaming multiprocessors; on the CPU backend the threads that the context was given.
    pub multiprocessors: i32,
    /// Major compute capability; 0 on the CPU backend.
    pub compute_major: i32,
    /// Minor compute capability; 0 on the CPU backend.
    pub compute_minor: i32,
    /// Maximum core clock in kHz; 0 where unknown.
    pub clock_khz: i32,
    /// Maximum memory clock in kHz; 0 where unknown.
    pub memory_clock_khz: i32,
    /// Width of the memory bus in bits; 0 where unknown.
    pub memory_bus_bits: i32,
    /// 1 where the memory corrects errors; 0 on the CPU backend.
    pub ecc: i32,
    /// Version of the CUDA driver, 1000*major + 10*minor; 0 on the CPU backend.
    pub driver_version: i32,
    /// Memory of the device in bytes.
    pub total_memory: u64,
    /// Free memory of the device in bytes.
    pub free_memory: u64,
    /// L2 cache in bytes; 0 on the CPU backend.
    pub l2_bytes: u64,
    /// Shared memory that a block may have, in bytes; 0 on the CPU backend.
    pub shared_bytes_per_block: u64,
    /// Memory bandwidth in GB/s from clock and bus width; 0 where unknown.
    pub bandwidth_gbs: f64,
}

impl DeviceInfo {
    /// Zeros with a name.
    pub(crate) fn named(backend: i32, device: i32, name: &str) -> DeviceInfo {
        let mut info = DeviceInfo {
            size: size_of::<DeviceInfo>(),
            backend,
            device,
            name: [0; 128],
            multiprocessors: 0,
            compute_major: 0,
            compute_minor: 0,
            clock_khz: 0,
            memory_clock_khz: 0,
            memory_bus_bits: 0,
            ecc: 0,
            driver_version: 0,
            total_memory: 0,
            free_memory: 0,
            l2_bytes: 0,
            shared_bytes_per_block: 0,
            bandwidth_gbs: 0.0,
        };
        let longest = info.name.len() - 1; // before the NUL
        for (to, from) in info.name[..longest].iter_mut().zip(name.bytes()) {
            *to = from as c_char;
        }
        info
    }
}
