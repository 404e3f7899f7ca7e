// compute.cuh — what the code of a kernel on a device was made for.
//
// Limits     The runtime says it of each kernel; one kernel of a file is an example of the others.
// Source     CUDA C++ Programming Guide, "Compute Capabilities"; CUDA Runtime API, cudaFuncGetAttributes.
#pragma once

#include <cuda_runtime.h>

// ---- host helpers ---------------------------------------------------------------------------------------------------

struct Compute {
    int major, minor;                                              // of the device
    int ptx;                                                       // of the PTX that the code for it was made from: 10 · major + minor

    // Whether both have what compute capability 9.0 alone has: TMA of tiles with clusters, wgmma.
    bool is_hopper() const { return major == 9 && minor == 0 && ptx >= 90; }
};

// *found ← that of a device, the current one, by the example of a kernel.
template <typename... Parameters>
cudaError_t find_compute(void (*kernel)(Parameters...), int device, Compute *found) {
    cudaFuncAttributes attributes = {};
    cudaError_t error = cudaDeviceGetAttribute(&found->major, cudaDevAttrComputeCapabilityMajor, device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&found->minor, cudaDevAttrComputeCapabilityMinor, device);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, kernel);
    found->ptx = attributes.ptxVersion;
    return error;
}
