// bf16.cu — matrix product of BF16 on the tensor cores of Hopper, sums in float32.
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), BF16; C (m, n), BF16 or float32; row-major; a batch of such
//
// Algorithm  matmul/tma_wgmma.cuh, launched by matmul/tma_wgmma_launch.cuh.
// Cost       2mnk operations; scratch for operands that TMA cannot load as they lie, and for parts of a long k.
// Limits     Compute capability 9.0; on others the caller converts the operands to float32.
// Edges      Infinities and NaN as the tensor core has them, which is as IEEE 754 says; sums beyond BF16 become infinite.
// Source     PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions".

#include "kernels.h"
#include "matmul/tma_wgmma_launch.cuh"

int gpumexk_matmul_bf16(const gpumexk_matmul_args *product, int is_float, void *scratch, const gpumexk_tuning *tuning,
                        gpumexk_stream stream) {
    return tma_wgmma::launch_half<tma_wgmma::Format::BF16>(*product, is_float, scratch, *tuning, stream);
}
