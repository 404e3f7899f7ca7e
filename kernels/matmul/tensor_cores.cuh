// tensor_cores.cuh — what launchers of matrix products need to know of the tensor cores of the current device.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/grid/compute.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace tensor {

struct TensorCores {
    int major;
    size_t sms;
    bool has_mma, has_wgmma;                                       // and this code uses them
};

// *facts ← that, by the example of a kernel whose code uses mma where the device has it.
template <auto KERNEL>
cudaError_t find_tensor_cores(TensorCores *facts) {
    return remembered(facts, [](int number, TensorCores *found) {
        Compute compute = {};
        cudaError_t error = find_compute(KERNEL, number, &compute);
        if (error == cudaSuccess) error = multiprocessors(&found->sms);
        found->major = compute.major;
        found->has_mma = compute.major >= 8 && compute.ptx >= 80;
#if !defined(MATMUL_TENSOR_PORTABLE)                               // for tests of the other kernels on Hopper
        found->has_wgmma = compute.is_hopper();
#endif
        return error;
    });
}

}  // namespace tensor
