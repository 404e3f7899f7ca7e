// large_wgmma.cuh — warp-specialised persistent GEMM of packed operands by wgmma, for large products on Hopper.
//
// Algorithm  Persistent blocks of three warpgroups: a producer fills a ring of stages in shared memory by bulk copies, a stage
//            one part of a slab of A and of B; two consumers multiply, 64 rows each of a tile of 128 × COLS. Two blocks, one
//            above the other, are a cluster: each loads half of the columns and multicasts it to both. While one consumer adds
//            to its sums, the other multiplies. C goes through shared memory to TMA, or line by line.
// Sharing    A stage is written again when all consuming warps of the cluster have arrived at its `empty` barrier. A warp arrives behind
//            wait_products, when the products that use it are complete.
// Limits     Machine code for sm_90a.
// Edges      Rows and columns past the end are multiplied and not stored. Where the split does not hold nothing is stored.
// Source     NVIDIA CUTLASS, "Efficient GEMM": warp-specialised persistent kernels; PTX ISA, "wgmma", "setmaxnreg".
#pragma once

#include "matmul/pack.cuh"
#include "matmul/pipeline.cuh"
#include "matmul/split_k.cuh"
#include "matmul/tma_wgmma_store.cuh"
#include "matmul/wgmma.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned WARPGROUP = 128, MULTIPLIERS = 2, THREADS = WARPGROUP * (1 + MULTIPLIERS);
constexpr unsigned TILE_ROWS = 64 * MULTIPLIERS;                   // of C, of a block
[[maybe_unused]] constexpr unsigned BAND = 8;                      // tiles of rows worked on side by side, for the L2 cache
constexpr size_t SHARED_ROOM = 227 * 1024;
constexpr uint32_t OUT_BYTES = MULTIPLIERS * 2 * tma_wgmma::OUT_BUFFER;  // two buffers of a consumer's boxes of C

// A block's work and the ring it is fed through.
template <unsigned COLS_>
struct Shape {
    static constexpr unsigned COLS = COLS_, SUMS = COLS / 2;  // of C; that a thread holds
    static constexpr unsigned PLACE = (TILE_ROWS + COLS) * LINE;   // bytes: one part of a tile of A and of one of B
    static constexpr unsigned FIT = (SHARED_ROOM - 2048 - OUT_BYTES) / PLACE;
    static constexpr unsigned PLACES = FIT < 9 ? FIT : 9;
    static constexpr size_t BYTES = OUT_BYTES + size_t(PLACES) * PLACE + 2048;  // with bytes to align, and the barriers
};

// One packed operand.
struct Fetched {
    const uint4 *packed;
    size_t matrix;                                                 // pieces from a matrix of the batch to the next, perhaps 0
    size_t rows;                                                   // of a packed slab
};

struct Problem {
    Fetched a, b;
    tma_wgmma::Output output;
    tma_wgmma::Store store;
    CUtensorMap map_c;                                             // where C is stored by TMA
    size_t depth, slabs, row_tiles, col_tiles, tiles;              // row_tiles: of a cluster, tiles: of all the batch
    unsigned *flag;
    const unsigned *magnitudes_a, *magnitudes_b;                   // as many as the pass had blocks
    unsigned pack_blocks;
};

struct Place {
    size_t matrix, top, left;                                      // a block's tile of C
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// The tile of this block: bands of rows, in a band column by column.
template <typename S>
__device__ __forceinline__ Place place_of(const Problem &problem, size_t tile) {
    const size_t a_matrix = problem.row_tiles * problem.col_tiles, in_matrix = tile % a_matrix;
    const size_t band = in_matrix / (BAND * problem.col_tiles), in_band = in_matrix % (BAND * problem.col_tiles);
    const size_t high = min(size_t(BAND), problem.row_tiles - band * BAND);
    const size_t row = band * BAND + in_band % high, col = in_band / high;
    return {tile / a_matrix, (row * cluster_blocks() + cluster_rank()) * TILE_ROWS, col * S::COLS};
}

// Rows first … first + count of a packed operand that exist.
__device__ __forceinline__ unsigned rows_there(const Fetched &operand, size_t first, unsigned count) {
    return first >= operand.rows ? 0u : static_cast<unsigned>(min(operand.rows - first, size_t(count)));
}

template <typename S>
__device__ void produce(const Problem &problem, uint32_t ring, uint32_t full, uint32_t empty) {
    const unsigned blocks = cluster_blocks(), rank = cluster_rank(), share = S::COLS / blocks;
    RingPosition<S::PLACES> at;
    for (size_t tile = blockIdx.x / blocks; tile < problem.tiles; tile += gridDim.x / blocks) {
        const Place place = place_of<S>(problem, tile);
        const size_t first_b = place.left + rank * share;
        const unsigned rows_a = rows_there(problem.a, place.top, TILE_ROWS);
        const unsigned rows_b = rows_there(problem.b, first_b, share), all_b = rows_there(problem.b, place.left, S::COLS);
        const uint4 *from_a = problem.a.packed + place.matrix * problem.a.matrix + place.top * PIECES;
        const uint4 *from_b = problem.b.packed + place.matrix * problem.b.matrix + first_b * PIECES;
        for (size_t slab = 0; slab < problem.slabs; ++slab) {
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                const uint32_t to_a = ring + at.place * S::PLACE, to_b = to_a + TILE_ROWS * LINE + rank * share * LINE;
                const uint32_t barrier = full + at.place * 8;
                mbarrier_wait(empty + at.place * 8, at.parity ^ 1);
                mbarrier_expect_tx(barrier, (rows_a + all_b) * LINE);
                if (rows_a != 0) copy_bytes(to_a, from_a, rows_a * LINE, barrier);
                if (rows_b != 0 && blocks == 1) copy_bytes(to_b, from_b, rows_b * LINE, barrier);
                if (rows_b != 0 && blocks != 1) copy_bytes(to_b, from_b, rows_b * LINE, barrier, 3);
                from_a += problem.a.rows * PIECES;
                from_b += problem.b.rows * PIECES;
                at.advance();
            }
        }
    }
}

// Whether the split does not hold, by the magnitudes that the packing blocks saw; then the flag is set. For the consumers.
__device__ __forceinline__ bool finds_unfit(const Problem &problem, unsigned (&largest)[2]) {
    unsigned a = 0, b = 0;
    for (unsigned i = threadIdx.x - WARPGROUP; i < problem.pack_blocks; i += MULTIPLIERS * WARPGROUP) {
        a = max(a, problem.magnitudes_a[i]);
        b = max(b, problem.magnitudes_b[i]);
    }
    a = __reduce_max_sync(ALL_LANES, a);
    b = __reduce_max_sync(ALL_LANES, b);
    if (threadIdx.x % WARP == 0) {
        atomicMax(&largest[0], a);
        atomicMax(&largest[1], b);
    }
    asm volatile("bar.sync 1, %0;" ::"n"(MULTIPLIERS * WARPGROUP) : "memory");
    const bool unfit = is_unfit(largest[0], largest[1], problem.depth);
    if (unfit && blockIdx.x == 0 && threadIdx.x == WARPGROUP) *problem.flag = 1;
    return unfit;
}

// Releases a stage to the producers of all blocks of the cluster.
__device__ __forceinline__ void release(uint32_t empty) {
    const unsigned lane = threadIdx.x % WARP;
    if (lane < cluster_blocks()) mbarrier_arrive_remote(lane, empty);
}

// Six products; a chunk's sum, a group's and the whole sum.
template <typename S>
__device__ __forceinline__ void consume(const Problem &problem, uint32_t ring, uint32_t full, uint32_t empty, unsigned group,
                                        RingPosition<S::PLACES> &at, float (&sums)[S::SUMS]) {
    float of_group[S::SUMS];
#pragma unroll
    for (unsigned i = 0; i < S::SUMS; ++i) sums[i] = of_group[i] = 0;
    for (size_t slab = 0; slab < problem.slabs; ++slab) {
        uint64_t a[PARTS], b[PARTS];
        uint32_t emptied[PARTS];
#pragma unroll
        for (int part = 0; part < PARTS; ++part) {
            const uint32_t to = ring + at.place * S::PLACE;
            a[part] = rows_at(to + group * 64 * LINE);
            b[part] = rows_at(to + TILE_ROWS * LINE);
            emptied[part] = empty + at.place * 8;
            mbarrier_wait(full + at.place * 8, at.parity);
            at.advance();
        }
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) {
            float fresh[S::SUMS];
            pin(fresh);
            begin_products();
            multiply_smallest<2>(fresh, a, b);
            commit_products();
            multiply_others<2>(fresh, a, b);
            commit_products();
            if (half == 1) {
                wait_products<1>();
                release(emptied[0]);
            }
            wait_products<0>();
            pin(fresh);
            if (half == 1) {
                release(emptied[1]);
                release(emptied[2]);
            }
#pragma unroll
            for (unsigned i = 0; i < S::SUMS; ++i) of_group[i] += fresh[i];
#pragma unroll
            for (int part = 0; part < PARTS; ++part) a[part] += 4, b[part] += 4;
        }
        if (slab % (CHUNKS_A_GROUP / 2) == CHUNKS_A_GROUP / 2 - 1) {
#pragma unroll
            for (unsigned i = 0; i < S::SUMS; ++i) sums[i] += of_group[i], of_group[i] = 0;
        }
    }
#pragma unroll
    for (unsigned i = 0; i < S::SUMS; ++i) sums[i] += of_group[i];
}

#endif

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename S>
__global__ void __launch_bounds__(THREADS, 1) matmul_wgmma(const __grid_constant__ Problem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ unsigned largest[2];
    extern __shared__ char smem[];
    const uint32_t ring = (shared_address(smem) + 1023) / 1024 * 1024;
    const uint32_t out = ring + S::PLACES * S::PLACE, full = out + OUT_BYTES, empty = full + S::PLACES * 8;
    if (threadIdx.x == 0) {
        for (unsigned place = 0; place < S::PLACES; ++place) {
            mbarrier_init(full + place * 8, 1);
            mbarrier_init(empty + place * 8, MULTIPLIERS * (WARPGROUP / WARP) * cluster_blocks());
        }
        mbarrier_publish();
        largest[0] = largest[1] = 0;
    }
    cluster_sync();                                                // the mbarriers of both blocks are initialised
    pdl_wait();                                                    // the operands are packed

    if (threadIdx.x < WARPGROUP) {
        give_registers<40>();
        if (threadIdx.x == 0) produce<S>(problem, ring, full, empty);
    } else {
        take_registers<232>();
        const unsigned group = __shfl_sync(ALL_LANES, threadIdx.x / WARPGROUP - 1, 0);  // known to be the same in a warp
        const bool fits = !finds_unfit(problem, largest);
        RingPosition<S::PLACES> at;
        for (size_t tile = blockIdx.x / cluster_blocks(); tile < problem.tiles; tile += gridDim.x / cluster_blocks()) {
            float sums[S::SUMS];
            consume<S>(problem, ring, full, empty, group, at, sums);
            if (!fits) continue;
            const Place place = place_of<S>(problem, tile);
            const tma_wgmma::Boxed boxed = {&problem.output, problem.store, &problem.map_c, place.matrix,
                                            place.top + group * tma_wgmma::ROWS, place.left, group, out};
            tma_wgmma::store_boxes<Format::TF32, false, true, false>(boxed, sums);
        }
    }
    __syncwarp();
    cluster_sync();                                                // no block exits while another still writes to it
    wait_for_reads<0>();                                           // or while TMA reads its shared memory
#else
    __trap();
#endif
}

}  // namespace tensor
