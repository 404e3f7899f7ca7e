// narrow_wgmma.cuh — GEMM of float32 by wgmma where one side of C is narrow: A is split in registers, B is packed, on Hopper.
//
//   C ← alpha·A·B + beta·C for each of a batch, by three BF16 parts of each operand (float_split.cuh)
//
// Algorithm  Blocks of three warpgroups: the first fills a ring of stages in shared memory, a stage a slab of 64 along k; the other two
//            multiply, 64 rows each of a tile of 128 × 64. A comes as float32, by TMA, or where it is not aligned by cp.async of single
//            elements; a consumer loads 32 of k into registers and splits them while it multiplies those before. B comes packed
//            (pack.cuh), by bulk copies. Two blocks, one above the other, are a cluster: each loads half of B and multicasts it.
//            Where C has few tiles, clusters share k, and a second kernel adds their sums up (tma_wgmma_sum.cuh).
// Cost       12mnk operations in BF16. Reads 4mk bytes for each 64 columns, from memory once, and half of B for each 128 rows.
// Sharing    A stage is written again when all consuming warps of the cluster have arrived at its `empty` barrier. A warp arrives behind
//            wait_products, when the products that use B are complete, and so the loads that brought their registers. racecheck reports
//            threads' copies against those loads of the round before, as it does with plain arrivals behind cp.async.wait_group too:
//            it does not follow a barrier at which the other block arrives as well.
// Limits     Machine code for sm_90a.
// Edges      Rows and columns past the end are multiplied and not stored. A thread that sees what cannot be split sets the flag, but for
//            NaN, which reach their row and nothing else; C may have been written then, without beta.
// Source     NVIDIA CUTLASS, mixed-input GEMM: operands of wgmma from registers; PTX ISA, "wgmma", "cp.async.mbarrier.arrive".
#pragma once

#include "matmul/float_split.cuh"
#include "matmul/pack.cuh"
#include "matmul/pipeline.cuh"
#include "matmul/tma_wgmma.cuh"
#include "matmul/wgmma.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace narrow {

using tensor::DEPTH;
using tensor::LINE;
using tensor::PARTS;

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned WARPGROUP = 128, CONSUMERS = 2, CONSUMING = CONSUMERS * WARPGROUP, THREADS = WARPGROUP + CONSUMING;
constexpr unsigned ROWS = 64, TILE_ROWS = ROWS * CONSUMERS, COLS = 64, SUMS = COLS / 2;  // of a consumer, of a block, of C, of a thread
constexpr unsigned CHUNK = 32, CHUNKS = DEPTH / CHUNK;             // of k that is summed afresh, as in split_k.cuh
constexpr unsigned CHUNKS_A_GROUP = 8;
constexpr unsigned STEPS = 2, STEP = 16;                           // of wgmma in a chunk, of k
constexpr unsigned LINE_FLOATS = LINE / sizeof(float), BOXES = 2;  // boxes of A: LINE_FLOATS of k, or of the rows for BOXES each consumer
constexpr uint32_t A_BYTES = TILE_ROWS * DEPTH * sizeof(float), PART_BYTES = COLS * LINE;
constexpr uint32_t STAGE_BYTES = A_BYTES + PARTS * PART_BYTES;
constexpr unsigned STAGES = 4;
constexpr size_t BYTES = 1024 + size_t(STAGES) * (STAGE_BYTES + 2 * sizeof(uint64_t));  // with bytes to align

// A: `rows` of `depth` float32, along k or along its rows.
struct OperandA {
    CUtensorMap map;
    const float *data;
    size_t ld, stride;                                             // elements; stride 0: one matrix for all
    unsigned rows, depth;
};

struct Problem {
    OperandA a;
    const uint4 *b;                                                // packed
    size_t b_matrix, b_rows;                                       // pieces from a matrix to the next, perhaps 0; rows of a packed slab
    tma_wgmma::Output output;
    unsigned slabs, parts, row_tiles, col_tiles;                   // row_tiles: of a cluster
    unsigned *flag;
    const unsigned *magnitudes_b;                                  // as many as the pass had blocks
    unsigned pack_blocks;
};

struct Place {
    unsigned matrix, part, top, left;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// Clusters that share rows of A lie side by side: columns first, then rows, parts, matrices.
__device__ __forceinline__ Place place_of(const Problem &problem) {
    unsigned index = blockIdx.x / 2;
    const unsigned col = index % problem.col_tiles;
    index /= problem.col_tiles;
    const unsigned row = index % problem.row_tiles;
    index /= problem.row_tiles;
    return {index / problem.parts, index % problem.parts, (row * 2 + cluster_rank()) * TILE_ROWS, col * COLS};
}

// Four bytes from global to shared memory, or zeros.
__device__ __forceinline__ void copy_float(uint32_t to, const float *from, bool is_there) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(is_there ? 4 : 0) : "memory");
}

// The barrier counts this thread when its copies so far are there.
__device__ __forceinline__ void arrive_behind_copies(uint32_t barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

// A's part of a stage, by the threads of the first warpgroup: lines of LINE_FLOATS neighbours, as TMA stores them.
template <bool ALONG_K>
__device__ __forceinline__ void copy_a(const OperandA &a, const float *matrix, unsigned top, unsigned k, uint32_t to) {
    constexpr unsigned LINES = ALONG_K ? TILE_ROWS : DEPTH, ALONG = ALONG_K ? DEPTH / LINE_FLOATS : TILE_ROWS / LINE_FLOATS;
    constexpr unsigned WARPS = WARPGROUP / WARP;
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const unsigned lines = ALONG_K ? a.rows - min(a.rows, top) : a.depth - min(a.depth, k), from_line = ALONG_K ? top : k;
    const unsigned along = ALONG_K ? a.depth - min(a.depth, k) : a.rows - min(a.rows, top), from_along = ALONG_K ? k : top;
    const float *from = matrix + (from_line + warp) * a.ld + from_along + lane;
#pragma unroll 4
    for (unsigned line = warp; line < LINES; line += WARPS, from += WARPS * a.ld) {
        const uint32_t place = to + line * LINE + (lane / 4 ^ line % 8) * 16 + lane % 4 * 4;
#pragma unroll
        for (unsigned i = 0; i < ALONG; ++i) {
            const bool is_there = line < lines && i * LINE_FLOATS + lane < along;
            copy_float(place + i * LINES * LINE, is_there ? from + i * LINE_FLOATS : matrix, is_there);
        }
    }
}

struct Ring {
    uint32_t stages, full, empty;
    unsigned begin, count;                                         // slabs
};

template <bool ALONG_K, bool BY_TMA>
__device__ __forceinline__ void produce(const Problem &problem, const Ring &ring, const Place &place) {
    constexpr unsigned LINES = ALONG_K ? TILE_ROWS : DEPTH, ALONG = ALONG_K ? DEPTH / LINE_FLOATS : TILE_ROWS / LINE_FLOATS;
    const unsigned rank = cluster_rank(), share = COLS / 2, first = place.left + rank * share;
    const auto columns = [&](unsigned from, unsigned most) {
        return static_cast<unsigned>(problem.b_rows > from ? min(problem.b_rows - from, size_t(most)) : 0);
    };
    const unsigned own = columns(first, share) * LINE, all = columns(place.left, COLS) * LINE;
    const bool is_first = threadIdx.x == 0;
    const size_t part = problem.b_rows * tensor::PIECES;           // of a packed slab
    const uint4 *from = problem.b + place.matrix * problem.b_matrix + ring.begin * PARTS * part + size_t(first) * tensor::PIECES;
    const float *const matrix = problem.a.data + place.matrix * problem.a.stride;
    tensor::RingPosition<STAGES> at;
    for (unsigned slab = 0; slab < ring.count; ++slab, at.advance()) {
        const uint32_t to = ring.stages + at.place * STAGE_BYTES, barrier = ring.full + at.place * 8;
        const unsigned k = (ring.begin + slab) * DEPTH;
        mbarrier_wait(ring.empty + at.place * 8, at.parity ^ 1);
        if (is_first) {
            mbarrier_expect_tx(barrier, PARTS * all + (BY_TMA ? A_BYTES : 0));
            if constexpr (BY_TMA) {
                const int z = problem.a.stride == 0 ? 0 : static_cast<int>(place.matrix);
#pragma unroll
                for (unsigned i = 0; i < ALONG; ++i) {
                    const int x = static_cast<int>((ALONG_K ? k : place.top) + i * LINE_FLOATS);
                    tensor::copy_box(to + i * LINES * LINE, &problem.a.map, x, static_cast<int>(ALONG_K ? place.top : k), z, barrier);
                }
            }
#pragma unroll
            for (int p = 0; p < PARTS; ++p, from += part) {
                if (own != 0) tensor::copy_bytes(to + A_BYTES + p * PART_BYTES + rank * share * LINE, from, own, barrier, 3);
            }
        }
        if constexpr (!BY_TMA) {
            copy_a<ALONG_K>(problem.a, matrix, place.top, k, to);
            arrive_behind_copies(barrier);
        }
    }
}

// What a thread has seen of A: the smallest of 2·|x| - 1 as bits, 0 aside; the largest magnitudes, rounded to BF16, of both of a pair.
struct Seen {
    unsigned smallest = 0xFFFFFFFF, largest = 0;

    __device__ __forceinline__ void see(const float (&pair)[2]) {
        smallest = min(smallest, min(2 * __float_as_uint(pair[0]) - 1, 2 * __float_as_uint(pair[1]) - 1));
    }
    __device__ __forceinline__ void see_rounded(unsigned pair) {
        asm("{\n\t.reg .b32 size;\n\tabs.bf16x2 size, %1;\n\tmax.bf16x2 %0, %0, size;\n\t}" : "+r"(largest) : "r"(pair));
    }
    // As bits of a Magnitude, for all lanes.
    __device__ __forceinline__ unsigned magnitude() const {
        const unsigned bits = max(largest << 16, largest & 0xFFFF0000u);
        return __reduce_max_sync(ALL_LANES, smallest < 2 * tensor::SMALLEST - 1 ? tensor::UNFIT : bits);
    }
};

// A chunk of A in registers, as wgmma takes it: its parts.
struct Held {
    unsigned parts[STEPS][PARTS][4];
};

// The row of a consumer that a thread has, and the second one, so that loads have no bank conflicts: 16 lanes at a time.
template <bool ALONG_K>
__device__ __forceinline__ unsigned row_of_thread(unsigned second) {
    const unsigned warp = threadIdx.x % WARPGROUP / WARP, group = threadIdx.x % WARP / 4;
    return ALONG_K ? warp * 16 + group % 4 * 2 + group / 4 + second * 8 : warp * 16 + group * 2 + second;
}

__device__ __forceinline__ float2 load_pair(uint32_t address) {
    float2 pair;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(pair.x), "=f"(pair.y) : "r"(address) : "memory");
    return pair;
}

// Chunk number `chunk` of a stage.
template <bool ALONG_K>
__device__ __forceinline__ void load_held(uint32_t stage, unsigned group, unsigned chunk, Held &held, Seen &seen) {
    const unsigned row = group * ROWS + row_of_thread<ALONG_K>(0), pair = threadIdx.x % 4;
#pragma unroll
    for (unsigned step = 0; step < STEPS; ++step) {
        float values[4][2];                                        // of a register each
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            if constexpr (ALONG_K) {                               // rows in turn, then 8 further along k
                const unsigned piece = step * 4 + i / 2 * 2 + pair / 2;
                const uint32_t line = stage + chunk * TILE_ROWS * LINE + (row + i % 2 * 8) * LINE;
                const float2 two = load_pair(line + (piece ^ row % 8) * 16 + pair % 2 * 8);
                values[i][0] = two.x, values[i][1] = two.y;
            } else {                                               // both rows at a time
                const unsigned k = chunk * CHUNK + step * STEP + i / 2 * 8 + pair * 2 + i % 2;
                const uint32_t line = stage + row / LINE_FLOATS * DEPTH * LINE + k * LINE;
                const float2 two = load_pair(line + (row % LINE_FLOATS / 4 ^ k % 8) * 16 + row % 4 * 4);
                values[i / 2 * 2][i % 2] = two.x, values[i / 2 * 2 + 1][i % 2] = two.y;
            }
        }
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            seen.see(values[i]);
#pragma unroll
            for (int part = PARTS - 1; part >= 0; --part) held.parts[step][part][i] = tensor::cut_pair(values[i][0], values[i][1]);
            seen.see_rounded(held.parts[step][PARTS - 1][i]);
        }
    }
}

// fresh ← the products of a chunk, the smallest first.
__device__ __forceinline__ void multiply_chunk(float (&fresh)[SUMS], const Held &held, uint32_t stage, unsigned chunk) {
    uint64_t b[PARTS];
#pragma unroll
    for (int part = 0; part < PARTS; ++part) b[part] = tensor::rows_at(stage + A_BYTES + part * PART_BYTES) + chunk * 4;
    constexpr int OF_A[] = {2, 0, 1, 2, 1, 2}, OF_B[] = {0, 2, 1, 1, 2, 2};
    tensor::begin_products();
#pragma unroll
    for (int product = 0; product < 6; ++product) {
#pragma unroll
        for (unsigned step = 0; step < STEPS; ++step) {
            tensor::multiply_held_bf16(fresh, held.parts[step][OF_A[product]], b[OF_B[product]] + 2 * step, product + step != 0);
        }
    }
    tensor::commit_products();
}

// Releases a stage to the producers of both blocks.
__device__ __forceinline__ void release(uint32_t empty) {
    const unsigned lane = threadIdx.x % WARP;
    if (lane == 0) mbarrier_arrive(empty);
    if (lane == 1) mbarrier_arrive_remote(cluster_rank() ^ 1, empty);
}

template <bool ALONG_K>
__device__ __forceinline__ void consume(const Ring &ring, unsigned group, float (&sums)[SUMS], Seen &seen) {
    float fresh[SUMS], of_group[SUMS];
#pragma unroll
    for (unsigned i = 0; i < SUMS; ++i) sums[i] = of_group[i] = 0;
    if (ring.count == 0) return;
    Held held[CHUNKS];
    tensor::RingPosition<STAGES> at;
    mbarrier_wait(ring.full, 0);
    load_held<ALONG_K>(ring.stages, group, 0, held[0], seen);
#pragma unroll 1
    for (unsigned slab = 0; slab < ring.count; ++slab) {
        const uint32_t stage = ring.stages + at.place * STAGE_BYTES, emptied = ring.empty + at.place * 8;
        multiply_chunk(fresh, held[0], stage, 0);
        load_held<ALONG_K>(stage, group, 1, held[1], seen);
        tensor::wait_products<0>();
        tensor::pin(fresh);
#pragma unroll
        for (unsigned i = 0; i < SUMS; ++i) of_group[i] += fresh[i];
        multiply_chunk(fresh, held[1], stage, 1);
        at.advance();
        if (slab + 1 < ring.count) {
            mbarrier_wait(ring.full + at.place * 8, at.parity);
            load_held<ALONG_K>(ring.stages + at.place * STAGE_BYTES, group, 0, held[0], seen);
        }
        tensor::wait_products<0>();
        tensor::pin(fresh);
        release(emptied);
#pragma unroll
        for (unsigned i = 0; i < SUMS; ++i) of_group[i] += fresh[i];
        if (slab % (CHUNKS_A_GROUP / CHUNKS) == CHUNKS_A_GROUP / CHUNKS - 1) {
#pragma unroll
            for (unsigned i = 0; i < SUMS; ++i) sums[i] += of_group[i], of_group[i] = 0;
        }
    }
#pragma unroll
    for (unsigned i = 0; i < SUMS; ++i) sums[i] += of_group[i];
}

// The largest magnitude of B, for the consumers.
__device__ __forceinline__ unsigned largest_b(const Problem &problem, unsigned *shared) {
    unsigned largest = 0;
    for (unsigned i = threadIdx.x - WARPGROUP; i < problem.pack_blocks; i += CONSUMING) largest = max(largest, problem.magnitudes_b[i]);
    largest = __reduce_max_sync(ALL_LANES, largest);
    if (threadIdx.x % WARP == 0) atomicMax(shared, largest);
    asm volatile("bar.sync 1, %0;" ::"n"(CONSUMING) : "memory");
    return *shared;
}

template <bool ALONG_K>
__device__ __forceinline__ void store_tile(const Problem &problem, const Place &place, unsigned group, const float (&sums)[SUMS]) {
    using tma_wgmma::store_pair;
    constexpr auto FLOAT = tensor::Format::TF32;
    const tma_wgmma::Output &output = problem.output;
    const unsigned matrix = place.matrix * problem.parts + place.part;
    const size_t top = place.top + group * ROWS, upper = top + row_of_thread<ALONG_K>(0), lower = top + row_of_thread<ALONG_K>(1);
#pragma unroll
    for (unsigned j = 0; j < COLS / 8; ++j) {
        const size_t col = place.left + 8 * j + threadIdx.x % 4 * 2;
        if (!ALONG_K && output.row_step == 1) {
            store_pair<FLOAT>(output, matrix, upper, col, true, sums[4 * j], sums[4 * j + 2]);
            store_pair<FLOAT>(output, matrix, upper, col + 1, true, sums[4 * j + 1], sums[4 * j + 3]);
        } else {
            store_pair<FLOAT>(output, matrix, upper, col, false, sums[4 * j], sums[4 * j + 1]);
            store_pair<FLOAT>(output, matrix, lower, col, false, sums[4 * j + 2], sums[4 * j + 3]);
        }
    }
}

#endif

// ---- kernels --------------------------------------------------------------------------------------------------------

template <bool ALONG_K, bool BY_TMA>
__global__ void __launch_bounds__(THREADS, 1) matmul_narrow(const __grid_constant__ Problem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ unsigned largest;
    extern __shared__ char smem[];
    const Place place = place_of(problem);
    Ring ring;
    ring.stages = (shared_address(smem) + 1023) / 1024 * 1024;
    ring.full = ring.stages + STAGES * STAGE_BYTES;
    ring.empty = ring.full + STAGES * 8;
    ring.begin = static_cast<unsigned>(uint64_t(problem.slabs) * place.part / problem.parts);
    ring.count = static_cast<unsigned>(uint64_t(problem.slabs) * (place.part + 1) / problem.parts) - ring.begin;
    pdl_trigger();
    if (threadIdx.x == 0) {
        if (BY_TMA) tensor::prefetch_map(&problem.a.map);
        for (unsigned stage = 0; stage < STAGES; ++stage) {
            mbarrier_init(ring.full + stage * 8, BY_TMA ? 1 : 1 + WARPGROUP);
            mbarrier_init(ring.empty + stage * 8, 2 * CONSUMING / WARP);
        }
        mbarrier_publish();
        largest = 0;
    }
    cluster_sync();                                                // the mbarriers of both blocks are initialised
    pdl_wait();                                                    // B is packed
    const unsigned group = __shfl_sync(ALL_LANES, threadIdx.x / WARPGROUP, 0);  // known to be the same in a warp; 0 produces
    if (group == 0) {
        tensor::give_registers<56>();
        if (!BY_TMA || threadIdx.x == 0) produce<ALONG_K, BY_TMA>(problem, ring, place);
    } else {
        tensor::take_registers<224>();
        const unsigned magnitude_b = largest_b(problem, &largest);
        float sums[SUMS];
        Seen seen;
        consume<ALONG_K>(ring, group - 1, sums, seen);
        if (tensor::is_unfit(seen.magnitude(), magnitude_b, problem.a.depth)) *problem.flag = 1;
        store_tile<ALONG_K>(problem, place, group - 1, sums);
    }
    __syncwarp();
    cluster_sync();                                                // no block ends while the other still writes to it
#else
    __trap();
#endif
}

}  // namespace narrow
