// f64.cu — matrix product in double, on the tensor cores where they support it (DMMA).
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), C (m, n), row-major, for each of a batch
//
// Algorithm  On compute capability 9.0 TMA loads, where an estimate says that it is faster: matmul/tma_f64.cuh, where operands and their
//            rows are aligned to 16 bytes, or, wherever they lie, persistent blocks (matmul/tma_f64_stored.cuh).
//            Else matmul/tiled_product.cuh; a warp multiplies by mma.sync, 16 × 8 sums at a time over 4 or 8 of k. From
//            compute capability 9.0 on that is one instruction, on 8.x two or four, before that shuffles and fused multiply-adds.
// Cost       mnk multiply-adds. One H200, row-major, and cuBLAS 13 beside it: 5.6 TFLOP/s at 256³ (1.25), 21.5 at 512³ (1.05),
//            49.8 at 1024³ (1.03), 58.5 at 2048³ (1.00), 61.3 at 4096³ (1.02), 53.5 at 8192³ (1.00); 42.4 at 8192 × 8192 × 64 (1.10).
// Limits     As tiled.cu, and as there kernels of their own for small products and those with a short k.
// Edges      The instruction rounds each multiply-add as fma does; otherwise as tiled.cu.
//            |error| ≤ γ(k+3) · (|alpha| |A| |B| + |beta| |C|), checked.
// Source     PTX ISA, "Matrix Fragments for mma.m16n8k4", and k8, with .f64.

#include <math.h>
#include <stdint.h>

#include "kernels.h"
#include "matmul/mma_f64.cuh"
#include "matmul/outer.cuh"
#include "matmul/rank_k.cuh"
#include "matmul/small.cuh"
#include "matmul/tiled_product.cuh"
#include "matmul/tma_f64.cuh"
#include "matmul/tma_f64_stored.cuh"
#include "prim/grid/compute.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int SPACING = 4;                                         // from lane to lane along an edge

// ---- device helpers -------------------------------------------------------------------------------------------------

// A block's tile of C is HEIGHT × WIDTH, a warp's WARP_HEIGHT × WARP_WIDTH. A row of a tile of A is one element longer than a
// multiple of the banks, and neighbouring lanes have every SPACINGth row: reading fragments, writing tiles along k and along the
// edge have no bank conflicts. A row of B has 4 elements more, and lanes have neighbouring columns, so that they write neighbours
// of C; where B is contiguous along k copies have four-way bank conflicts.
template <int HEIGHT_, int WIDTH_, int DEPTH_, int WARP_HEIGHT, int WARP_WIDTH, int MERGED, int STAGES_, int BLOCKS_>
struct Tile {
    using Element = double;
    static constexpr bool HOLDS = false, SPREADS = true;
    static constexpr int TEAMS = 1;
    static constexpr int BURSTS = DEPTH_ / (MMA_F64_DEPTH * MERGED) - 1;
    static constexpr int HEIGHT = HEIGHT_, WIDTH = WIDTH_, DEPTH = DEPTH_, STAGES = STAGES_, BLOCKS = BLOCKS_;
    static constexpr int WARPS_ACROSS = WIDTH / WARP_WIDTH, THREADS = HEIGHT / WARP_HEIGHT * WARPS_ACROSS * WARP;
    static constexpr int DOWN = WARP_HEIGHT / MMA_F64_ROWS, ACROSS = WARP_WIDTH / MMA_F64_COLS;
    static constexpr int PITCH_A = HEIGHT + 1, PITCH_B = WIDTH + 4;
    static constexpr unsigned BYTES_A = DEPTH * PITCH_A * sizeof(double), BYTES_B = DEPTH * PITCH_B * sizeof(double);  // of a stage
    static constexpr size_t LOADER_BYTES = size_t(STAGES) * (BYTES_A + BYTES_B);
    static constexpr size_t SUM_BYTES = size_t(HEIGHT) * WIDTH * sizeof(double);
    static constexpr int STEPS = DEPTH / (MMA_F64_DEPTH * MERGED), SLOTS = DOWN * 2 * ACROSS, COUNT = 2;
    static_assert(DOWN * 2 % SPACING == 0, "lanes have every SPACINGth row");

    struct Fragments {
        double a[DOWN][MERGED][2], b[ACROSS][MERGED];              // rows 2i and 2i + 1 of the lane, its column j
    };

    static __device__ unsigned lane_group() { return threadIdx.x % WARP / 4; }
    static __device__ unsigned lane_in_group() { return threadIdx.x % 4; }
    static __device__ unsigned warp_row() { return threadIdx.x / WARP / WARPS_ACROSS * WARP_HEIGHT; }
    static __device__ unsigned warp_col() { return threadIdx.x / WARP % WARPS_ACROSS * WARP_WIDTH; }
    // From a lane's first row to its ith.
    static __device__ constexpr int apart(int i) { return i / SPACING * SPACING * 8 + i % SPACING; }
    static __device__ unsigned row(int slot) { return warp_row() + SPACING * lane_group() + apart(slot / ACROSS); }
    static __device__ unsigned col(int slot) { return warp_col() + slot % ACROSS * MMA_F64_COLS + 2 * lane_in_group(); }

    static __device__ uint32_t lane_a() {
        return (lane_in_group() * PITCH_A + warp_row() + SPACING * lane_group()) * sizeof(double);
    }
    static __device__ uint32_t lane_b() { return (lane_in_group() * PITCH_B + warp_col() + lane_group()) * sizeof(double); }

    static __device__ __forceinline__ double read_one(uint32_t address) {
        double value;
        asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(address));
        return value;
    }

    static __device__ __forceinline__ void read(Fragments &fragments, uint32_t a, uint32_t b, int step) {
#pragma unroll
        for (int p = 0; p < MERGED; ++p) {
            const int at = (step * MERGED + p) * MMA_F64_DEPTH;
#pragma unroll
            for (int i = 0; i < DOWN * 2; ++i) {
                fragments.a[i / 2][p][i % 2] = read_one(a + (at * PITCH_A + apart(i)) * sizeof(double));
            }
#pragma unroll
            for (int j = 0; j < ACROSS; ++j) fragments.b[j][p] = read_one(b + (at * PITCH_B + j * MMA_F64_COLS) * sizeof(double));
        }
    }

    static __device__ __forceinline__ void multiply(const Fragments &fragments, double (&sums)[SLOTS][COUNT]) {
#pragma unroll
        for (int i = 0; i < DOWN; ++i) {
#pragma unroll
            for (int j = 0; j < ACROSS; ++j) {
                double(&upper)[2] = sums[2 * i * ACROSS + j], (&lower)[2] = sums[(2 * i + 1) * ACROSS + j];
                mma_f64(upper[0], upper[1], lower[0], lower[1], fragments.a[i], fragments.b[j]);
            }
        }
    }
};

using Large = Tile<128, 128, 16, 64, 32, 1, 4, 1>;
using Small = Tile<64, 64, 16, 32, 32, 2, 3, 2>;
using Wide = Tile<32, 128, 16, 32, 32, 1, 3, 2>;                   // for C of few rows
using Tall = Tile<128, 32, 16, 32, 32, 1, 3, 2>;                   // or columns
using Narrow = Tile<64, 32, 16, 32, 16, 1, 4, 3>;
using Tiny = Tile<32, 32, 16, 32, 8, 1, 4, 5>;

// What the plan has to choose from.
constexpr Pace PACES[] = {
    pace_of<Large>(70.6, 70.6, 7020, 3850, 2520),
    pace_of<Small>(30.7, 24.3, 4930, 1390, 1710),
    pace_of<Wide>(32.1, 27.6, 5160, 1370, 1520),
    pace_of<Tall>(30.8, 23.7, 5040, 1580, 1590),
    pace_of<Narrow>(17.9, 15.7, 4110, 900, 1520),
    pace_of<Tiny>(15.3, 11.9, 2650, 430, 2540),
};

// The same with TMA. Teams, which share k within a block, give every scheduler two warps where C has less than 128 × 64 for each
// multiprocessor. Edges of 96 make 1.94 rounds of 132 multiprocessors out of 1536 as 64 and 128 do out of 2048.
using LargeTma = tma::Tile<128, 128, 64, 32, 1, 6, 1>;
using MediumTma = tma::Tile<128, 64, 32, 32, 1, 8, 1>;
using SquareTma = tma::Tile<96, 96, 48, 48, 1, 4, 2>;
using SmallTma = tma::Tile<64, 64, 32, 32, 1, 4, 3>;
using WideTeams = tma::Tile<32, 64, 16, 32, 2, 4, 2>;
using TwoTeams = tma::Tile<32, 32, 16, 16, 2, 4, 3>;
using FourTeams = tma::Tile<16, 32, 16, 16, 4, 4, 2>;

// And by persistent blocks that store boxes of C, which also serve operands whose rows are not aligned.
using LargeStored = tma::Stored<tma::Tile<96, 128, 32, 32, 1, 4, 1>, 2>;
using MediumStored = tma::Stored<tma::Tile<96, 64, 32, 32, 1, 4, 2>, 1>;
using SmallStored = tma::Stored<tma::Tile<64, 64, 32, 32, 1, 3, 3>, 1>;
using LargeShifted = tma::Stored<tma::Tile<96, 128, 32, 32, 1, 4, 1, tma::Rows::SHIFTED>, 2>;
using MediumShifted = tma::Stored<tma::Tile<96, 64, 32, 32, 1, 2, 2, tma::Rows::SHIFTED>, 2>;
using SmallShifted = tma::Stored<tma::Tile<64, 64, 32, 32, 1, 2, 3, tma::Rows::SHIFTED>, 2>;

template <typename T>
constexpr Pace pace_of_tma(double alone, double crowded, double besides, double unaligned, double start, size_t sum_bytes = T::SUM_BYTES) {
    constexpr int SUMS = T::WARP_HEIGHT * T::WARP_WIDTH / WARP;    // of a thread: up to 72, but 64 means all there are
    return {SUMS < 64 ? SUMS : 64, T::HEIGHT, T::WIDTH, T::BYTES, sum_bytes, T::BLOCKS, alone, crowded, besides, unaligned, start};
}
template <typename S>
constexpr Pace pace_of_stored(double alone, double crowded, double besides, double unaligned, double start) {
    return pace_of_tma<typename S::Tile>(alone, crowded, besides, unaligned, start, SIZE_MAX);  // without clusters
}
constexpr Pace TMA_PACES[] = {
    pace_of_tma<LargeTma>(68.5, 68.1, 5090, 7380, 2800),
    pace_of_tma<MediumTma>(34.4, 34.4, 4060, 3190, 3340),
    pace_of_tma<SquareTma>(66.5, 39.9, 7050, 6400, 2620),
    pace_of_tma<SmallTma>(20, 18.3, 3930, 5240, 3260),
    pace_of_tma<WideTeams>(10.3, 9.9, 3550, 1690, 2630),
    pace_of_tma<TwoTeams>(4.8, 7.5, 2970, 1160, 2750),
    pace_of_tma<FourTeams>(3.9, 4.7, 2770, 520, 2780),
};
constexpr Pace STORED_PACES[] = {
    pace_of_stored<LargeStored>(50.5, 49.9, 2320, 1700, 5420),
    pace_of_stored<MediumStored>(32.4, 28.1, 2490, 4170, 3970),
    pace_of_stored<SmallStored>(25.6, 18.8, 2690, 4220, 3920),
};
constexpr Pace SHIFTED_PACES[] = {
    pace_of_stored<LargeShifted>(51, 51, 3580, 890, 5570),
    pace_of_stored<MediumShifted>(79.3, 42.8, 3810, 940, 4050),
    pace_of_stored<SmallShifted>(68, 29.4, 3920, 930, 4260),
};
// rank_k.cuh, where it has 64 × 64 elements of C in a block.
constexpr Pace RANK_PACES[] = {{32, 64, 64, 0, SIZE_MAX, 2, 77.6, 69.6, 1590, 90, 3790}};
constexpr Shares SHARES = {{0, 1790, 860, 1220, 2720}, 0, 5200, {1, 1, 1}};

// ---- launchers ------------------------------------------------------------------------------------------------------

// *has ← whether the current device, and this code for it, support TMA.
cudaError_t find_tma(bool *has) {
    return remembered(has, [](int device, bool *found) {
        Compute compute = {};
        const cudaError_t error = find_compute(tma::tma_product<SmallTma, true, false>, device, &compute);
        *found = compute.is_hopper();
        return error;
    });
}

cudaError_t launch_tiled(const gpumexk_matmul_args &product, const Plan &plan, int cache, gpumexk_stream stream) {
    return dispatch_tile<Large, Small, Wide, Tall, Narrow, Tiny>(plan.tile, [&](auto tile) {
        using T = decltype(tile);
        return launch_product<T, false, false>(tiled_args_of<T>(product), plan.blocks, cache, stream);
    });
}

cudaError_t launch_tma(const gpumexk_matmul_args &product, const Plan &plan, int cache, gpumexk_stream stream) {
    return dispatch_tile<LargeTma, MediumTma, SquareTma, SmallTma, WideTeams, TwoTeams, FourTeams>(plan.tile, [&](auto tile) {
        return tma::launch_any<decltype(tile)>(product, plan.blocks, cache, stream);
    });
}

template <typename... Tiles>
cudaError_t launch_stored(const gpumexk_matmul_args &product, const Plan &plan, unsigned sms, int cache, gpumexk_stream stream) {
    return dispatch_tile<Tiles...>(plan.tile, [&](auto tile) {
        return tma::launch_any_stored<decltype(tile)>(product, sms, cache, stream);
    });
}

// The quickest of the tiles that loads by TMA serve; cudaErrorNotSupported where none takes fewer than so many nanoseconds.
cudaError_t launch_by_tma(const gpumexk_matmul_args &product, double time, const gpumexk_tuning &tuning, const Multiprocessors &device,
                          gpumexk_stream stream) {
    bool has_tma = false;
    const cudaError_t error = find_tma(&has_tma);
    if (error != cudaSuccess) return error;
    if (!has_tma || !tma::serves(product)) return cudaErrorNotSupported;
    const auto plan = [&](const auto &paces) { return plan_of<double>(product, paces, SHARES, tuning.values, device); };
    if (tma::is_shifted(product)) {
        const Plan shifted = plan(SHIFTED_PACES);
        if (shifted.time >= time) return cudaErrorNotSupported;
        return launch_stored<LargeShifted, MediumShifted, SmallShifted>(product, shifted, device.at_once[1], tuning.cache, stream);
    }
    const Plan loaded = plan(TMA_PACES), stored = plan(STORED_PACES);
    if (stored.time < fmin(loaded.time, time)) {
        return launch_stored<LargeStored, MediumStored, SmallStored>(product, stored, device.at_once[1], tuning.cache, stream);
    }
    return loaded.time < time ? launch_tma(product, loaded, tuning.cache, stream) : cudaErrorNotSupported;
}

}  // namespace

int gpumexk_matmul_tiled_f64(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const int values = tuning->values;
    if (tuning->threads != Large::THREADS || (values != 64 && values != 32)) return cudaErrorInvalidValue;
    if (product->m == 0 || product->n == 0 || product->batch == 0) return cudaSuccess;
    if (outer::serves<double>(*product)) return outer::launch_any<double>(*product, tuning->cache, stream);
    const int log_lanes = small::log_lanes_of<double>(*product);
    if (log_lanes >= 0) return small::launch_any<double>(*product, log_lanes, tuning->cache, stream);
    const bool is_estimated = rank_k::is_estimated(*product);
    if (!is_estimated && rank_k::pays<double>(*product)) return rank_k::launch_any<double>(*product, tuning->cache, stream);
    Multiprocessors device = {};
    cudaError_t error = find_multiprocessors<tiled_product<Small, false, false>>(&device);
    if (error != cudaSuccess) return error;
    const Plan tiled = plan_of<double>(*product, PACES, SHARES, values, device);
    const double rank = is_estimated ? plan_of<double>(*product, RANK_PACES, SHARES, values, device).time : INFINITY;
    const bool is_rank = rank < tiled.time;
    error = launch_by_tma(*product, is_rank ? rank : tiled.time, *tuning, device, stream);
    if (error != cudaErrorNotSupported) return error;
    return is_rank ? rank_k::launch_any<double>(*product, tuning->cache, stream) : launch_tiled(*product, tiled, tuning->cache, stream);
}
