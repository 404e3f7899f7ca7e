// tma_f64_stored.cuh — matrix product in double whose C takes longer to store than to compute: a large one with a short k.
//
//   C ← alpha · op(A) · op(B) + beta · C, for each of a batch
//
// Algorithm  That of tma_f64.cuh by persistent blocks. The ring of stages goes on from one tile of C to the next, so that the slabs of
//            the next tile are loaded while this one is multiplied and stored. A warp stores its part of a tile by itself: 16
//            columns at a time go to one of BUFFERS places in shared memory, and from there TMA stores them, whole lines at a
//            time, while the warp goes on. Where rows of C are not aligned to 16 bytes, or beta is not 0, the warp stores them by
//            itself, neighbours by neighbouring lanes.
// Cost       mnk multiply-adds, 8mn bytes written.
// Limits     As tma_f64.cuh.
// Edges      TMA leaves out what lies outside of C.
// Source     tma_f64.cuh; PTX ISA, "cp.async.bulk.tensor", "cp.async.bulk.wait_group".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "matmul/pipeline.cuh"
#include "matmul/tensor_map.cuh"
#include "matmul/tma_f64.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace tma {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr double BY_ROWS_FROM = 1 << 24;                           // elements of C from which on tiles are taken row by row: memory
                                                                   // writes longer pieces at a time

// Of a Tile, with BUFFERS for a warp's boxes of C behind its ring.
template <typename T, int BUFFERS_>
struct Stored {
    using Tile = T;
    static constexpr int BUFFERS = BUFFERS_;
    static constexpr uint32_t BOX_BYTES = T::WARP_HEIGHT * LINE, OUT_BYTES = T::WARPS * BUFFERS * BOX_BYTES;
    static constexpr size_t BYTES = T::RING_BYTES + OUT_BYTES + 2 * T::STAGES * sizeof(uint64_t);
    static_assert(T::TEAMS == 1 && T::ACROSS % BUFFERS == 0 && BOX_BYTES % PERMUTED == 0);
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// BOXES side by side of sums in shared memory to C, HEIGHT rows from `top` on, a row or half a row of them by a warp at a time.
template <int HEIGHT, int BOXES>
__device__ __forceinline__ void store_lines(const Problem &problem, unsigned product, int top, int left, uint32_t boxes) {
    constexpr int AT_ONCE = BOXES == 1 ? 2 : 1, STEPS = BOXES == 1 ? 1 : BOXES / 2;  // rows; columns of a lane
    const unsigned lane = threadIdx.x % WARP, first = lane / UNIT % AT_ONCE;
    double *const place = problem.c.c + product * problem.stride_c;
#pragma unroll
    for (unsigned row = first; row < HEIGHT; row += AT_ONCE) {
        const size_t i = size_t(top) + row;
        if (i >= problem.c.rows) break;
#pragma unroll
        for (unsigned step = 0; step < STEPS; ++step) {
            const unsigned at = (BOXES == 1 ? lane % UNIT : lane) + step * WARP, col = at % UNIT;
            const size_t j = size_t(left) + at;
            if (j >= problem.c.cols) continue;
            double sum;
            asm volatile("ld.shared.f64 %0, [%1];" : "=d"(sum)
                         : "r"(boxes + at / UNIT * (HEIGHT * LINE) + row * LINE + (col / 2 ^ row % 8) * PIECE + col % 2 * 8));
            problem.c.put_one(place + i * problem.c.ld + j, sum);
        }
    }
    __syncwarp();                                                  // the boxes have been read
}

#endif

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename S, bool A_ALONG_K, bool B_ALONG_K>
__global__ void __launch_bounds__(S::Tile::THREADS, S::Tile::BLOCKS) tma_product_stored(const __grid_constant__ Problem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using T = typename S::Tile;
    using Part = WarpTile<T, A_ALONG_K, B_ALONG_K>;
    extern __shared__ __align__(PERMUTED) char ring[];             // STAGES times A and B, boxes of C for each warp, barriers
    const unsigned warp = __shfl_sync(ALL_LANES, threadIdx.x / WARP, 0), lane = threadIdx.x % WARP;
    const uint32_t slabs = shared_address(ring), out = slabs + uint32_t(T::RING_BYTES) + warp * (S::BUFFERS * S::BOX_BYTES);
    const uint32_t full = slabs + uint32_t(T::RING_BYTES) + S::OUT_BYTES, empty = full + T::STAGES * 8;
    const unsigned tiles = problem.tiles, count = problem.slabs;

    unsigned ahead = blockIdx.x, ahead_slab = 0;                   // tile and slab that are loaded next
    Place ahead_place = place_of<T>(problem, ahead);
    const auto fetch = [&](unsigned stage) {
        fetch_slab<T, A_ALONG_K, B_ALONG_K>(problem, ahead_place, ahead_slab, slabs + stage * T::STAGE_BYTES, full + stage * 8);
    };
    const auto go_on = [&] {
        if (++ahead_slab < count) return;
        ahead_slab = 0, ahead += gridDim.x;
        if (ahead < tiles) ahead_place = place_of<T>(problem, ahead);
    };
    const bool is_first = warp == 0 && is_elected();
    if (is_first) initialise_ring<T>(full, empty);
    __syncwarp();
    for (unsigned s = 0; s < T::STAGES && ahead < tiles; ++s, go_on()) {
        if (is_first) fetch(s);
    }
    __syncthreads();                                               // the barriers can be used

    Part own(problem, warp);
    unsigned stage = 0, parity = 0, last = T::STAGES - 1, last_parity = 1;  // of this slab and of the one before
    unsigned turn = 0;                                             // the warp that loads
    bool has_begun = false;                                        // a slab has been multiplied
#pragma unroll 1
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        own.clear();
        mbarrier_wait(full + stage * 8, parity);
        own.read(0, slabs + stage * T::STAGE_BYTES, problem.element, 0);
#pragma unroll 1
        for (unsigned s = 0; s < count; ++s) {
            own.read(1, slabs + stage * T::STAGE_BYTES, problem.element, 1);
            own.multiply(0);
            if (!has_begun) {
                has_begun = true;
            } else if (ahead < tiles) {
                if (turn == warp) {
                    mbarrier_wait(empty + last * 8, last_parity);
                    if (is_elected()) fetch(last);
                    __syncwarp();
                }
                go_on();
                if (++turn == T::WARPS) turn = 0;
            }
            last = stage, last_parity = parity;
            if (++stage == T::STAGES) stage = 0, parity ^= 1;
            if (s + 1 < count) {
                mbarrier_wait(full + stage * 8, parity);
                own.read(0, slabs + stage * T::STAGE_BYTES, problem.element, 0);
            }
            own.multiply(1);
            if (is_elected()) mbarrier_arrive(empty + last * 8);   // what was multiplied has been read
        }

        const Place place = place_of<T>(problem, tile);
        const int top = place.top + int(own.row);
        const double factor = problem.by_lines ? 1 : problem.c.alpha;
#pragma unroll
        for (int across = 0; across < T::ACROSS; ++across) {
            const uint32_t box = out + across % S::BUFFERS * S::BOX_BYTES;
            if (lane == 0) tensor::wait_for_reads<S::BUFFERS - 1>();
            __syncwarp();                                          // the buffer is free
#pragma unroll
            for (int v = 0; v < T::DOWN * 4; ++v) {
                const int slot = (v / 4 * T::ACROSS + across) * 4 + v % 4;
                const unsigned row = own.row_of(slot) - own.row, col = own.col_of(slot) % UNIT;
                asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(box + row * LINE + (col / 2 ^ row % 8) * PIECE),
                             "d"(factor * own.sum_of(slot, 0)), "d"(factor * own.sum_of(slot, 1)) : "memory");
            }
            const int left = place.left + int(own.col) + across * int(UNIT);
            if (problem.by_lines) {
                if (across % S::BUFFERS + 1 < S::BUFFERS) continue;
                __syncwarp();                                      // the boxes are there
                store_lines<T::WARP_HEIGHT, S::BUFFERS>(problem, place.product, top, left - int(UNIT) * (S::BUFFERS - 1), out);
                continue;
            }
            tensor::publish_to_tma();
            __syncwarp();                                          // the box is there
            if (lane == 0) {
                if (left < int(problem.c.cols)) {
                    tensor::store_box(box, &problem.map_c, left, top, static_cast<int>(place.product));
                }
                tensor::commit_stores();
            }
        }
    }
    tensor::wait_for_reads<0>();                                   // no block ends while TMA reads its shared memory
#endif
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename Product>
Matrix matrix_c(const Product &p) { return {p.c, p.m, p.n, p.ldc, p.stride_c, p.batch}; }

// Whether TMA can store C. It stores 16 bytes, whatever the map says.
template <typename Product>
bool stores(const Product &p) {
    const bool is_small_enough = is_for_map(p.m, p.n, p.ldc, p.batch) && p.n * sizeof(double) % PIECE == 0;
    return p.beta == 0 && is_small_enough && lies_for_map(p.c, p.m, p.ldc, p.stride_c, p.batch, sizeof(double));
}

// Enqueues a product that tma_f64.cuh serves, on a device with `sms` multiprocessors.
template <typename S, bool A_ALONG_K, bool B_ALONG_K, typename Product>
cudaError_t launch_stored(const Product &p, unsigned sms, int cache, cudaStream_t stream) {
    using T = typename S::Tile;
    constexpr auto KERNEL = tma_product_stored<S, A_ALONG_K, B_ALONG_K>;
    Problem problem = {};
    cudaError_t error = make_problem<T, A_ALONG_K, B_ALONG_K>(p, &problem);
    if (double(p.m) * double(p.n) >= BY_ROWS_FROM) problem.band = 1;
    problem.by_lines = !stores(p);
    if (error == cudaSuccess && !problem.by_lines) error = make_map(matrix_c(p), UNIT, T::WARP_HEIGHT, &problem.map_c);
    if (error == cudaSuccess) error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    const dim3 grid(static_cast<unsigned>(at_most(problem.tiles, sms * T::BLOCKS)));
    return launch_clusters<KERNEL, Allow::LARGE>(grid, 1, T::THREADS, S::BYTES, stream, problem);
}

// That, by how the operands lie.
template <typename S, typename Product>
cudaError_t launch_any_stored(const Product &p, unsigned sms, int cache, cudaStream_t stream) {
    return dispatch_layout(p, [&](auto a, auto b) {
        return launch_stored<S, decltype(a)::value != 0, decltype(b)::value != 0>(p, sms, cache, stream);
    });
}

}  // namespace tma
