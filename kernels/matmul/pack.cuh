// pack.cuh — packs operands for the tensor cores: split, tiled and swizzled as in shared memory.
//
//   packed (matrices, slabs, PARTS, rows padded to 8, 128 bytes)      slabs = ceil(depth / 64)
//
// Algorithm  Any tile of rows of one part is contiguous, each row's 16-byte pieces swizzled as wgmma.cuh wants: a plain bulk
//            copy loads it. A block packs 128 rows of a slab; where elements along k are not contiguous it reads along the rows
//            and transposes in shared memory. Each block stores the largest magnitude that it saw of each operand. The flag, which the
//            product sets where the split does not hold, is cleared.
// Cost       Reads 4 bytes an element, writes 6.
// Edges      k and the rows are padded with zeros.
#pragma once

#include "matmul/load.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/warp/warp.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned PIECES = 8;                                     // of 16 bytes, in a packed row
constexpr unsigned LINE = PIECES * sizeof(uint4);                  // bytes of a packed row
constexpr unsigned PERIOD = 8;                                     // rows after which the permutation repeats
constexpr unsigned PACK_ROWS = 128, PACK_THREADS = 256;            // of a block
constexpr size_t PACK_BLOCKS = 1024;                               // at most

constexpr unsigned DEPTH = PIECES * PIECE;                         // elements along k of a slab

// An operand on its way: tiles = matrices · row_tiles · slabs.
struct Packing {
    Operand source;
    uint4 *target;
    unsigned *magnitudes;                                          // a word of each block
    size_t padded_rows, row_tiles, slabs, tiles;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Where a piece lies in a tile of rows.
__device__ __forceinline__ unsigned permuted(unsigned row, unsigned piece) { return row * PIECES + (piece ^ row % PERIOD); }

// ---- kernels --------------------------------------------------------------------------------------------------------

static __global__ void __launch_bounds__(PACK_THREADS)
    matmul_pack(const __grid_constant__ Packing a, const __grid_constant__ Packing b, unsigned *flag) {
    __shared__ uint4 turned[PACK_ROWS * PIECES];
    __shared__ unsigned largest[2];
    const unsigned tid = threadIdx.x;
    if (tid < 2) largest[tid] = 0;
    if (blockIdx.x == 0 && tid == 0) *flag = 0;
    __syncthreads();                                               // nothing was seen yet
    pdl_trigger();

    for (size_t index = blockIdx.x; index < a.tiles + b.tiles; index += gridDim.x) {
        const bool is_a = index < a.tiles;
        const Packing &packing = is_a ? a : b;
        const Operand &source = packing.source;
        size_t tile = is_a ? index : index - a.tiles;
        const size_t slab = tile % packing.slabs;
        tile /= packing.slabs;
        const size_t top = tile % packing.row_tiles * PACK_ROWS, matrix = tile / packing.row_tiles;
        const float *const from = source.data + matrix * source.stride;
        const size_t part_size = packing.padded_rows * PIECES;     // of one slab
        uint4 *const to = packing.target + (matrix * packing.slabs + slab) * PARTS * part_size + top * PIECES;
        const unsigned rows = static_cast<unsigned>(min(packing.padded_rows - top, size_t(PACK_ROWS)));

        using Share = TileShare<PACK_ROWS, PIECES, PACK_THREADS>;
        typename Share::Held held;
        Share::load(source, from, top, slab, held);
        unsigned row[Share::HELD], place[Share::HELD];
#pragma unroll
        for (unsigned i = 0; i < Share::HELD; ++i) {
            row[i] = Share::row(source.deep, i);
            place[i] = permuted(row[i], Share::piece(source.deep, i));
        }
        uint4 parts[Share::HELD][PARTS];
        Magnitude magnitude;
#pragma unroll
        for (unsigned i = 0; i < Share::HELD; ++i) {
            magnitude.see(held[i]);
            cut(held[i], parts[i]);
        }
#pragma unroll
        for (int part = 0; part < PARTS; ++part) {
            uint4 *const out = to + part * part_size;
            if (source.deep) {
#pragma unroll
                for (unsigned i = 0; i < Share::HELD; ++i) {
                    if (row[i] < rows) out[place[i]] = parts[i][part];
                }
            } else {
#pragma unroll
                for (unsigned i = 0; i < Share::HELD; ++i) turned[place[i]] = parts[i][part];
                __syncthreads();                                   // the part is transposed
                for (unsigned i = tid; i < rows * PIECES; i += PACK_THREADS) out[i] = turned[i];
                __syncthreads();                                   // all have stored it
            }
        }
#if __CUDA_ARCH__ >= 800
        magnitude.bits = __reduce_max_sync(ALL_LANES, magnitude.bits);
#endif
        if (tid % WARP == 0) atomicMax(&largest[is_a ? 0 : 1], magnitude.bits);
    }
    __syncthreads();                                               // all have seen all
    if (tid < 2) (tid == 0 ? a : b).magnitudes[blockIdx.x] = largest[tid];
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline size_t padded_rows_of(const Operand &operand) { return ceil_div(operand.rows, PERIOD) * PERIOD; }

inline size_t packed_matrices(const Operand &operand, size_t batch) { return operand.stride == 0 ? 1 : batch; }

// Pieces of one packed matrix.
inline size_t packed_size(const Operand &operand) {
    return ceil_div(operand.depth, DEPTH) * PARTS * padded_rows_of(operand) * PIECES;
}

inline Packing make_packing(const Operand &source, uint4 *target, unsigned *magnitudes, size_t batch) {
    Packing packing = {source, target, magnitudes, padded_rows_of(source), 0, ceil_div(source.depth, DEPTH), 0};
    packing.row_tiles = ceil_div(packing.padded_rows, PACK_ROWS);
    packing.tiles = packed_matrices(source, batch) * packing.row_tiles * packing.slabs;
    return packing;
}

}  // namespace tensor
