// tensor.cu — matrix products of float32 on tensor cores at float32's own accuracy.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch      op(A) (m, k), op(B) (k, n), C (m, n), row-major float32
//
// Algorithm  x = x0 + x1 + x2, three BF16 numbers, and six products (matmul/float_split.cuh). Small products, and all of them on
//            devices other than Hopper's, are one launch (matmul/split_k_wgmma.cuh, split_k_mma.cuh); large ones on Hopper
//            matmul/large_product.cuh, or where C is narrow matmul/narrow_product.cuh.
//            The tensor core cuts off what does not fit into a sum. So 32 along k are summed afresh, small products first, and
//            eight such sums, and those, are added with round to nearest: the error hardly grows with k, and sums of whole
//            numbers below 2^24 are exact.
// Cost       12mnk operations in BF16. Bytes of scratch: 6(mk + kn), a little more, or with a narrow C 6kn, and parts of C.
//            One H200, 4096³: 1.10 ms, 0.10 of it the pass.
//            L2 error against float64 there: 6e-8 uniform(0, 1), 1.2e-7 normal, a tenth of cuBLAS SGEMM's. From k = 64 on it is at most 0.8 of
//            SGEMM's for numbers of 2^-15 to 2^15; where few terms make up a sum, as with 2^-40 to 2^40, up to 1.6 times.
// Limits     Any size. Compute capability 8.0; wgmma 9.0.
// Edges      Where the operands hold what the split cannot represent (NaN, inf, 0 < |x| < 2^-103, |x| ≥ 2^127 or
//            max|a|·max|b|·k ≥ 2^126) the first word of the scratch says so; C stays untouched, or where beta is 0 is arbitrary: the
//            caller lets matmul_tiled compute it. The one launch computes such tiles strictly itself and leaves 0 in the word.
//            k = 0 or alpha = 0: C ← beta·C.
// Source     H. Ootomo, R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical
//            peak performance", IJHPCA 2022: sums outside the tensor core.

#include "kernels.h"
#include "matmul/large_product.cuh"
#include "matmul/narrow_product.cuh"
#include "matmul/split_k_mma.cuh"
#include "matmul/split_k_wgmma.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

using namespace tensor;

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

// Microseconds that an H200 takes for a slab of the one launch, and what comes to them.
constexpr double SPLIT_K_SLAB_TIME = 1.9, SPLIT_K_START = 6;
// The same for the tiles that compute a product where the split does not hold, and have nothing to do where it does.
constexpr double STAND_BY = 1.7;
constexpr TensorCores H200 = {9, 132, true, true};                 // the device of all estimates
constexpr int NARROW = 1;                                          // a tuning's name for the kernel of products with a narrow C

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

// How long one launch takes.
double one_time(const gpumexk_matmul_args &p, const TensorCores &device) {
    const unsigned ranks = best_ranks(p, device);
    const size_t blocks = ceil_div(p.m, SPLIT_K_TILE) * ceil_div(p.n, SPLIT_K_TILE) * p.batch * ranks;
    const double rounds = double(ceil_div(blocks, device.sms));
    const double slabs = double(ceil_div(ceil_div(p.k, DEPTH), ranks));
    return SPLIT_K_START + rounds * slabs * SPLIT_K_SLAB_TIME;
}

// What packs the operands: one launch by itself, or a pass over both of them or over the smaller one.
enum class Packs { INSIDE, BOTH, ONE };

// Of a product that has terms.
Packs choose(const gpumexk_matmul_args &p, const gpumexk_tuning &tuning, const TensorCores &device) {
    if (!device.has_wgmma || tuning.threads == int(SPLIT_K_THREADS)) return Packs::INSIDE;
    if (is_one_of<64, 128>(tuning.values)) return Packs::BOTH;
    if (tuning.values == NARROW && narrow::serves(p)) return Packs::ONE;
    const double both = large_time(p, device), one = narrow::time_of(p, device.sms);
    if (tuning.threads == 0 && one_time(p, device) < fmin(both, one)) return Packs::INSIDE;
    return one < both ? Packs::ONE : Packs::BOTH;
}

bool has_terms(const gpumexk_matmul_args &p) {
    return p.m != 0 && p.n != 0 && p.batch != 0 && p.k != 0 && static_cast<float>(p.alpha) != 0;
}

cudaError_t launch_one(const gpumexk_matmul_args &p, const TensorCores &device, int cache, cudaStream_t stream) {
    const size_t row_tiles = ceil_div(p.m, SPLIT_K_TILE), col_tiles = ceil_div(p.n, SPLIT_K_TILE);
    const size_t tiles = row_tiles * col_tiles * p.batch;
    const SplitKProblem problem = {operand_a(p), operand_b(p), output_of(p), row_tiles, col_tiles, tiles};
    const unsigned ranks = best_ranks(p, device);
    if (!device.has_wgmma) {
        return launch_split_k<matmul_split_k_mma, Allow::WIDE>(problem, ranks, MMA_THREADS, 0, cache, stream);
    }
    return launch_split_k<matmul_split_k_wgmma, Allow::LARGE>(problem, ranks, SPLIT_K_THREADS, SPLIT_K_BYTES, cache, stream);
}

cudaError_t launch_scale(const gpumexk_matmul_args &p, cudaStream_t stream) {
    const dim3 block(32, 8);
    matmul_scale<<<cover(p.n, p.m, block), block, 0, stream>>>(output_of(p), p.batch);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_matmul_tensor_time(const gpumexk_matmul_args *product, double *microseconds) {
    *microseconds = STAND_BY + fmin(large_time(*product, H200), narrow::time_of(*product, H200.sms));
    return cudaSuccess;
}

int gpumexk_matmul_tensor_scratch(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, size_t *bytes) {
    const gpumexk_matmul_args &p = *product;
    *bytes = 0;
    TensorCores device = {};
    const cudaError_t error = find_tensor_cores<matmul_split_k_mma>(&device);
    if (error != cudaSuccess || !has_terms(p)) return error;
    const Packs packs = choose(p, *tuning, device);
    if (packs == Packs::BOTH) *bytes = HEADER + pieces_of_pass(p) * sizeof(uint4);
    if (packs == Packs::ONE) *bytes = narrow::scratch_of(p, device.sms);
    return cudaSuccess;
}

// *flagged ← whether the flag in the scratch will tell if C was left untouched.
int gpumexk_matmul_tensor_f32(const gpumexk_matmul_args *product, void *scratch, int *flagged, const gpumexk_tuning *tuning,
                              gpumexk_stream stream) {
    static_assert(MMA_THREADS == SPLIT_K_THREADS, "one tuning for both");
    const gpumexk_matmul_args &p = *product;
    *flagged = 0;
    TensorCores device = {};
    const cudaError_t error = find_tensor_cores<matmul_split_k_mma>(&device);
    if (error != cudaSuccess) return error;
    if (!device.has_mma) return cudaErrorNotSupported;
    if (!is_one_of<0, int(SPLIT_K_THREADS), int(THREADS)>(tuning->threads)) return cudaErrorInvalidValue;
    if (!is_one_of<0, NARROW, 64, 128>(tuning->values)) return cudaErrorInvalidValue;
    if (p.m == 0 || p.n == 0 || p.batch == 0) return cudaSuccess;
    if (!has_terms(p)) return launch_scale(p, stream);
    const Packs packs = choose(p, *tuning, device);
    if (packs == Packs::INSIDE) return launch_one(p, device, tuning->cache, stream);
    *flagged = 1;
    if (packs == Packs::ONE) return narrow::launch(p, scratch, device.sms, tuning->cache, stream);
    return launch_large(p, scratch, tuning->values == NARROW ? 0 : tuning->values, device, tuning->cache, stream);
}
