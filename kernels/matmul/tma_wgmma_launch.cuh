// tma_wgmma_launch.cuh — launches of tma_wgmma.cuh: which tile of C, how many blocks share k, and which operand is A.
//
// Algorithm  The tile whose blocks are done first, by the times that an H200 takes for a slab of 128 bytes along k. Where C has few tiles and
//            k is long, parts of k are products by themselves, and are added up by a second kernel. C of few rows is computed
//            as its transpose, Cᵀ = op(B)ᵀ · op(A)ᵀ: tiles have more rows than columns. In TF32 B is the operand that lies along k; where
//            neither does the smaller one is transposed first. Operands that TMA cannot load are copied first (tma_wgmma_copy.cuh).
// Limits     Compute capability 9.0, code for sm_90a; less than 2^31 rows, columns, matrices, and 2^28 tiles.
// Edges      Products without terms, k = 0 or alpha = 0, are not served.
// Source     tma_wgmma.cuh.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "kernels.h"
#include "matmul/epilogue.cuh"
#include "matmul/tensor_map.cuh"
#include "matmul/tma_wgmma.cuh"
#include "matmul/tma_wgmma_copy.cuh"
#include "matmul/tma_wgmma_sum.cuh"
#include "prim/grid/compute.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"

namespace tma_wgmma {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t ALIGNMENT = 128;                                  // of each copy in the scratch, in bytes
constexpr unsigned SPLITS_MAX = 8, SPLIT_COLS = 64;
constexpr unsigned PARTS_MAX = 128, PART_SLABS = 4;                // parts of k that are added up by a second kernel; slabs of one, at least
constexpr double COPY_START = 1.7, COPIED = 1.9e6;                 // microseconds of copies, and their bytes in one
constexpr double FROM_MEMORY = 1.2;                                // as many times as long a product takes as with operands in the cache
constexpr double UNALIGNED = 0.75;                                 // that 64 columns of a tile take longer whose C TMA cannot store
constexpr double SUM_START = 3, SUMMED = 2.5e6;                    // the same of a sum of parts, which are written and read

template <Format T>
using ElementOf = std::conditional_t<T == Format::TF32, uint32_t, uint16_t>;

// An operand, its rows as they lie in memory.
template <Format T>
struct Matrix {
    Lies<ElementOf<T>> lies;                                       // .matrices 1 where all are the same
    bool along_k;

    bool is_aligned() const { return lies_for_map(lies.data, lies.rows, lies.ld, lies.stride, lies.matrices, WIDTH<T>); }
    bool is_small_enough() const { return is_for_map(lies.rows, lies.cols, lies.ld, lies.matrices); }
};

// What is chosen for a product: columns of a tile, blocks of a cluster that share its k, parts of k that are added up by a second kernel.
struct Plan {
    unsigned cols, splits, parts;
};

// Microseconds that a product takes on an H200: for itself, for a tile, and for a slab of a tile.
struct Pace {
    double start, tile, slab;
};

// What the current device has: no multiprocessors where it, or the code for it, is another than these kernels are for.
struct Device {
    size_t sms;
    size_t at_once[SPLITS_MAX + 1];                                // clusters of so many blocks that share k
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <Format T>
Matrix<T> matrix_of(const void *data, bool transposed, bool along_k, size_t rows, size_t cols, size_t ld, size_t stride, size_t batch) {
    const size_t matrices = stride == 0 ? 1 : batch, high = transposed ? cols : rows, wide = transposed ? rows : cols;
    const size_t end = (matrices - 1) * stride + (high - 1) * ld + wide;
    return {{static_cast<const ElementOf<T> *>(data), matrices, high, wide, ld, stride, end}, along_k};
}
template <Format T>
Matrix<T> matrix_a(const gpumexk_matmul_args &p) {
    return matrix_of<T>(p.a, p.trans_a != 0, p.trans_a == 0, p.m, p.k, p.lda, p.stride_a, p.batch);
}
template <Format T>
Matrix<T> matrix_b(const gpumexk_matmul_args &p) {
    return matrix_of<T>(p.b, p.trans_b != 0, p.trans_b != 0, p.k, p.n, p.ldb, p.stride_b, p.batch);
}

inline gpumexk_matmul_args transpose_of(const gpumexk_matmul_args &p) {
    gpumexk_matmul_args turned = p;
    turned.m = p.n, turned.n = p.m;
    turned.a = p.b, turned.lda = p.ldb, turned.stride_a = p.stride_b, turned.trans_a = p.trans_b == 0;
    turned.b = p.a, turned.ldb = p.lda, turned.stride_b = p.stride_a, turned.trans_b = p.trans_a == 0;
    return turned;
}

template <Format T>
bool is_turned(const gpumexk_matmul_args &p) {
    const bool a_along_k = p.trans_a == 0, b_along_k = p.trans_b != 0;
    if (T == Format::TF32 && a_along_k != b_along_k) return a_along_k;
    if (T == Format::TF32 && !a_along_k) return p.m < p.n;
    return p.m <= ROWS && p.m < p.n;
}

// A product as the kernel computes it, and its operands as they lie.
template <Format T>
struct Roles {
    gpumexk_matmul_args p;
    bool turned;                                                   // C is the transpose of the caller's
    Matrix<T> a, b;

    explicit Roles(const gpumexk_matmul_args &given) : Roles(given, is_turned<T>(given)) {}
    Roles(const gpumexk_matmul_args &given, bool is_turned)
        : p(is_turned ? transpose_of(given) : given), turned(is_turned), a(matrix_a<T>(p)), b(matrix_b<T>(p)) {}

    bool transposes_b() const { return T == Format::TF32 && !b.along_k; }
    size_t bytes_of_a() const { return a.is_aligned() ? 0 : padded(aligned(a.lies, nullptr)); }
    size_t bytes_of_b() const {
        if (transposes_b()) return padded(transposed(b.lies, nullptr));
        return b.is_aligned() ? 0 : padded(aligned(b.lies, nullptr));
    }

    bool has_copies() const { return bytes_of_a() + bytes_of_b() > 0; }

    // The operands ← their copies in the scratch, where there have to be some.
    cudaError_t copy(char *scratch, cudaStream_t stream) {
        const bool has_first = bytes_of_a() > 0;
        char *const of_b = scratch + bytes_of_a();
        cudaError_t error = align(&a, scratch, false, stream);
        if constexpr (T == Format::TF32) {
            if (transposes_b()) {
                if (error == cudaSuccess) error = launch_transpose(b.lies, of_b, has_first, stream);
                b = {transposed(b.lies, of_b), true};
                return error;
            }
        }
        return error == cudaSuccess ? align(&b, of_b, has_first, stream) : error;
    }

    static cudaError_t align(Matrix<T> *matrix, char *copy, bool second, cudaStream_t stream) {
        if (matrix->is_aligned()) return cudaSuccess;
        const cudaError_t error = launch_align(matrix->lies, copy, second, stream);
        matrix->lies = aligned(matrix->lies, copy);
        return error;
    }

    static size_t padded(const Lies<ElementOf<T>> &copy) { return ceil_div(copy.end * WIDTH<T>, ALIGNMENT) * ALIGNMENT; }
};

// *map ← the matrices, in boxes of 128 bytes of so many lines.
template <Format T>
cudaError_t make_map(CUtensorMapDataType type, const Lies<ElementOf<T>> &lies, unsigned lines, CUtensorMap *map) {
    const size_t row = lies.ld * WIDTH<T>, stride = lies.matrices == 1 ? row : lies.stride * WIDTH<T>;
    return make_tensor_map(type, lies.data, {lies.cols, lies.rows, lies.matrices}, {row, stride}, {EDGE<T>, lines, 1}, map);
}

// *operand ← the operand in boxes of `most` lines along the edge, or as many as it has, in whole periods of the swizzle.
template <Format T>
cudaError_t make_operand(const Matrix<T> &matrix, unsigned most, Operand *operand) {
    constexpr CUtensorMapDataType TYPE = T == Format::F16    ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                         : T == Format::BF16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                                             : CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
    const auto &lies = matrix.lies;
    const unsigned lines = matrix.along_k ? static_cast<unsigned>(at_most(ceil_div(lies.rows, 8) * 8, most)) : EDGE<T>;
    operand->edge = static_cast<unsigned>(matrix.along_k ? lies.rows : lies.cols);
    operand->box_bytes = LINE * lines;
    operand->batched = lies.matrices != 1;
    return make_map<T>(TYPE, lies, lines, &operand->map);
}

// Whether rows of C, as they lie, begin at multiples of so many bytes.
inline bool is_c_aligned(const gpumexk_matmul_args &p, int is_float, size_t bytes) {
    return is_float ? rows_aligned<float>(p.c, p.ldc, p.stride_c, p.batch, bytes)
                    : rows_aligned<uint16_t>(p.c, p.ldc, p.stride_c, p.batch, bytes);
}

// Of a plan, with operands in the cache. TF32: fitted to 70 products in four layouts, each timed by every plan.
template <Format T>
Pace pace_of(Plan plan, bool holds_a) {
    const bool is_tf32 = T == Format::TF32;
    switch (plan.cols) {
    case SPLIT_COLS:
        if (plan.splits == 1) return is_tf32 ? Pace{2.8, 2.6, 0.295} : Pace{2.9, 2.2, 0.25};
        if (plan.splits == 2) return is_tf32 ? Pace{2.6, 4.5, 0.33} : Pace{2.5, 5.3, 0.225};
        return is_tf32 ? Pace{2.6, 4, 0.36} : Pace{2.5, 4.6, 0.225};
    case 128: return holds_a ? Pace{4.8, 1.6, 0.485} : is_tf32 ? Pace{4.6, 2, 0.337} : Pace{5, 1.2, 0.36};
    default: return is_tf32 ? Pace{3, 4.1, 0.6} : Pace{3, 2.1, 0.69};
    }
}

// Microseconds of a product by a plan.
template <Format T>
double time_of(const gpumexk_matmul_args &p, const Device &device, Plan plan) {
    const bool is_split = plan.cols == SPLIT_COLS;
    const size_t high = !is_split && p.m > TILE_ROWS ? 2 : 1, at_once = is_split ? device.at_once[plan.splits] : device.sms / high;
    if (at_once == 0) return INFINITY;
    const size_t tiles = ceil_div(p.m, TILE_ROWS * high) * ceil_div(p.n, plan.cols) * p.batch * plan.parts;
    const Pace pace = pace_of<T>(plan, T == Format::TF32 && p.trans_a != 0);
    const double slabs = double(ceil_div(ceil_div(p.k, EDGE<T>), size_t(plan.splits) * plan.parts));
    const bool is_stored = T != Format::TF32 || plan.parts > 1 || (p.beta == 0 && is_c_aligned(p, 1, sizeof(uint4)));
    const double tile = pace.tile + (is_stored ? 0 : UNALIGNED * plan.cols / SPLIT_COLS);
    const double sum = plan.parts == 1 ? 0 : SUM_START + double(p.m) * double(p.n) * plan.parts * 2 * sizeof(float) / SUMMED;
    return pace.start + double(ceil_div(tiles, at_once)) * (tile + slabs * pace.slab) + sum;
}

// Parts of k that occupy the device; 1: k, or C, is not for it.
template <Format T>
unsigned parts_of(const gpumexk_matmul_args &p, const Device &device) {
    const size_t tiles = ceil_div(p.m, TILE_ROWS) * ceil_div(p.n, SPLIT_COLS), slabs = ceil_div(p.k, EDGE<T>);
    const size_t parts = at_most(at_most(device.sms / tiles, slabs / PART_SLABS), PARTS_MAX);
    return p.batch == 1 && parts > 1 ? static_cast<unsigned>(parts) : 1;
}

template <Format T>
Plan plan_of(const gpumexk_matmul_args &p, const Device &device) {
    Plan best = {256, 1, 1};
    const auto consider = [&](Plan plan) {
        if (time_of<T>(p, device, plan) < time_of<T>(p, device, best)) best = plan;
    };
    consider({128, 1, 1});
    for (unsigned splits = 1; splits <= SPLITS_MAX && splits <= ceil_div(p.k, EDGE<T>); splits *= 2) consider({SPLIT_COLS, splits, 1});
    consider({SPLIT_COLS, 1, parts_of<T>(p, device)});
    return best;
}

// The same of the best plan, with the copies before it, from memory: by 800 random products.
template <Format T>
double time_of(const gpumexk_matmul_args &given, const Device &device) {
    const Roles<T> roles(given);
    const double copies = roles.has_copies() ? COPY_START + double(roles.bytes_of_a() + roles.bytes_of_b()) / COPIED : 0;
    return copies + FROM_MEMORY * time_of<T>(roles.p, device, plan_of<T>(roles.p, device));
}

// C, or its transpose. holds_a: pairs of a thread are neighbours in a column.
inline Output output_of(const gpumexk_matmul_args &p, bool turned, bool holds_a, int is_float) {
    const size_t row_step = turned ? 1 : p.ldc, col_step = turned ? p.ldc : 1;
    const bool in_pairs = (holds_a || !turned) && is_c_aligned(p, is_float, is_float ? sizeof(float2) : sizeof(unsigned));
    return {p.c, p.m, p.n, row_step, col_step, p.stride_c, static_cast<float>(p.alpha), static_cast<float>(p.beta), is_float, in_pairs};
}

// C as it lies in memory.
struct MatrixC {
    const void *data;
    size_t rows, cols, ld, stride, batch, width;                   // width: bytes of an element

    MatrixC(const gpumexk_matmul_args &p, bool turned, int is_float)
        : data(p.c), rows(turned ? p.n : p.m), cols(turned ? p.m : p.n), ld(p.ldc), stride(p.stride_c), batch(p.batch),
          width(is_float ? sizeof(float) : 2) {}

    // TMA stores 16 bytes, whatever the map says.
    bool fits() const {
        return is_for_map(rows, cols, ld, batch) && lies_for_map(data, rows, ld, stride, batch, width) && cols * width % 16 == 0;
    }
};

// *map ← C in boxes as a consumer stores them.
template <Format T>
cudaError_t make_map_c(const MatrixC &c, int is_float, CUtensorMap *map) {
    constexpr CUtensorMapDataType HALF = T == Format::F16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16 : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    const size_t row = c.ld * c.width, stride = c.batch == 1 ? row : c.stride * c.width;
    return make_tensor_map(is_float ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : HALF, c.data, {c.cols, c.rows, c.batch}, {row, stride},
                           {static_cast<cuuint32_t>(LINE / c.width), OUT_LINES, 1}, map);
}

// Elements of a row of a part of C, and bytes of all parts.
inline size_t part_ld(const gpumexk_matmul_args &p) { return ceil_div(p.n, PACKET<float>) * PACKET<float>; }
inline size_t bytes_of_parts(const gpumexk_matmul_args &p, unsigned parts) {
    return parts == 1 ? 0 : parts * p.m * part_ld(p) * sizeof(float);
}

// A product whose operands TMA can load, behind their copies if it follows some.
template <Format T>
struct Prepared {
    Roles<T> roles;
    bool follows;
    int is_float;
    unsigned parts;
    size_t sms;
    int cache;
    cudaStream_t stream;
};

template <typename L, bool A_ALONG_K, bool B_ALONG_K>
cudaError_t launch_product(const Prepared<L::T> &prepared, unsigned splits) {
    constexpr auto KERNEL = matmul_tma<L, A_ALONG_K, B_ALONG_K>;
    const gpumexk_matmul_args &p = prepared.roles.p;
    Problem problem = {};
    constexpr bool HOLDS_A = L::template HOLDS_A<A_ALONG_K>;
    const bool turned = prepared.roles.turned;
    const int is_float = prepared.is_float;
    problem.output = output_of(p, turned, HOLDS_A, is_float);
    const unsigned blocks = L::SPLITS ? splits : p.m > TILE_ROWS ? 2 : 1;  // of a cluster
    const size_t rows = ceil_div(p.m, size_t(TILE_ROWS) * (L::SPLITS ? 1 : blocks)), cols = ceil_div(p.n, L::COLS);
    problem.tile_rows = static_cast<unsigned>(rows), problem.tile_cols = static_cast<unsigned>(cols);
    problem.tiles = static_cast<unsigned>(rows * cols * p.batch);
    problem.slabs = static_cast<unsigned>(ceil_div(p.k, EDGE<L::T>));
    problem.parts = prepared.parts;
    cudaError_t error = make_operand<L::T>(prepared.roles.a, L::template LINES_A<A_ALONG_K>, &problem.a);
    if (error == cudaSuccess) error = make_operand<L::T>(prepared.roles.b, L::template LINES_B<B_ALONG_K>, &problem.b);
    const MatrixC c(p, turned, is_float);
    const bool is_staged = L::T == Format::TF32 || !turned;        // in shared memory
    if (is_staged && (is_float || problem.output.beta == 0)) problem.store = Store::BY_LINES;
    if (is_staged && problem.output.beta == 0 && c.fits()) problem.store = Store::BY_TMA;
    if (error == cudaSuccess && problem.store == Store::BY_TMA) error = make_map_c<L::T>(c, is_float, &problem.map_c);
    if (error == cudaSuccess) error = set_smem_carveout<KERNEL>(prepared.cache);
    if (error != cudaSuccess) return error;
    const size_t clusters = L::SPLITS ? problem.tiles : at_most(problem.tiles, prepared.sms / blocks);
    const dim3 grid(static_cast<unsigned>(clusters) * blocks);
    return launch_clusters_pdl<KERNEL, Allow::LARGE>(prepared.follows, grid, blocks, THREADS, L::BYTES, prepared.stream, problem);
}

template <Format T, bool A_ALONG_K, bool B_ALONG_K>
cudaError_t launch_plan(const Prepared<T> &prepared, Plan plan) {
    switch (plan.cols) {
    case SPLIT_COLS: return launch_product<Tile<T, SPLIT_COLS, true>, A_ALONG_K, B_ALONG_K>(prepared, plan.splits);
    case 128: return launch_product<Tile<T, 128, false>, A_ALONG_K, B_ALONG_K>(prepared, 1);
    default: return launch_product<Tile<T, 256, false>, A_ALONG_K, B_ALONG_K>(prepared, 1);
    }
}

template <Format T>
cudaError_t find_device(Device *device) {
    return remembered(device, [](int number, Device *found) {
        using Small = Tile<T, SPLIT_COLS, true>;
        constexpr auto KERNEL = matmul_tma<Small, true, true>;
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
template <Format T>
bool serves(const gpumexk_matmul_args &p, const Device &device) {
    const double tiles = ceil(double(p.m) / ROWS) * ceil(double(p.n) / ROWS) * double(p.batch);  // at most
    return device.sms != 0 && p.m > 0 && p.n > 0 && p.batch > 0 && p.k > 0 && static_cast<float>(p.alpha) != 0 &&
           matrix_a<T>(p).is_small_enough() && matrix_b<T>(p).is_small_enough() && tiles * SPLITS_MAX <= double(GRID_X_MAX);
}

// Bytes of scratch, with those of parts that a plan may have.
template <Format T>
size_t scratch_of(const gpumexk_matmul_args &p, const Device &device) {
    if (!serves<T>(p, device)) return 0;
    const Roles<T> roles(p);
    return roles.bytes_of_a() + roles.bytes_of_b() + bytes_of_parts(roles.p, parts_of<T>(roles.p, device));
}

template <Format T>
cudaError_t launch_roles(const Prepared<T> &prepared, Plan plan) {
    const bool a = prepared.roles.a.along_k, b = prepared.roles.b.along_k;
    if constexpr (T == Format::TF32) {
        return a ? launch_plan<T, true, true>(prepared, plan) : launch_plan<T, false, true>(prepared, plan);
    } else {
        if (a) return b ? launch_plan<T, true, true>(prepared, plan) : launch_plan<T, true, false>(prepared, plan);
        return b ? launch_plan<T, false, true>(prepared, plan) : launch_plan<T, false, false>(prepared, plan);
    }
}

// Parts of k as a batch of products into the scratch, and their sum.
template <Format T>
cudaError_t launch_parts(const Prepared<T> &prepared, Plan plan, float *sums) {
    const gpumexk_matmul_args &p = prepared.roles.p;
    Prepared<T> of_parts = prepared;
    gpumexk_matmul_args &q = of_parts.roles.p;
    q.c = sums, q.ldc = part_ld(p), q.stride_c = p.m * part_ld(p), q.batch = plan.parts, q.alpha = 1, q.beta = 0;
    of_parts.roles.turned = false, of_parts.is_float = 1, of_parts.parts = plan.parts;
    const cudaError_t error = launch_roles(of_parts, plan);
    if (error != cudaSuccess) return error;
    const size_t packets = q.ldc / PACKET<float>;
    const Parts parts = {reinterpret_cast<const float4 *>(sums), plan.parts, packets, p.m * packets, nullptr};
    return launch_sum<T>(parts, output_of(p, prepared.roles.turned, false, prepared.is_float), prepared.stream);
}

// A product that is served. values: 0 by the size; blocks that share the k of a tile of SPLIT_COLS columns; columns of a tile.
template <Format T>
cudaError_t launch(const gpumexk_matmul_args &given, int is_float, void *scratch, const gpumexk_tuning &tuning, const Device &device,
                   cudaStream_t stream) {
    if (!is_one_of<0, 1, 2, 4, 8, 128, 256>(tuning.values) || tuning.threads != int(THREADS)) return cudaErrorInvalidValue;
    Prepared<T> prepared = {Roles<T>(given), false, is_float, 1, device.sms, tuning.cache, stream};
    char *const copies = static_cast<char *>(scratch), *const sums = copies + prepared.roles.bytes_of_a() + prepared.roles.bytes_of_b();
    prepared.follows = prepared.roles.has_copies();
    const cudaError_t error = prepared.roles.copy(copies, stream);
    if (error != cudaSuccess) return error;
    Plan plan = plan_of<T>(prepared.roles.p, device);
    if (tuning.values >= 128) plan = {static_cast<unsigned>(tuning.values), 1, 1};
    else if (tuning.values > 0) plan = {SPLIT_COLS, static_cast<unsigned>(tuning.values), 1};
    return plan.parts == 1 ? launch_roles(prepared, plan) : launch_parts(prepared, plan, reinterpret_cast<float *>(sums));
}

// gpumexk_matmul_…16 of kernels.h.
template <Format T>
cudaError_t launch_half(const gpumexk_matmul_args &product, int is_float, void *scratch, const gpumexk_tuning &tuning, cudaStream_t stream) {
    Device device = {};
    const cudaError_t error = find_device<T>(&device);
    if (error != cudaSuccess) return error;
    return serves<T>(product, device) ? launch<T>(product, is_float, scratch, tuning, device, stream) : cudaErrorNotSupported;
}

}  // namespace tma_wgmma
