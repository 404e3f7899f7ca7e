// device.cu — whether the current device can run this library, and the texts of CUDA errors.
//
// Algorithm  Queries the attributes of a kernel of ours: the runtime must then find and load machine code (or compile
//            PTX) for the current device, and says why it cannot: no code for it, driver too old, no device.
// Cost       The first query on a device loads this file's code, later ones are a look-up.
// Limits     Valid for all files here: they are compiled for the same architectures.
// Edges      An error stays with the thread until it is cleared, or for good when it is a fault of the device.
// Source     CUDA Runtime API, "Execution Control": cudaFuncGetAttributes.

#include "kernels.h"

#include <cuda_runtime.h>

// ---- kernels --------------------------------------------------------------------------------------------------------

namespace {

__global__ void device_probe() {}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_device_ready(void) {
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, device_probe);
}

void gpumexk_clear_error(void) { (void)cudaGetLastError(); }

const char *gpumexk_error_string(int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }
