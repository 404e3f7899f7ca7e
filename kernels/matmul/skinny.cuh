// skinny.cuh — kernels of skinny products (GEMV and a few vectors): a panel times up to 16 vectors of the other operand.
//
//   C[l][s] ← alpha · Σ_p panel[l][p] · vectors[s][p] + beta · C[l][s]     over all of k, or one part of it into scratch memory
//
// Algorithm  across   The panel is contiguous along its edge. A lane has a packet of it, the warps of a block take rows in turn;
//                     vectors are double-buffered in shared memory by asynchronous copies; a single one is read from where it
//                     lies, and the L1 cache, which the panel bypasses, holds it.
//            along    The panel is contiguous along k. A warp has four rows, its lanes take packets in turn; vectors as above. With a single
//                     vector and many long rows a warp has one, so that more packets are on their way.
//            mma      Either, in double: a warp's instruction adds 16 × 8 products, whose operands are loaded from global memory.
// Cost       The panel is read once; a multiply-add a vector and element. One H200, 8192² elements, of 4.5 TB/s: float across 4.1
//            with one vector, 3.7 with 8, 2.7 with 16, along 3.1 with 8, 2.1 with 16; double across 4.4, 4.2 and 3.6, along 3.9
//            with 8, 3.3 with 16.
// Limits     Up to 16 vectors; any edge, k, batch, alignment. 33 KiB of shared memory.
// Edges      The order of additions depends on launch and alignment alone: one fused multiply-add each, in ascending k in a lane,
//            then lanes in a tree, warps in order. Beyond the edge of the panel its last element is read, and the sum dropped.
// Source     N. Bell, M. Garland, "Efficient Sparse Matrix-Vector Multiplication on CUDA", NVIDIA 2008 (a warp a row); PTX ISA,
//            "Matrix Fragments for mma.m16n8k4", with .f64.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "matmul/epilogue.cuh"
#include "matmul/mma_f64.cuh"
#include "matmul/tile_loader.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/packet.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/warp.cuh"

namespace skinny {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, WARPS = THREADS / WARP;               // of a block
constexpr int ROWS_MAX = 4;                                        // of a panel along k, of a warp, or with a single vector 1
constexpr int GROUP_MAX = 4;                                       // vectors whose sums pass through shared memory at once
constexpr size_t ACROSS_BYTES = 16384, ALONG_BYTES = 32768;        // of vectors in shared memory, two stages
constexpr int STAGES = 2;                                          // one fills while the other is read
constexpr size_t CACHED_BYTES = 65536;                             // of one vector, which is read from where it lies
constexpr int MMA_TILES = 4;                                       // such rows of a warp
constexpr int MMA_UNIT = 2 * MMA_F64_DEPTH;                        // places of k that a warp takes at once

// ---- device helpers -------------------------------------------------------------------------------------------------

// Where sums go: to C or, part by part, to the scratch memory.
template <typename T>
struct Destination {
    Result<T> result;
    size_t step_panel, step_vector, step_part, step_product;

    __device__ void put(size_t product, size_t part, size_t row, size_t vector, T sum) const {
        result.put_one(result.c + product * step_product + part * step_part + row * step_panel + vector * step_vector, sum);
    }
};

template <typename T>
struct Skinny {
    Operand<T> panel, vectors;
    Destination<T> destination;
    size_t k, depth;                                               // depth: of a part of k
    size_t batch;
    unsigned warps_along_k;                                        // of a block, for a panel along k
    bool stages_packets;                                           // rows of the vectors as they lie in memory begin at packets
};

// LENGTH neighbours, or with IN_PACKETS false elements WARP apart.
template <bool IN_PACKETS, typename T, int LENGTH>
__device__ __forceinline__ void load_packet(T (&values)[LENGTH], const T *from) {
    if constexpr (IN_PACKETS) {
        static_assert(LENGTH == PACKET_LENGTH<T>, "one packet");
        const Packet<T> packet = *reinterpret_cast<const Packet<T> *>(from);
#pragma unroll
        for (int v = 0; v < LENGTH; ++v) values[v] = packet.values[v];
    } else {
#pragma unroll
        for (int v = 0; v < LENGTH; ++v) values[v] = from[v * WARP];
    }
}

// An element, or a packet, that is read once: the L1 cache is left to the vectors.
template <typename T>
__device__ __forceinline__ T load_once(const T *from) {
    T value;
    if constexpr (sizeof(T) == sizeof(double)) {
        asm("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(value) : "l"(from));
    } else {
        asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
    }
    return value;
}
template <bool IN_PACKETS, typename T, int LENGTH>
__device__ __forceinline__ void load_packet_once(T (&values)[LENGTH], const T *from) {
    if constexpr (!IN_PACKETS) {
#pragma unroll
        for (int v = 0; v < LENGTH; ++v) values[v] = load_once(from + v * WARP);
    } else if constexpr (LENGTH == 2) {
        asm("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d"(values[0]), "=d"(values[1]) : "l"(from));
    } else {
        asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
            : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3]) : "l"(from));
    }
}

// Starts smem[p · STEP_K + s · STEP_VECTOR] ← element p of vector s for `depth` of DEPTH places, by all threads of a block; vectors
// that are not there are zeros. What lies along the same way in both memories and in_packets moves in them; along k `from` is then
// at the beginning of one.
template <int VECTORS, int DEPTH, int STEP_K, int STEP_VECTOR, typename T>
__device__ __forceinline__ void stage_vectors(T *smem, const Operand<T> &vectors, bool in_packets, const T *from, unsigned depth) {
    constexpr int LENGTH = PACKET_LENGTH<T>;
    const auto put = [&](unsigned p, unsigned s) {
        const uint32_t place = shared_address(smem + p * STEP_K + s * STEP_VECTOR);
        if (s < vectors.edge) {
            async_copy<sizeof(T)>(place, from + s * vectors.step_edge + p * vectors.step_k);
        } else {
            clear_shared<sizeof(T)>(place);
        }
    };
    if constexpr (VECTORS == 1) {
#pragma unroll 4
        for (unsigned p = threadIdx.x; p < depth; p += THREADS) put(p, 0);
        return;
    }
    const auto put_packet = [&](unsigned p, unsigned s) {
        async_copy<16>(shared_address(smem + p * STEP_K + s * STEP_VECTOR), from + s * vectors.step_edge + p * vectors.step_k);
    };
    if (vectors.step_k == 1 && STEP_K == 1 && in_packets) {
#pragma unroll 4
        for (unsigned i = threadIdx.x; i < DEPTH / LENGTH * VECTORS; i += THREADS) {
            const unsigned p = i % (DEPTH / LENGTH) * LENGTH, s = i / (DEPTH / LENGTH);
            if (s < vectors.edge && p + LENGTH <= depth) {
                put_packet(p, s);
            } else {
                for (unsigned q = p; q < min(p + LENGTH, depth); ++q) put(q, s);
            }
        }
    } else if (vectors.step_k == 1) {
#pragma unroll 4
        for (unsigned i = threadIdx.x; i < DEPTH * VECTORS; i += THREADS) {
            if (i % DEPTH < depth) put(i % DEPTH, i / DEPTH);
        }
    } else if (STEP_VECTOR == 1 && in_packets) {
#pragma unroll 4
        for (unsigned i = threadIdx.x; i < depth * VECTORS / LENGTH; i += THREADS) {
            const unsigned p = i * LENGTH / VECTORS, s = i * LENGTH % VECTORS;
            if (s + LENGTH <= vectors.edge) {
                put_packet(p, s);
            } else {
                for (int v = 0; v < LENGTH; ++v) put(p, s + v);
            }
        }
    } else {
#pragma unroll 4
        for (unsigned i = threadIdx.x; i < depth * VECTORS; i += THREADS) put(i / VECTORS, i % VECTORS);
    }
}

// multiply(stage, first, depth) for DEPTH places of k after DEPTH places, first those that begin at `begin`; stage(stage, first,
// depth) fills the one while the other is read. All threads of a block call.
template <int DEPTH, typename Stage, typename Multiply>
__device__ __forceinline__ void for_each_stage(size_t begin, size_t end, Stage stage, Multiply multiply) {
    const auto depth_at = [&](size_t first) { return static_cast<unsigned>(min(end - first, size_t(DEPTH))); };
    if (begin < end) stage(0, begin, depth_at(begin));
    async_commit();
    unsigned current = 0;
#pragma unroll 1
    for (size_t first = begin; first < end; first += DEPTH, current ^= 1) {
        const size_t next = first + DEPTH;
        if (next < end) stage(current ^ 1, next, depth_at(next));
        async_commit();
        async_wait_for<1>();
        __syncthreads();                                           // the stage is there
        multiply(current, first, depth_at(first));
        __syncthreads();                                           // and all have read it
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A panel that lies along its edge. Blocks: (columns of the panel, parts of k, products).
template <typename T, int VECTORS, bool IN_PACKETS>
__global__ void __launch_bounds__(THREADS, VECTORS >= 8 ? 2 : 3) skinny_across(const __grid_constant__ Skinny<T> args) {
    constexpr int LENGTH = PACKET_LENGTH<T>, COLS = WARP * LENGTH, DEPTH = ACROSS_BYTES / sizeof(T) / VECTORS / STAGES;
    constexpr int PITCH = VECTORS > 4 ? VECTORS + 4 : VECTORS;     // fewer bank conflicts of vectors stored along k
    constexpr int AHEAD = VECTORS > 8 ? 4 : 8;                     // packets that a thread waits for at once
    constexpr int GROUP = VECTORS < GROUP_MAX ? VECTORS : GROUP_MAX;
    static_assert(WARPS * GROUP * COLS <= STAGES * DEPTH * PITCH, "the sums fit where the vectors were");
    __shared__ __align__(16) T smem[STAGES * DEPTH * PITCH];       // (STAGES, DEPTH, PITCH), then (WARPS, GROUP, COLS)
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t left = size_t(blockIdx.x) * COLS, last = args.panel.edge - 1;
    const size_t begin = blockIdx.y * args.depth, end = min(begin + args.depth, args.k);

    for (size_t product = blockIdx.z; product < args.batch; product += gridDim.z) {
        const T *const panel = args.panel.data + product * args.panel.stride;
        const T *const vectors = args.vectors.data + product * args.vectors.stride;
        size_t cols[LENGTH];                                       // beyond the edge the last ones, whose sums are dropped
#pragma unroll
        for (int v = 0; v < LENGTH; ++v) {
            cols[v] = IN_PACKETS ? min(left + lane * LENGTH, last + 1 - LENGTH) + v : min(left + lane + v * WARP, last);
        }
        T sums[VECTORS][LENGTH] = {};
        // By `depth` rows of the panel from `first` on; row p's factors are at staged[p · PITCH].
        const auto multiply_rows = [&](const T *staged, size_t first, unsigned depth) {
            const T *const rows = panel + first * args.panel.step_k;
            const auto multiply = [&](unsigned begin_row, auto is_whole) {
                T packets[AHEAD][LENGTH];
#pragma unroll
                for (int a = 0; a < AHEAD; ++a) {
                    const unsigned p = begin_row + a * WARPS;
                    if (!decltype(is_whole)::value && p >= depth) continue;
                    const T *const row = rows + p * args.panel.step_k;
                    if constexpr (IN_PACKETS) {
                        load_packet_once<true>(packets[a], row + cols[0]);
                    } else {
#pragma unroll
                        for (int v = 0; v < LENGTH; ++v) packets[a][v] = load_once(row + cols[v]);
                    }
                }
#pragma unroll
                for (int a = 0; a < AHEAD; ++a) {
                    const unsigned p = begin_row + a * WARPS;
                    if (!decltype(is_whole)::value && p >= depth) continue;
                    T factors[VECTORS];
                    if constexpr (VECTORS % LENGTH == 0) {
#pragma unroll
                        for (int s = 0; s < VECTORS; s += LENGTH) {
                            load_packet<true>(reinterpret_cast<T(&)[LENGTH]>(factors[s]), staged + p * PITCH + s);
                        }
                    } else {
#pragma unroll
                        for (int s = 0; s < VECTORS; ++s) factors[s] = staged[p * PITCH + s];
                    }
#pragma unroll
                    for (int s = 0; s < VECTORS; ++s) {
#pragma unroll
                        for (int v = 0; v < LENGTH; ++v) sums[s][v] = fma(factors[s], packets[a][v], sums[s][v]);
                    }
                }
            };
            unsigned p = warp;
#pragma unroll 1
            for (; p + (AHEAD - 1) * WARPS < depth; p += AHEAD * WARPS) multiply(p, Constant<1>());
            if (p < depth) multiply(p, Constant<0>());
        };
        if (VECTORS == 1 && args.vectors.step_k == 1 && end - begin <= CACHED_BYTES / sizeof(T)) {
            multiply_rows(vectors + begin, begin, static_cast<unsigned>(end - begin));
        } else {
            for_each_stage<DEPTH>(begin, end, [&](unsigned stage, size_t first, unsigned depth) {
                stage_vectors<VECTORS, DEPTH, PITCH, 1>(smem + stage * DEPTH * PITCH, args.vectors, args.stages_packets,
                                                        vectors + first * args.vectors.step_k, depth);
            }, [&](unsigned stage, size_t first, unsigned depth) { multiply_rows(smem + stage * DEPTH * PITCH, first, depth); });
        }

        // The warps' sums are added in their order.
#pragma unroll
        for (int group = 0; group < VECTORS; group += GROUP) {
#pragma unroll
            for (int s = 0; s < GROUP; ++s) {
#pragma unroll
                for (int v = 0; v < LENGTH; ++v) {
                    const unsigned col = IN_PACKETS ? lane * LENGTH + v : lane + v * WARP;
                    smem[(warp * GROUP + s) * COLS + col] = sums[group + s][v];
                }
            }
            __syncthreads();
            for (unsigned e = threadIdx.x; e < GROUP * COLS; e += THREADS) {
                T sum = 0;
#pragma unroll
                for (int w = 0; w < WARPS; ++w) sum += smem[w * GROUP * COLS + e];
                const size_t col = left + e % COLS, vector = group + e / COLS;
                if (col <= last && vector < args.vectors.edge) args.destination.put(product, blockIdx.y, col, vector, sum);
            }
            __syncthreads();                                       // shared memory is free
        }
    }
}

// A panel that lies along k. Blocks: (rows of the panel, parts of k, products).
template <typename T, int VECTORS, int ROWS, bool IN_PACKETS>
__global__ void __launch_bounds__(THREADS, VECTORS > 1 ? 2 : ROWS > 1 ? 3 : 4) skinny_along(const __grid_constant__ Skinny<T> args) {
    constexpr int LENGTH = PACKET_LENGTH<T>, SPAN = WARP * LENGTH, DEPTH = ALONG_BYTES / sizeof(T) / VECTORS / STAGES;
    constexpr int PITCH = DEPTH + LENGTH, SUMS = ROWS * VECTORS, AHEAD = VECTORS > 4 ? 1 : 8 / ROWS;
    __shared__ __align__(16) T smem[STAGES * VECTORS * PITCH];     // (STAGES, VECTORS, PITCH), then (WARPS, ROWS, VECTORS)
    static_assert(WARPS * SUMS <= STAGES * VECTORS * PITCH, "the sums fit where the vectors were");
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned turns = args.warps_along_k, turn = warp % turns, teams = WARPS / turns;
    const size_t top = (size_t(blockIdx.x) * teams + warp / turns) * ROWS;
    const size_t begin = blockIdx.y * args.depth, end = min(begin + args.depth, args.k);

    for (size_t product = blockIdx.z; product < args.batch; product += gridDim.z) {
        const T *const vectors = args.vectors.data + product * args.vectors.stride;
        const T *rows[ROWS];                                       // beyond the edge the last one, whose sums are dropped
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            rows[r] = args.panel.data + product * args.panel.stride + min(top + r, args.panel.edge - 1) * args.panel.step_edge;
        }
        T sums[ROWS][VECTORS] = {};
        const auto multiply = [&](const T *vectors_here, size_t first, unsigned depth) {
            // Whole spans in turn, AHEAD of them at once, then what is left, an element a lane.
            const unsigned spans = depth / SPAN, at = lane * (IN_PACKETS ? LENGTH : 1);
            const auto multiply_spans = [&](unsigned span, auto is_whole) {
                T packets[AHEAD][ROWS][LENGTH];
#pragma unroll
                for (int c = 0; c < AHEAD; ++c) {
                    if (!decltype(is_whole)::value && span + c * turns >= spans) continue;
                    const unsigned p = (span + c * turns) * SPAN + at;
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) load_packet_once<IN_PACKETS>(packets[c][r], rows[r] + first + p);
                }
#pragma unroll
                for (int c = 0; c < AHEAD; ++c) {
                    if (!decltype(is_whole)::value && span + c * turns >= spans) continue;
                    const unsigned p = (span + c * turns) * SPAN + at;
#pragma unroll
                    for (int s = 0; s < VECTORS; ++s) {
                        T factors[LENGTH];
                        load_packet<IN_PACKETS>(factors, vectors_here + s * PITCH + p);
#pragma unroll
                        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
                            for (int v = 0; v < LENGTH; ++v) sums[r][s] = fma(factors[v], packets[c][r][v], sums[r][s]);
                        }
                    }
                }
            };
            unsigned span = turn;
            for (; span + (AHEAD - 1) * turns < spans; span += AHEAD * turns) multiply_spans(span, Constant<1>());
            if (span < spans) multiply_spans(span, Constant<0>());
            if (spans % turns == turn) {
                for (unsigned p = spans * SPAN + lane; p < depth; p += WARP) {
                    T elements[ROWS];
#pragma unroll
                    for (int r = 0; r < ROWS; ++r) elements[r] = load_once(rows[r] + first + p);
#pragma unroll
                    for (int s = 0; s < VECTORS; ++s) {
#pragma unroll
                        for (int r = 0; r < ROWS; ++r) sums[r][s] = fma(vectors_here[s * PITCH + p], elements[r], sums[r][s]);
                    }
                }
            }
        };
        const T *const from = vectors + begin * args.vectors.step_k;
        const bool is_aligned = !IN_PACKETS || reinterpret_cast<uintptr_t>(from) % PACKET_BYTES == 0;
        if (VECTORS == 1 && args.vectors.step_k == 1 && is_aligned && end - begin <= CACHED_BYTES / sizeof(T)) {
            multiply(from, begin, static_cast<unsigned>(end - begin));  // the L1 cache holds it, and no warp waits for another
        } else {
            for_each_stage<DEPTH>(begin, end, [&](unsigned stage, size_t first, unsigned depth) {
                stage_vectors<VECTORS, DEPTH, 1, PITCH>(smem + stage * VECTORS * PITCH, args.vectors, args.stages_packets,
                                                        vectors + first * args.vectors.step_k, depth);
            }, [&](unsigned stage, size_t first, unsigned depth) { multiply(smem + stage * VECTORS * PITCH, first, depth); });
        }

        // The lanes' sums are added in a tree, those of the warps of a team in their order.
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
            for (int s = 0; s < VECTORS; ++s) {
                const T sum = warp_sum(sums[r][s]);
                if (lane == 0) smem[warp * SUMS + r * VECTORS + s] = sum;
            }
        }
        __syncthreads();
        for (unsigned e = threadIdx.x; e < teams * SUMS; e += THREADS) {
            const unsigned team = e / SUMS, which = e % SUMS;
            T sum = 0;
            for (unsigned t = 0; t < turns; ++t) sum += smem[(team * turns + t) * SUMS + which];
            const size_t row = (size_t(blockIdx.x) * teams + team) * ROWS + which / VECTORS, vector = which % VECTORS;
            if (row < args.panel.edge && vector < args.vectors.edge) args.destination.put(product, blockIdx.y, row, vector, sum);
        }
        __syncthreads();                                           // shared memory is free for the next product
    }
}

// Either panel of doubles, by a warp's instruction, 64 × VECTORS sums of C a block; its warps share k, so that what each reads of
// the vectors no other needs. Of a panel along k a lane's places are neighbours. Blocks: (64 elements of the edge, parts of k,
// products).
template <int VECTORS, bool ALONG_K, bool IN_PACKETS>
__global__ void __launch_bounds__(THREADS, VECTORS == 8 ? 2 : 1) skinny_mma(const __grid_constant__ Skinny<double> args) {
    constexpr int COLS = MMA_TILES * MMA_F64_ROWS, HALVES = VECTORS / MMA_F64_COLS;
    constexpr int UNROLL = VECTORS == 8 ? 1 : 2;                   // what 16 vectors lack in blocks at once
    __shared__ double smem[WARPS * MMA_F64_COLS * COLS];           // (WARPS, MMA_F64_COLS, COLS)
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, group = lane / 4, place = lane % 4;
    const size_t left = size_t(blockIdx.x) * COLS, last = args.panel.edge - 1;
    const size_t begin = blockIdx.y * args.depth, end = min(begin + args.depth, args.k);
    // Where upper and lower sums of a lane lie in a tile of 16, and its places in a unit of k.
    const unsigned upper = ALONG_K ? group : 2 * group, lower = ALONG_K ? group + 8 : 2 * group + 1;
    const unsigned places[2] = {ALONG_K ? 2 * place : place, ALONG_K ? 2 * place + 1 : place + MMA_F64_DEPTH};

    for (size_t product = blockIdx.z; product < args.batch; product += gridDim.z) {
        const double *const panel = args.panel.data + product * args.panel.stride;
        const double *const vectors = args.vectors.data + product * args.vectors.stride;
        // Beyond the edge the last ones, whose sums are dropped.
        const double *edge[MMA_TILES][2], *of_vector[HALVES];
#pragma unroll
        for (int i = 0; i < MMA_TILES; ++i) {
            const size_t at = left + i * MMA_F64_ROWS;
            edge[i][0] = panel + min(at + upper, IN_PACKETS && !ALONG_K ? last - 1 : last) * args.panel.step_edge;
            edge[i][1] = panel + min(at + lower, last) * args.panel.step_edge;
        }
#pragma unroll
        for (int h = 0; h < HALVES; ++h) {
            of_vector[h] = vectors + min(size_t(h * MMA_F64_COLS + group), args.vectors.edge - 1) * args.vectors.step_edge;
        }

        double sums[MMA_TILES][HALVES][4] = {};
        const auto multiply = [&](size_t p, auto is_whole) {
            constexpr bool WHOLE = decltype(is_whole)::value;
            double values[MMA_TILES][2][2] = {}, factors[2][HALVES] = {}; // values: of tile i at place e the upper and the lower
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const size_t at = p + places[e];
                if (!WHOLE && at >= end) continue;
#pragma unroll
                for (int h = 0; h < HALVES; ++h) factors[e][h] = of_vector[h][at * args.vectors.step_k];
#pragma unroll
                for (int i = 0; i < MMA_TILES; ++i) {
                    if constexpr (IN_PACKETS && !ALONG_K) {
                        load_packet<true>(values[i][e], edge[i][0] + at * args.panel.step_k);
                    } else if constexpr (!(IN_PACKETS && WHOLE)) {
                        values[i][e][0] = edge[i][0][at * args.panel.step_k], values[i][e][1] = edge[i][1][at * args.panel.step_k];
                    }
                }
            }
            if constexpr (IN_PACKETS && ALONG_K && WHOLE) {
#pragma unroll
                for (int i = 0; i < MMA_TILES; ++i) {
#pragma unroll
                    for (int half = 0; half < 2; ++half) {
                        double pair[2];
                        load_packet<true>(pair, edge[i][half] + p + places[0]);
                        values[i][0][half] = pair[0], values[i][1][half] = pair[1];
                    }
                }
            }
#pragma unroll
            for (int e = 0; e < 2; ++e) {
#pragma unroll
                for (int h = 0; h < HALVES; ++h) {
#pragma unroll
                    for (int i = 0; i < MMA_TILES; ++i) {
                        double(&sum)[4] = sums[i][h];
                        mma_f64<1>(sum[0], sum[1], sum[2], sum[3], {{values[i][e][0], values[i][e][1]}}, {factors[e][h]});
                    }
                }
            }
        };
        size_t p = begin + warp * MMA_UNIT;
#pragma unroll(UNROLL)
        for (; p + MMA_UNIT <= end; p += WARPS * MMA_UNIT) multiply(p, Constant<1>());
        if (p < end) multiply(p, Constant<0>());

        // The warps' sums are added in their order.
#pragma unroll
        for (int h = 0; h < HALVES; ++h) {
#pragma unroll
            for (int i = 0; i < MMA_TILES; ++i) {
#pragma unroll
                for (int v = 0; v < 4; ++v) {
                    const unsigned vector = 2 * place + v % 2, col = i * MMA_F64_ROWS + (v < 2 ? upper : lower);
                    smem[(warp * MMA_F64_COLS + vector) * COLS + col] = sums[i][h][v];
                }
            }
            __syncthreads();
            for (unsigned e = threadIdx.x; e < MMA_F64_COLS * COLS; e += THREADS) {
                double sum = 0;
#pragma unroll
                for (int w = 0; w < WARPS; ++w) sum += smem[w * MMA_F64_COLS * COLS + e];
                const size_t col = left + e % COLS, vector = h * MMA_F64_COLS + e / COLS;
                if (col <= last && vector < args.vectors.edge) args.destination.put(product, blockIdx.y, col, vector, sum);
            }
            __syncthreads();                                       // shared memory is free
        }
    }
}

}  // namespace skinny
