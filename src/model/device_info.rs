//! What a context tells of its device.

use std::ffi::c_char;

/// The device of a context. Set `size` to sizeof(gpumex_device_info) before the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceInfo {
    /// sizeof(gpumex_device_info)
    pub size: usize,
    /// a `gpumex_backend`: CPU or CUDA
    pub backend: i32,
    /// CUDA ordinal; -1 on the CPU backend
    pub device: i32,
    /// name of the device, NUL-terminated
    pub name: [c_char; 128],
    /// streaming multiprocessors; on the CPU backend the threads of the pool
    pub multiprocessors: i32,
    /// compute capability, the part before the point; 0 on the CPU backend
    pub compute_major: i32,
    /// compute capability, the part behind the point; 0 on the CPU backend
    pub compute_minor: i32,
    /// core clock in kHz at most; 0 where unknown
    pub clock_khz: i32,
    /// memory clock in kHz at most; 0 where unknown
    pub memory_clock_khz: i32,
    /// width of the memory bus in bits; 0 where unknown
    pub memory_bus_bits: i32,
    /// 1 when the memory corrects errors; 0 on the CPU backend
    pub ecc: i32,
    /// version of the CUDA driver, 1000*major + 10*minor; 0 on the CPU backend
    pub driver_version: i32,
    /// memory of the device in bytes
    pub total_memory: u64,
    /// free part of it now
    pub free_memory: u64,
    /// L2 cache in bytes; 0 on the CPU backend
    pub l2_bytes: u64,
    /// shared memory a block may have, in bytes; 0 on the CPU backend
    pub shared_bytes_per_block: u64,
    /// memory bandwidth in GB/s from clock and width; 0 where unknown
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
