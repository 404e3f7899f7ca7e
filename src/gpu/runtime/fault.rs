//! Errors that a device does not recover from in this process, and what to do about them. Launchers return a cudaError_t, which has the
//! numbers of CUresult.
//!
//! Source     CUDA Driver API 13.0, CUresult ("any further CUDA work will return the same error"); NVIDIA, "XID Errors".

use cudarc::driver::sys::CUresult::{self, *};

/// The hardware has failed.
const HARDWARE: [CUresult; 3] =
    [CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_NVLINK_UNCORRECTABLE, CUDA_ERROR_CONTAINED];

/// A kernel has, of this library or of other code in the process.
const KERNEL: [CUresult; 9] = [
    CUDA_ERROR_ILLEGAL_ADDRESS,
    CUDA_ERROR_ASSERT,
    CUDA_ERROR_HARDWARE_STACK_ERROR,
    CUDA_ERROR_ILLEGAL_INSTRUCTION,
    CUDA_ERROR_MISALIGNED_ADDRESS,
    CUDA_ERROR_INVALID_ADDRESS_SPACE,
    CUDA_ERROR_INVALID_PC,
    CUDA_ERROR_LAUNCH_FAILED,
    CUDA_ERROR_TENSOR_MEMORY_LEAK,
];

fn is_one_of(code: u32, errors: &[CUresult]) -> bool {
    errors.iter().any(|&error| error as u32 == code)
}

/// Whether a context that has met an error fails from then on.
pub fn stays(error: CUresult) -> bool {
    error == CUDA_ERROR_LAUNCH_TIMEOUT
        || [&HARDWARE[..], &KERNEL].iter().any(|errors| errors.contains(&error))
}

/// What to do about an error, as the end of its sentence; "" where the sentence says enough.
pub fn remedy(code: u32) -> &'static str {
    if is_one_of(code, &HARDWARE) {
        "; the hardware has failed, the system's log (Xid) says how: start the process anew, and where that does not help reset the GPU \
         (nvidia-smi --gpu-reset)"
    } else if is_one_of(code, &KERNEL) {
        "; the device answers so until it is reset (MATLAB: reset (gpuDevice)) or the process is started anew"
    } else if is_one_of(code, &[CUDA_ERROR_LAUNCH_TIMEOUT]) {
        "; the system ends kernels that take long on a GPU with a display: start the process anew"
    } else if is_one_of(code, &[CUDA_ERROR_NO_DEVICE, CUDA_ERROR_DEVICE_UNAVAILABLE]) {
        "; the GPU is gone, or another process has it for itself: see nvidia-smi"
    } else if is_one_of(code, &[CUDA_ERROR_SYSTEM_NOT_READY]) {
        "; the system's GPUs are not ready: see nvidia-smi, and where it has NVSwitch whether nvidia-fabricmanager runs"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_stays_says_what_to_do() {
        for error in HARDWARE.iter().chain(&KERNEL).chain(&[CUDA_ERROR_LAUNCH_TIMEOUT]) {
            assert!(stays(*error) && remedy(*error as u32).contains("the process"), "{error:?}");
        }
        for error in [CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_READY]
        {
            assert!(!stays(error) && remedy(error as u32).is_empty(), "{error:?}");
        }
    }
}
