// large_product.cuh — large products of float32 by Hopper's tensor cores: a pass that packs operands, then large_wgmma.cuh.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch, by three BF16 parts of each operand
//
// Algorithm  The pass (matmul/pack.cuh) brings the operands into the form of the tensor cores. The product is a dependent launch. Tiles
//            are as wide as is done first by an estimate.
// Cost       Bytes of scratch: 6(mk + kn), and a little more.
// Limits     Any size. Machine code for sm_90a.
// Edges      k and alpha are not 0. The first word of the scratch says whether C was left untouched: tensor.cu.
// Source     PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions"; CUDA C++ Programming Guide, "Programmatic Dependent Launch".
#pragma once

#include <math.h>

#include "kernels.h"
#include "matmul/float_split.cuh"
#include "matmul/large_wgmma.cuh"
#include "matmul/pack.cuh"
#include "matmul/tensor_cores.cuh"
#include "matmul/tma_wgmma_launch.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t FLAG_ROOM = 128;
constexpr size_t HEADER = FLAG_ROOM + 2 * PACK_BLOCKS * sizeof(unsigned);  // bytes of the scratch: flag, magnitudes of A, of B

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline Operand operand_a(const gpumexk_matmul_args &p) { return make_operand(p.a, p.m, p.k, p.lda, p.stride_a, p.trans_a == 0, p.batch); }
inline Operand operand_b(const gpumexk_matmul_args &p) { return make_operand(p.b, p.n, p.k, p.ldb, p.stride_b, p.trans_b != 0, p.batch); }

inline Output output_of(const gpumexk_matmul_args &p) {
    return {static_cast<float *>(p.c), p.m, p.n, p.ldc, p.stride_c, static_cast<float>(p.alpha), static_cast<float>(p.beta)};
}

// What the pass writes.
inline size_t pieces_of_pass(const gpumexk_matmul_args &p) {
    const Operand a = operand_a(p), b = operand_b(p);
    return packed_size(a) * packed_matrices(a, p.batch) + packed_size(b) * packed_matrices(b, p.batch);
}

template <typename S>
cudaError_t launch_product(size_t batch, const TensorCores &device, Problem &problem, int cache, cudaStream_t stream) {
    static_assert(S::SUMS <= 64, "three sets of sums fit into the registers of a thread");
    constexpr auto KERNEL = matmul_wgmma<S>;
    const unsigned blocks = problem.output.rows > TILE_ROWS ? 2 : 1;
    problem.row_tiles = ceil_div(problem.output.rows, TILE_ROWS * blocks);
    problem.col_tiles = ceil_div(problem.output.cols, S::COLS);
    problem.tiles = problem.row_tiles * problem.col_tiles * batch;
    cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error == cudaSuccess) error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, int(S::BYTES));
    if (error != cudaSuccess) return error;
    cudaLaunchAttribute attributes[2] = {cluster_of(blocks), dependent_launch()};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(at_most(problem.tiles, device.sms / blocks)) * blocks);
    config.blockDim = dim3(THREADS);
    config.dynamicSmemBytes = S::BYTES;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = 2;                                           // behind the packing kernel
    return cudaLaunchKernelEx(&config, KERNEL, static_cast<const Problem &>(problem));
}

// Microseconds that an H200 takes for a slab of a tile of so many columns, for its C, and for more of it where TMA does not store it; for
// the launches, and bytes that the pass reads and writes in one. Fitted to 94 random products.
struct LargePace {
    unsigned cols;
    double slab, tile, by_lines;
};
constexpr LargePace LARGE_PACES[] = {{64, 0.95, 1.6, 1}, {128, 1.68, 3, 2}};
constexpr double LARGE_START = 9.5, PASS_BYTES = 3.6e6;

inline bool is_stored_by_tma(const gpumexk_matmul_args &p) { return p.beta == 0 && tma_wgmma::MatrixC(p, false, 1).fits(); }

// The width whose tiles are done first, and how long they take.
struct Width {
    unsigned cols;
    double time;
};

inline Width best_width(const gpumexk_matmul_args &p, const TensorCores &device) {
    const size_t high = p.m > TILE_ROWS ? 2 : 1, clusters = device.sms / high;
    const bool by_tma = is_stored_by_tma(p);
    Width best = {0, INFINITY};
    for (const LargePace &pace : LARGE_PACES) {
        const size_t tiles = ceil_div(p.m, TILE_ROWS * high) * ceil_div(p.n, pace.cols) * p.batch;
        const double tile = double(ceil_div(p.k, DEPTH)) * pace.slab + pace.tile + (by_tma ? 0 : pace.by_lines);
        const double time = double(ceil_div(tiles, clusters)) * tile;
        if (time < best.time) best = {pace.cols, time};
    }
    return best;
}

// How long the pass and the product behind it take.
inline double large_time(const gpumexk_matmul_args &p, const TensorCores &device) {
    const double bytes = double(pieces_of_pass(p)) * sizeof(uint4) * (10.0 / 6);  // and those it reads
    return LARGE_START + bytes / PASS_BYTES + best_width(p, device).time;
}

// The pass over the operands and the product behind it.
inline cudaError_t launch_large(const gpumexk_matmul_args &p, void *scratch, int width, const TensorCores &device, int cache,
                                cudaStream_t stream) {
    const Operand a = operand_a(p), b = operand_b(p);
    uint4 *const packed = reinterpret_cast<uint4 *>(static_cast<char *>(scratch) + HEADER);
    uint4 *const packed_b = packed + packed_size(a) * packed_matrices(a, p.batch);
    unsigned *const flag = static_cast<unsigned *>(scratch), *const magnitudes = flag + FLAG_ROOM / sizeof *flag;
    const Packing packing_a = make_packing(a, packed, magnitudes, p.batch);
    const Packing packing_b = make_packing(b, packed_b, magnitudes + PACK_BLOCKS, p.batch);
    const unsigned blocks = static_cast<unsigned>(at_most(packing_a.tiles + packing_b.tiles, PACK_BLOCKS));
    cudaError_t error = launch<matmul_pack>(dim3(blocks), dim3(PACK_THREADS), cache, stream, packing_a, packing_b, flag);
    if (error != cudaSuccess) return error;

    Problem problem = {};
    problem.a = {packing_a.target, a.stride == 0 ? 0 : packed_size(a), packing_a.padded_rows};
    problem.b = {packing_b.target, b.stride == 0 ? 0 : packed_size(b), packing_b.padded_rows};
    problem.output = tma_wgmma::output_of(p, false, false, 1);
    problem.store = tma_wgmma::Store::BY_LINES;
    if (is_stored_by_tma(p)) {
        error = tma_wgmma::make_map_c<Format::TF32>(tma_wgmma::MatrixC(p, false, 1), 1, &problem.map_c);
        if (error == cudaSuccess) problem.store = tma_wgmma::Store::BY_TMA;
        else if (error != cudaErrorNotSupported) return error;     // by the driver, which makes no tensor map of it
    }
    problem.depth = p.k;
    problem.slabs = ceil_div(p.k, DEPTH);
    problem.flag = flag;
    problem.magnitudes_a = packing_a.magnitudes;
    problem.magnitudes_b = packing_b.magnitudes;
    problem.pack_blocks = blocks;
    if (width == 0) width = static_cast<int>(best_width(p, device).cols);
    return dispatch_value<64, 128>(width, [&](auto chosen) -> cudaError_t {
        return launch_product<Shape<decltype(chosen)::value>>(p.batch, device, problem, cache, stream);
    });
}

}  // namespace tensor
