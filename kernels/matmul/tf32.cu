// tf32.cu — matrix products of float32 on tensor cores, with operands rounded to TF32.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch      op(A) (m, k), op(B) (k, n), C (m, n), row-major float32
//
// Algorithm  matmul/tiled_product.cuh with mma.sync as the micro-kernel: elements are rounded to nearest on their way from shared
//            memory. plan_of() chooses among five tiles, and clusters that split the k of one. On Hopper, where an estimate says
//            that it is faster, matmul/tma_wgmma.cuh, launched by matmul/tma_wgmma_launch.cuh.
// Cost       2mnk operations. One H200, 4096³: 0.36 ms by tma_wgmma.cuh; tiles of 128 × 128 reach 90 TFLOP/s. Scratch where
//            operands have to be copied for it, and for parts of k.
//            L2 error against float64 there: 2.8e-5 uniform(0, 1), 2.9e-4 normal, the same as cuBLAS's.
// Limits     Any size. Compute capability 8.0.
// Edges      Sums stay in the tensor core, which cuts off what does not fit; sums of whole numbers below 2^24 are exact. inf, NaN
//            and values near the largest give what the hardware gives. k = 0 or alpha = 0: C ← beta·C. Halfway between two numbers of TF32
//            the even one is taken, and before Hopper the one away from 0.
// Source     PTX ISA, "mma.sync.aligned.m16n8k8", "cvt.rn.tf32.f32", "cvt.rna.tf32.f32".

#include "kernels.h"
#include "matmul/tensor_cores.cuh"
#include "matmul/tiled_product.cuh"
#include "matmul/tma_wgmma_launch.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int MMA_DEPTH = 8;                                       // of k, of an instruction
constexpr int GROUP = 4;                                           // rows or columns of a lane, one behind the other
constexpr int SPAN = 32;                                           // rows or columns of a warp's eight groups of lanes
constexpr int TILED_THREADS = 256;                                 // what a tuning calls the tiles

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ unsigned tf32_of(float x) {
    unsigned bits = __float_as_uint(x);
#if __CUDA_ARCH__ >= 900                                           // one instruction; the other one is three
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#elif __CUDA_ARCH__ >= 800
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
#endif
    return bits;
}

// sums (16, 8) ← sums + a (16, 8) · b (8, 8), numbers of TF32.
__device__ __forceinline__ void mma_tf32(float &s0, float &s1, float &s2, float &s3, const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(s0), "+f"(s1), "+f"(s2), "+f"(s3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

// A block's tile of C is HEIGHT × WIDTH, a warp's WARP_HEIGHT × WARP_WIDTH. Each of TEAMS has all of the tile, and its part of the
// DEPTH places of k. A group of lanes has every eighth GROUP of rows, and of columns. Rows of a tile in shared memory lie 8 banks apart
// and are read GROUP elements at a time; where copies are of single elements, one bank apart, and elements are read one by one: either
// way reading has no bank conflicts, nor has writing elements along k.
template <int HEIGHT_, int WIDTH_, int DEPTH_, int WARP_HEIGHT, int WARP_WIDTH, int STAGES_, int BLOCKS_, int TEAMS_, bool PACKETS_A,
          bool PACKETS_B>
struct Tile {
    using Element = float;
    static constexpr bool HOLDS = false, SPREADS = true;
    static constexpr int HEIGHT = HEIGHT_, WIDTH = WIDTH_, DEPTH = DEPTH_, STAGES = STAGES_, BLOCKS = BLOCKS_, TEAMS = TEAMS_;
    static constexpr int STEPS = DEPTH / MMA_DEPTH, BURSTS = STEPS / TEAMS - 1;
    static constexpr int WARPS_ACROSS = WIDTH / WARP_WIDTH, THREADS = HEIGHT / WARP_HEIGHT * WARPS_ACROSS * WARP;
    static constexpr int DOWN = WARP_HEIGHT / SPAN, ACROSS = WARP_WIDTH / SPAN;
    static constexpr int PITCH_A = HEIGHT + (PACKETS_A ? 8 : 1), PITCH_B = WIDTH + (PACKETS_B ? 8 : 1);
    static constexpr unsigned BYTES_A = (DEPTH * PITCH_A * sizeof(float) + 15) / 16 * 16;  // of a stage
    static constexpr unsigned BYTES_B = (DEPTH * PITCH_B * sizeof(float) + 15) / 16 * 16;
    static constexpr size_t LOADER_BYTES = size_t(STAGES) * (BYTES_A + BYTES_B);
    static constexpr size_t SUM_BYTES = size_t(TEAMS) * HEIGHT * WIDTH * sizeof(float);
    static constexpr int GROUPS_ACROSS = ACROSS * 2, SLOTS = DOWN * GROUP * GROUPS_ACROSS, COUNT = GROUP;

    struct Fragments {
        float a[DOWN][2][GROUP], b[ACROSS][2][GROUP];              // of either half of the places of k
    };

    static __device__ unsigned thread() { return team_thread<Tile>(); }
    static __device__ unsigned lane_group() { return thread() % WARP / 4; }
    static __device__ unsigned lane_in_group() { return thread() % 4; }
    static __device__ unsigned warp_row() { return thread() / WARP / WARPS_ACROSS * WARP_HEIGHT; }
    static __device__ unsigned warp_col() { return thread() / WARP % WARPS_ACROSS * WARP_WIDTH; }
    static __device__ unsigned row(int slot) {
        const int i = slot / GROUPS_ACROSS;
        return warp_row() + i / GROUP * SPAN + GROUP * lane_group() + i % GROUP;
    }
    static __device__ unsigned col(int slot) {
        const int j = slot % GROUPS_ACROSS;
        return warp_col() + j / 2 * SPAN + GROUP * (2 * lane_in_group() + j % 2);
    }
    // For store_by_rows: which of the rows that a warp's lanes have at a time is this lane's, and which lane has one.
    static __device__ unsigned down() { return lane_group(); }
    static __device__ unsigned lane_of(unsigned down) { return 4 * down; }
    static constexpr int ROWS_AT_ONCE = 8, WARP_COLS = WARP_WIDTH;

    static __device__ uint32_t lane_a() {
        return ((team_place<Tile>() + lane_in_group()) * PITCH_A + warp_row() + GROUP * lane_group()) * sizeof(float);
    }
    static __device__ uint32_t lane_b() {
        return ((team_place<Tile>() + lane_in_group()) * PITCH_B + warp_col() + GROUP * lane_group()) * sizeof(float);
    }

    template <bool PACKETS>
    static __device__ __forceinline__ void read_group(float (&group)[GROUP], uint32_t address) {
        if constexpr (PACKETS) {
            asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(group[0]), "=f"(group[1]), "=f"(group[2]), "=f"(group[3]) : "r"(address));
        } else {
#pragma unroll
            for (int v = 0; v < GROUP; ++v) asm volatile("ld.shared.f32 %0, [%1];" : "=f"(group[v]) : "r"(address + v * 4));
        }
    }

    static __device__ __forceinline__ void read(Fragments &fragments, uint32_t a, uint32_t b, int step) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int at = step * MMA_DEPTH + half * (MMA_DEPTH / 2);
#pragma unroll
            for (int i = 0; i < DOWN; ++i) {
                read_group<PACKETS_A>(fragments.a[i][half], a + (at * PITCH_A + i * SPAN) * sizeof(float));
            }
#pragma unroll
            for (int j = 0; j < ACROSS; ++j) {
                read_group<PACKETS_B>(fragments.b[j][half], b + (at * PITCH_B + j * SPAN) * sizeof(float));
            }
        }
    }

    // An instruction has two rows of each group of lanes, and one column; its sums are those of two columns of a lane.
    static __device__ __forceinline__ void multiply(const Fragments &fragments, float (&sums)[SLOTS][COUNT]) {
        unsigned b[ACROSS][2][GROUP];
#pragma unroll
        for (int v = 0; v < ACROSS * 2 * GROUP; ++v) {
            b[v / (2 * GROUP)][v / GROUP % 2][v % GROUP] = tf32_of(fragments.b[v / (2 * GROUP)][v / GROUP % 2][v % GROUP]);
        }
#pragma unroll
        for (int i = 0; i < DOWN * GROUP; i += 2) {
            const float(&rows)[2][GROUP] = fragments.a[i / GROUP];
            const unsigned a[4] = {tf32_of(rows[0][i % GROUP]), tf32_of(rows[0][i % GROUP + 1]),
                                   tf32_of(rows[1][i % GROUP]), tf32_of(rows[1][i % GROUP + 1])};
#pragma unroll
            for (int j = 0; j < ACROSS * GROUP; ++j) {
                const int slot = i * GROUPS_ACROSS + j / GROUP * 2, below = slot + GROUPS_ACROSS, v = j % GROUP;
                mma_tf32(sums[slot][v], sums[slot + 1][v], sums[below][v], sums[below + 1][v], a, b[j / GROUP][0][v],
                         b[j / GROUP][1][v]);
            }
        }
    }
};

// A tile whose copies of A, and of B, are in packets or not.
template <int HEIGHT, int WIDTH, int DEPTH, int WARP_HEIGHT, int WARP_WIDTH, int STAGES, int BLOCKS, int TEAMS>
struct Tiles {
    template <bool PACKETS_A, bool PACKETS_B>
    using Of = Tile<HEIGHT, WIDTH, DEPTH, WARP_HEIGHT, WARP_WIDTH, STAGES, BLOCKS, TEAMS, PACKETS_A, PACKETS_B>;
};
using Large = Tiles<128, 128, 16, 64, 32, 4, 1, 1>;
using Small = Tiles<64, 64, 16, 32, 32, 4, 3, 1>;
using Wide = Tiles<32, 64, 32, 32, 32, 4, 3, 2>;                   // for C of few rows
using Tall = Tiles<64, 32, 32, 32, 32, 4, 3, 2>;                   // or columns
using Tiny = Tiles<32, 32, 64, 32, 32, 3, 3, 4>;

// What the plan has to choose from. Tiles of packets have the longer rows.
constexpr Pace PACES[] = {
    pace_of<Large::Of<true, true>>(31.8, 28.5, 4830, 4180, 3380),
    pace_of<Small::Of<true, true>>(18.8, 14.7, 4530, 5000, 1600),
    pace_of<Wide::Of<true, true>>(10.9, 9.3, 4510, 2000, 1260),
    pace_of<Tall::Of<true, true>>(10.8, 9.1, 5010, 2000, 820),
    pace_of<Tiny::Of<true, true>>(7.4, 6.3, 3680, 1500, 2140),
};
constexpr Shares SHARES = {{0, 930, 650, 960, 1810}, 0, 1800, {1, 1.15, 1.3}};
constexpr int ANY = 64;                                            // sums of a thread: every tile

// ---- launchers ------------------------------------------------------------------------------------------------------

cudaError_t launch_tiled(const gpumexk_matmul_args &product, const Plan &plan, int cache, cudaStream_t stream) {
    return dispatch_tile<Large, Small, Wide, Tall, Tiny>(plan.tile, [&](auto tiles) {
        using T = decltype(tiles);
        const TiledArgs<float> args = tiled_args_of<typename T::template Of<true, true>>(product);
        return dispatch_packets(args, [&](auto a, auto b) {
            constexpr bool A = decltype(a)::value, B = decltype(b)::value;
            return launch_product<typename T::template Of<A, B>, A, B>(args, plan.blocks, cache, stream);
        });
    });
}

}  // namespace

int gpumexk_matmul_tf32_scratch(const gpumexk_matmul_args *product, size_t *bytes) {
    tma_wgmma::Device device = {};
    const cudaError_t error = tma_wgmma::find_device<tma_wgmma::Format::TF32>(&device);
    *bytes = tma_wgmma::scratch_of<tma_wgmma::Format::TF32>(*product, device);
    return error;
}

int gpumexk_matmul_tf32_f32(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning,
                            gpumexk_stream stream) {
    using tma_wgmma::Format;
    constexpr auto EXAMPLE = tiled_product<Tiny::Of<false, false>, false, false>;
    constexpr int TMA_THREADS = tma_wgmma::THREADS;
    const bool has_tiles = product->m > 0 && product->n > 0 && product->batch > 0;
    tensor::TensorCores cores = {};
    Multiprocessors multiprocessors = {};
    tma_wgmma::Device device = {};
    cudaError_t error = tensor::find_tensor_cores<EXAMPLE>(&cores);
    if (error == cudaSuccess) error = find_multiprocessors<EXAMPLE>(&multiprocessors);
    if (error == cudaSuccess) error = tma_wgmma::find_device<Format::TF32>(&device);
    if (error != cudaSuccess) return error;
    if (!cores.has_mma) return cudaErrorNotSupported;
    if (!is_one_of<0, TILED_THREADS, TMA_THREADS>(tuning->threads)) return cudaErrorInvalidValue;
    if (!has_tiles) return cudaSuccess;
    const Plan plan = plan_of<float>(*product, PACES, SHARES, ANY, multiprocessors);
    const auto is_large = [&] { return tma_wgmma::time_of<Format::TF32>(*product, device) < plan.time / 1000; };
    const bool is_served = cores.has_wgmma && tma_wgmma::serves<Format::TF32>(*product, device);
    if (is_served && (tuning->threads == TMA_THREADS || (tuning->threads == 0 && is_large()))) {
        const gpumexk_tuning chosen = {TMA_THREADS, tuning->values, tuning->cache};
        error = tma_wgmma::launch<Format::TF32>(*product, 1, scratch, chosen, device, stream);
        if (error != cudaErrorNotSupported) return error;          // by the driver, which makes no tensor map of it
    }
    return launch_tiled(*product, plan, tuning->cache, stream);
}
