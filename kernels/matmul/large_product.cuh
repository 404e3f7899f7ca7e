// large_product.cuh — large products of float32 by Hopper's tensor cores: a pass that packs operands, then large_wgmma.cuh.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch, in TF32 (PARTS 1) or by three BF16 parts of each operand (PARTS 3)
//
// Algorithm  The pass (matmul/pack.cuh) brings the operands into the form of the tensor cores; TF32 reads A where it is, if elements
//            along k are neighbours and rows aligned to 16 bytes, and rounds it in registers on its way from shared memory. The
//            product is a dependent launch. Tiles are as wide as is done first by an estimate.
// Cost       Bytes of scratch: 6(mk + kn), TF32 4kn and, where A has to be copied, 4mk, each a little more.
// Limits     Any size. Machine code for sm_90a.
// Edges      k and alpha are not 0. Of three parts the first word of the scratch says whether C was left untouched: tensor.cu.
// Source     PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"; CUDA C++ Programming Guide, "Programmatic Dependent Launch".
#pragma once

#include <math.h>

#include "kernels.h"
#include "matmul/float_split.cuh"
#include "matmul/large_wgmma.cuh"
#include "matmul/pack.cuh"
#include "matmul/tensor_map.cuh"
#include "prim/grid/compute.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t FLAG_ROOM = 128;
constexpr size_t HEADER = FLAG_ROOM + 2 * PACK_BLOCKS * sizeof(unsigned);  // bytes of the scratch: flag, magnitudes of A, of B

// ---- host helpers ---------------------------------------------------------------------------------------------------

// What launchers need to know of the current device.
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

inline Operand operand_a(const gpumexk_matmul_args &p) { return make_operand(p.a, p.m, p.k, p.lda, p.stride_a, p.trans_a == 0, p.batch); }
inline Operand operand_b(const gpumexk_matmul_args &p) { return make_operand(p.b, p.n, p.k, p.ldb, p.stride_b, p.trans_b != 0, p.batch); }

inline Output output_of(const gpumexk_matmul_args &p) {
    return {static_cast<float *>(p.c), p.m, p.n, p.ldc, p.stride_c, static_cast<float>(p.alpha), static_cast<float>(p.beta)};
}

// Whether A can be read as it lies, through a tensor map.
inline bool is_direct(const Operand &operand, size_t batch) {
    const size_t limit = size_t(1) << 31;
    const size_t matrix = operand.rows * operand.ld;
    return operand.whole && operand.rows < limit && operand.depth < limit && operand.ld < limit && batch < limit &&
           (batch == 1 || operand.stride == 0 || operand.stride >= matrix) && operand.stride < (size_t(1) << 37);
}

// A tensor map with boxes of a slab of `rows` rows, swizzled for wgmma, zeros outside.
inline cudaError_t make_map(const Operand &operand, size_t batch, unsigned rows, CUtensorMap *map) {
    const bool one = batch == 1 || operand.stride == 0;
    const size_t row = operand.ld * sizeof(float), matrix = (one ? operand.ld : operand.stride) * sizeof(float);
    return make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, operand.data, {operand.depth, operand.rows, one ? 1 : batch},
                           {row, matrix}, {DEPTH<1>, rows, 1}, map);
}

inline unsigned pack_blocks(const Packing &a, const Packing &b) { return static_cast<unsigned>(at_most(a.tiles + b.tiles, PACK_BLOCKS)); }

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
cudaError_t launch_product(const Operand &a, size_t batch, const TensorCores &device, Problem &problem, int cache, cudaStream_t stream) {
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

// Microseconds that an H200 takes for a slab of a tile, of tiles so wide, and what comes to them.
template <int PARTS>
constexpr double slab_time(unsigned width) {
    return PARTS == 3 ? (width == 64 ? 1.25 : 2.0) : width == 64 ? 0.35 : width == 128 ? 0.46 : 0.70;
}
template <int PARTS>
constexpr double LARGE_START = PARTS == 3 ? 6 : 5.3;
template <int PARTS>
constexpr double PASS_BYTES = PARTS == 3 ? 3e6 : 3.7e6;             // that the pass reads and writes in a microsecond

// Of the widths that are served the one whose tiles are done first, and how long they take.
struct Width {
    unsigned cols;
    double time;
};

template <int PARTS, unsigned... WIDTHS>
Width best_width(const gpumexk_matmul_args &p, const TensorCores &device) {
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

// How long the pass and the product behind it take.
template <int PARTS, unsigned... WIDTHS>
double large_time(const gpumexk_matmul_args &p, const TensorCores &device) {
    const double bytes = double(pieces_of_pass<PARTS>(p)) * sizeof(uint4) * (PARTS == 3 ? 10.0 / 6 : 2);  // and those it reads
    return LARGE_START<PARTS> + bytes / PASS_BYTES<PARTS> + best_width<PARTS, WIDTHS...>(p, device).time;
}

// The pass over the operands and the product behind it.
template <int PARTS, unsigned... WIDTHS>
cudaError_t launch_large(const gpumexk_matmul_args &p, void *scratch, int width, const TensorCores &device, int cache,
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

}  // namespace tensor
