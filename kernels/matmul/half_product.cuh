// half_product.cuh — launches of the products of F16 or BF16 matrices: which tile of C, and how many blocks share k.
//
// Algorithm  The tile whose blocks are done first, by the times that an H200 takes for a slab of 64 along k. Operands that TMA cannot
//            load are copied first (half_align.cuh).
// Limits     Compute capability 9.0, code for sm_90a; less than 2^31 rows, columns, matrices, and 2^28 tiles.
// Edges      Products without terms, k = 0 or alpha = 0, are not served.
// Source     half_wgmma.cuh.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "matmul/half_align.cuh"
#include "matmul/half_wgmma.cuh"
#include "matmul/tensor_map.cuh"
#include "prim/grid/compute.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

namespace half {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t LIMIT = size_t(1) << 31;
constexpr size_t ALIGNMENT = 128;                                  // of each copy in the scratch, in bytes
constexpr unsigned SPLITS_MAX = 8;

// What tiles take on an H200: microseconds for a slab, and for the rest.
constexpr double SLAB_256 = 0.66, SLAB_128 = 0.36, SLAB_64 = 0.21, START_256 = 4.5, START_128 = 3.6, START_64 = 3.1, START_OF_SPLIT = 5.3;

// An operand, its rows as they lie in memory.
struct Matrix {
    Unaligned lies;                                                // .matrices 1 where all are the same
    bool along_k;

    bool is_aligned() const {
        const bool apart = lies.stride % PACKET == 0 && lies.stride >= lies.rows * lies.ld && lies.stride < LIMIT * 32;
        return reinterpret_cast<uintptr_t>(lies.data) % sizeof(uint4) == 0 && lies.ld % PACKET == 0 &&
               (lies.matrices == 1 || apart);
    }
};

// What is chosen for a product: columns of a tile, blocks that share its k.
struct Plan {
    unsigned cols, splits;
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline Matrix matrix_of(const void *data, bool transposed, bool along_k, size_t rows, size_t cols, size_t ld, size_t stride,
                        size_t batch) {
    const size_t matrices = stride == 0 ? 1 : batch, high = transposed ? cols : rows, wide = transposed ? rows : cols;
    const size_t end = (matrices - 1) * stride + (high - 1) * ld + wide;
    return {{static_cast<const uint16_t *>(data), matrices, high, wide, ld, stride, end}, along_k};
}
inline Matrix matrix_a(const gpumexk_matmul_args &p) {
    return matrix_of(p.a, p.trans_a != 0, p.trans_a == 0, p.m, p.k, p.lda, p.stride_a, p.batch);
}
inline Matrix matrix_b(const gpumexk_matmul_args &p) {
    return matrix_of(p.b, p.trans_b != 0, p.trans_b != 0, p.k, p.n, p.ldb, p.stride_b, p.batch);
}

inline bool is_small_enough(const Matrix &matrix) {
    const Unaligned &lies = matrix.lies;
    return lies.rows < LIMIT && lies.cols < LIMIT && lies.ld < LIMIT && lies.matrices < LIMIT;
}

// Bytes of the copy of an operand, 0 where it is read as it lies.
inline size_t copy_bytes_of(const Matrix &matrix) {
    return matrix.is_aligned() ? 0 : ceil_div(aligned_bytes(matrix.lies), ALIGNMENT) * ALIGNMENT;
}

// matrix ← its copy in the scratch, where TMA cannot load it as it lies.
inline cudaError_t align(Matrix *matrix, char *scratch, cudaStream_t stream) {
    if (matrix->is_aligned()) return cudaSuccess;
    const cudaError_t error = launch_align(matrix->lies, reinterpret_cast<uint4 *>(scratch), stream);
    matrix->lies.data = reinterpret_cast<const uint16_t *>(scratch);
    matrix->lies.ld = packets_of_row(matrix->lies) * PACKET;
    matrix->lies.stride = matrix->lies.rows * matrix->lies.ld;
    return error;
}

// *operand ← the operand in boxes of `most` lines along the edge, or as many as it has, in whole periods of the swizzle.
inline cudaError_t make_operand(tensor::Half type, const Matrix &matrix, unsigned most, Operand *operand) {
    const Unaligned &lies = matrix.lies;
    const size_t row = lies.ld * 2, stride = lies.matrices == 1 ? row : lies.stride * 2;
    const unsigned lines = matrix.along_k ? static_cast<unsigned>(at_most(ceil_div(lies.rows, 8) * 8, most)) : EDGE;
    operand->edge = static_cast<unsigned>(matrix.along_k ? lies.rows : lies.cols);
    operand->box_bytes = LINE * lines;
    operand->batched = lies.matrices != 1;
    return make_tensor_map(type == Half::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, lies.data,
                           {lies.cols, lies.rows, lies.matrices}, {row, stride}, {EDGE, lines, 1}, &operand->map);
}

// What the current device has: no multiprocessors where it, or the code for it, is another than these kernels are for.
struct Device {
    size_t sms;
    size_t at_once[SPLITS_MAX + 1];                                // clusters of so many blocks that share k
};

// Microseconds of a product by a plan.
inline double time_of(const gpumexk_matmul_args &p, const Device &device, Plan plan) {
    const double slabs = double(ceil_div(ceil_div(p.k, EDGE), plan.splits));
    if (plan.cols == EDGE) {
        const size_t tiles = ceil_div(p.m, TILE_ROWS) * ceil_div(p.n, EDGE) * p.batch, at_once = device.at_once[plan.splits];
        const double start = plan.splits > 1 ? START_OF_SPLIT : START_64;
        return at_once == 0 ? INFINITY : double(ceil_div(tiles, at_once)) * (slabs * SLAB_64 + start);
    }
    const size_t high = p.m > TILE_ROWS ? 2 : 1, tiles = ceil_div(p.m, TILE_ROWS * high) * ceil_div(p.n, plan.cols) * p.batch;
    const double rounds = double(ceil_div(tiles, device.sms / high));
    return plan.cols == 256 ? rounds * slabs * SLAB_256 + START_256 : rounds * slabs * SLAB_128 + START_128;
}

inline Plan plan_of(const gpumexk_matmul_args &p, const Device &device) {
    Plan best = {256, 1};
    const auto consider = [&](Plan plan) {
        if (time_of(p, device, plan) < time_of(p, device, best)) best = plan;
    };
    consider({128, 1});
    for (unsigned splits = 1; splits <= SPLITS_MAX && splits <= ceil_div(p.k, EDGE); splits *= 2) consider({EDGE, splits});
    return best;
}

// A product whose operands TMA can load.
struct Prepared {
    gpumexk_matmul_args p;
    Matrix a, b;
    Output output;
    size_t sms;
    int cache;
    cudaStream_t stream;
};

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
cudaError_t launch_product(const Prepared &prepared, unsigned splits) {
    constexpr auto KERNEL = matmul_half<L, A_ALONG_K, B_ALONG_K>;
    const gpumexk_matmul_args &p = prepared.p;
    Problem problem = {};
    problem.output = prepared.output;
    const unsigned blocks = L::SPLITS ? splits : p.m > TILE_ROWS ? 2 : 1;  // of a cluster
    const size_t rows = ceil_div(p.m, size_t(TILE_ROWS) * (L::SPLITS ? 1 : blocks)), cols = ceil_div(p.n, L::COLS);
    problem.tile_rows = static_cast<unsigned>(rows), problem.tile_cols = static_cast<unsigned>(cols);
    problem.tiles = static_cast<unsigned>(rows * cols * p.batch);
    problem.slabs = static_cast<unsigned>(ceil_div(p.k, EDGE));
    cudaError_t error = make_operand(L::T, prepared.a, L::template LINES_A<A_ALONG_K>, &problem.a);
    if (error == cudaSuccess) error = make_operand(L::T, prepared.b, L::template LINES_B<B_ALONG_K>, &problem.b);
    if (error == cudaSuccess) error = set_smem_carveout<KERNEL>(prepared.cache);
    if (error != cudaSuccess) return error;
    const size_t clusters = L::SPLITS ? problem.tiles : at_most(problem.tiles, prepared.sms / blocks);
    return launch_clusters<KERNEL, Allow::LARGE>(dim3(static_cast<unsigned>(clusters) * blocks), blocks, THREADS, L::BYTES,
                                                 prepared.stream, problem);
}

template <Half T, bool A_ALONG_K, bool B_ALONG_K>
cudaError_t launch_plan(const Prepared &prepared, Plan plan) {
    switch (plan.cols) {
    case 64: return launch_product<Tile<T, 64, true>, A_ALONG_K, B_ALONG_K>(prepared, plan.splits);
    case 128: return launch_product<Tile<T, 128, false>, A_ALONG_K, B_ALONG_K>(prepared, 1);
    default: return launch_product<Tile<T, 256, false>, A_ALONG_K, B_ALONG_K>(prepared, 1);
    }
}

template <Half T>
cudaError_t find_device(Device *device) {
    return remembered(device, [](int number, Device *found) {
        using Small = Tile<T, EDGE, true>;
        constexpr auto KERNEL = matmul_half<Small, true, true>;
        size_t sms = 0, bytes = 0;
        Compute compute = {};
        cudaError_t error = find_compute(KERNEL, number, &compute);
        if (error == cudaSuccess) error = multiprocessors(&sms);
        if (error != cudaSuccess || !compute.is_hopper()) return error;
        error = allow_large(KERNEL, &bytes);
        found->sms = sms;
        for (unsigned splits = 1; splits <= SPLITS_MAX; splits *= 2) {
            found->at_once[splits] = clusters_at_once(KERNEL, THREADS, Small::BYTES, splits);
        }
        return error;
    });
}

// Whether there is something to multiply, for this device, and its tiles, in clusters, can be numbered.
inline bool serves(const gpumexk_matmul_args &p, const Device &device) {
    const double tiles = ceil(double(p.m) / EDGE) * ceil(double(p.n) / EDGE) * double(p.batch);  // at most
    return device.sms != 0 && p.m > 0 && p.n > 0 && p.batch > 0 && p.k > 0 && static_cast<float>(p.alpha) != 0 &&
           is_small_enough(matrix_a(p)) && is_small_enough(matrix_b(p)) && tiles * SPLITS_MAX <= double(GRID_X_MAX);
}

// A product with at most 64 rows is computed as its transpose, Cᵀ = op(B)ᵀ · op(A)ᵀ: tiles have more rows than columns.
inline bool is_turned(const gpumexk_matmul_args &p) { return p.m <= EDGE && p.m < p.n; }

inline gpumexk_matmul_args transpose_of(const gpumexk_matmul_args &p) {
    gpumexk_matmul_args turned = p;
    turned.m = p.n, turned.n = p.m;
    turned.a = p.b, turned.lda = p.ldb, turned.stride_a = p.stride_b, turned.trans_a = p.trans_b == 0;
    turned.b = p.a, turned.ldb = p.lda, turned.stride_b = p.stride_a, turned.trans_b = p.trans_a == 0;
    return turned;
}

inline Output output_of(const gpumexk_matmul_args &p, int is_float) {
    const size_t width = is_float ? sizeof(float) : 2;
    const auto is_aligned = [&](size_t bytes) {
        const size_t elements = bytes / width;
        return reinterpret_cast<uintptr_t>(p.c) % bytes == 0 && p.ldc % elements == 0 && (p.batch == 1 || p.stride_c % elements == 0);
    };
    const float alpha = static_cast<float>(p.alpha), beta = static_cast<float>(p.beta);
    if (is_turned(p)) return {p.c, p.n, p.m, 1, p.ldc, p.stride_c, alpha, beta, is_float, false, false};
    return {p.c, p.m, p.n, p.ldc, 1, p.stride_c, alpha, beta, is_float, is_aligned(sizeof(uint4)), is_aligned(2 * width)};
}

// gpumexk_matmul_…16 of kernels.h.
template <Half T>
cudaError_t launch(const gpumexk_matmul_args &given, int is_float, void *scratch, const gpumexk_tuning &tuning, cudaStream_t stream) {
    if (!is_one_of<0, 1, 2, 4, 8, 128, 256>(tuning.values) || tuning.threads != int(THREADS)) return cudaErrorInvalidValue;
    Device device = {};
    cudaError_t error = find_device<T>(&device);
    if (error != cudaSuccess) return error;
    if (!serves(given, device)) return cudaErrorNotSupported;
    const gpumexk_matmul_args p = is_turned(given) ? transpose_of(given) : given;
    Matrix a = matrix_a(p), b = matrix_b(p);
    char *const copies = static_cast<char *>(scratch);
    const size_t of_a = copy_bytes_of(a);
    error = align(&a, copies, stream);
    if (error == cudaSuccess) error = align(&b, copies + of_a, stream);
    if (error != cudaSuccess) return error;
    Plan plan = plan_of(p, device);
    if (tuning.values >= 128) plan = {static_cast<unsigned>(tuning.values), 1};
    else if (tuning.values > 0) plan = {EDGE, static_cast<unsigned>(tuning.values)};
    const Prepared prepared = {p, a, b, output_of(given, is_float), device.sms, tuning.cache, stream};
    if (a.along_k) return b.along_k ? launch_plan<T, true, true>(prepared, plan) : launch_plan<T, true, false>(prepared, plan);
    return b.along_k ? launch_plan<T, false, true>(prepared, plan) : launch_plan<T, false, false>(prepared, plan);
}

}  // namespace half
