// tensor.cu — matrix products of float32 on tensor cores: at float32's own accuracy, and at TF32's.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch      op(A) (m, k), op(B) (k, n), C (m, n), row-major float32
//
// Algorithm  tensor  x = x0 + x1 + x2, three BF16 numbers, and six products (matmul/float_split.cuh).
//            tf32    One TF32 product, operands rounded to nearest.
//            Small products, and all of them on devices other than Hopper's, are one launch (prim/matmul/single_*.cuh).
//            Large ones on Hopper: a pass brings the operands into the form of the tensor cores (matmul/pack.cuh); tf32
//            reads A where it is, if elements along k are neighbours and rows aligned to 16 bytes, and rounds it in registers on
//            its way from shared memory to the tensor cores. What multiplies is matmul/large_wgmma.cuh.
//            The tensor core cuts off what does not fit into a sum. tensor therefore sums 32 along k afresh, small products
//            first, and adds eight such sums, and those, with round to nearest: the error hardly grows with k, and sums of
//            whole numbers below 2^24 are exact.
// Cost       2mnk operations: tensor six times in BF16, tf32 once. Bytes of scratch: tensor 6(mk + kn), tf32 4kn and, where A has
//            to be copied, 4mk, each a little more. One H200, 4096³: tensor 1.10 ms, 0.10 of it the pass; tf32 0.39 ms.
//            L2 error of tensor against float64 there: 6e-8 uniform(0, 1), 1.2e-7 normal, a tenth of cuBLAS SGEMM's; of tf32
//            2.8e-5 and 2.9e-4, the same as cuBLAS's. At k = 64 and wide exponents tensor's may be 1.14 times SGEMM's.
// Limits     Any size. Compute capability 8.0; wgmma 9.0.
// Edges      tensor: where the operands hold what the split cannot represent (NaN, inf, 0 < |x| < 2^-103, |x| ≥ 2^127 or
//            max|a|·max|b|·k ≥ 2^126) the pass says so in the first word of the scratch and C stays untouched: the caller lets
//            matmul_tiled compute it. The one launch computes such tiles strictly itself and leaves 0 in the word.
//            tf32: inf, NaN and values near the largest give what the hardware gives.
//            k = 0 or alpha = 0: C ← beta·C.
// Source     H. Ootomo, R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical
//            peak performance", IJHPCA 2022: sums outside the tensor core.

#include <math.h>

#include "kernels.h"
#include "matmul/float_split.cuh"
#include "matmul/large_wgmma.cuh"
#include "matmul/pack.cuh"
#include "matmul/split_k_mma.cuh"
#include "matmul/split_k_wgmma.cuh"
#include "matmul/tensor_map.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

using namespace tensor;

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t FLAG_ROOM = 128;
constexpr size_t HEADER = FLAG_ROOM + 2 * PACK_BLOCKS * sizeof(unsigned);  // bytes of the scratch: flag, magnitudes of A, of B

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

// What the launchers need to know of the current device.
struct Device {
    int major;
    size_t sms;
    bool has_mma, has_wgmma;                                       // and this code uses them
};

cudaError_t current_device(Device *device) {
    return remembered(device, [](int number, Device *found) {
        int minor = 0;
        cudaFuncAttributes attributes = {};
        cudaError_t error = cudaDeviceGetAttribute(&found->major, cudaDevAttrComputeCapabilityMajor, number);
        if (error == cudaSuccess) error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, number);
        if (error == cudaSuccess) error = multiprocessors(&found->sms);
        if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, matmul_split_k_mma<3>);
        const int version = attributes.ptxVersion;                 // of the PTX that the code for this device was made from
        found->has_mma = found->major >= 8 && version >= 80;
#if !defined(MATMUL_TENSOR_PORTABLE)                               // for tests of the other kernels on Hopper
        found->has_wgmma = found->major == 9 && minor == 0 && version >= 90;
#endif
        return error;
    });
}

Operand operand_a(const gpumexk_matmul_args &p) { return make_operand(p.a, p.m, p.k, p.lda, p.stride_a, p.trans_a == 0, p.batch); }
Operand operand_b(const gpumexk_matmul_args &p) { return make_operand(p.b, p.n, p.k, p.ldb, p.stride_b, p.trans_b != 0, p.batch); }

Output output_of(const gpumexk_matmul_args &p) {
    return {static_cast<float *>(p.c), p.m, p.n, p.ldc, p.stride_c, static_cast<float>(p.alpha), static_cast<float>(p.beta)};
}

// Whether A can be read as it lies, through a tensor map.
bool is_direct(const Operand &operand, size_t batch) {
    const size_t limit = size_t(1) << 31;
    const size_t matrix = operand.rows * operand.ld;
    return operand.whole && operand.rows < limit && operand.depth < limit && operand.ld < limit && batch < limit &&
           (batch == 1 || operand.stride == 0 || operand.stride >= matrix) && operand.stride < (size_t(1) << 37);
}

// A tensor map with boxes of a slab of `rows` rows, swizzled for wgmma, zeros outside.
cudaError_t make_map(const Operand &operand, size_t batch, unsigned rows, CUtensorMap *map) {
    const bool one = batch == 1 || operand.stride == 0;
    const size_t row = operand.ld * sizeof(float), matrix = (one ? operand.ld : operand.stride) * sizeof(float);
    return make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, operand.data, {operand.depth, operand.rows, one ? 1 : batch},
                           {row, matrix}, {DEPTH<1>, rows, 1}, map);
}

unsigned pack_blocks(const Packing &a, const Packing &b) { return static_cast<unsigned>(at_most(a.tiles + b.tiles, PACK_BLOCKS)); }

// What the pass writes.
template <int PARTS>
size_t pieces_of_pass(const gpumexk_matmul_args &p) {
    const Operand a = operand_a(p), b = operand_b(p);
    const size_t of_a = PARTS == 3 || !is_direct(a, p.batch) ? packed_size<PARTS>(a) * packed_matrices(a, p.batch) : 0;
    return of_a + packed_size<PARTS>(b) * packed_matrices(b, p.batch);
}

template <int PARTS>
cudaError_t launch_pack(const Packing &a, const Packing &b, int cache, cudaStream_t stream) {
    if (a.tiles + b.tiles == 0) return cudaSuccess;
    return launch<matmul_pack<PARTS>>(dim3(pack_blocks(a, b)), dim3(PACK_THREADS), cache, stream, a, b);
}

template <typename S>
cudaError_t launch_product(const Operand &a, size_t batch, const Device &device, Problem &problem, int cache, cudaStream_t stream) {
    static_assert(S::PARTS == 1 || S::SUMS <= 64, "three sets of sums fit into the registers of a thread");
    constexpr auto KERNEL = matmul_wgmma<S>;
    const unsigned blocks = problem.output.rows > TILE_ROWS ? 2 : 1;
    problem.row_tiles = ceil_div(problem.output.rows, TILE_ROWS * blocks);
    problem.col_tiles = ceil_div(problem.output.cols, S::COLS);
    problem.tiles = problem.row_tiles * problem.col_tiles * batch;
    cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error == cudaSuccess) error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, int(S::BYTES));
    if (error == cudaSuccess && problem.a.packed == nullptr) error = make_map(a, batch, TILE_ROWS, &problem.map_a);
    if (error != cudaSuccess) return error;
    cudaLaunchAttribute attributes[2] = {cluster_of(blocks), {}};
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(at_most(problem.tiles, device.sms / blocks)) * blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = S::BYTES;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = problem.pack_blocks != 0 ? 2 : 1;            // a dependent launch of the packing kernel
    return cudaLaunchKernelEx(&config, KERNEL, static_cast<const Problem &>(problem));
}

// Microseconds that an H200 takes for a slab of a tile, of tiles so wide; for a slab of the one launch; and what comes to them.
template <int PARTS>
constexpr double slab_time(unsigned width) {
    return PARTS == 3 ? (width == 64 ? 1.25 : 2.0) : width == 64 ? 0.35 : width == 128 ? 0.46 : 0.70;
}
template <int PARTS>
constexpr double SPLIT_K_SLAB_TIME = PARTS == 3 ? 1.9 : 1.4;
template <int PARTS>
constexpr double LARGE_START = PARTS == 3 ? 6 : 8;
constexpr double SPLIT_K_START = 6;
constexpr double PASS_BYTES = 3e6;                                 // that the pass reads and writes in a microsecond

// Of the widths that are served the one whose tiles are done first, and how long they take.
struct Width {
    unsigned cols;
    double time;
};

template <int PARTS, unsigned... WIDTHS>
Width best_width(const gpumexk_matmul_args &p, const Device &device) {
    const size_t high = p.m > TILE_ROWS ? 2 : 1, clusters = device.sms / high;
    Width best = {0, INFINITY};
    const auto consider = [&](unsigned width) {
        const size_t tiles = ceil_div(p.m, TILE_ROWS * high) * ceil_div(p.n, width) * p.batch;
        const double time = double(ceil_div(tiles, clusters)) * double(ceil_div(p.k, DEPTH<PARTS>)) * slab_time<PARTS>(width);
        if (time < best.time) best = {width, time};
    };
    (consider(WIDTHS), ...);
    return best;
}

// The pass over the operands and the product behind it.
template <int PARTS, unsigned... WIDTHS>
cudaError_t launch_large(const gpumexk_matmul_args &p, void *scratch, int width, const Device &device, int cache,
                         cudaStream_t stream) {
    const Operand a = operand_a(p), b = operand_b(p);
    uint4 *const packed = reinterpret_cast<uint4 *>(static_cast<char *>(scratch) + HEADER);
    const bool packs_a = PARTS == 3 || !is_direct(a, p.batch);
    uint4 *const packed_b = packed + (packs_a ? packed_size<PARTS>(a) * packed_matrices(a, p.batch) : 0);
    unsigned *const flag = static_cast<unsigned *>(scratch), *const magnitudes = flag + FLAG_ROOM / sizeof *flag;
    const Packing packing_a = make_packing<PARTS>(a, packs_a ? packed : nullptr, magnitudes, p.batch);
    const Packing packing_b = make_packing<PARTS>(b, packed_b, magnitudes + PACK_BLOCKS, p.batch);
    const cudaError_t error = launch_pack<PARTS>(packing_a, packing_b, cache, stream);
    if (error != cudaSuccess) return error;

    Problem problem = {};
    problem.a = {packing_a.target, a.stride == 0 ? 0 : packed_size<PARTS>(a), packing_a.padded_rows};
    problem.b = {packing_b.target, b.stride == 0 ? 0 : packed_size<PARTS>(b), packing_b.padded_rows};
    problem.output = output_of(p);
    problem.depth = p.k;
    problem.slabs = ceil_div(p.k, DEPTH<PARTS>);
    problem.batched_a = a.stride != 0;
    problem.paired = reinterpret_cast<size_t>(p.c) % sizeof(float2) == 0 && p.ldc % 2 == 0 && (p.batch == 1 || p.stride_c % 2 == 0);
    problem.flag = flag;
    problem.magnitudes_a = packing_a.magnitudes;
    problem.magnitudes_b = packing_b.magnitudes;
    problem.pack_blocks = pack_blocks(packing_a, packing_b);
    if (width == 0) width = static_cast<int>(best_width<PARTS, WIDTHS...>(p, device).cols);
    return dispatch_value<WIDTHS...>(width, [&](auto chosen) -> cudaError_t {
        return launch_product<Shape<PARTS, decltype(chosen)::value>>(a, p.batch, device, problem, cache, stream);
    });
}

// Blocks that share k, as long as each has a multiprocessor and two slabs.
template <int PARTS>
unsigned best_ranks(const gpumexk_matmul_args &p, const Device &device) {
    const size_t tiles = ceil_div(p.m, SPLIT_K_TILE) * ceil_div(p.n, SPLIT_K_TILE) * p.batch, slabs = ceil_div(p.k, DEPTH<PARTS>);
    unsigned ranks = 1;
    while (device.major >= 9 && ranks < RANKS_MAX && tiles * ranks * 2 <= device.sms && slabs >= ranks * 2) ranks *= 2;
    return ranks;
}

// Whether one launch is faster than the pass and what follows.
template <int PARTS, unsigned... WIDTHS>
bool is_small(const gpumexk_matmul_args &p, const Device &device) {
    const unsigned ranks = best_ranks<PARTS>(p, device);
    const size_t blocks = ceil_div(p.m, SPLIT_K_TILE) * ceil_div(p.n, SPLIT_K_TILE) * p.batch * ranks;
    const double rounds = double(ceil_div(blocks, device.sms));
    const double slabs = double(ceil_div(ceil_div(p.k, DEPTH<PARTS>), ranks));
    const double split_k = SPLIT_K_START + rounds * slabs * SPLIT_K_SLAB_TIME<PARTS>;
    const double bytes = double(pieces_of_pass<PARTS>(p)) * sizeof(uint4) * (PARTS == 3 ? 10.0 / 6 : 2);  // and those it reads
    return split_k < LARGE_START<PARTS> + bytes / PASS_BYTES + best_width<PARTS, WIDTHS...>(p, device).time;
}

// `values` blocks share k.
template <int PARTS>
cudaError_t launch_one(const gpumexk_matmul_args &p, const gpumexk_tuning &tuning, const Device &device, cudaStream_t stream) {
    const size_t row_tiles = ceil_div(p.m, SPLIT_K_TILE), col_tiles = ceil_div(p.n, SPLIT_K_TILE);
    const size_t tiles = row_tiles * col_tiles * p.batch;
    const SplitKProblem problem = {operand_a(p), operand_b(p), output_of(p), row_tiles, col_tiles, tiles};
    return dispatch_value<0, 1, 2, 4, 8>(tuning.values, [&](auto chosen) -> cudaError_t {
        const unsigned ranks = decltype(chosen)::value == 0 ? best_ranks<PARTS>(p, device) : decltype(chosen)::value;
        if (ranks > 1 && device.major < 9) return cudaErrorInvalidValue;  // clusters
        if (!device.has_wgmma) {
            return launch_split_k<matmul_split_k_mma<PARTS>, Allow::WIDE>(problem, ranks, MMA_THREADS, 0, tuning.cache, stream);
        }
        return launch_split_k<matmul_split_k_wgmma<PARTS>, Allow::LARGE>(problem, ranks, SPLIT_K_THREADS, SPLIT_K_BYTES<PARTS>,
                                                                        tuning.cache, stream);
    });
}

cudaError_t launch_scale(const gpumexk_matmul_args &p, cudaStream_t stream) {
    const dim3 block(32, 8);
    matmul_scale<<<cover(p.n, p.m, block), block, 0, stream>>>(output_of(p), p.batch);
    return cudaGetLastError();
}

// threads SPLIT_K_THREADS: one launch, `values` blocks share k; THREADS: the pass and tiles `values` columns wide; 0: by the size.
// values 0: the best. *flagged ← whether the flag in the scratch will tell if C was left untouched.
template <int PARTS, unsigned... WIDTHS>
cudaError_t launch_tensor(const gpumexk_matmul_args &p, void *scratch, const gpumexk_tuning &tuning, bool *flagged,
                          cudaStream_t stream) {
    static_assert(MMA_THREADS == SPLIT_K_THREADS, "one tuning for both");
    Device device = {};
    const cudaError_t error = current_device(&device);
    if (error != cudaSuccess) return error;
    if (!device.has_mma) return cudaErrorNotSupported;
    if (tuning.threads == 0 && tuning.values != 0) return cudaErrorInvalidValue;
    int threads = tuning.threads;
    if (threads == 0) threads = device.has_wgmma && !is_small<PARTS, WIDTHS...>(p, device) ? THREADS : SPLIT_K_THREADS;
    if (threads != int(SPLIT_K_THREADS) && (threads != int(THREADS) || !device.has_wgmma)) return cudaErrorInvalidValue;
    *flagged = false;
    if (p.m == 0 || p.n == 0 || p.batch == 0) return cudaSuccess;
    if (p.k == 0 || static_cast<float>(p.alpha) == 0) return launch_scale(p, stream);
    if (threads == int(SPLIT_K_THREADS)) return launch_one<PARTS>(p, tuning, device, stream);
    *flagged = PARTS == 3;
    return launch_large<PARTS, WIDTHS...>(p, scratch, tuning.values, device, tuning.cache, stream);
}

}  // namespace

int gpumexk_matmul_tensor_scratch(const gpumexk_matmul_args *product, size_t *bytes) {
    *bytes = HEADER + pieces_of_pass<3>(*product) * sizeof(uint4);
    return cudaSuccess;
}

int gpumexk_matmul_tensor_f32(const gpumexk_matmul_args *product, void *scratch, int *flagged, const gpumexk_tuning *tuning,
                              gpumexk_stream stream) {
    bool has_flag = false;
    const cudaError_t error = launch_tensor<3, 64, 128>(*product, scratch, *tuning, &has_flag, stream);
    *flagged = has_flag;
    return error;
}

int gpumexk_matmul_tf32_scratch(const gpumexk_matmul_args *product, size_t *bytes) {
    *bytes = HEADER + pieces_of_pass<1>(*product) * sizeof(uint4);
    return cudaSuccess;
}

int gpumexk_matmul_tf32_f32(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning,
                            gpumexk_stream stream) {
    bool has_flag = false;                                         // never
    return launch_tensor<1, 64, 128, 256>(*product, scratch, *tuning, &has_flag, stream);
}
