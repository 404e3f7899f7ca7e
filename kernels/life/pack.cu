// pack.cu — boards of bytes to boards of bits, and back.
//
//   bit b of bits[r][w] = cells[r][64·w + b] ≠ 0         cells (rows, cols) u8,  bits (rows, ceil(cols / 64)) u64
//
// Algorithm  pack    A thread makes 32 bits of a row from the two or three aligned vectors of 16 bytes that hold its cells: a
//                    mask of 16 bits each, shifted together to where the cells start.
//            unpack  A thread writes an aligned vector of 16 cells, or those of them that belong to its row.
// Cost       9/8 bytes a cell, memory-bound. One H200, 16384²: pack 75 us, 4.0 TB/s; unpack 86 us, 3.5 TB/s.
// Limits     None.
// Edges      Any byte ≠ 0 is alive. Padding bits: 0 in bits that are written, ignored in those that are read.
// Source     H. S. Warren, "Hacker's Delight", 2nd ed. 2012: finding bytes that are 0, gathering bits by multiplication.

#include "kernels.h"
#include "prim/grid/grid.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;
constexpr size_t WORD = 32;                                        // cells that a thread packs
constexpr size_t VECTOR = 16;                                      // cells that a thread unpacks, bytes of a uint4
constexpr size_t ROWS = 4;                                         // of a thread

// ---- device helpers -------------------------------------------------------------------------------------------------

// Bit i says whether byte i of four is not 0.
__device__ inline uint32_t alive(uint32_t bytes) {
    const uint32_t high = (((bytes & 0x7F7F7F7F) + 0x7F7F7F7F) | bytes) & 0x80808080;
    return (high >> 7) * 0x10204080u >> 28;
}

__device__ inline uint64_t alive(uint4 v) {
    return alive(v.x) | alive(v.y) << 4 | alive(v.z) << 8 | alive(v.w) << 12;
}

// Byte i is bit i of the low four.
__device__ inline uint32_t spread(uint32_t bits) { return (bits & 15) * 0x00204081u & 0x01010101; }

// n ≤ 32 cells from `cells` on, as bits. `begin` and `end` are those of the whole board: what is read as a vector lies there.
__device__ inline uint32_t pack(const uint8_t *cells, unsigned n, const uint8_t *begin, const uint8_t *end) {
    const unsigned offset = reinterpret_cast<size_t>(cells) % VECTOR;
    const uint8_t *const first = cells - offset;
    const unsigned vectors = offset == 0 ? 2 : 3;
    if (first < begin || size_t(end - first) < vectors * VECTOR) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < n; ++i) bits |= uint32_t(cells[i] != 0) << i;
        return bits;
    }
    const uint4 *const v = reinterpret_cast<const uint4 *>(first);
    uint64_t bits = alive(v[0]) | alive(v[1]) << VECTOR;
    if (vectors == 3) bits |= alive(v[2]) << 2 * VECTOR;
    const uint32_t mask = n == WORD ? ~0u : (1u << n) - 1;
    return static_cast<uint32_t>(bits >> offset) & mask;
}

// The cells begin … end-1 of a row, a vector or a part of one; pitch is the number of its words.
template <typename Index>
__device__ inline void unpack(const uint32_t *words, Index pitch, Index begin, Index end, uint8_t *row) {
    const Index w = begin / Index(WORD);
    const uint32_t bits = __funnelshift_r(words[w], w + 1 < pitch ? words[w + 1] : 0, begin % Index(WORD));
    if (end - begin == VECTOR) {
        *reinterpret_cast<uint4 *>(row + begin) = make_uint4(spread(bits), spread(bits >> 4), spread(bits >> 8),
                                                             spread(bits >> 12));
    } else {
        for (Index c = begin; c < end; ++c) row[c] = bits >> (c - begin) & 1;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Index>
__global__ void life_pack_rows(const uint8_t *cells, size_t rows, Index cols, Index pitch, uint32_t *bits) {
    const uint8_t *const end = cells + rows * cols;
    for (Index w = grid_x<Index>(); w < pitch; w += grid_width<Index>()) {
        const Index begin = w * Index(WORD);                       // may be past the last column: padding
        const unsigned n = begin < cols ? static_cast<unsigned>(min(cols - begin, Index(WORD))) : 0;
#pragma unroll ROWS
        for (size_t r = grid_y(); r < rows; r += grid_height()) {
            bits[r * pitch + w] = n > 0 ? pack(cells + r * cols + begin, n, cells, end) : 0;
        }
    }
}

template <typename Index>
__global__ void life_unpack_rows(const uint32_t *bits, size_t rows, Index cols, Index pitch, uint8_t *cells) {
    for (Index v = grid_x<Index>(); v * Index(VECTOR) < cols + Index(VECTOR); v += grid_width<Index>()) {
#pragma unroll ROWS
        for (size_t r = grid_y(); r < rows; r += grid_height()) {
            uint8_t *const row = cells + r * cols;
            const Index offset = reinterpret_cast<size_t>(row) % VECTOR; // of the row in its first vector
            const Index begin = v == 0 ? 0 : v * Index(VECTOR) - offset;
            if (begin < cols) unpack(bits + r * pitch, pitch, begin, min((v + 1) * Index(VECTOR) - offset, cols), row);
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// A grid over `width` items of each row, ROWS rows a thread. Blocks are no wider than the items need.
struct Shape {
    dim3 grid, block;

    Shape(size_t width, size_t rows) : block(THREADS, 1) {
        while (block.x / 2 >= width) block.x /= 2, block.y *= 2;
        grid = cover(width, ceil_div(rows, ROWS), block);
    }
};

size_t pitch_of(size_t cols) { return 2 * ceil_div(cols, 2 * WORD); } // words of WORD cells in a row

template <typename Index>
void launch_pack(const uint8_t *cells, size_t rows, size_t cols, uint64_t *bits, gpumexk_stream stream) {
    const Index pitch = static_cast<Index>(pitch_of(cols));
    const Shape shape(pitch, rows);
    life_pack_rows<Index><<<shape.grid, shape.block, 0, stream>>>(cells, rows, static_cast<Index>(cols), pitch,
                                                                  reinterpret_cast<uint32_t *>(bits));
}

template <typename Index>
void launch_unpack(const uint64_t *bits, size_t rows, size_t cols, uint8_t *cells, gpumexk_stream stream) {
    const Shape shape(ceil_div(cols, VECTOR) + 1, rows);
    life_unpack_rows<Index><<<shape.grid, shape.block, 0, stream>>>(reinterpret_cast<const uint32_t *>(bits), rows,
                                                                    static_cast<Index>(cols),
                                                                    static_cast<Index>(pitch_of(cols)), cells);
}

}  // namespace

int gpumexk_life_pack(const uint8_t *cells, size_t rows, size_t cols, uint64_t *bits, gpumexk_stream stream) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    fit_unsigned(cols) ? launch_pack<unsigned>(cells, rows, cols, bits, stream)
                       : launch_pack<size_t>(cells, rows, cols, bits, stream);
    return cudaGetLastError();
}

int gpumexk_life_unpack(const uint64_t *bits, size_t rows, size_t cols, uint8_t *cells, gpumexk_stream stream) {
    if (rows == 0 || cols == 0) return cudaSuccess;
    fit_unsigned(cols) ? launch_unpack<unsigned>(bits, rows, cols, cells, stream)
                       : launch_unpack<size_t>(bits, rows, cols, cells, stream);
    return cudaGetLastError();
}
