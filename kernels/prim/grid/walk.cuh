// walk.cuh — moves between a dense array and places of another one, dimension by dimension.
//
//   move (dense element, indexed element)        for each element of up to 8 dimensions
//
// Algorithm  A block takes a tile: columns of the first dimension, and rows, which are all the others. Where a row begins is computed
//            once for the block, in shared memory; where a column is, once for each thread, in registers, which serve all its rows. So
//            an index vector costs a load a column and tile, and a division a row.
//            Threads hold consecutive columns of elements of 1 and 2 bytes, as one word of the dense array, where its rows are aligned
//            to words; else neighbouring threads have neighbouring columns.
// Cost       Reads and writes each element once: bound by memory where the indexed elements of a warp share sectors of 32 bytes.
// Limits     Elements of 1 to 16 bytes, any counts and strides.
// Edges      What is outside of a dimension is nowhere: its column is not found, its row is at NOWHERE.
#pragma once

#include <string.h>

#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/divider.cuh"
#include "prim/thread/position.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int WALK_RANK = 8;
constexpr size_t WALK_TILE_ROWS = 2048;                            // 32 KiB of offsets
constexpr int64_t NOWHERE = INT64_MIN;
enum WalkPlaces { PLACES_AFFINE, PLACES_WRAPPED, PLACES_INDEXED };

// Columns of a thread.
template <typename T>
constexpr int WALK_COLUMNS = sizeof(T) == 1 ? 8 : 4;

// Rows of a thread whose loads are in flight at once.
template <typename T>
constexpr int WALK_UNROLLED = sizeof(T) <= 4 ? 4 : 2;

// A word of a thread's columns in the dense array.
template <typename T>
struct alignas(sizeof(T) * WALK_COLUMNS<T>) WalkWord {
    T values[WALK_COLUMNS<T>];
};

struct WalkDimension {
    size_t count;
    int64_t stride, start, step;
    size_t dense, extent;
    const void *indices;
    int index_dtype, places;
    Divider by_count, by_extent;                                   // where the walk's, or this dimension's, numbers are below 2^31
    bool is_short;                                                 // start + step·i is below 2^31
};

struct WalkParameters {
    int rank;                                                      // at least 1
    unsigned columns_log2;                                         // threads of a row
    int rows_each;                                                 // of a thread
    bool few_rows;                                                 // fewer than 2^31
    size_t rows, row_tiles, column_tiles;
    WalkDimension dimensions[WALK_RANK];
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Where element i of a dimension is, or NOWHERE.
__device__ __forceinline__ int64_t walk_offset(const WalkDimension &d, size_t i) {
    if (d.places == PLACES_AFFINE) return static_cast<int64_t>(i) * d.stride;
    if (d.places == PLACES_INDEXED) {
        const uint64_t position = position_at(d.indices, d.index_dtype, i, d.start, d.extent);
        return position == OUTSIDE ? NOWHERE : static_cast<int64_t>(position) * d.stride;
    }
    const uint64_t number = static_cast<uint64_t>(d.start + d.step * static_cast<int64_t>(i));
    if (d.is_short) {
        const unsigned n = static_cast<unsigned>(number);
        return static_cast<int64_t>(n - d.by_extent.quotient(n) * d.by_extent.divisor) * d.stride;
    }
    return static_cast<int64_t>(number % d.extent) * d.stride;
}

// Where the first element of a row is in both arrays, as far as the first dimension is at 0.
__device__ __forceinline__ int64_t walk_row(const WalkParameters &p, size_t row, size_t *dense) {
    int64_t offset = 0;
    size_t of_dense = 0;
    for (int d = 1; d < p.rank; ++d) {
        const WalkDimension &dimension = p.dimensions[d];
        size_t i = row;
        if (d + 1 < p.rank) {
            const size_t quotient = p.few_rows ? dimension.by_count.quotient(static_cast<unsigned>(row)) : row / dimension.count;
            i = row - quotient * dimension.count;
            row = quotient;
        }
        const int64_t one = walk_offset(dimension, i);
        offset = one == NOWHERE || offset == NOWHERE ? NOWHERE : offset + one;
        of_dense += i * dimension.dense;
    }
    *dense = of_dense;
    return offset;
}

// The columns of a thread: where they are, and which of them are somewhere.
template <typename T, bool WORDS>
struct WalkColumns {
    static constexpr int COUNT = WALK_COLUMNS<T>;
    int64_t offsets[COUNT];
    unsigned exist, found;                                         // bit k of column k

    // Column k of a thread is the first one + k, or k·threads.
    __device__ __forceinline__ WalkColumns(const WalkDimension &d, size_t first, unsigned threads) : exist(0), found(0) {
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            const size_t column = first + (WORDS ? unsigned(k) : k * threads);
            const bool exists = column < d.count;
            const int64_t offset = exists ? walk_offset(d, column) : NOWHERE;
            offsets[k] = offset == NOWHERE ? 0 : offset;
            exist |= unsigned(exists) << k;
            found |= unsigned(offset != NOWHERE) << k;
        }
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// move.row () for a thread's columns of each of its rows.
template <typename T, bool WORDS, typename Move>
__global__ void __launch_bounds__(512, 2) walk_tiles(const __grid_constant__ WalkParameters p, const __grid_constant__ Move move) {
    extern __shared__ int64_t row_offsets[];                       // (rows of a tile) in the indexed array, then in the dense one
    const unsigned threads = 1u << p.columns_log2, lane = threadIdx.x & (threads - 1);
    const unsigned row_threads = blockDim.x >> p.columns_log2, tile_rows = row_threads * p.rows_each;
    int64_t *const dense_offsets = row_offsets + tile_rows;
    const unsigned first_row = threadIdx.x >> p.columns_log2;

    for (size_t x = blockIdx.x; x < p.column_tiles; x += gridDim.x) {
        const size_t tile = x * threads * WALK_COLUMNS<T>, first = tile + (WORDS ? lane * WALK_COLUMNS<T> : lane);
        const WalkColumns<T, WORDS> columns(p.dimensions[0], first, threads);
        for (size_t y = blockIdx.y; y < p.row_tiles; y += gridDim.y) {
            // The offsets of the tile's rows.
            const size_t begin = y * tile_rows;
            const unsigned rows = static_cast<unsigned>(min(p.rows - begin, size_t(tile_rows)));
            for (unsigned r = threadIdx.x; r < rows; r += blockDim.x) {
                size_t dense = 0;
                row_offsets[r] = walk_row(p, begin + r, &dense);
                dense_offsets[r] = static_cast<int64_t>(dense);
            }
            __syncthreads();

            // Each thread's columns of its rows.
            if (columns.exist != 0) {
#pragma unroll WALK_UNROLLED<T>
                for (unsigned r = first_row; r < rows; r += row_threads) {
                    const size_t dense = static_cast<size_t>(dense_offsets[r]) + first * p.dimensions[0].dense;
                    move.row(columns, row_offsets[r], dense, threads * p.dimensions[0].dense);
                }
            }
            __syncthreads();                                       // before the offsets are those of another tile
        }
    }
}

// dense ← indexed, zero where a place is nowhere. Column k is at dense + k·step.
template <typename T>
struct WalkGather {
    static constexpr bool MOVES_WORDS = true;
    const T *source;
    T *result;

    template <bool WORDS>
    __device__ __forceinline__ void row(const WalkColumns<T, WORDS> &columns, int64_t offset, size_t dense, size_t step) const {
        constexpr int COUNT = WALK_COLUMNS<T>;
        T values[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            const bool is_found = offset != NOWHERE && (columns.found >> k & 1) != 0;
            values[k] = is_found ? __ldg(source + offset + columns.offsets[k]) : T{};
        }
        if constexpr (WORDS) {
            WalkWord<T> word;
            memcpy(&word, values, sizeof word);
            *reinterpret_cast<WalkWord<T> *>(result + dense) = word;
        } else {
#pragma unroll
            for (int k = 0; k < COUNT; ++k) {
                if ((columns.exist >> k & 1) != 0) result[dense + k * step] = values[k];
            }
        }
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether a walk (of kernels.h) is one that is served.
template <typename Walk>
bool is_walk(const Walk &walk) {
    if (walk.rank < 0 || walk.rank > WALK_RANK) return false;
    for (int d = 0; d < walk.rank; ++d) {
        const auto &one = walk.dimensions[d];
        if (one.count == 0 || one.places < PLACES_AFFINE || one.places > PLACES_INDEXED) return false;
        if (one.places == PLACES_WRAPPED && one.extent == 0) return false;
        if (one.places == PLACES_INDEXED && (one.indices == nullptr || !is_index_dtype(one.index_dtype))) return false;
    }
    return true;
}

template <typename Dimension>
WalkDimension walk_dimension(const Dimension &from) {
    constexpr int64_t SHORT = int64_t(1) << 31;
    WalkDimension to = {from.count,   from.stride,      from.start,  from.step, from.dense, from.extent,
                        from.indices, from.index_dtype, from.places, {},        {},         false};
    to.by_count = Divider::of(static_cast<unsigned>(at_most(from.count, SHORT - 1)));
    to.by_extent = Divider::of(static_cast<unsigned>(at_most(from.extent > 0 ? from.extent : 1, SHORT - 1)));
    const int64_t last = from.start + from.step * static_cast<int64_t>(from.count - 1);
    to.is_short = from.places == PLACES_WRAPPED && from.extent < SHORT && from.start < SHORT && last < SHORT;
    return to;
}

// The parameters of a walk for blocks of so many threads, each of which takes `columns` columns, as words or not, and rows_each rows.
template <typename Walk>
WalkParameters walk_parameters(const Walk &walk, int threads, int columns, bool words, int rows_each) {
    WalkParameters p = {};
    p.rank = walk.rank > 0 ? walk.rank : 1;
    p.rows = 1;
    p.dimensions[0].count = 1;                                     // of no dimension: one element
    for (int d = 0; d < walk.rank; ++d) {
        p.dimensions[d] = walk_dimension(walk.dimensions[d]);
        if (d > 0) p.rows *= walk.dimensions[d].count;
    }
    const size_t width = p.dimensions[0].count;
    const size_t wanted = width <= WARP ? width : ceil_div(width, columns);
    while ((1 << p.columns_log2) < threads && (size_t(1) << p.columns_log2) < wanted) ++p.columns_log2;
    if (!words && width > WARP && p.columns_log2 < 5) p.columns_log2 = 5; // a warp has one row
    p.few_rows = p.rows < size_t(1) << 31;
    const size_t row_threads = static_cast<size_t>(threads) >> p.columns_log2;
    const size_t most = at_most(static_cast<size_t>(rows_each), WALK_TILE_ROWS / row_threads);
    p.rows_each = static_cast<int>(at_most(ceil_div(p.rows, row_threads), most));
    p.row_tiles = ceil_div(p.rows, row_threads * p.rows_each);
    p.column_tiles = ceil_div(width, (size_t(1) << p.columns_log2) * columns);
    return p;
}

// Whether words of the dense array are aligned: `dense` is its address.
template <typename T, typename Walk>
bool has_words(const Walk &walk, const void *dense) {
    constexpr size_t LENGTH = WALK_COLUMNS<T>;
    if (sizeof(T) > 2 || walk.rank == 0 || walk.dimensions[0].dense != 1) return false;
    if (walk.dimensions[0].count % LENGTH != 0 || walk.dimensions[0].count < 2 * WARP) return false;
    for (int d = 1; d < walk.rank; ++d) {
        if (walk.dimensions[d].dense % LENGTH != 0) return false;
    }
    return reinterpret_cast<uintptr_t>(dense) % sizeof(WalkWord<T>) == 0;
}

template <typename T, bool WORDS, typename Walk, typename Move, typename Tuning>
cudaError_t launch_tiles(const Walk &walk, Move move, const Tuning &tuning, cudaStream_t stream) {
    const WalkParameters p = walk_parameters(walk, tuning.threads, WALK_COLUMNS<T>, WORDS, tuning.values);
    const dim3 grid(static_cast<unsigned>(at_most(p.column_tiles, GRID_X_MAX)), static_cast<unsigned>(at_most(p.row_tiles, GRID_Y_MAX)));
    const size_t rows = (static_cast<size_t>(tuning.threads) >> p.columns_log2) * p.rows_each;
    const cudaError_t error = set_smem_carveout<walk_tiles<T, WORDS, Move>>(tuning.cache);
    if (error != cudaSuccess) return error;
    walk_tiles<T, WORDS, Move><<<grid, tuning.threads, 2 * rows * sizeof(int64_t), stream>>>(p, move);
    return cudaGetLastError();
}

// Enqueues the moves move_of (T ()) of a walk; dense: the address of the dense array.
template <typename Walk, typename MoveOf, typename Tuning>
cudaError_t launch_walk(const Walk &walk, const void *dense, MoveOf move_of, const Tuning &tuning, cudaStream_t stream) {
    if (!is_walk(walk) || !is_one_of<128, 256, 512>(tuning.threads) || !is_one_of<4, 8, 16>(tuning.values)) return cudaErrorInvalidValue;
    const auto of_type = [&](auto zero) -> cudaError_t {
        using T = decltype(zero);
        if constexpr (sizeof(T) <= 2 && decltype(move_of(zero))::MOVES_WORDS) {
            if (has_words<T>(walk, dense)) return launch_tiles<T, true>(walk, move_of(zero), tuning, stream);
        }
        return launch_tiles<T, false>(walk, move_of(zero), tuning, stream);
    };
    switch (walk.value_bytes) {
        case 1: return of_type(uint8_t());
        case 2: return of_type(uint16_t());
        case 4: return of_type(uint32_t());
        case 8: return of_type(uint64_t());
        case 16: return of_type(uint4());
        default: return cudaErrorInvalidValue;
    }
}
