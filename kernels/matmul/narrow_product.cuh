// narrow_product.cuh — products of float32 with a narrow C by Hopper's tensor cores: a pass that packs B, then narrow_wgmma.cuh.
//
//   C ← alpha·op(A)·op(B) + beta·C for each of a batch, by three BF16 parts of each operand
//
// Algorithm  B, the smaller operand, is packed (matmul/pack.cuh); A is read as it lies. A C of few rows is computed as its transpose.
//            Parts of k are matrices in the scratch, which a third kernel adds up; so is a product with beta, which must leave C as it
//            was where the split does not hold.
// Cost       Bytes of scratch: 6kn, and 4mn for each part of k.
// Limits     Machine code for sm_90a. With parts of k, or with beta, one matrix.
// Edges      k and alpha are not 0. The first word of the scratch says whether C has to be computed by other means: tensor.cu.
// Source     narrow_wgmma.cuh.
#pragma once

#include <math.h>

#include "kernels.h"
#include "matmul/large_product.cuh"
#include "matmul/narrow_wgmma.cuh"
#include "matmul/tensor_map.cuh"
#include "matmul/tma_wgmma_launch.cuh"
#include "matmul/tma_wgmma_sum.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

namespace narrow {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned PARTS_MAX = 64, PART_SLABS = 2;                 // parts of k; slabs of one, at least

// Microseconds that an H200 takes for the launches, for a tile of each of its blocks, for a slab of A that TMA loads, or that it does not,
// for rows of C without aligned pairs, for a sum of parts, and bytes of B that are packed, and of sums, in one. Fitted to 190 random
// products with 17 to 600 rows or columns of C, each by several numbers of parts, operands in memory: within 5 % in the mean.
constexpr double START = 7.3, TILE = 3.1, SLAB = 1.2, SLAB_UNALIGNED = 1.63, UNALIGNED = 0.6, SUM_START = 1.7;
constexpr double PACKED = 7e6, SUMMED = 1.8e6;

// Parts of k, and how long the product takes.
struct Plan {
    unsigned parts;
    double time;
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// A product whose op(B) is narrow, perhaps as the transpose of the caller's.
using Roles = tma_wgmma::Roles<tensor::Format::TF32>;
inline Roles roles_of(const gpumexk_matmul_args &given) { return {given, given.m < given.n}; }

inline size_t row_tiles_of(const gpumexk_matmul_args &p) { return ceil_div(p.m, size_t(TILE_ROWS) * 2); }
inline size_t col_tiles_of(const gpumexk_matmul_args &p) { return ceil_div(p.n, size_t(COLS)); }

// Whether C goes to memory from the product's own kernel.
inline bool is_whole(const gpumexk_matmul_args &p, unsigned parts) { return parts == 1 && p.beta == 0; }

// Bytes of the scratch behind the header: B packed, and the parts.
inline size_t bytes_of_b(const gpumexk_matmul_args &p) {
    const tensor::Operand b = tensor::operand_b(p);
    return tensor::packed_size(b) * tensor::packed_matrices(b, p.batch) * sizeof(uint4);
}
inline size_t bytes_of_parts(const gpumexk_matmul_args &p, unsigned parts) {
    return is_whole(p, parts) ? 0 : parts * p.m * tma_wgmma::part_ld(p) * sizeof(float);
}

// Whether TMA loads A.
inline bool is_by_tma(const Roles &roles) { return roles.a.is_small_enough() && roles.a.is_aligned(); }

// The number of parts that is done first.
inline Plan plan_of(const Roles &roles, size_t sms) {
    const gpumexk_matmul_args &p = roles.p;
    const size_t clusters = row_tiles_of(p) * col_tiles_of(p) * p.batch, slabs = ceil_div(p.k, size_t(DEPTH)), at_once = sms / 2;
    const double slab = is_by_tma(roles) ? SLAB : SLAB_UNALIGNED, packed = 10.0 * double(p.n) * double(slabs * DEPTH) / PACKED;
    const bool has_pairs = rows_aligned<float>(p.c, p.ldc, p.stride_c, p.batch, sizeof(float2));
    Plan best = {1, INFINITY};
    for (unsigned parts = 1; parts <= PARTS_MAX && (parts == 1 || (p.batch == 1 && slabs >= parts * PART_SLABS)); ++parts) {
        const double rounds = double(ceil_div(clusters * parts, at_once)), bytes = 2.0 * sizeof(float) * double(p.m) * double(p.n) * parts;
        const double tile = TILE + double(ceil_div(slabs, size_t(parts))) * slab + (has_pairs || parts > 1 ? 0 : UNALIGNED);
        const double time = START + packed + rounds * tile + (is_whole(p, parts) ? 0 : SUM_START + bytes / SUMMED);
        if (time < best.time) best = {parts, time};
    }
    return best;
}

// Whether the tiles can be numbered, and parts of more than one matrix need not be added up.
inline bool serves(const gpumexk_matmul_args &given) {
    const gpumexk_matmul_args p = roles_of(given).p;
    const double blocks = ceil(double(p.m) / TILE_ROWS + 1) * ceil(double(p.n) / COLS) * double(p.batch) * PARTS_MAX;
    return p.m < MAP_LIMIT && p.k < MAP_LIMIT && blocks <= double(GRID_X_MAX) && (p.batch == 1 || p.beta == 0);
}

inline double time_of(const gpumexk_matmul_args &p, size_t sms) { return serves(p) ? plan_of(roles_of(p), sms).time : INFINITY; }

// Bytes of the scratch.
inline size_t scratch_of(const gpumexk_matmul_args &given, size_t sms) {
    const Roles roles = roles_of(given);
    return tensor::HEADER + bytes_of_b(roles.p) + bytes_of_parts(roles.p, plan_of(roles, sms).parts);
}

template <bool ALONG_K, bool BY_TMA>
cudaError_t launch_kernel(const Problem &problem, size_t batch, int cache, cudaStream_t stream) {
    constexpr auto KERNEL = matmul_narrow<ALONG_K, BY_TMA>;
    const cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    const dim3 grid(problem.row_tiles * problem.col_tiles * problem.parts * static_cast<unsigned>(batch) * 2);
    return launch_clusters_pdl<KERNEL, Allow::LARGE>(true, grid, 2, THREADS, BYTES, stream, problem);
}

// A product that is served; scratch of scratch_of bytes.
inline cudaError_t launch(const gpumexk_matmul_args &given, void *scratch, size_t sms, int cache, cudaStream_t stream) {
    const Roles roles = roles_of(given);
    const gpumexk_matmul_args &p = roles.p;
    const unsigned parts = plan_of(roles, sms).parts;
    const bool whole = is_whole(p, parts);
    unsigned *const flag = static_cast<unsigned *>(scratch), *const magnitudes = flag + tensor::FLAG_ROOM / sizeof *flag;
    char *const packed = static_cast<char *>(scratch) + tensor::HEADER;
    float *const sums = reinterpret_cast<float *>(packed + bytes_of_b(p));

    const tensor::Operand b = tensor::operand_b(p);
    const tensor::Packing packing = tensor::make_packing(b, reinterpret_cast<uint4 *>(packed), magnitudes, p.batch);
    tensor::Packing nothing = packing;
    nothing.tiles = 0, nothing.magnitudes = magnitudes + tensor::PACK_BLOCKS;
    const unsigned blocks = static_cast<unsigned>(at_most(packing.tiles, tensor::PACK_BLOCKS));
    cudaError_t error = ::launch<tensor::matmul_pack>(dim3(blocks), dim3(tensor::PACK_THREADS), cache, stream, nothing, packing, flag);

    if (error != cudaSuccess) return error;
    Problem problem = {};
    problem.a = {{}, static_cast<const float *>(p.a), p.lda, p.stride_a, static_cast<unsigned>(p.m), static_cast<unsigned>(p.k)};
    bool by_tma = is_by_tma(roles);
    const unsigned lines = roles.a.along_k ? TILE_ROWS : DEPTH;    // of a box
    if (by_tma) error = tma_wgmma::make_map<tensor::Format::TF32>(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, roles.a.lies, lines, &problem.a.map);
    if (error == cudaErrorNotSupported) by_tma = false;            // by the driver, which makes no tensor map of it
    else if (error != cudaSuccess) return error;
    gpumexk_matmul_args q = p;                                     // whose C are the parts
    if (!whole) q.c = sums, q.ldc = tma_wgmma::part_ld(p), q.stride_c = p.m * q.ldc, q.batch = parts, q.alpha = 1, q.beta = 0;
    problem.output = tma_wgmma::output_of(q, whole && roles.turned, !roles.a.along_k, 1);
    problem.b = packing.target;
    problem.b_matrix = b.stride == 0 ? 0 : tensor::packed_size(b), problem.b_rows = packing.padded_rows;
    problem.slabs = static_cast<unsigned>(ceil_div(p.k, size_t(DEPTH))), problem.parts = parts;
    problem.row_tiles = static_cast<unsigned>(row_tiles_of(p)), problem.col_tiles = static_cast<unsigned>(col_tiles_of(p));
    problem.flag = flag, problem.magnitudes_b = magnitudes, problem.pack_blocks = blocks;
    error = dispatch_value<0, 1>(roles.a.along_k, [&](auto along_k) {
        return dispatch_value<0, 1>(by_tma, [&](auto map) {
            return launch_kernel<decltype(along_k)::value != 0, decltype(map)::value != 0>(problem, p.batch, cache, stream);
        });
    });
    if (error != cudaSuccess || whole) return error;
    const size_t packets = q.ldc / tma_wgmma::PACKET<float>;
    const tma_wgmma::Parts of_k = {reinterpret_cast<const float4 *>(sums), parts, packets, p.m * packets, flag};
    return tma_wgmma::launch_sum<tensor::Format::TF32>(of_k, tma_wgmma::output_of(p, roles.turned, false, 1), stream);
}

}  // namespace narrow
