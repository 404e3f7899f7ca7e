// tensor.cu — matrix products of float32 on tensor cores at float32's own accuracy.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch      op(A) (m, k), op(B) (k, n), C (m, n), row-major float32
//
// Algorithm  x = x0 + x1 + x2, three BF16 numbers, and six products (matmul/float_split.cuh). Small products, and all of them on
//            devices other than Hopper's, are one launch (matmul/split_k_wgmma.cuh, split_k_mma.cuh); large ones on Hopper
//            matmul/large_product.cuh.
//            The tensor core cuts off what does not fit into a sum. So 32 along k are summed afresh, small products first, and
//            eight such sums, and those, are added with round to nearest: the error hardly grows with k, and sums of whole
//            numbers below 2^24 are exact.
// Cost       12mnk operations in BF16. Bytes of scratch: 6(mk + kn), a little more. One H200, 4096³: 1.10 ms, 0.10 of it the pass.
//            L2 error against float64 there: 6e-8 uniform(0, 1), 1.2e-7 normal, a tenth of cuBLAS SGEMM's. From k = 64 on it is at most 0.8 of
//            SGEMM's for numbers of 2^-15 to 2^15; where few terms make up a sum, as with 2^-40 to 2^40, up to 1.6 times.
// Limits     Any size. Compute capability 8.0; wgmma 9.0.
// Edges      Where the operands hold what the split cannot represent (NaN, inf, 0 < |x| < 2^-103, |x| ≥ 2^127 or
//            max|a|·max|b|·k ≥ 2^126) the pass says so in the first word of the scratch and C stays untouched: the caller lets
//            matmul_tiled compute it. The one launch computes such tiles strictly itself and leaves 0 in the word.
//            k = 0 or alpha = 0: C ← beta·C.
// Source     H. Ootomo, R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical
//            peak performance", IJHPCA 2022: sums outside the tensor core.

#include "kernels.h"
#include "matmul/large_product.cuh"
#include "matmul/split_k_mma.cuh"
#include "matmul/split_k_wgmma.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

using namespace tensor;

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

// Microseconds that an H200 takes for a slab of the one launch, and what comes to them.
constexpr double SPLIT_K_SLAB_TIME = 1.9, SPLIT_K_START = 6;

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void matmul_scale(Output output, size_t batch) {
    for (size_t z = 0; z < batch; ++z) {
        for (size_t i = grid_y(); i < output.rows; i += grid_height()) {
            for (size_t j = grid_x(); j < output.cols; j += grid_width()) {
                float *const place = &output.c[z * output.stride + i * output.ld + j];
                *place = output.beta == 0 ? 0.0f : output.beta * *place;
            }
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// Blocks that share k, as long as each has a multiprocessor and two slabs.
unsigned best_ranks(const gpumexk_matmul_args &p, const TensorCores &device) {
    const size_t tiles = ceil_div(p.m, SPLIT_K_TILE) * ceil_div(p.n, SPLIT_K_TILE) * p.batch, slabs = ceil_div(p.k, DEPTH);
    unsigned ranks = 1;
    while (device.major >= 9 && ranks < RANKS_MAX && tiles * ranks * 2 <= device.sms && slabs >= ranks * 2) ranks *= 2;
    return ranks;
}

// Whether one launch is faster than the pass and what follows.
bool is_small(const gpumexk_matmul_args &p, const TensorCores &device) {
    const unsigned ranks = best_ranks(p, device);
    const size_t blocks = ceil_div(p.m, SPLIT_K_TILE) * ceil_div(p.n, SPLIT_K_TILE) * p.batch * ranks;
    const double rounds = double(ceil_div(blocks, device.sms));
    const double slabs = double(ceil_div(ceil_div(p.k, DEPTH), ranks));
    return SPLIT_K_START + rounds * slabs * SPLIT_K_SLAB_TIME < large_time(p, device);
}

// `values` blocks share k.
cudaError_t launch_one(const gpumexk_matmul_args &p, const gpumexk_tuning &tuning, const TensorCores &device, cudaStream_t stream) {
    const size_t row_tiles = ceil_div(p.m, SPLIT_K_TILE), col_tiles = ceil_div(p.n, SPLIT_K_TILE);
    const size_t tiles = row_tiles * col_tiles * p.batch;
    const SplitKProblem problem = {operand_a(p), operand_b(p), output_of(p), row_tiles, col_tiles, tiles};
    return dispatch_value<0, 1, 2, 4, 8>(tuning.values, [&](auto chosen) -> cudaError_t {
        const unsigned ranks = decltype(chosen)::value == 0 ? best_ranks(p, device) : decltype(chosen)::value;
        if (ranks > 1 && device.major < 9) return cudaErrorInvalidValue;  // clusters
        if (!device.has_wgmma) {
            return launch_split_k<matmul_split_k_mma, Allow::WIDE>(problem, ranks, MMA_THREADS, 0, tuning.cache, stream);
        }
        return launch_split_k<matmul_split_k_wgmma, Allow::LARGE>(problem, ranks, SPLIT_K_THREADS, SPLIT_K_BYTES, tuning.cache, stream);
    });
}

cudaError_t launch_scale(const gpumexk_matmul_args &p, cudaStream_t stream) {
    const dim3 block(32, 8);
    matmul_scale<<<cover(p.n, p.m, block), block, 0, stream>>>(output_of(p), p.batch);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_matmul_tensor_scratch(const gpumexk_matmul_args *product, size_t *bytes) {
    *bytes = HEADER + pieces_of_pass(*product) * sizeof(uint4);
    return cudaSuccess;
}

// threads SPLIT_K_THREADS: one launch, `values` blocks share k; THREADS: the pass and tiles `values` columns wide; 0: by the size.
// values 0: the best. *flagged ← whether the flag in the scratch will tell if C was left untouched.
int gpumexk_matmul_tensor_f32(const gpumexk_matmul_args *product, void *scratch, int *flagged, const gpumexk_tuning *tuning,
                              gpumexk_stream stream) {
    static_assert(MMA_THREADS == SPLIT_K_THREADS, "one tuning for both");
    const gpumexk_matmul_args &p = *product;
    *flagged = 0;
    TensorCores device = {};
    const cudaError_t error = find_tensor_cores<matmul_split_k_mma>(&device);
    if (error != cudaSuccess) return error;
    if (!device.has_mma) return cudaErrorNotSupported;
    if (tuning->threads == 0 && tuning->values != 0) return cudaErrorInvalidValue;
    int threads = tuning->threads;
    if (threads == 0) threads = device.has_wgmma && !is_small(p, device) ? THREADS : SPLIT_K_THREADS;
    if (threads != int(SPLIT_K_THREADS) && (threads != int(THREADS) || !device.has_wgmma)) return cudaErrorInvalidValue;
    if (p.m == 0 || p.n == 0 || p.batch == 0) return cudaSuccess;
    if (p.k == 0 || static_cast<float>(p.alpha) == 0) return launch_scale(p, stream);
    if (threads == int(SPLIT_K_THREADS)) return launch_one(p, *tuning, device, stream);
    *flagged = 1;
    return launch_large(p, scratch, tuning->values, device, tuning->cache, stream);
}
