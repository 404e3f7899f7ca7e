// tma_wgmma.cuh — warp-specialised GEMM of F16, BF16 or TF32 operands by TMA loads and wgmma, on Hopper.
//
//   C ← alpha · op(A) · op(B) + beta · C, for each of a batch; sums in float32
//
// Algorithm  Blocks of three warpgroups: a thread of the first fills a ring of stages in shared memory by TMA, a stage a slab of 128 bytes
//            along k of A and B; the other two multiply, 64 rows each of a tile of 128 × COLS. wgmma reads 16-bit operands as they
//            lie, along k or along their edge. TF32 is float32 in memory, which TMA rounds to nearest; wgmma reads it along k alone, so
//            that of an A along its edge threads load what they multiply into registers, while they multiply the step before. Large tiles:
//            persistent blocks, in clusters of two, one above the other, of which each loads half of B and multicasts it. SPLITS: the
//            blocks of a cluster share a tile, each with a part of k (split-K), and add up their sums through distributed shared
//            memory in the order of their ranks; or tiles of parts of k are matrices by themselves (tma_wgmma_sum.cuh). Tiles of C
//            go through shared memory too (tma_wgmma_store.cuh): without beta, and where rows of C are whole pieces of 16 bytes, TMA stores
//            them while the next ones are computed, else warps do; 16-bit floats with beta, or transposed, are stored from registers.
// Layout     Lines of 128 bytes with the 128-byte swizzle: along k, one for each row of op(A) or column of op(B), or along the edge, EDGE
//            for each k, EDGE lines one behind the other. Either way a stage has 8 KiB of A for each consumer, and COLS / 64 times as
//            much of B. What lies outside of the operands altogether is not loaded.
// Cost       2mnk operations. A tile reads (128 + COLS) · k elements, in pairs (128 + COLS / 2) · k.
// Sharing    A stage is written again when the consuming warps of all blocks that it goes to have arrived, behind wait_products: the
//            products that use it are complete, and so the loads that brought their registers, whichever lanes made them.
// Limits     Machine code for sm_90a. Operands, their rows and matrices aligned to 16 bytes; less than 2^31 rows and columns. B of TF32
//            lies along k.
// Edges      Boxes are zero outside of the operands; rows and columns past the end are not stored. The tensor core cuts off what does
//            not fit into a sum, as wgmma.cuh says.
// Source     NVIDIA CUTLASS, "Efficient GEMM"; PTX ISA, "wgmma", "Strides", "Matrix descriptor"; CUDA Driver API,
//            CU_TENSOR_MAP_DATA_TYPE_TFLOAT32.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "matmul/cluster_sum.cuh"
#include "matmul/pipeline.cuh"
#include "matmul/tile_swizzle.cuh"
#include "matmul/tma_wgmma_store.cuh"
#include "matmul/wgmma.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/cluster/mbarrier.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace tma_wgmma {

using tensor::Format;

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned CONSUMERS = 2, CONSUMING = WARPGROUP * CONSUMERS, THREADS = WARPGROUP + CONSUMING;
constexpr unsigned TILE_ROWS = ROWS * CONSUMERS;                   // of a block
constexpr unsigned STEPS = 4;                                      // of wgmma in a slab
constexpr unsigned BAND = 8;                                       // tiles of rows worked on side by side, for the L2 cache
constexpr size_t SHARED_ROOM = 227 * 1024, SWIZZLE_PERIOD = 1024;
constexpr uint32_t OUT_BYTES = CONSUMERS * 2 * OUT_BUFFER;         // two buffers each

template <Format T>
constexpr unsigned WIDTH = T == Format::TF32 ? 4 : 2;              // bytes of an element
template <Format T>
constexpr unsigned EDGE = LINE / WIDTH<T>;                         // elements of a line of a box; of a slab along k

template <Format T_, unsigned COLS_, bool SPLITS_>
struct Tile {
    static constexpr Format T = T_;
    static constexpr unsigned COLS = COLS_, SUMS = COLS / 2;       // of C; that a thread holds
    static constexpr bool SPLITS = SPLITS_;
    static constexpr uint32_t STAGE_BYTES = (TILE_ROWS + COLS) * LINE;
    static constexpr unsigned FIT = (SHARED_ROOM - 2048 - OUT_BYTES) / STAGE_BYTES, STAGES = FIT < 8 ? FIT : 8;
    static constexpr size_t BYTES = OUT_BYTES + STAGES * (STAGE_BYTES + 2 * sizeof(uint64_t)) + SWIZZLE_PERIOD;  // with bytes to align

    // Rows of op(A), or columns of op(B), in a box: along the edge as many as a swizzled line has.
    template <bool ALONG_K>
    static constexpr unsigned LINES_A = ALONG_K ? TILE_ROWS : EDGE<T>;
    template <bool ALONG_K>
    static constexpr unsigned LINES_B = !ALONG_K ? EDGE<T> : SPLITS ? COLS : COLS / 2;
    // Whether A comes into registers.
    template <bool A_ALONG_K>
    static constexpr bool HOLDS_A = T == Format::TF32 && !A_ALONG_K;
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
    CUtensorMap map_c;                                             // where C is stored by TMA
    Store store;
    Output output;
    unsigned slabs, tile_rows, tile_cols, tiles;                   // tile_rows: of a cluster; tiles: of all the batch
    unsigned parts;                                                // of k, each of which is a matrix of C, or 1
};

struct Place {
    unsigned matrix, top, left;                                    // a block's tile of C
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

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
    uint32_t stages, out, full, empty;
    unsigned begin, count;                                         // slabs

    // Of part number `part` of the slabs.
    __device__ Ring(uint32_t smem, unsigned slabs, unsigned part, unsigned parts) {
        stages = (smem + uint32_t(SWIZZLE_PERIOD) - 1) / uint32_t(SWIZZLE_PERIOD) * uint32_t(SWIZZLE_PERIOD);
        out = stages + L::STAGES * L::STAGE_BYTES;
        full = out + OUT_BYTES;
        empty = full + L::STAGES * 8;
        begin = static_cast<unsigned>(uint64_t(slabs) * part / parts);
        count = static_cast<unsigned>(uint64_t(slabs) * (part + 1) / parts) - begin;
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
        const unsigned k = (ring.begin + slab) * EDGE<L::T>;
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

// A step of a slab.
template <Format T, bool A_ALONG_K, bool B_ALONG_K, int SUMS>
__device__ __forceinline__ void multiply_step(float (&sums)[SUMS], uint64_t a, uint64_t b, unsigned step, bool adds) {
    constexpr unsigned STEP_A = A_ALONG_K ? 2 : 128, STEP_B = B_ALONG_K ? 2 : 128;
    if constexpr (T == Format::TF32) tensor::multiply_tf32(sums, a + step * STEP_A, b + step * STEP_B, adds);
    else tensor::multiply_half<T, A_ALONG_K, B_ALONG_K>(sums, a + step * STEP_A, b + step * STEP_B, adds);
}

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
__device__ __forceinline__ void consume(const Ring<L> &ring, unsigned group, tensor::RingPosition<L::STAGES> &at, float (&sums)[L::SUMS]) {
    unsigned before = 0;
#pragma unroll 1
    for (unsigned slab = 0; slab < ring.count; ++slab, at.advance()) {
        const uint32_t from = ring.stages + at.place * L::STAGE_BYTES;
        const uint32_t from_a = from + group * ROWS * LINE, from_b = from + TILE_ROWS * LINE;
        const uint64_t a = A_ALONG_K ? tensor::rows_at(from_a) : tensor::lines_at(from_a);
        const uint64_t b = B_ALONG_K ? tensor::rows_at(from_b) : tensor::lines_at(from_b);
        mbarrier_wait(ring.full + at.place * 8, at.parity);
        tensor::begin_products();
#pragma unroll
        for (unsigned step = 0; step < STEPS; ++step) {
            multiply_step<L::T, A_ALONG_K, B_ALONG_K>(sums, a, b, step, slab + step != 0);
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

// A step's elements of TF32 from lines of a consumer along the edge, in the layout of multiply_held.
__device__ __forceinline__ void load_held(uint32_t lines, unsigned step, unsigned (&a)[4]) {
    constexpr unsigned BOX_BYTES = EDGE<Format::TF32> * LINE;
    const unsigned row = row_of_thread<true>(0), piece = row % 32 / 4;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned k = threadIdx.x % 4 + half * 4;             // of the step, and of a period of the swizzle
        const uint32_t address = lines + row / 32 * BOX_BYTES + (step * 8 + k) * LINE + (piece ^ k) * 16 + row % 4 * 4;
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a[2 * half]), "=r"(a[2 * half + 1]) : "r"(address) : "memory");
    }
}

// The same of TF32 whose A is along the edge: a step is loaded while the one before is multiplied.
template <typename L>
__device__ __forceinline__ void consume_held(const Ring<L> &ring, unsigned group, tensor::RingPosition<L::STAGES> &at,
                                             float (&sums)[L::SUMS]) {
    if (ring.count == 0) return;
    unsigned a[STEPS][4], before = 0;
    mbarrier_wait(ring.full + at.place * 8, at.parity);
    load_held(ring.stages + at.place * L::STAGE_BYTES + group * ROWS * LINE, 0, a[0]);
#pragma unroll 1
    for (unsigned slab = 0; slab < ring.count; ++slab) {
        const uint32_t from = ring.stages + at.place * L::STAGE_BYTES;
        const uint64_t b = tensor::rows_at(from + TILE_ROWS * LINE);
#pragma unroll
        for (unsigned step = 0; step < STEPS; ++step) {
            if (step + 1 < STEPS) load_held(from + group * ROWS * LINE, step + 1, a[step + 1]);
            tensor::begin_products();
            tensor::multiply_held(sums, a[step], b + 2 * step, slab + step != 0);
            tensor::commit_products();
            tensor::wait_products<1>();                            // those of the step before are done
            if (step == 0 && slab > 0) ring.release(before);
        }
        before = at.place;
        at.advance();
        if (slab + 1 < ring.count) {
            mbarrier_wait(ring.full + at.place * 8, at.parity);
            load_held(ring.stages + at.place * L::STAGE_BYTES + group * ROWS * LINE, 0, a[0]);
        }
    }
    tensor::wait_products<0>();
    tensor::pin(sums);
    ring.release(before);
}

// The tile of a consumer, from registers.
template <typename L, bool HOLDS_A>
__device__ __forceinline__ void store_tile(const Output &output, const Place &place, unsigned group, const float (&sums)[L::SUMS]) {
#pragma unroll 1
    for (unsigned j = 0; j < L::COLS / 8; ++j) {
        float four[4];
        with_constant<0, L::COLS / 8>(j, [&](auto chosen) {
#pragma unroll
            for (int i = 0; i < 4; ++i) four[i] = sums[4 * decltype(chosen)::value + i];
        });
        store_four<L::T, HOLDS_A>(output, place.matrix, place.top + group * ROWS, place.left + 8 * j, four);
    }
}

// The tile of a consumer, as problem.store says.
template <typename L, bool HOLDS_A>
__device__ __forceinline__ void store_tile_of(const Problem &problem, const Place &place, unsigned group, uint32_t out,
                                              const float (&sums)[L::SUMS]) {
    constexpr bool IS_TF32 = L::T == Format::TF32;
    const Boxed boxed = {&problem.output, problem.store, &problem.map_c, place.matrix, place.top + group * ROWS, place.left, group, out};
    if constexpr (IS_TF32) {
        if (problem.output.row_step == 1) return store_boxes<L::T, HOLDS_A, true, true>(boxed, sums);
    } else {
        if (problem.store == Store::DIRECTLY) return store_tile<L, HOLDS_A>(problem.output, place, group, sums);
    }
    if (IS_TF32 || problem.output.is_float) store_boxes<L::T, HOLDS_A, true, false>(boxed, sums);
    else store_boxes<L::T, HOLDS_A, IS_TF32, false>(boxed, sums);
}

// The tile of a cluster whose blocks have sums of parts of k; all threads of the block call it, those of group 0 have no sums.
template <typename L, bool HOLDS_A>
__device__ __forceinline__ void store_shared_tile(const Output &output, const Place &place, unsigned group, uint4 *smem,
                                                  const float (&sums)[L::SUMS]) {
    constexpr unsigned SLOTS = L::SUMS / 4;
    const unsigned blocks = cluster_blocks();
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
            store_four<L::T, HOLDS_A>(output, place.matrix, place.top + (group - 1) * ROWS, place.left + 8 * slot, whole);
        }
    }
    cluster_sync();                                                // no block ends while another reads its sums
}

#endif

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
__global__ void __launch_bounds__(THREADS, 1) matmul_tma(const __grid_constant__ Problem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    static_assert(L::T != Format::TF32 || B_ALONG_K, "wgmma reads TF32 along k");
    constexpr bool HOLDS_A = L::template HOLDS_A<A_ALONG_K>;
    const auto consume_slabs = [](const Ring<L> &of, unsigned consumer, tensor::RingPosition<L::STAGES> &place, float (&to)[L::SUMS]) {
        if constexpr (HOLDS_A) consume_held<L>(of, consumer, place, to);
        else consume<L, A_ALONG_K, B_ALONG_K>(of, consumer, place, to);
    };
    extern __shared__ char smem[];
    const unsigned blocks = cluster_blocks(), first = blockIdx.x / blocks, step = gridDim.x / blocks;
    const Place place = place_of<L>(problem, first);               // of the first tile
    const unsigned before = problem.parts > 1 ? place.matrix : 0;  // parts before those of this cluster
    const unsigned part = L::SPLITS ? before * blocks + cluster_rank() : 0, parts = L::SPLITS ? problem.parts * blocks : 1;
    const Ring<L> ring(shared_address(smem), problem.slabs, part, parts);
    pdl_trigger();
    if (threadIdx.x == 0) {
        tensor::prefetch_map(&problem.a.map);
        tensor::prefetch_map(&problem.b.map);
        if (problem.store == Store::BY_TMA) tensor::prefetch_map(&problem.map_c);
        ring.initialise();
    }
    if constexpr (L::SPLITS) __syncthreads();                      // the mbarriers are initialised
    else cluster_sync();                                           // those of all blocks
    pdl_wait();                                                    // copies of operands are there
    const unsigned group = __shfl_sync(ALL_LANES, threadIdx.x / WARPGROUP, 0);  // known to be the same in a warp; 0 produces
    tensor::RingPosition<L::STAGES> at;
    if constexpr (L::SPLITS) {                                     // one tile, whose sums need few registers
        float sums[L::SUMS];
#pragma unroll
        for (unsigned i = 0; i < L::SUMS; ++i) sums[i] = 0;        // of a block without a slab
        tensor::pin(sums);
        if (group > 0) consume_slabs(ring, group - 1, at, sums);
        else if (threadIdx.x == 0) produce<L, A_ALONG_K, B_ALONG_K>(problem, ring, place, at);
        __syncwarp();
        if (blocks > 1) {
            char *const aligned = smem + (ring.stages - shared_address(smem));
            store_shared_tile<L, HOLDS_A>(problem.output, place, group, reinterpret_cast<uint4 *>(aligned), sums);
        } else if (group > 0) {
            store_tile_of<L, HOLDS_A>(problem, place, group - 1, ring.out, sums);
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
                consume_slabs(ring, group - 1, at, sums);
                store_tile_of<L, HOLDS_A>(problem, place_of<L>(problem, index), group - 1, ring.out, sums);
            }
        }
        __syncwarp();
        cluster_sync();                                            // no block ends while another still writes to it
    }
    tensor::wait_for_reads<0>();  // no block ends while TMA reads its shared memory
#else
    __trap();
#endif
}

}  // namespace tma_wgmma
