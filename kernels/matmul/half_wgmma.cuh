// half_wgmma.cuh — warp-specialised GEMM of F16 or BF16 operands by TMA loads and wgmma, on Hopper.
//
//   C ← alpha · op(A) · op(B) + beta · C, for each of a batch; sums in float32
//
// Algorithm  Blocks of three warpgroups: a thread of the first fills a ring of stages in shared memory by TMA, a stage a slab of 64
//            along k of A and B; the other two multiply, 64 rows each of a tile of 128 × COLS. wgmma reads either operand as it
//            lies, along k or along its edge. Large tiles: persistent blocks, in clusters of two, one above the other, of which
//            each loads half of B and multicasts it. SPLITS: the blocks of a cluster share a tile, each with a part of k
//            (split-K), and add up their sums through distributed shared memory in the order of their ranks.
// Layout     Lines of 128 bytes with the 128-byte swizzle: along k, one for each row of op(A) or column of op(B), or along the edge, 64
//            for each k, 64 lines one behind the other. Either way a stage has 8 KiB of A for each consumer, and COLS / 64 times as
//            much of B. What lies outside of the operands altogether is not loaded.
// Cost       2mnk operations. A tile reads (128 + COLS) · k elements, in pairs (128 + COLS / 2) · k.
// Sharing    As large_wgmma.cuh: a stage is written again when the consuming warps of all blocks that it goes to have arrived.
// Limits     Machine code for sm_90a. Operands, their rows and matrices aligned to 16 bytes; less than 2^31 rows and columns.
// Edges      Boxes are zero outside of the operands; rows and columns past the end are not stored. The tensor core cuts off what does
//            not fit into a sum, as wgmma.cuh says.
// Source     NVIDIA CUTLASS, "Efficient GEMM"; PTX ISA, "wgmma", "Strides", "Matrix descriptor".
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "matmul/cluster_sum.cuh"
#include "matmul/pipeline.cuh"
#include "matmul/tile_swizzle.cuh"
#include "matmul/wgmma.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/thread/half.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace half {

using tensor::Half;

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned WARPGROUP = 128, CONSUMERS = 2, CONSUMING = WARPGROUP * CONSUMERS, THREADS = WARPGROUP + CONSUMING;
constexpr unsigned EDGE = 64;                                      // elements of a line of a box; of a slab along k
constexpr uint32_t LINE = EDGE * 2;                                // bytes
constexpr uint32_t BOX_BYTES = EDGE * LINE;
constexpr unsigned TILE_ROWS = EDGE * CONSUMERS;
constexpr unsigned BAND = 8;                                       // tiles of rows worked on side by side, for the L2 cache
constexpr size_t SHARED_ROOM = 227 * 1024, SWIZZLE_PERIOD = 1024;

template <Half T_, unsigned COLS_, bool SPLITS_>
struct Tile {
    static constexpr Half T = T_;
    static constexpr unsigned COLS = COLS_, SUMS = COLS / 2;       // of C; that a thread holds
    static constexpr bool SPLITS = SPLITS_;
    static constexpr uint32_t STAGE_BYTES = (TILE_ROWS + COLS) * LINE;
    static constexpr unsigned FIT = (SHARED_ROOM - 2048) / STAGE_BYTES, STAGES = FIT < 8 ? FIT : 8;
    static constexpr size_t BYTES = STAGES * (STAGE_BYTES + 2 * sizeof(uint64_t)) + SWIZZLE_PERIOD;  // with bytes to align

    // Rows of op(A), or columns of op(B), in a box: along the edge as many as a swizzled line has.
    template <bool ALONG_K>
    static constexpr unsigned LINES_A = ALONG_K ? TILE_ROWS : EDGE;
    template <bool ALONG_K>
    static constexpr unsigned LINES_B = !ALONG_K ? EDGE : SPLITS ? COLS : COLS / 2;
};

// C of a batch, of the type of A and B or of float32, or its transpose.
struct Output {
    void *c;
    size_t rows, cols, row_step, col_step, stride;                 // elements from a row to the next, a column, a matrix
    float alpha, beta;
    int is_float;
    bool in_packets, in_pairs;                                     // rows are contiguous, and aligned to 16 bytes, to two elements
};

// An operand of `edge` rows of op(A), or columns of op(B).
struct Operand {
    CUtensorMap map;
    unsigned edge;
    uint32_t box_bytes;                                            // fewer where the edge is shorter than a box
    int batched;                                                   // 1: matrix z of the map, else always 0
};

struct Problem {
    Operand a, b;
    Output output;
    unsigned slabs, tile_rows, tile_cols, tiles;                   // tile_rows: of a cluster; tiles: of all the batch
};

struct Place {
    unsigned matrix, top, left;                                    // a block's tile of C
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// Two floats rounded to T, the first in the low half; one; a value of T.
template <Half T>
__device__ __forceinline__ unsigned round_pair(float x, float y) {
    unsigned pair;
    if constexpr (T == Half::F16) asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
    else asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
    return pair;
}
template <Half T>
__device__ __forceinline__ float value_of(unsigned bits) {
    return T == Half::F16 ? from_f16(static_cast<uint16_t>(bits)) : from_bf16(static_cast<uint16_t>(bits));
}

template <typename L>
__device__ __forceinline__ Place place_of(const Problem &problem, unsigned index) {
    const unsigned of_matrix = problem.tile_rows * problem.tile_cols, matrix = index / of_matrix;
    const TileCoord at = swizzled_tile(index - matrix * of_matrix, problem.tile_rows, problem.tile_cols, BAND);
    const unsigned row = L::SPLITS ? at.row : at.row * cluster_blocks() + cluster_rank();
    return {matrix, row * TILE_ROWS, at.col * L::COLS};
}

// A block's ring, and its part of the slabs.
template <typename L>
struct Ring {
    uint32_t stages, full, empty;
    unsigned begin, count;                                         // slabs

    __device__ Ring(uint32_t smem, const Problem &problem) {
        stages = (smem + uint32_t(SWIZZLE_PERIOD) - 1) / uint32_t(SWIZZLE_PERIOD) * uint32_t(SWIZZLE_PERIOD);
        full = stages + L::STAGES * L::STAGE_BYTES;
        empty = full + L::STAGES * 8;
        const unsigned parts = L::SPLITS ? cluster_blocks() : 1, part = L::SPLITS ? cluster_rank() : 0;
        begin = static_cast<unsigned>(uint64_t(problem.slabs) * part / parts);
        count = static_cast<unsigned>(uint64_t(problem.slabs) * (part + 1) / parts) - begin;
    }

    // Blocks that a stage of this one goes to.
    static __device__ __forceinline__ unsigned sharing() { return L::SPLITS ? 1 : cluster_blocks(); }

    __device__ void initialise() const {
        for (unsigned place = 0; place < L::STAGES; ++place) {
            mbarrier_init(full + place * 8, 1);
            mbarrier_init(empty + place * 8, CONSUMING / WARP * sharing());
        }
        mbarrier_publish();
    }

    // A warp has read a stage.
    __device__ __forceinline__ void release(unsigned place) const {
        const unsigned lane = threadIdx.x % WARP;
        if (L::SPLITS && lane == 0) mbarrier_arrive(empty + place * 8);
        if (!L::SPLITS && lane < cluster_blocks()) mbarrier_arrive_remote(lane, empty + place * 8);
    }
};

// The boxes of an operand that a tile needs of each slab, in registers.
struct Boxes {
    const CUtensorMap *map;
    unsigned first, matrix, inside;                                // along the edge; boxes that are not outside
    uint32_t bytes;

    // `count` boxes of LINES along the edge, from `first` on.
    template <unsigned LINES>
    static __device__ __forceinline__ Boxes of(const Operand &operand, unsigned first, unsigned matrix, unsigned count) {
        const unsigned left = first < operand.edge ? (operand.edge - first + LINES - 1) / LINES : 0, inside = min(left, count);
        return {&operand.map, first, matrix * operand.batched, inside, inside * operand.box_bytes};
    }

    // Number `index` of them, at k.
    template <bool ALONG_K, unsigned LINES, typename... Mask>
    __device__ __forceinline__ void fetch(uint32_t to, unsigned index, unsigned k, uint32_t barrier, Mask... mask) const {
        const int edge = static_cast<int>(first + index * LINES), at = static_cast<int>(k), z = static_cast<int>(matrix);
        if (index < inside) {
            tensor::copy_box(to + index * LINES * LINE, map, ALONG_K ? at : edge, ALONG_K ? edge : at, z, barrier, mask...);
        }
    }
};

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void produce(const Problem &problem, const Ring<L> &ring, const Place &place,
                                        tensor::RingPosition<L::STAGES> &at) {
    constexpr unsigned LINES_A = L::template LINES_A<A_ALONG_K>, LINES_B = L::template LINES_B<B_ALONG_K>;
    constexpr unsigned COUNT_B = L::COLS / LINES_B, SHARE = L::SPLITS ? COUNT_B : COUNT_B / 2;  // of two blocks that share B
    const unsigned sharing = ring.sharing(), rank = L::SPLITS ? 0 : cluster_rank();
    const Boxes a = Boxes::of<LINES_A>(problem.a, place.top, place.matrix, TILE_ROWS / LINES_A);
    const Boxes b = Boxes::of<LINES_B>(problem.b, place.left, place.matrix, COUNT_B);
    for (unsigned slab = 0; slab < ring.count; ++slab, at.advance()) {
        const uint32_t to_a = ring.stages + at.place * L::STAGE_BYTES, to_b = to_a + TILE_ROWS * LINE;
        const uint32_t barrier = ring.full + at.place * 8;
        const unsigned k = (ring.begin + slab) * EDGE;
        mbarrier_wait(ring.empty + at.place * 8, at.parity ^ 1);
        mbarrier_expect_tx(barrier, a.bytes + b.bytes);
#pragma unroll
        for (unsigned i = 0; i < TILE_ROWS / LINES_A; ++i) a.template fetch<A_ALONG_K, LINES_A>(to_a, i, k, barrier);
#pragma unroll
        for (unsigned i = 0; i < COUNT_B; ++i) {
            if (sharing == 1) b.template fetch<B_ALONG_K, LINES_B>(to_b, i, k, barrier);
            else if (i / SHARE == rank) b.template fetch<B_ALONG_K, LINES_B>(to_b, i, k, barrier, uint16_t(3));
        }
    }
}

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void consume(const Ring<L> &ring, unsigned group, tensor::RingPosition<L::STAGES> &at, float (&sums)[L::SUMS]) {
    constexpr unsigned STEP_A = A_ALONG_K ? 2 : 128, STEP_B = B_ALONG_K ? 2 : 128;
    unsigned before = 0;
#pragma unroll 1
    for (unsigned slab = 0; slab < ring.count; ++slab, at.advance()) {
        const uint32_t from = ring.stages + at.place * L::STAGE_BYTES;
        const uint32_t from_a = from + group * BOX_BYTES, from_b = from + TILE_ROWS * LINE;
        const uint64_t a = A_ALONG_K ? tensor::rows_at(from_a) : tensor::lines_at(from_a);
        const uint64_t b = B_ALONG_K ? tensor::rows_at(from_b) : tensor::lines_at(from_b);
        mbarrier_wait(ring.full + at.place * 8, at.parity);
        tensor::begin_products();
#pragma unroll
        for (unsigned step = 0; step < EDGE / 16; ++step) {
            tensor::multiply_half<L::T, A_ALONG_K, B_ALONG_K>(sums, a + step * STEP_A, b + step * STEP_B, slab + step != 0);
        }
        tensor::commit_products();
        tensor::wait_products<1>();                                // those of the slab before are done
        if (slab > 0) ring.release(before);
        before = at.place;
    }
    tensor::wait_products<0>();
    tensor::pin(sums);
    if (ring.count > 0) ring.release(before);
}

// Two neighbours (row, col), (row, col + 1) of C.
template <Half T>
__device__ __forceinline__ void store_pair(const Output &output, unsigned matrix, size_t row, size_t col, float x, float y) {
    if (row >= output.rows || col >= output.cols) return;
    const size_t at = matrix * output.stride + row * output.row_step + col * output.col_step, step = output.col_step;
    const bool both = col + 1 < output.cols;
    x *= output.alpha, y *= output.alpha;
    if (output.is_float) {
        float *const to = static_cast<float *>(output.c) + at;
        if (output.beta != 0) x = fmaf(output.beta, to[0], x), y = both ? fmaf(output.beta, to[step], y) : 0;
        if (both && output.in_pairs) {
            *reinterpret_cast<float2 *>(to) = {x, y};
        } else {
            to[0] = x;
            if (both) to[step] = y;
        }
        return;
    }
    uint16_t *const to = static_cast<uint16_t *>(output.c) + at;
    if (output.beta != 0) {
        x = fmaf(output.beta, value_of<T>(to[0]), x);
        y = both ? fmaf(output.beta, value_of<T>(to[step]), y) : 0;
    }
    const unsigned pair = round_pair<T>(x, y);
    if (both && output.in_pairs) {
        *reinterpret_cast<unsigned *>(to) = pair;
    } else {
        to[0] = static_cast<uint16_t>(pair);
        if (both) to[step] = static_cast<uint16_t>(pair >> 16);
    }
}

// Lane t of four gets word t of each of the four.
__device__ __forceinline__ void transpose_quad(unsigned (&words)[4]) {
    const bool odd = threadIdx.x % 2 != 0, high = threadIdx.x / 2 % 2 != 0;
#pragma unroll
    for (unsigned i = 0; i < 4; i += 2) {
        const unsigned got = __shfl_xor_sync(ALL_LANES, odd ? words[i] : words[i + 1], 1);
        (odd ? words[i] : words[i + 1]) = got;
    }
#pragma unroll
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned got = __shfl_xor_sync(ALL_LANES, high ? words[i] : words[i + 2], 2);
        (high ? words[i] : words[i + 2]) = got;
    }
}

// The tile of a consumer, from registers.
template <typename L>
__device__ __forceinline__ void store_tile(const Output &output, const Place &place, unsigned group, const float (&sums)[L::SUMS]) {
    const unsigned tid = threadIdx.x % WARPGROUP, lane = tid % WARP;
    const bool in_packets = !output.is_float && output.in_packets && output.beta == 0;
#pragma unroll
    for (unsigned below = 0; below < 2; ++below) {
        const size_t row = place.top + group * EDGE + tid / WARP * 16 + lane / 4 + below * 8;
        uint16_t *const line = static_cast<uint16_t *>(output.c) + place.matrix * output.stride + row * output.row_step;
#pragma unroll
        for (unsigned j = 0; j < L::COLS / 8; j += 4) {
            const float *const four = &sums[4 * j + 2 * below];
            if (in_packets && place.left + 8 * (j + 4) <= output.cols) {
                unsigned words[4];
#pragma unroll
                for (unsigned i = 0; i < 4; ++i) words[i] = round_pair<L::T>(output.alpha * four[4 * i], output.alpha * four[4 * i + 1]);
                transpose_quad(words);
                const unsigned col = place.left + 8 * (j + lane % 4);
                if (row < output.rows) *reinterpret_cast<uint4 *>(line + col) = {words[0], words[1], words[2], words[3]};
            } else if (place.left + 8 * j < output.cols) {
#pragma unroll
                for (unsigned i = 0; i < 4; ++i) {
                    store_pair<L::T>(output, place.matrix, row, place.left + 8 * (j + i) + lane % 4 * 2, four[4 * i], four[4 * i + 1]);
                }
            }
        }
    }
}

// The tile of a cluster whose blocks have sums of parts of k; all threads of the block call it, those of group 0 have no sums.
template <typename L>
__device__ __forceinline__ void store_shared_tile(const Output &output, const Place &place, unsigned group, uint4 *smem,
                                                  const float (&sums)[L::SUMS]) {
    constexpr unsigned SLOTS = L::SUMS / 4;
    const unsigned blocks = cluster_blocks(), tid = threadIdx.x % WARPGROUP, lane = tid % WARP;
    uint4 *const own = smem + threadIdx.x % CONSUMING;             // slot after slot; each consuming thread has another one
    __syncthreads();                                               // the stages are free
    if (group > 0) {
#pragma unroll
        for (unsigned slot = 0; slot < SLOTS; ++slot) {
            own[slot * CONSUMING] = {__float_as_uint(sums[4 * slot]), __float_as_uint(sums[4 * slot + 1]),
                                     __float_as_uint(sums[4 * slot + 2]), __float_as_uint(sums[4 * slot + 3])};
        }
    }
    cluster_sync();                                                // all sums are there
    if (group > 0) {
        for (unsigned slot = cluster_rank(); slot < SLOTS; slot += blocks) {
            float whole[4] = {};
            for (unsigned block = 0; block < blocks; ++block) {
                const uint4 part = read_from(address_in(block, own + slot * CONSUMING));
                whole[0] += __uint_as_float(part.x), whole[1] += __uint_as_float(part.y);
                whole[2] += __uint_as_float(part.z), whole[3] += __uint_as_float(part.w);
            }
            const size_t row = place.top + (group - 1) * EDGE + tid / WARP * 16 + lane / 4;
            const size_t col = place.left + 8 * slot + lane % 4 * 2;
            store_pair<L::T>(output, place.matrix, row, col, whole[0], whole[1]);
            store_pair<L::T>(output, place.matrix, row + 8, col, whole[2], whole[3]);
        }
    }
    cluster_sync();                                                // no block ends while another reads its sums
}

#endif

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
__global__ void __launch_bounds__(THREADS, 1) matmul_half(const __grid_constant__ Problem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ char smem[];
    const Ring<L> ring(shared_address(smem), problem);
    if (threadIdx.x == 0) {
        tensor::prefetch_map(&problem.a.map);
        tensor::prefetch_map(&problem.b.map);
        ring.initialise();
    }
    cluster_sync();                                                // the mbarriers of all blocks are initialised
    const unsigned blocks = cluster_blocks(), first = blockIdx.x / blocks, step = gridDim.x / blocks;
    const unsigned group = __shfl_sync(ALL_LANES, threadIdx.x / WARPGROUP, 0);  // known to be the same in a warp; 0 produces
    tensor::RingPosition<L::STAGES> at;
    if constexpr (L::SPLITS) {                                     // one tile, whose sums need few registers
        const Place place = place_of<L>(problem, first);
        float sums[L::SUMS];
#pragma unroll
        for (unsigned i = 0; i < L::SUMS; ++i) sums[i] = 0;        // of a block without a slab
        tensor::pin(sums);
        if (group > 0) consume<L, A_ALONG_K, B_ALONG_K>(ring, group - 1, at, sums);
        else if (threadIdx.x == 0) produce<L, A_ALONG_K, B_ALONG_K>(problem, ring, place, at);
        __syncwarp();
        if (blocks > 1) {
            char *const aligned = smem + (ring.stages - shared_address(smem));
            store_shared_tile<L>(problem.output, place, group, reinterpret_cast<uint4 *>(aligned), sums);
        } else if (group > 0) {
            store_tile<L>(problem.output, place, group - 1, sums);
        }
    } else {
        if (group == 0) {
            tensor::give_registers<40>();
            if (threadIdx.x == 0) {
                for (unsigned index = first; index < problem.tiles; index += step) {
                    produce<L, A_ALONG_K, B_ALONG_K>(problem, ring, place_of<L>(problem, index), at);
                }
            }
        } else {
            tensor::take_registers<232>();
            for (unsigned index = first; index < problem.tiles; index += step) {
                float sums[L::SUMS];
                consume<L, A_ALONG_K, B_ALONG_K>(ring, group - 1, at, sums);
                store_tile<L>(problem.output, place_of<L>(problem, index), group - 1, sums);
            }
        }
        __syncwarp();
        cluster_sync();                                            // no block ends while another still writes to it
    }
#else
    __trap();
#endif
}

}  // namespace half
