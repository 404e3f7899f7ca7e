// f16.cu — matrix product of F16 on the tensor cores of Hopper, sums in float32.
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), F16; C (m, n), F16 or float32; row-major; a batch of such
//
// Algorithm  matmul/tma_wgmma.cuh, launched by matmul/tma_wgmma_launch.cuh.
// Cost       2mnk operations; scratch for operands that TMA cannot load as they lie, and for parts of a long k.
// Limits     Compute capability 9.0; on others the caller converts the operands to float32.
// Edges      Infinities and NaN as the tensor core has them, which is as IEEE 754 says; sums beyond F16 become infinite.
// Source     PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions".

#include "kernels.h"
#include "matmul/tma_wgmma_launch.cuh"

int gpumexk_matmul_half_serves(const gpumexk_matmul_args *product, int *serves) {
    tma_wgmma::Device device = {};
    const cudaError_t error = tma_wgmma::find_device<tma_wgmma::Format::F16>(&device);
    *serves = error == cudaSuccess && tma_wgmma::serves<tma_wgmma::Format::F16>(*product, device);
    return error;
}

int gpumexk_matmul_half_scratch(const gpumexk_matmul_args *product, size_t *bytes) {
    tma_wgmma::Device device = {};
    const cudaError_t error = tma_wgmma::find_device<tma_wgmma::Format::F16>(&device);
    *bytes = tma_wgmma::scratch_of<tma_wgmma::Format::F16>(*product, device);
    return error;
}

int gpumexk_matmul_f16(const gpumexk_matmul_args *product, int is_float, void *scratch, const gpumexk_tuning *tuning,
                       gpumexk_stream stream) {
    return tma_wgmma::launch_half<tma_wgmma::Format::F16>(*product, is_float, scratch, *tuning, stream);
}
