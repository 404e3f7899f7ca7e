// tiled_product.cuh — a software-pipelined matrix product: tiles in shared memory, fragments in registers, any micro-kernel.
//
//   C ← alpha · op(A) · op(B) + beta · C, for each of a batch
//
// Algorithm  A block has a tile of C, whose sums are in its threads' registers. Tiles of A and B, DEPTH along k, are loaded
//            into shared memory by asynchronous copies, STAGES - 1 ahead of the one that is multiplied: one barrier a tile. A
//            thread reads the fragments of the next step while it multiplies those of this one. The main loop has no bounds
//            checks and no transposes: tile_loader.cuh handles both. The blocks of a cluster share one tile of C (split-K),
//            each with equal parts of k in whole tiles, and cluster_sum.cuh reduces them.
//            Teams of threads of a block may do the same among themselves: each takes its places of every tile along k, and so
//            small products have enough warps. Tile, a type of the kernel's own, gives the sizes, and reads and multiplies
//            fragments (the micro-kernel).
//            A large C whose rows are not aligned to packets is stored row by row (store_by_rows).
// Cost       mnk multiply-adds; a tile of HEIGHT × WIDTH reads (HEIGHT + WIDTH) · k elements.
// Limits     Less than 2^31 tiles of C, less than 2^32 along k: what any memory holds.
// Edges      k = 0, alpha = 0, more blocks than tiles along k: blocks without a tile read nothing and add zeros. Products of a
//            batch are on the grid's y axis, and beyond its limit a block does several.
// Source     NVIDIA CUTLASS documentation, "Efficient GEMM in CUDA"; S. Boehm, "How to Optimize a CUDA Matmul Kernel", 2022.
#pragma once

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

#include "matmul/cluster_sum.cuh"
#include "matmul/epilogue.cuh"
#include "matmul/tile_loader.cuh"
#include "matmul/tile_swizzle.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/packet.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned BAND_ROWS = 2048;                               // rows of C in a band of the swizzle
constexpr double BY_ROWS_MIN = 1 << 21;                            // elements of C from which on store_by_rows pays

constexpr double K_STEP = 8;                                       // of a block's part of k, for plan_of()

// ---- device helpers -------------------------------------------------------------------------------------------------

// Of a thread of a block whose teams have Tile::THREADS each: its number in its team, and the team's first place of a tile along k.
template <typename Tile>
__device__ unsigned team_thread() { return Tile::TEAMS == 1 ? threadIdx.x : threadIdx.x % Tile::THREADS; }
template <typename Tile>
__device__ unsigned team_place() { return Tile::TEAMS == 1 ? 0 : threadIdx.x / Tile::THREADS * (Tile::DEPTH / Tile::TEAMS); }

// All of the batch; pointers are those of its first product.
template <typename T>
struct TiledArgs {
    Operand<T> a, b;
    Result<T> c;
    size_t stride_c, k;
    size_t batch;
    unsigned tile_rows, tile_cols;
    bool by_rows;                                                  // C is stored by store_by_rows, where the tile can
};

// The tiles along k of a block: `count` of them from k = begin on, the first with `depth` places.
struct KRange {
    size_t begin;
    unsigned count;
    int depth;

    __device__ KRange(size_t k, unsigned depth_of_tile) {
        const unsigned blocks = cluster_blocks(), rank = cluster_rank();
        const unsigned left = static_cast<unsigned>(k % depth_of_tile), first_depth = left == 0 ? depth_of_tile : left;
        const size_t tiles = k / depth_of_tile + (left != 0);
        const int log = __ffs(static_cast<int>(blocks)) - 1;       // a power of two: no division
        const size_t from = tiles * rank >> log, to = tiles * (rank + 1) >> log;
        begin = from == 0 ? 0 : first_depth + (from - 1) * depth_of_tile;
        count = static_cast<unsigned>(to - from);
        depth = static_cast<int>(from == 0 ? first_depth : depth_of_tile);
    }
};

// Whether a tile of four elements a slot says how its warps store rows.
template <typename Tile, typename = void>
struct StoresByRows {
    static constexpr bool value = false;
};
template <typename Tile>
struct StoresByRows<Tile, decltype(void(Tile::ROWS_AT_ONCE))> {
    static constexpr bool value = Tile::TEAMS == 1 && Tile::ROWS_AT_ONCE * Tile::WARP_COLS > 0;
};

// A tile to rows of C that are not aligned to packets: a warp's rows, by way of shared memory, so that neighbours in it store
// neighbours of a row.
template <typename Tile>
__device__ void store_by_rows(const Result<typename Tile::Element> &c, size_t top, size_t left, char *shared,
                              const typename Tile::Element (&sums)[Tile::SLOTS][Tile::COUNT]) {
    using Element = typename Tile::Element;
    constexpr int ROWS = Tile::ROWS_AT_ONCE, COLS = Tile::WARP_COLS, PITCH = COLS + PACKET_LENGTH<Element>;
    static_assert(Tile::COUNT == PACKET_LENGTH<Element>, "a slot is a packet");
    static_assert(sizeof(Element) * Tile::THREADS / WARP * ROWS * PITCH <= Tile::LOADER_BYTES, "the stages have room for it");
    Element *const rows = reinterpret_cast<Element *>(shared) + threadIdx.x / WARP * ROWS * PITCH;
    const unsigned lane = threadIdx.x % WARP, first = Tile::warp_col();
#pragma unroll
    for (int i = 0; i < Tile::SLOTS / Tile::GROUPS_ACROSS; ++i) {
#pragma unroll
        for (int group = 0; group < Tile::GROUPS_ACROSS; ++group) {
            const int slot = i * Tile::GROUPS_ACROSS + group;
            Packet<Element> packet;
#pragma unroll
            for (int v = 0; v < Tile::COUNT; ++v) packet.values[v] = sums[slot][v];
            *reinterpret_cast<Packet<Element> *>(rows + Tile::down() * PITCH + Tile::col(slot) - first) = packet;
        }
        __syncwarp();
        const unsigned own = Tile::row(i * Tile::GROUPS_ACROSS);
#pragma unroll
        for (int down = 0; down < ROWS; ++down) {
            const size_t row = top + __shfl_sync(~0u, own, Tile::lane_of(down));
#pragma unroll
            for (unsigned col = lane; col < COLS; col += WARP) {
                const size_t j = left + first + col;
                if (row < c.rows && j < c.cols) c.put_one(c.c + row * c.ld + j, rows[down * PITCH + col]);
            }
        }
        __syncwarp();                                              // all have read before the next rows come
    }
}

// A tile of C, of each product of the batch that is this row of the grid's.
template <typename Tile, bool PACKETS_A, bool PACKETS_B>
__device__ __forceinline__ void compute_tile(const TiledArgs<typename Tile::Element> &args, unsigned index, char *stages) {
    using Element = typename Tile::Element;
    constexpr int THREADS = Tile::TEAMS * Tile::THREADS, STEPS = Tile::STEPS / Tile::TEAMS;  // of the block, of a team
    constexpr int BURST = (STEPS - 1) / Tile::BURSTS;              // steps from burst to burst of copies, all before the barrier
    static_assert(Tile::STEPS % (2 * Tile::TEAMS) == 0, "fragments take turns from tile to tile");
    const uint32_t stages_a = shared_address(stages), stages_b = stages_a + Tile::STAGES * Tile::BYTES_A;
    const uint32_t lane_a = stages_a + Tile::lane_a(), lane_b = stages_b + Tile::lane_b();
    const TileCoord place = swizzled_tile(index, args.tile_rows, args.tile_cols, BAND_ROWS / Tile::HEIGHT);
    const size_t top = size_t(place.row) * Tile::HEIGHT, left = size_t(place.col) * Tile::WIDTH;
    const KRange range(args.k, Tile::DEPTH);

    for (size_t product = blockIdx.y; product < args.batch; product += gridDim.y) {
        Element sums[Tile::SLOTS][Tile::COUNT] = {};
        if (range.count > 0) {
            TileLoader<Element, Tile::HEIGHT, Tile::DEPTH, Tile::PITCH_A, THREADS, PACKETS_A, Tile::HOLDS, Tile::SPREADS>
                loader_a(args.a, product, top, range.begin);
            TileLoader<Element, Tile::WIDTH, Tile::DEPTH, Tile::PITCH_B, THREADS, PACKETS_B, Tile::HOLDS, Tile::SPREADS>
                loader_b(args.b, product, left, range.begin);

            // The first tiles start on their way.
            loader_a.first(stages_a, range.depth);
            loader_b.first(stages_b, range.depth);
            async_commit();
            for (unsigned s = 1; s < Tile::STAGES - 1; ++s) {
                if (s < range.count) {
                    loader_a.next(stages_a + s * Tile::BYTES_A);
                    loader_b.next(stages_b + s * Tile::BYTES_B);
                }
                async_commit();
            }
            async_wait_for<Tile::STAGES - 2>();
            __syncthreads();                                       // the first tile is there

            typename Tile::Fragments fragments[2];                 // one is multiplied while the other is read
            unsigned stage = 0, free = Tile::STAGES - 1;
            const auto multiply = [&](auto loads) {                // a tile; it feeds the stage that the tile before has left
#pragma unroll
                for (int step = 0; step < STEPS; ++step) {
                    if (step == STEPS - 1) {
                        stage = stage + 1 == Tile::STAGES ? 0 : stage + 1;
                        async_wait_for<Tile::STAGES - 2>();
                        __syncthreads();                           // the next tile is there, and all have read this one
                    }
                    Tile::read(fragments[(step + 1) % 2], lane_a + stage * Tile::BYTES_A, lane_b + stage * Tile::BYTES_B,
                               (step + 1) % STEPS);
                    if (decltype(loads)::value && step % BURST == 0 && step / BURST < Tile::BURSTS) {
                        constexpr int ALL = loader_a.COPIES + loader_b.COPIES;
                        const int burst = step / BURST;
#pragma unroll
                        for (int c = burst * ALL / Tile::BURSTS; c < (burst + 1) * ALL / Tile::BURSTS; ++c) {
                            if (c < loader_a.COPIES) {
                                loader_a.copy(stages_a + free * Tile::BYTES_A, c);
                            } else {
                                loader_b.copy(stages_b + free * Tile::BYTES_B, c - loader_a.COPIES);
                            }
                        }
                    }
                    if (step == (Tile::BURSTS - 1) * BURST) {
                        async_commit();
                        free = free + 1 == Tile::STAGES ? 0 : free + 1;
                    }
                    Tile::multiply(fragments[step % 2], sums);
                }
            };
            Tile::read(fragments[0], lane_a, lane_b, 0);
            unsigned t = 0;
#pragma unroll 1
            for (; t + Tile::STAGES - 1 < range.count; ++t) multiply(Constant<1>());
#pragma unroll 1
            for (; t < range.count; ++t) multiply(Constant<0>());
        }

        Result<Element> c = args.c;
        c.c += product * args.stride_c;
        const auto store = [&] {
            cluster_sum<Tile::THREADS, Tile::TEAMS>(sums, stages, [&](int slot, const Element (&sum)[Tile::COUNT]) {
                c.put(top + Tile::row(slot), left + Tile::col(slot), sum);
            });
        };
        if constexpr (StoresByRows<Tile>::value) {
            if (!args.by_rows || cluster_blocks() > 1) {
                store();
            } else {
                __syncthreads();                                   // all have read the last tile
                store_by_rows<Tile>(c, top, left, stages, sums);
            }
        } else {
            store();
        }
        __syncthreads();                                           // the stages are free for the next product
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Tile, bool PACKETS_A, bool PACKETS_B>
__global__ void __launch_bounds__(Tile::TEAMS * Tile::THREADS, Tile::BLOCKS)
    tiled_product(const __grid_constant__ TiledArgs<typename Tile::Element> args) {
    extern __shared__ __align__(16) char stages[];                 // A (STAGES, DEPTH, PITCH_A), B (STAGES, DEPTH, PITCH_B)
    compute_tile<Tile, PACKETS_A, PACKETS_B>(args, blockIdx.x / cluster_blocks(), stages);
}

// The same where *only_if, which the kernel before may have written, is not 0; blocks take tiles in turn.
template <typename Tile, bool PACKETS_A, bool PACKETS_B>
__global__ void __launch_bounds__(Tile::TEAMS * Tile::THREADS, Tile::BLOCKS)
    tiled_product_if(const __grid_constant__ TiledArgs<typename Tile::Element> args, const unsigned *only_if) {
    extern __shared__ __align__(16) char stages[];
    pdl_wait();
    if (*only_if == 0) return;
    for (unsigned index = blockIdx.x; index < args.tile_rows * args.tile_cols; index += gridDim.x) {
        compute_tile<Tile, PACKETS_A, PACKETS_B>(args, index, stages);
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename T>
Operand<T> operand_of(const void *data, bool along_k, size_t ld, size_t edge, size_t stride) {
    return {static_cast<const T *>(data), along_k ? ld : 1, along_k ? 1 : ld, edge, stride};
}

template <typename T, typename Product>
Operand<T> operand_a(const Product &p) { return operand_of<T>(p.a, p.trans_a == 0, p.lda, p.m, p.stride_a); }
template <typename T, typename Product>
Operand<T> operand_b(const Product &p) { return operand_of<T>(p.b, p.trans_b != 0, p.ldb, p.n, p.stride_b); }

template <typename Tile, typename Product>
TiledArgs<typename Tile::Element> tiled_args_of(const Product &product) {
    using T = typename Tile::Element;
    TiledArgs<T> args = {};
    args.a = operand_a<T>(product), args.b = operand_b<T>(product);
    args.c = {static_cast<T *>(product.c), product.m, product.n, product.ldc, T(product.alpha), T(product.beta),
              rows_in_packets<T>(product.c, product.ldc, product.stride_c, product.batch)};
    args.stride_c = product.stride_c;
    args.k = args.c.alpha == T(0) ? 0 : product.k;
    args.batch = product.batch;
    args.tile_rows = static_cast<unsigned>(ceil_div(product.m, Tile::HEIGHT));
    args.tile_cols = static_cast<unsigned>(ceil_div(product.n, Tile::WIDTH));
    args.by_rows = !args.c.in_packets && double(product.m) * double(product.n) >= BY_ROWS_MIN;
    return args;
}

// Whether an operand can be fed in packets.
template <typename T>
bool loads_packets(const Operand<T> &operand, size_t batch) {
    return operand.step_edge == 1 && operand.edge % PACKET_LENGTH<T> == 0 &&
           rows_in_packets<T>(operand.data, operand.step_k, operand.stride, batch);
}

// launch(Constant<A>(), Constant<B>()), A and B 1 for operands that can be fed in packets.
template <typename T, typename Launch>
cudaError_t dispatch_packets(const TiledArgs<T> &args, Launch launch) {
    const bool packets_a = loads_packets(args.a, args.batch), packets_b = loads_packets(args.b, args.batch);
    if (packets_a) return packets_b ? launch(Constant<1>(), Constant<1>()) : launch(Constant<1>(), Constant<0>());
    return packets_b ? launch(Constant<0>(), Constant<1>()) : launch(Constant<0>(), Constant<0>());
}

// What a launcher has to know of the current device.
struct Multiprocessors {
    unsigned cluster;                                              // blocks of the widest, each with a multiprocessor to itself
    unsigned at_once[CLUSTER_MAX + 1];                             // clusters of 1, 2, 4, 8 and 16 blocks that are: groups of
                                                                   // multiprocessors are not of such sizes
    size_t bytes;                                                  // of shared memory for a block
};

// *facts ← that, by the example of a kernel.
template <auto KERNEL>
cudaError_t find_multiprocessors(Multiprocessors *facts) {
    return remembered(facts, [](int device, Multiprocessors *found) {
        int number = 0;
        cudaError_t error = cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, device);
        if (error == cudaSuccess) error = allow_large(KERNEL, &found->bytes);
        if (error == cudaSuccess) error = widest_cluster(KERNEL, WARP, found->bytes, &found->cluster);
        if (error != cudaSuccess) return error;
        found->at_once[1] = static_cast<unsigned>(number);
        for (unsigned blocks = 2; blocks <= found->cluster; blocks *= 2) {
            found->at_once[blocks] = clusters_at_once(KERNEL, WARP, found->bytes, blocks);
        }
        return cudaSuccess;
    });
}

// A tile that a launcher may choose, and how fast one multiprocessor of an H200 goes through blocks of it: nanoseconds for a step
// along k, of one block alone and, when there are several, of each.
struct Pace {
    int values;                                                    // sums of a thread
    unsigned height, width;
    size_t loader_bytes, sum_bytes;                                // of shared memory, for the stages and for a cluster's sums
    unsigned resident;                                             // blocks at once
    double alone, crowded;
    double besides;                                                // of a block besides multiplying: first loads, last stores
    double unaligned, start;                                       // more of them where C is not aligned to packets; of the launch
};

// That of a Tile.
template <typename Tile>
constexpr Pace pace_of(double alone, double crowded, double besides, double unaligned = 0, double start = 0) {
    return {Tile::SLOTS * Tile::COUNT, Tile::HEIGHT, Tile::WIDTH, Tile::LOADER_BYTES, Tile::SUM_BYTES, Tile::BLOCKS,
            alone, crowded, besides, unaligned, start};
}

// What a dtype's tiles have in common: nanoseconds of a cluster of 1, 2, 4, 8 and 16 blocks that adds up, and of each byte of its sums;
// bytes that memory moves in a nanosecond; how many times as long a step takes with so many operands that are not fed in packets. These and
// the paces are fitted to random products on an H200, each by every tile in every cluster.
struct Shares {
    double cluster[5], byte, memory, singles[3];
};

struct Plan {
    int tile;                                                      // number of its row
    unsigned blocks;                                               // that share a tile of C
    double time;                                                   // nanoseconds; INFINITY: none fits the device
};

// The quickest way through a product by an estimate: of the tiles with at most `values` sums a thread, and of clusters of 1 to 16
// blocks, that which keeps the busiest multiprocessor shortest.
template <typename T, typename Product, int TILES>
Plan plan_of(const Product &product, const Pace (&paces)[TILES], const Shares &shares, int values, const Multiprocessors &device) {
    const double m = double(product.m), n = double(product.n), k = double(product.k), batch = double(product.batch);
    const double from_memory = batch * (m * k + k * n + m * n) * sizeof(T) / shares.memory;
    const bool is_aligned = rows_in_packets<T>(product.c, product.ldc, product.stride_c, product.batch);
    const double slower = shares.singles[!loads_packets(operand_a<T>(product), product.batch) +
                                         !loads_packets(operand_b<T>(product), product.batch)];
    Plan best = {-1, 1, INFINITY};
    for (int t = 0; t < TILES; ++t) {
        const Pace &pace = paces[t];
        if (pace.values > values || pace.loader_bytes > device.bytes) continue;
        const unsigned blocks_max = pace.sum_bytes <= device.bytes ? device.cluster : 1;
        const double tiles = ceil(m / pace.height) * ceil(n / pace.width) * batch;
        const double besides = pace.besides + (is_aligned ? 0 : pace.unaligned);
        for (unsigned blocks = 1, log = 0; blocks <= blocks_max; blocks *= 2, ++log) {
            const double each = ceil(tiles / device.at_once[blocks]);  // blocks of a multiprocessor that has some
            const double steps = ceil(k / (blocks * K_STEP)) * K_STEP;
            const double sum = blocks == 1 ? 0 : double(pace.sum_bytes) * shares.byte + shares.cluster[log];
            const double busy = steps * slower * fmax(ceil(each / pace.resident) * pace.alone, each * pace.crowded) +
                                fmax(1, each / pace.resident) * (besides + sum);
            const double time = pace.start + fmax(busy, from_memory);
            if (time < best.time) best = {t, blocks, time};
        }
    }
    return best;
}

// launch(Tile()) for number `tile` of these, empty types in the order of a plan's paces.
template <typename... Tiles, typename Launch>
cudaError_t dispatch_tile(int tile, Launch launch) {
    cudaError_t error = cudaErrorInvalidConfiguration;
    int number = 0;
    const auto at_its_number = [&](auto candidate) {
        if (number++ == tile) error = launch(candidate);
    };
    (at_its_number(Tiles()), ...);
    return error;
}

// Enqueues a product, `blocks` to a tile of C.
template <typename Tile, bool PACKETS_A, bool PACKETS_B>
cudaError_t launch_product(const TiledArgs<typename Tile::Element> &args, unsigned blocks, int cache, cudaStream_t stream) {
    if (double(args.tile_rows) * args.tile_cols * blocks > double(GRID_X_MAX)) return cudaErrorInvalidValue;
    constexpr auto KERNEL = tiled_product<Tile, PACKETS_A, PACKETS_B>;
    const cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    const dim3 grid(args.tile_rows * args.tile_cols * blocks, static_cast<unsigned>(at_most(args.batch, GRID_Y_MAX)));
    const size_t sums = blocks * Tile::TEAMS > 1 ? Tile::SUM_BYTES : 0, bytes = sums > Tile::LOADER_BYTES ? sums : Tile::LOADER_BYTES;
    return launch_clusters<KERNEL, Allow::LARGE>(grid, blocks, Tile::TEAMS * Tile::THREADS, bytes, stream, args);
}

// Enqueues a product for the case that *only_if is not 0, as a dependent launch on a device with `sms` multiprocessors.
template <typename Tile, bool PACKETS_A, bool PACKETS_B>
cudaError_t launch_product_if(const TiledArgs<typename Tile::Element> &args, const unsigned *only_if, unsigned sms, cudaStream_t stream) {
    constexpr auto KERNEL = tiled_product_if<Tile, PACKETS_A, PACKETS_B>;
    static_assert(Tile::TEAMS == 1 && Tile::LOADER_BYTES <= 48 * 1024, "what a kernel may have unasked");
    const double tiles = double(args.tile_rows) * args.tile_cols;
    if (tiles > double(GRID_X_MAX)) return cudaErrorInvalidValue;
    const unsigned blocks = static_cast<unsigned>(fmin(tiles, double(sms) * Tile::BLOCKS));
    bool pdl = false;
    const cudaError_t error = remembered(&pdl, [](int, bool *found) { return supports_pdl(KERNEL, found); });
    if (error != cudaSuccess) return error;
    return launch_pdl_shared(pdl, KERNEL, dim3(blocks), dim3(Tile::THREADS), Tile::LOADER_BYTES, stream, args, only_if);
}
