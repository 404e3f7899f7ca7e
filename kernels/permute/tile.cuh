// tile.cuh — transposition by tiles through shared memory.
#pragma once

#include <string.h>

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/divider.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int TILE_WARPS = 8;

// What a thread moves at once, and how a tile of it is.
template <typename T>
struct TransposeTile {
    using Word = std::conditional_t<sizeof(T) <= 4, uint32_t, T>;
    static constexpr int PACK = sizeof(Word) / sizeof(T);          // elements of a word
    static constexpr int DEPTH = sizeof(T) == 1 || sizeof(T) == 16 ? 32 : 64; // words of a tile along y; 32 along x
    static constexpr int WIDTH = WARP * PACK, HEIGHT = DEPTH * PACK; // elements along x, and along y
};

// A dimension beside x and y.
struct BatchDimension {
    size_t count, stride, dense;
    Divider by_count;
};

struct TransposeParameters {
    size_t nx, ny;                                                 // extents
    size_t elements;                                               // of source
    size_t stride_y, dense_x;                                      // of y in source, of x in result; x and y are dense there
    size_t tiles, tiles_x, batches;
    Divider by_tiles_x;
    bool few_tiles, few_batches;                                   // fewer than 2^31
    bool loads_words, stores_words;                                // all rows are aligned to words
    int rank;                                                      // of the others
    BatchDimension others[6];
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The PACK elements at `from`, of which `count` exist. by_words: all do, and the words that have one of them lie in source.
template <typename T>
__device__ __forceinline__ typename TransposeTile<T>::Word load_word(const T *from, unsigned count, bool by_words, bool is_aligned) {
    using Word = typename TransposeTile<T>::Word;
    constexpr int PACK = TransposeTile<T>::PACK;
    if constexpr (PACK == 1) {
        return __ldg(reinterpret_cast<const Word *>(from));
    } else {
        if (by_words && is_aligned) return __ldg(reinterpret_cast<const Word *>(from));
        if (by_words) {                                            // two aligned words, each with an element of these
            const uintptr_t at = reinterpret_cast<uintptr_t>(from);
            const Word low = __ldg(reinterpret_cast<const Word *>(at & ~uintptr_t(3)));
            const Word high = __ldg(reinterpret_cast<const Word *>((at + 3) & ~uintptr_t(3)));
            return __funnelshift_r(low, high, 8 * unsigned(at & 3));
        }
        Word word = 0;
#pragma unroll 1
        for (unsigned i = 0; i < count; ++i) word |= Word(__ldg(from + i)) << (8 * sizeof(T) * i);
        return word;
    }
}

// Element i of word k becomes element k of word i.
template <int PACK, typename Word>
__device__ __forceinline__ void transpose_words(Word (&words)[PACK]) {
    if constexpr (PACK == 2) {
        const Word low = __byte_perm(words[0], words[1], 0x5410), high = __byte_perm(words[0], words[1], 0x7632);
        words[0] = low, words[1] = high;
    } else if constexpr (PACK == 4) {
        const Word a = __byte_perm(words[0], words[1], 0x5140), b = __byte_perm(words[2], words[3], 0x5140); // bytes 0 and 1 of both
        const Word c = __byte_perm(words[0], words[1], 0x7362), d = __byte_perm(words[2], words[3], 0x7362); // bytes 2 and 3
        words[0] = __byte_perm(a, b, 0x5410), words[1] = __byte_perm(a, b, 0x7632);
        words[2] = __byte_perm(c, d, 0x5410), words[3] = __byte_perm(c, d, 0x7632);
    }
}

// tile ← a whole one; its rows begin at multiples of a word and are `stride` words apart.
template <int PACK, typename Word, int WIDTH, int PITCH>
__device__ __forceinline__ void load_whole_tile(const Word *source, size_t stride, Word (&tile)[WIDTH][PITCH]) {
    constexpr int ROUNDS = (PITCH - 1) / TILE_WARPS;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const Word *from = source + warp * PACK * stride + lane;
    Word words[ROUNDS][PACK];
#pragma unroll
    for (int j = 0; j < ROUNDS; ++j, from += TILE_WARPS * PACK * stride) {
#pragma unroll
        for (int q = 0; q < PACK; ++q) words[j][q] = __ldg(from + q * stride);
    }
#pragma unroll
    for (int j = 0; j < ROUNDS; ++j) {
        transpose_words<PACK>(words[j]);
#pragma unroll
        for (int q = 0; q < PACK; ++q) tile[q * WARP + lane][warp + j * TILE_WARPS] = words[j][q];
    }
}

// Rows of the result, `stride` words apart, ← a whole tile.
template <int PACK, typename Word, int WIDTH, int PITCH>
__device__ __forceinline__ void store_whole_tile(const Word (&tile)[WIDTH][PITCH], size_t stride, Word *result) {
    constexpr int DEPTH = PITCH - 1;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
#pragma unroll
    for (int r = 0; r < WIDTH; r += TILE_WARPS) {                  // row r % 32 · PACK + r / 32
        Word *const to = result + (r % WARP * PACK + r / WARP) * stride + warp * PACK * stride + lane;
#pragma unroll
        for (int m = 0; m < DEPTH; m += WARP) to[m] = tile[r + warp][m + lane];
    }
}

// Adds where a batch begins in both arrays.
__device__ __forceinline__ void move_to_batch(const TransposeParameters &p, size_t batch, size_t *from, size_t *to) {
    for (int d = 0; d < p.rank; ++d) {
        const BatchDimension &other = p.others[d];
        const size_t quotient = p.few_batches ? other.by_count.quotient(static_cast<unsigned>(batch)) : batch / other.count;
        const size_t i = batch - quotient * other.count;
        *from += i * other.stride, *to += i * other.dense;
        batch = quotient;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// result[x·dense_x + y] = source[y·stride_y + x] in each batch.
template <typename T>
__global__ void __launch_bounds__(WARP *TILE_WARPS) transpose_tiles(const __grid_constant__ TransposeParameters p, const T *source, T *result) {
    using Tile = TransposeTile<T>;
    using Word = typename Tile::Word;
    constexpr int PACK = Tile::PACK, DEPTH = Tile::DEPTH, WIDTH = Tile::WIDTH, HEIGHT = Tile::HEIGHT;
    __shared__ Word tile[WIDTH][DEPTH + 1];                        // row 32·q + l has the words of x = PACK·l + q; + 1: no bank conflicts
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    for (size_t batch = blockIdx.y; batch < p.batches; batch += gridDim.y) {
        size_t from = 0, to = 0;
        move_to_batch(p, batch, &from, &to);
        for (size_t t = blockIdx.x; t < p.tiles; t += gridDim.x) {
            const size_t tile_y = p.few_tiles ? p.by_tiles_x.quotient(static_cast<unsigned>(t)) : t / p.tiles_x;
            const size_t x0 = (t - tile_y * p.tiles_x) * WIDTH, y0 = tile_y * HEIGHT;

            // Rows of the source, PACK of them a thread, to columns of the tile.
            const bool is_whole = x0 + WIDTH <= p.nx && y0 + HEIGHT <= p.ny;
            const size_t x = x0 + lane * PACK;
            if (is_whole && (PACK == 1 || p.loads_words)) {
                load_whole_tile<PACK>(reinterpret_cast<const Word *>(source + from + y0 * p.stride_y + x0), p.stride_y / PACK, tile);
            } else if (x < p.nx) {
                const size_t first = from + y0 * p.stride_y + x, last = from + (min(y0 + HEIGHT, p.ny) - 1) * p.stride_y + x;
                const bool is_inner = first + 1 >= PACK && last + 2 * PACK - 1 <= p.elements; // wherever source starts in a word
                const unsigned count = static_cast<unsigned>(min(p.nx - x, size_t(PACK)));
                const bool by_words = count == PACK && (p.loads_words || is_inner);
#pragma unroll
                for (int j = 0; j < DEPTH / TILE_WARPS; ++j) {
                    const unsigned m = warp + j * TILE_WARPS;
                    Word words[PACK];
#pragma unroll
                    for (int q = 0; q < PACK; ++q) {
                        const size_t y = y0 + m * PACK + q;
                        words[q] = y < p.ny ? load_word(source + from + y * p.stride_y + x, count, by_words, p.loads_words) : Word{};
                    }
                    transpose_words<PACK>(words);
#pragma unroll
                    for (int q = 0; q < PACK; ++q) tile[q * WARP + lane][m] = words[q];
                }
            }
            __syncthreads();

            // Rows of the tile to rows of the result.
            const bool is_stored = is_whole && (PACK == 1 || p.stores_words);
            if (is_stored) store_whole_tile<PACK>(tile, p.dense_x / PACK, reinterpret_cast<Word *>(result + to + x0 * p.dense_x + y0));
            for (unsigned r = warp; r < WIDTH && !is_stored; r += TILE_WARPS) {
                const size_t column = x0 + (r % WARP) * PACK + r / WARP;
                if (column >= p.nx) continue;
                T *const row = result + to + column * p.dense_x + y0;
                const size_t rest = p.ny - y0;
                const T *const elements = reinterpret_cast<const T *>(tile[r]);
                if (PACK == 1 || (p.stores_words && rest >= HEIGHT)) {
#pragma unroll
                    for (unsigned m = lane; m < DEPTH; m += WARP) {
                        if (PACK > 1 || m < rest) reinterpret_cast<Word *>(row)[m] = tile[r][m];
                    }
                } else {
                    for (unsigned i = lane; i < HEIGHT && i < rest; i += WARP) row[i] = elements[i];
                }
            }
            __syncthreads();                                       // before the tile is another one
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// The parameters of a walk whose dimension 0 is y, and whose dimension `fastest` is x.
template <typename T>
TransposeParameters transpose_parameters(const gpumexk_walk &walk, int fastest, const void *source, const void *result) {
    using Tile = TransposeTile<T>;
    constexpr size_t PACK = Tile::PACK, MANY = size_t(1) << 31;
    const gpumexk_dimension &y = walk.dimensions[0], &x = walk.dimensions[fastest];
    TransposeParameters p = {};
    p.nx = x.count, p.ny = y.count;
    p.stride_y = static_cast<size_t>(y.stride), p.dense_x = x.dense;
    p.tiles_x = ceil_div(p.nx, Tile::WIDTH), p.tiles = p.tiles_x * ceil_div(p.ny, Tile::HEIGHT);
    p.few_tiles = p.tiles < MANY, p.by_tiles_x = Divider::of(static_cast<unsigned>(at_most(p.tiles_x, MANY - 1)));
    p.batches = 1, p.elements = 1;
    for (int d = 0; d < walk.rank; ++d) p.elements += (walk.dimensions[d].count - 1) * static_cast<size_t>(walk.dimensions[d].stride);
    p.loads_words = reinterpret_cast<uintptr_t>(source) % sizeof(typename Tile::Word) == 0 && p.stride_y % PACK == 0;
    p.stores_words = reinterpret_cast<uintptr_t>(result) % sizeof(typename Tile::Word) == 0 && p.dense_x % PACK == 0;
    for (int d = 1; d < walk.rank; ++d) {
        if (d == fastest) continue;
        const gpumexk_dimension &other = walk.dimensions[d];
        const size_t stride = static_cast<size_t>(other.stride);
        const Divider by_count = Divider::of(static_cast<unsigned>(at_most(other.count, MANY - 1)));
        p.others[p.rank++] = {other.count, stride, other.dense, by_count};
        p.batches *= other.count;
        p.loads_words = p.loads_words && stride % PACK == 0;
        p.stores_words = p.stores_words && other.dense % PACK == 0;
    }
    p.few_batches = p.batches < MANY;
    return p;
}

template <typename T>
cudaError_t launch_transpose_of(const gpumexk_walk &walk, int fastest, const void *source, void *result, const gpumexk_tuning &tuning,
                                cudaStream_t stream) {
    const TransposeParameters p = transpose_parameters<T>(walk, fastest, source, result);
    const dim3 grid(static_cast<unsigned>(at_most(p.tiles, GRID_X_MAX)), static_cast<unsigned>(at_most(p.batches, GRID_Y_MAX)));
    return launch<transpose_tiles<T>>(grid, WARP * TILE_WARPS, tuning.cache, stream, p, static_cast<const T *>(source),
                                      static_cast<T *>(result));
}

inline cudaError_t launch_transpose(const gpumexk_walk &walk, int fastest, const void *source, void *result, const gpumexk_tuning &tuning,
                                    cudaStream_t stream) {
    if (tuning.threads != WARP * TILE_WARPS) return cudaErrorInvalidValue;
    switch (walk.value_bytes) {
        case 1: return launch_transpose_of<uint8_t>(walk, fastest, source, result, tuning, stream);
        case 2: return launch_transpose_of<uint16_t>(walk, fastest, source, result, tuning, stream);
        case 4: return launch_transpose_of<uint32_t>(walk, fastest, source, result, tuning, stream);
        case 8: return launch_transpose_of<uint64_t>(walk, fastest, source, result, tuning, stream);
        case 16: return launch_transpose_of<uint4>(walk, fastest, source, result, tuning, stream);
        default: return cudaErrorInvalidValue;
    }
}
