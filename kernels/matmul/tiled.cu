// tiled.cu — matrix product in float by register tiles, strictly IEEE.
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), C (m, n), row-major, for each of a batch
//
// Algorithm  matmul/tiled_product.cuh: asynchronous copies to shared memory, fragments in registers. A thread has up to 8 × 16
//            sums, so that 6 reads of 16 bytes serve 128 multiply-adds. plan_of() chooses among six tiles, and clusters of 1
//            to 16 blocks that split the k of one, by an estimate of their times. Small products: matmul/small.cuh; those with a short k:
//            matmul/rank_k.cuh, with k = 1 matmul/outer.cuh.
// Cost       mnk fused multiply-adds. One H200, row-major: 47.5 TFLOP/s at 2048³, 48.8 at 4096³, 0.95 and 0.98 of cuBLAS; 34 at
//            1024³, 1.04 of it; transposes 42 to 49 at 4096³. To the 66.9 of the multipliers: one instruction in
//            eleven is not a multiply-add, and register bank conflicts delay one in seven.
// Limits     Less than 2^31 tiles of C, k below 2^34: what any memory holds. Tiles too large for a device's shared memory are not
//            chosen.
// Edges      Each sum takes its k in ascending order, one fused multiply-add each; in a cluster each block does so for its
//            part, and where a tile has teams each of them, and the parts are added in order. So the result is the same from run to
//            run; it depends on the shape and on the device that the plan is made for. |error| ≤ γ(k+3) · (|alpha| |A| |B| + |beta| |C|). NaN and infinity
//            propagate as in IEEE arithmetic.
// Source     S. Boehm, "How to Optimize a CUDA Matmul Kernel", 2022; S. Gray, "SGEMM" in the documentation of maxas, 2014.

#include <type_traits>

#include "kernels.h"
#include "matmul/outer.cuh"
#include "matmul/rank_k.cuh"
#include "matmul/small.cuh"
#include "matmul/tiled_product.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int GROUP = 4;                                           // elements of a fragment that are read at once

// ---- device helpers -------------------------------------------------------------------------------------------------

// A block's tile of C is HEIGHT × WIDTH, a warp's WARP_HEIGHT × WARP_WIDTH; a thread has TALL × WIDE of it in squares of
// GROUP², those of a warp's lanes side by side. Each of TEAMS has all of the tile, and its part of the DEPTH places of k.
// A step takes one of them; the copies of a tile start in BURSTS steps.
template <int HEIGHT_, int WIDTH_, int DEPTH_, int WARP_HEIGHT, int WARP_WIDTH, int TALL, int WIDE, int STAGES_, int BLOCKS_,
          int TEAMS_, int BURSTS_ = 1, bool BY_COLUMN = false>
struct Tile {
    using Element = float;
    static constexpr int TEAMS = TEAMS_, BURSTS = BURSTS_;
    static constexpr bool HOLDS = TEAMS == 1 && BLOCKS_ <= 4;      // a pointer a copy, where there are registers for them
    static constexpr bool SPREADS = BLOCKS_ > 1;                   // with one block ptxas finds worse registers then
    static constexpr int HEIGHT = HEIGHT_, WIDTH = WIDTH_, DEPTH = DEPTH_, STAGES = STAGES_, BLOCKS = BLOCKS_;
    static constexpr int WARPS_ACROSS = WIDTH / WARP_WIDTH, THREADS = HEIGHT / WARP_HEIGHT * WARPS_ACROSS * WARP;
    static constexpr int LANES_DOWN = WARP_HEIGHT / TALL, LANES_ACROSS = WARP_WIDTH / WIDE;
    static_assert(LANES_DOWN * LANES_ACROSS == WARP, "a warp's lanes have its tile");
    static constexpr int GROUPS_ACROSS = WIDE / GROUP;
    static constexpr int PITCH_A = HEIGHT + 4, PITCH_B = WIDTH + 4;
    static constexpr unsigned BYTES_A = DEPTH * PITCH_A * sizeof(float), BYTES_B = DEPTH * PITCH_B * sizeof(float);    // of a stage
    static constexpr size_t LOADER_BYTES = size_t(STAGES) * (BYTES_A + BYTES_B);
    static constexpr size_t SUM_BYTES = size_t(TEAMS) * HEIGHT * WIDTH * sizeof(float);
    static constexpr int STEPS = DEPTH, SLOTS = TALL * GROUPS_ACROSS, COUNT = GROUP;

    struct Fragments {
        float a[TALL], b[WIDE];
    };

    static __device__ unsigned thread() { return team_thread<Tile>(); }
    // Lanes that differ in bit 0 alone have the same rows, those that differ in bit 1 the same columns: so does a half warp's
    // reading of 16 bytes a lane take one turn instead of two.
    static __device__ unsigned first_row() {
        return thread() / WARP / WARPS_ACROSS * WARP_HEIGHT + thread() / 2 % LANES_DOWN * GROUP;
    }
    static __device__ unsigned first_col() {
        const unsigned across = thread() % 2 + thread() % WARP / (2 * LANES_DOWN) * 2;
        return thread() / WARP % WARPS_ACROSS * WARP_WIDTH + across * GROUP;
    }
    static __device__ unsigned row(int slot) {
        const int i = slot / GROUPS_ACROSS;
        return first_row() + i / GROUP * LANES_DOWN * GROUP + i % GROUP;
    }
    static __device__ unsigned col(int slot) { return first_col() + slot % GROUPS_ACROSS * LANES_ACROSS * GROUP; }
    // For store_by_rows: which of the rows that a warp's lanes have at a time is this lane's, and which lane has one.
    static __device__ unsigned down() { return thread() / 2 % LANES_DOWN; }
    static __device__ unsigned lane_of(unsigned down) { return 2 * down; }
    static __device__ unsigned warp_col() { return thread() / WARP % WARPS_ACROSS * WARP_WIDTH; }
    static constexpr int ROWS_AT_ONCE = LANES_DOWN, WARP_COLS = WARP_WIDTH;
    static __device__ uint32_t lane_a() { return (team_place<Tile>() * PITCH_A + first_row()) * sizeof(float); }
    static __device__ uint32_t lane_b() { return (team_place<Tile>() * PITCH_B + first_col()) * sizeof(float); }

    template <int COUNT, int DISTANCE>
    static __device__ __forceinline__ void read_groups(float (&fragment)[COUNT], uint32_t address) {
#pragma unroll
        for (int g = 0; g < COUNT; g += GROUP) {
            asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(fragment[g]), "=f"(fragment[g + 1]), "=f"(fragment[g + 2]), "=f"(fragment[g + 3])
                         : "r"(address + g * DISTANCE * static_cast<unsigned>(sizeof(float))));
        }
    }

    static __device__ __forceinline__ void read(Fragments &fragments, uint32_t a, uint32_t b, int step) {
        read_groups<TALL, LANES_DOWN>(fragments.a, a + step * PITCH_A * sizeof(float));
        read_groups<WIDE, LANES_ACROSS>(fragments.b, b + step * PITCH_B * sizeof(float));
    }

    // The order of the multiply-adds is that of their sums: it decides the register bank conflicts.
    static __device__ __forceinline__ void multiply(const Fragments &fragments, float (&sums)[SLOTS][COUNT]) {
#pragma unroll
        for (int q = 0; q < TALL * WIDE; ++q) {
            const int i = BY_COLUMN ? q % TALL : q / WIDE, j = BY_COLUMN ? q / TALL : q % WIDE;
            float &sum = sums[i * GROUPS_ACROSS + j / GROUP][j % GROUP];
            sum = fmaf(fragments.a[i], fragments.b[j], sum);
        }
    }
};

using Large = Tile<128, 256, 8, 64, 64, 8, 16, 4, 1, 1, 2, true>;
using LargeByRow = Tile<128, 256, 8, 64, 64, 8, 16, 4, 1, 1>;      // the same, for operands that lie otherwise
using Square = Tile<64, 64, 8, 32, 64, 8, 8, 4, 6, 1>;             // for a short k
using Small = Tile<64, 64, 16, 32, 32, 8, 4, 4, 4, 1>;
using Wide = Tile<32, 128, 8, 32, 64, 8, 8, 4, 4, 1>;              // for C of few rows
using Tall = Tile<128, 32, 16, 64, 32, 8, 8, 4, 3, 2>;             // or columns
using Tiny = Tile<32, 32, 16, 16, 32, 4, 4, 4, 6, 2>;

// What the plan has to choose from.
constexpr Pace PACES[] = {
    pace_of<Large>(167, 167, 2600),
    pace_of<Square>(60, 25, 2350),
    pace_of<Small>(36, 22.9, 2600),
    pace_of<Wide>(45, 28.9, 2600),
    pace_of<Tall>(40, 25.9, 2250),
    pace_of<Tiny>(13.8, 8.9, 1530),
};
constexpr Shares SHARES = {{0, 600, 1200, 1800, 2400}, 0.08, INFINITY, {1, 1, 1}};

// ---- launchers ------------------------------------------------------------------------------------------------------

// Large is for A along k and B in packets, the row-major product without transposes; LargeByRow is the same tile for all else.
cudaError_t launch_tiled(const gpumexk_matmul_args &product, const Plan &plan, int cache, gpumexk_stream stream) {
    return dispatch_tile<Large, Square, Small, Wide, Tall, Tiny>(plan.tile, [&](auto tile) {
        using T = decltype(tile);
        const TiledArgs<float> args = tiled_args_of<T>(product);
        return dispatch_packets(args, [&](auto a, auto b) {
            constexpr bool A = decltype(a)::value, B = decltype(b)::value, IS_BY_ROW = std::is_same_v<T, Large> && (A || !B);
            return launch_product<std::conditional_t<IS_BY_ROW, LargeByRow, T>, A, B>(args, plan.blocks, cache, stream);
        });
    });
}

cudaError_t launch_if(const gpumexk_matmul_args &product, const unsigned *only_if, unsigned sms, gpumexk_stream stream) {
    const TiledArgs<float> args = tiled_args_of<Small>(product);
    return dispatch_packets(args, [&](auto a, auto b) {
        return launch_product_if<Small, decltype(a)::value != 0, decltype(b)::value != 0>(args, only_if, sms, stream);
    });
}

}  // namespace

int gpumexk_matmul_tiled_f32(const gpumexk_matmul_args *product, const unsigned *only_if, const gpumexk_tuning *tuning,
                             gpumexk_stream stream) {
    const int values = tuning->values;
    const bool is_served = values == 128 || values == 64 || values == 32 || values == 16;
    if (tuning->threads != Large::THREADS || !is_served) return cudaErrorInvalidValue;
    if (product->m == 0 || product->n == 0 || product->batch == 0) return cudaSuccess;
    Multiprocessors device = {};
    const cudaError_t error = find_multiprocessors<tiled_product<Small, false, false>>(&device);
    if (error != cudaSuccess) return error;
    if (only_if != nullptr) return launch_if(*product, only_if, device.at_once[1], stream);
    if (outer::serves<float>(*product)) return outer::launch_any<float>(*product, tuning->cache, stream);
    const int log_lanes = small::log_lanes_of<float>(*product);
    if (log_lanes >= 0) return small::launch_any<float>(*product, log_lanes, tuning->cache, stream);
    if (rank_k::pays<float>(*product)) return rank_k::launch_any<float>(*product, tuning->cache, stream);
    return launch_tiled(*product, plan_of<float>(*product, PACES, SHARES, values, device), tuning->cache, stream);
}
