// strips.cu — boards of bits to strips, and back.
//
//   rows of strips ← bits, bits ← rows of strips              bits (rows, ceil(cols/64)) u64; strips: life/strips.cuh
//
// Algorithm  Eight columns are a byte of plain bits and one bit of each of eight words of a strip: 64 columns are an 8×8 bit
//            matrix, transposed in a register of 64 bits by three exchanges.
// Cost       The rows are moved once. About 25 operations for 64 cells.
// Limits     Any size. Other rows of the strips, the halos of a slab, stay as they are.
// Edges      Bits behind the last column are ignored on the way in and 0 on the way out.
// Source     H. S. Warren, "Hacker's Delight", 2nd ed., 7-3: transposing a bit matrix.

#include "kernels.h"
#include "life/strips.cuh"
#include "prim/grid/grid.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;                                  // of a block

// Rows of a board.
struct RowRange {
    size_t first, count;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The 8×8 bits of a word, transposed: bit i of byte j becomes bit j of byte i.
__device__ __forceinline__ uint64_t transposed(uint64_t x) {
    uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AA;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCC;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0;
    return x ^ t ^ (t << 28);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void life_to_strips(const uint64_t *bits, Board board, RowRange range, uint4 *strips) {
    const size_t words = (board.cols + 63) / 64;
    for (size_t i = grid_x(); i < range.count * board.strips; i += grid_width()) {
        const size_t strip = i / range.count, row = i % range.count;
        const uint64_t *const from = bits + row * words;
        Row out = {};
#pragma unroll
        for (int q = 0; q < 4; ++q) {                              // 64 columns, from 8 before the strip on
            const int64_t first = int64_t(strip * STRIP_COLS) - WORDS + 64 * q;
            const int64_t w = first >> 6;
            const int shift = first & 63;
            auto word = [&](int64_t w) -> uint64_t {
                if (w < 0 || w >= int64_t(words)) return 0;
                const int64_t valid = int64_t(board.cols) - 64 * w;
                return from[w] & (valid < 64 ? (uint64_t(1) << valid) - 1 : ~uint64_t(0));
            };
            uint64_t cells = word(w) >> shift;
            if (shift > 0) cells |= word(w + 1) << (64 - shift);
            cells = transposed(cells);
#pragma unroll
            for (int j = 0; j < WORDS; ++j) out.word[j] |= uint32_t(cells >> (8 * j) & 0xFF) << (8 * q);
        }
#pragma unroll
        for (int j = 0; j < WORDS; ++j) out.word[j] &= OWN;
        store_row(strips, strip * board.rows + range.first + row, out);
    }
}

__global__ void life_from_strips(const uint4 *strips, Board board, RowRange range, uint64_t *bits) {
    const size_t words = (board.cols + 63) / 64;
    const MemoryRows rows = {strips};
    for (size_t i = grid_x(); i < range.count * words; i += grid_width()) {
        const size_t row = range.first + i / words, first = i % words * 8;   // in bytes of 8 columns
        const size_t strip = first / USEFUL;
        const int b = first % USEFUL + 1;
        const Row here = load_row(rows, strip * board.rows + row);
        const Row there = strip + 1 < board.strips ? load_row(rows, (strip + 1) * board.rows + row) : Row{};
        uint64_t cells = 0;
#pragma unroll
        for (int j = 0; j < WORDS; ++j) {
            const uint64_t both = here.word[j] | uint64_t(there.word[j] >> 1) << 31;
            cells |= (both >> b & 0xFF) << (8 * j);
        }
        bits[i] = transposed(cells);
    }
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_life_to_strips(const uint64_t *bits, const gpumexk_life_game *game, size_t first, size_t rows, uint32_t *strips,
                           gpumexk_stream stream) {
    const Board board = board_of(*game);
    life_to_strips<<<cover(rows * board.strips, 1, THREADS), THREADS, 0, stream>>>(bits, board, {first, rows},
                                                                                   reinterpret_cast<uint4 *>(strips));
    return cudaGetLastError();
}

int gpumexk_life_from_strips(const uint32_t *strips, const gpumexk_life_game *game, size_t first, size_t rows, uint64_t *bits,
                             gpumexk_stream stream) {
    const Board board = board_of(*game);
    life_from_strips<<<cover(rows * ceil_div(board.cols, 64), 1, THREADS), THREADS, 0, stream>>>(
        reinterpret_cast<const uint4 *>(strips), board, {first, rows}, bits);
    return cudaGetLastError();
}
