// tma_f64.cuh — matrix product in double with TMA loads, on the tensor cores of compute capability 9.0.
//
//   C ← alpha · op(A) · op(B) + beta · C, for each of a batch
//
// Algorithm  A block has a tile of C. Its warps form TEAMS, each with all of the tile and a part of k; the warps of a team have
//            equal parts of the tile, their sums in registers. Slabs of A and B, 16 along k, are loaded by TMA through a ring
//            of STAGES stages a team, which its warps refill in turn. They wait for mbarriers, never for each other, and read
//            the fragments of the next 8 of k while they multiply. The blocks of a cluster share a tile (split-K): all their
//            teams have equal parts of k in whole slabs, and cluster_sum.cuh reduces them.
//            How operands lie in shared memory, and which rows, columns and k a lane has, is tma_f64_side.cuh's.
// Cost       mnk multiply-adds; a tile of HEIGHT × WIDTH reads (HEIGHT + WIDTH) · k elements. m16n8k8 does 98 % of what the
//            tensor cores can with two warps a scheduler, 70 to 80 % with one; m16n8k4 93 %, as measured on an H200.
// Limits     Less than 2^31 rows, columns, tiles of the batch, whose operands are multiples of 16 bytes apart.
// Edges      Elements outside the operands are zero, in a box as in the product. More teams than slabs: some add zeros.
// Source     PTX ISA, "Matrix Fragments for mma.m16n8k8" with .f64.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "matmul/cluster_sum.cuh"
#include "matmul/epilogue.cuh"
#include "matmul/mma_f64.cuh"
#include "matmul/pipeline.cuh"
#include "matmul/tensor_map.cuh"
#include "matmul/tile_swizzle.cuh"
#include "matmul/tma_f64_side.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace tma {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned BAND = 2048;                                    // rows of C in a band of the swizzle
constexpr size_t FEWEST = 16;                                      // rows and columns; one row is faster by small tiles
constexpr size_t PERMUTED = 1024;                                  // bytes after which the permutation of pieces repeats

// A block's tile of C and a warp's part of it, teams, places of the ring of each, blocks on a multiprocessor, what operands it loads.
template <int HEIGHT_, int WIDTH_, int WARP_HEIGHT_, int WARP_WIDTH_, int TEAMS_, int STAGES_, int BLOCKS_, Rows ROWS = Rows::ALIGNED>
struct Tile {
    static constexpr bool ALIGNED = ROWS == Rows::ALIGNED;
    static constexpr int HEIGHT = HEIGHT_, WIDTH = WIDTH_, WARP_HEIGHT = WARP_HEIGHT_, WARP_WIDTH = WARP_WIDTH_;
    static constexpr int TEAMS = TEAMS_, STAGES = STAGES_, BLOCKS = BLOCKS_;
    static constexpr int WARPS_ACROSS = WIDTH / WARP_WIDTH, WARPS = HEIGHT / WARP_HEIGHT * WARPS_ACROSS;  // of a team
    static constexpr int TEAM = WARPS * WARP, THREADS = TEAMS * TEAM;
    static constexpr int DOWN = WARP_HEIGHT / UNIT, ACROSS = WARP_WIDTH / UNIT;  // units
    static constexpr uint32_t LINE_BYTES = LINE + (ALIGNED ? 0 : ROOM * sizeof(double));  // at most, of a row or column of C
    static constexpr uint32_t BYTES_A = HEIGHT * LINE_BYTES, BYTES_B = WIDTH * LINE_BYTES, STAGE_BYTES = BYTES_A + BYTES_B;
    static constexpr size_t SUM_BYTES = size_t(HEIGHT) * WIDTH * sizeof(double);
    static constexpr size_t RING_BYTES = (size_t(STAGES) * STAGE_BYTES + PERMUTED - 1) / PERMUTED * PERMUTED;
    static constexpr size_t BYTES = TEAMS * (RING_BYTES + 2 * STAGES * sizeof(uint64_t));
};

struct Problem {
    Operand a, b;
    CUtensorMap map_c;                                             // for tma_f64_stored.cuh alone
    Result<double> c;
    size_t stride_c;
    unsigned slabs, tile_rows, tile_cols, tiles;                   // tiles: of all the batch
    unsigned band;                                                 // of the swizzle, in tiles
    bool by_lines;                                                 // tma_f64_stored.cuh stores C without TMA
    unsigned element;                                              // bytes
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// A warp's part of a tile of C: its sums, and fragments of A and B, one set of which is multiplied while the other is read.
template <typename T, bool A_ALONG_K, bool B_ALONG_K>
struct WarpTile {
    static constexpr bool TURNED = A_ALONG_K && !B_ALONG_K;        // op(B) gives the rows of the instruction, op(A) its columns
    static constexpr bool SPACED = !TURNED && !B_ALONG_K && T::ALIGNED;  // fragments of columns are 8 apart, not neighbours
    template <int EDGE, int UNITS, bool ALONG_K, bool TALL>
    using Side = std::conditional_t<T::ALIGNED, AlignedSide<EDGE, UNITS, ALONG_K, TALL>, ShiftedSide<EDGE, UNITS, ALONG_K, TALL>>;
    using SideA = Side<T::HEIGHT, T::DOWN, A_ALONG_K, !TURNED>;
    using SideB = Side<T::WIDTH, T::ACROSS, B_ALONG_K, TURNED>;
    static constexpr int SLOTS = T::DOWN * T::ACROSS * 4;          // pairs of sums that are neighbours in a row of C

    unsigned row, col;                                             // of the block's tile
    SideA side_a;
    SideB side_b;
    typename SideA::Values a[2];
    typename SideB::Values b[2];
    double sums[T::DOWN][T::ACROSS][2][4];                         // by unit, unit, fragment of what gives the columns

    // Number `warp` of a team's.
    __device__ WarpTile(const Problem &problem, unsigned warp)
        : row(warp / T::WARPS_ACROSS * T::WARP_HEIGHT), col(warp % T::WARPS_ACROSS * T::WARP_WIDTH), side_a(problem.a, row),
          side_b(problem.b, col) {}

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int v = 0; v < SLOTS * 2; ++v) sums[v / 8 / T::ACROSS][v / 8 % T::ACROSS][v / 4 % 2][v % 4] = 0;
    }

    __device__ __forceinline__ void read(int set, uint32_t slab, unsigned element, int half) {
        side_a.read(a[set], slab, slab + element, half);
        side_b.read(b[set], slab + T::BYTES_A, slab + T::BYTES_A + element, half);
    }

    __device__ __forceinline__ void multiply(int set) {
#pragma unroll
        for (int i = 0; i < T::DOWN; ++i) {
#pragma unroll
            for (int j = 0; j < T::ACROSS; ++j) {
#pragma unroll
                for (int f = 0; f < 2; ++f) {
                    double(&sum)[4] = sums[i][j][f];
                    mma_f64<2>(sum[0], sum[1], sum[2], sum[3], TURNED ? b[set][j] : a[set][i], TURNED ? a[set][i][f] : b[set][j][f]);
                }
            }
        }
    }

    // Slot 4 · (unit down · ACROSS + unit across) + 2x + y: a pair of both fragments, but of the lane's two columns where they are
    // spaced; and where it lies in the block's tile.
    __device__ __forceinline__ double sum_of(int slot, int v) const {
        const auto &unit = sums[slot / 4 / T::ACROSS][slot / 4 % T::ACROSS];
        const int x = slot / 2 % 2, y = slot % 2;
        return TURNED ? unit[x][2 * v + y] : SPACED ? unit[y][2 * x + v] : unit[v][2 * x + y];
    }
    __device__ __forceinline__ unsigned row_of(int slot) const {
        const unsigned x = slot / 2 % 2, y = slot % 2, g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
        return row + slot / 4 / T::ACROSS * UNIT + (TURNED ? SideA::edge(2 * t + y, x) : SideA::edge(g, x));
    }
    __device__ __forceinline__ unsigned col_of(int slot) const {
        const unsigned y = slot % 2, g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
        return col + slot / 4 % T::ACROSS * UNIT +
               (TURNED ? SideB::edge(g, 0) : SPACED ? SideB::edge(2 * t, y) : SideB::edge(2 * t + y, 0));
    }
};

// Where tile number `index` of all the batch lies.
struct Place {
    unsigned product;
    int top, left;
};
template <typename T>
__device__ __forceinline__ Place place_of(const Problem &problem, unsigned index) {
    const unsigned tiles = problem.tile_rows * problem.tile_cols, product = index / tiles;
    const TileCoord tile = swizzled_tile(index - product * tiles, problem.tile_rows, problem.tile_cols, problem.band);
    return {product, static_cast<int>(tile.row * T::HEIGHT), static_cast<int>(tile.col * T::WIDTH)};
}

// A stage of the ring ← slab number `slab` of the operands.
template <typename T, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void fetch_slab(const Problem &problem, const Place &place, unsigned slab, uint32_t stage, uint32_t barrier) {
    using Part = WarpTile<T, A_ALONG_K, B_ALONG_K>;
    const int k = static_cast<int>(slab * SLAB), z = static_cast<int>(place.product);
    mbarrier_expect_tx(barrier, Part::SideA::BYTES + Part::SideB::BYTES);
    Part::SideA::fetch(stage, problem.a, place.top, k, z, barrier);
    Part::SideB::fetch(stage + T::BYTES_A, problem.b, place.left, k, z, barrier);
}

// The barriers of a ring, by one thread: a stage is full by one thread's word and its bytes, and empty when all warps have read it.
template <typename T>
__device__ __forceinline__ void initialise_ring(uint32_t full, uint32_t empty) {
    for (unsigned s = 0; s < T::STAGES; ++s) {
        mbarrier_init(full + s * 8, 1);
        mbarrier_init(empty + s * 8, T::WARPS);
    }
    mbarrier_publish();
}

// Whether this is the one thread of its warp that acts for all.
__device__ __forceinline__ bool is_elected() {
    unsigned elected = 0;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xFFFFFFFF;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(elected));
    return elected != 0;
}

#endif

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, bool A_ALONG_K, bool B_ALONG_K>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS) tma_product(const __grid_constant__ Problem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    static_assert(T::SUM_BYTES <= T::RING_BYTES, "a team's sums lie where slabs have been");
    using Part = WarpTile<T, A_ALONG_K, B_ALONG_K>;
    extern __shared__ __align__(PERMUTED) char rings[];            // for each team STAGES times A and B; then its barriers
    const unsigned warp_of_block = __shfl_sync(ALL_LANES, threadIdx.x / WARP, 0), team = warp_of_block / T::WARPS;
    const unsigned warp = warp_of_block - team * T::WARPS;
    const uint32_t slabs = shared_address(rings) + team * uint32_t(T::RING_BYTES);
    const uint32_t full = shared_address(rings) + uint32_t(T::TEAMS * T::RING_BYTES) + team * T::STAGES * 16;
    const uint32_t empty = full + T::STAGES * 8;
    const unsigned blocks = cluster_blocks(), parts = blocks * T::TEAMS, part = cluster_rank() * T::TEAMS + team;
    const Place place = place_of<T>(problem, blockIdx.x / blocks);
    const unsigned begin = static_cast<unsigned>(size_t(problem.slabs) * part / parts);
    const unsigned count = static_cast<unsigned>(size_t(problem.slabs) * (part + 1) / parts) - begin;
    const auto fetch = [&](unsigned slab, unsigned stage) {
        fetch_slab<T, A_ALONG_K, B_ALONG_K>(problem, place, begin + slab, slabs + stage * T::STAGE_BYTES, full + stage * 8);
    };
    if (warp == 0 && is_elected()) {
        initialise_ring<T>(full, empty);
        for (unsigned s = 0; s < T::STAGES && s < count; ++s) fetch(s, s);
    }
    __syncthreads();                                               // the barriers can be used

    Part own(problem, warp);
    own.clear();
    unsigned stage = 0, parity = 0, last = T::STAGES - 1, last_parity = 1;  // of this slab and of the one before
    if (count > 0) {
        mbarrier_wait(full, 0);
        own.read(0, slabs, problem.element, 0);
    }
#pragma unroll 1
    for (unsigned s = 0; s < count; ++s) {
        own.read(1, slabs + stage * T::STAGE_BYTES, problem.element, 1);
        own.multiply(0);
        if (s % T::WARPS == warp && s > 0 && s - 1 + T::STAGES < count) {
            mbarrier_wait(empty + last * 8, last_parity);
            if (is_elected()) fetch(s - 1 + T::STAGES, last);
            __syncwarp();
        }
        last = stage, last_parity = parity;
        if (++stage == T::STAGES) stage = 0, parity ^= 1;
        if (s + 1 < count) {
            mbarrier_wait(full + stage * 8, parity);
            own.read(0, slabs + stage * T::STAGE_BYTES, problem.element, 0);
        }
        own.multiply(1);
        if (is_elected()) mbarrier_arrive(empty + last * 8);       // what was multiplied has been read
    }

    double pairs[Part::SLOTS][2];
#pragma unroll
    for (int slot = 0; slot < Part::SLOTS; ++slot) {
#pragma unroll
        for (int v = 0; v < 2; ++v) pairs[slot][v] = own.sum_of(slot, v);
    }
    Result<double> c = problem.c;
    c.c += place.product * problem.stride_c;
    cluster_sum<T::TEAM, T::TEAMS>(pairs, rings, [&](int slot, const double (&pair)[2]) {
        c.put(size_t(place.top) + own.row_of(slot), size_t(place.left) + own.col_of(slot), pair);
    });
#endif
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// An operand, its rows as they lie in memory.
struct Matrix {
    const void *data;
    size_t rows, cols, ld, stride, batch;                          // batch 1 where all are the same

    bool fits() const {
        const bool apart = is_apart_for_map(rows, ld, stride, batch, sizeof(double));
        return is_for_map(rows, cols, ld, batch) && apart && (has_aligned_rows() || rows > 1);
    }
    bool has_aligned_rows() const { return rows_in_packets<double>(data, ld, 0, 1); }
};

// *map ← a tensor map of a matrix with at least one element, which is aligned, in boxes of so many lines: swizzled ones of UNIT
// elements, or others.
inline cudaError_t make_map(const Matrix &matrix, unsigned elements, unsigned lines, CUtensorMap *map) {
    const size_t row = matrix.ld * sizeof(double), stride = matrix.batch == 1 ? row : matrix.stride * sizeof(double);
    return make_tensor_map(CU_TENSOR_MAP_DATA_TYPE_FLOAT64, matrix.data, {matrix.cols, matrix.rows, matrix.batch}, {row, stride},
                           {elements, lines, 1}, map, elements == UNIT ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE);
}

// *operand ← a matrix as a tile with so many rows, or columns, loads it: AlignedSide or ShiftedSide.
inline cudaError_t make_operand(const Matrix &matrix, bool batched, bool aligned, bool along_k, unsigned edge, Operand *operand) {
    const unsigned elements = along_k ? SLAB : edge, lines = along_k ? edge : SLAB;
    operand->batched = batched;
    if (aligned) return make_map(matrix, UNIT, lines, &operand->maps[0]);
    cudaError_t error = cudaSuccess;
    for (unsigned odd = 0; odd < 2 && error == cudaSuccess; ++odd) {
        const double *const first = static_cast<const double *>(matrix.data) + odd * matrix.ld;
        const size_t before = is_aligned(first, PIECE) ? 0 : 1;
        const Matrix rows = {first - before, (matrix.rows + 1 - odd) / 2, matrix.cols + before, 2 * matrix.ld, matrix.stride, matrix.batch};
        operand->shifts[odd] = static_cast<unsigned>(before * sizeof(double));
        error = make_map(rows, elements + ROOM, lines / 2, &operand->maps[odd]);
    }
    return error;
}

inline Matrix matrix_of(const void *data, bool transposed, size_t rows, size_t cols, size_t ld, size_t stride, size_t batch) {
    return {data, transposed ? cols : rows, transposed ? rows : cols, ld, stride, stride == 0 ? 1 : batch};
}
template <typename Product>
Matrix matrix_a(const Product &p) { return matrix_of(p.a, p.trans_a != 0, p.m, p.k, p.lda, p.stride_a, p.batch); }
template <typename Product>
Matrix matrix_b(const Product &p) { return matrix_of(p.b, p.trans_b != 0, p.k, p.n, p.ldb, p.stride_b, p.batch); }

// Whether an operand has rows that are not aligned.
template <typename Product>
bool is_shifted(const Product &p) { return !matrix_a(p).has_aligned_rows() || !matrix_b(p).has_aligned_rows(); }

// Whether TMA can load its operands, and its tiles, in clusters, can be numbered.
template <typename Product>
bool serves(const Product &p) {
    const double tiles = ceil(double(p.m) / UNIT) * ceil(double(p.n) / UNIT) * double(p.batch);  // at most
    return p.m >= FEWEST && p.n >= FEWEST && p.k > 0 && p.alpha != 0 && matrix_a(p).fits() && matrix_b(p).fits() &&
           tiles * CLUSTER_MAX <= double(GRID_X_MAX);
}

// *problem ← a product that it serves; cudaErrorNotSupported where the driver makes no tensor map of it.
template <typename T, bool A_ALONG_K, bool B_ALONG_K, typename Product>
cudaError_t make_problem(const Product &p, Problem *problem) {
    cudaError_t error = make_operand(matrix_a(p), p.stride_a != 0, T::ALIGNED, A_ALONG_K, T::HEIGHT, &problem->a);
    if (error == cudaSuccess) error = make_operand(matrix_b(p), p.stride_b != 0, T::ALIGNED, B_ALONG_K, T::WIDTH, &problem->b);
    problem->c = {static_cast<double *>(p.c), p.m, p.n, p.ldc, p.alpha, p.beta,
                  rows_in_packets<double>(p.c, p.ldc, p.stride_c, p.batch)};
    problem->stride_c = p.stride_c;
    problem->element = sizeof(double);
    problem->band = BAND / T::HEIGHT;
    problem->slabs = static_cast<unsigned>(ceil_div(p.k, SLAB));
    problem->tile_rows = static_cast<unsigned>(ceil_div(p.m, T::HEIGHT));
    problem->tile_cols = static_cast<unsigned>(ceil_div(p.n, T::WIDTH));
    problem->tiles = problem->tile_rows * problem->tile_cols * static_cast<unsigned>(p.batch);
    return error;
}

// Enqueues a product that it serves, `blocks` to a tile of C.
template <typename T, bool A_ALONG_K, bool B_ALONG_K, typename Product>
cudaError_t launch(const Product &p, unsigned blocks, int cache, cudaStream_t stream) {
    constexpr auto KERNEL = tma_product<T, A_ALONG_K, B_ALONG_K>;
    Problem problem = {};
    cudaError_t error = make_problem<T, A_ALONG_K, B_ALONG_K>(p, &problem);
    if (error == cudaSuccess) error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    return launch_clusters<KERNEL, Allow::LARGE>(dim3(problem.tiles * blocks), blocks, T::THREADS, T::BYTES, stream, problem);
}

// launch(Constant<A>(), Constant<B>()), A and B 1 for operands that lie along k.
template <typename Product, typename Launch>
cudaError_t dispatch_layout(const Product &p, Launch launch) {
    if (p.trans_a == 0) return p.trans_b == 0 ? launch(Constant<1>(), Constant<0>()) : launch(Constant<1>(), Constant<1>());
    return p.trans_b == 0 ? launch(Constant<0>(), Constant<0>()) : launch(Constant<0>(), Constant<1>());
}

// That, by how the operands lie.
template <typename T, typename Product>
cudaError_t launch_any(const Product &p, unsigned blocks, int cache, cudaStream_t stream) {
    return dispatch_layout(p, [&](auto a, auto b) {
        return launch<T, decltype(a)::value != 0, decltype(b)::value != 0>(p, blocks, cache, stream);
    });
}

}  // namespace tma
