// skinny.cu — skinny matrix products, whose C is too small to occupy a device: with few vectors, or few tiles along a long k.
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), C (m, n), row-major, for each of a batch
//
// Algorithm  panel   One side of C has at most 16 elements: matmul/skinny.cuh.
//            split   Else split-K: the tiles of tiled.cu and f64.cu multiply equal parts of k, as products of a batch; not for
//                    batches.
//            Either way, where k is split, the partial sums go to scratch memory, (batch, parts, m, n), and a second kernel
//            reduces them, and multiplies what split leaves over of k. It is a dependent launch.
// Cost       panel: the longer operand is read once. split: mnk multiply-adds, and 2·parts·m·n elements. One H200, us, cuBLAS /
//            tiled.cu, f64.cu / here: float 64 x 64 x 65536 28.6 / 65.2 / 22.3, 512 x 512 x 16384 180 / 360 / 190,
//            1 x 8192 x 8192 64.7 / 146 / 65.2, 16 x 8192 x 8192 147 / 146 / 99; double 64 x 64 x 65536 30.1 / 120 / 28.9,
//            4 x 8192 x 8192 134 / 170 / 126.
// Pays       Against those two where one side of C is 1; in float where it is at most 16, k is long and the other side is neither very
//            short nor very long; in double where it is at most 8, or at most 16 with a long k; and with few squares of 64² in C
//            from some thousand places of k on: src/gpu/matmul/auto.rs. With k ≤ 16 one row or column alone: else matmul/rank_k.cuh.
// Limits     Any size. parts · m · n elements of scratch for each of the batch. A panel of few elements along k (below 256) is
//            read at a third of the memory's rate where it is contiguous along k.
// Edges      Every sum is added in an order that depends on shape, alignment, tuning and device alone: the same bits from run
//            to run. One fused multiply-add for each of the mnk: |error| ≤ γ(k+3) · (|alpha| |A| |B| + |beta| |C|). With k = 0
//            or alpha = 0 the result is beta·C, and A and B are not read; beta = 0 never reads C. NaN and infinity propagate as
//            in IEEE arithmetic.
// Source     "Split-K" in NVIDIA's CUTLASS documentation, "Efficient GEMM in CUDA".

#include "kernels.h"
#include "matmul/skinny.cuh"
#include "matmul/small.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/warp.cuh"

namespace {

using namespace skinny;

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t VECTORS_MAX = 16;
constexpr size_t SPLIT_TILE = 64;                                  // edge of the tiles that split counts
constexpr size_t DEPTH_MIN = 64;                                   // of a part
constexpr size_t LONG_ROW = 32768;                                 // bytes
constexpr size_t UNDIVIDED_ONE = 512, UNDIVIDED_SEVERAL = 256;     // k left whole across a panel, with one vector and with more
constexpr size_t MANY_TILES = 16, LONG_PART = 1024;                // from where on parts are twice as many
constexpr size_t LEFT_COST = 16;                                   // one H200: 8 to 20, as C and the transposes are
constexpr size_t DEPTH_UNIT = 8;                                   // that parts of operands along k are multiples of, for packets
constexpr int BLOCKS_MAX = 4;                                      // a multiprocessor: the largest tuning
constexpr int TILED_THREADS = 256, TILED_VALUES_F32 = 128, TILED_VALUES_F64 = 64; // tunings of the tiles

// ---- kernels --------------------------------------------------------------------------------------------------------

// What the second kernel adds up: the parts, and the places of k from rest_begin on.
template <typename T>
struct Gathering {
    const T *partial;                                              // (batch, parts, rows, cols)
    unsigned parts;
    Operand<T> a, b;
    size_t rest_begin, k;
    size_t batch, stride_c;
    Result<T> result;
};

// A lane has an element of C, the warps of a block share parts and places; then their sums are added in their order.
template <typename T>
__global__ void __launch_bounds__(BLOCK_MAX) skinny_gather(const __grid_constant__ Gathering<T> args) {
    __shared__ T smem[BLOCK_MAX / WARP][WARP];
    const unsigned lane = threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    const Result<T> &c = args.result;
    const size_t elements = c.rows * c.cols;
    pdl_wait();
    for (size_t product = blockIdx.y; product < args.batch; product += gridDim.y) {
        for (size_t first = size_t(blockIdx.x) * WARP; first < elements; first += size_t(gridDim.x) * WARP) {
            const size_t element = first + lane, row = element / c.cols, col = element % c.cols;
            T sum = 0;
            if (element < elements) {
                const T *const partial = args.partial + product * args.parts * elements + element;
#pragma unroll 8
                for (unsigned part = warp; part < args.parts; part += warps) sum += partial[part * elements];
                const T *const a = args.a.data + product * args.a.stride + row * args.a.step_edge;
                const T *const b = args.b.data + product * args.b.stride + col * args.b.step_edge;
#pragma unroll 4
                for (size_t p = args.rest_begin + warp; p < args.k; p += warps) {
                    sum = fma(a[p * args.a.step_k], b[p * args.b.step_k], sum);
                }
            }
            smem[warp][lane] = sum;
            __syncthreads();
            if (warp == 0 && element < elements) {
#pragma unroll 8
                for (unsigned w = 1; w < warps; ++w) sum += smem[w][lane];
                c.put_one(c.c + product * args.stride_c + row * c.ld + col, sum);
            }
            __syncthreads();                                       // shared memory is free
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// What a launcher has to know of the current device.
struct Facts {
    size_t sms;
    bool pdl;
};

cudaError_t find_facts(Facts *facts) {
    return remembered(facts, [](int, Facts *found) {
        const cudaError_t error = multiprocessors(&found->sms);
        return error == cudaSuccess ? supports_pdl(skinny_gather<float>, &found->pdl) : error;
    });
}

// How a product is done: by tiles as it is (is_skinny false, parts 1), by tiles in parts, or as a panel times vectors.
struct Way {
    bool is_skinny, panel_is_a, along_k, by_mma;
    size_t parts, depth;                                           // of k
    unsigned warps_along_k, rows;                                  // rows: of a warp
};

// Parts of k that make `blocks` blocks occupy the device.
size_t parts_for(size_t blocks, size_t wanted, size_t k, size_t depth_min) {
    const size_t parts = at_most(wanted / blocks, k / depth_min);
    return parts > 1 ? parts : 1;
}

// The way for elements of `width` bytes with as many blocks a multiprocessor.
Way way_of(const gpumexk_matmul_args &product, size_t width, size_t sms, int blocks_each) {
    const size_t m = product.m, n = product.n, span = 16 / width * WARP;
    const size_t k = product.alpha == 0 ? 0 : product.k, wanted = sms * blocks_each;
    Way way = {};
    way.parts = 1, way.depth = k, way.warps_along_k = 1, way.rows = ROWS_MAX;

    // The panel is the longer operand; where both are short, the one that lies along k.
    const bool a_along = product.trans_a == 0, b_along = product.trans_b != 0;
    const bool may_a = n <= VECTORS_MAX, may_b = m <= VECTORS_MAX;
    way.is_skinny = may_a || may_b;
    way.panel_is_a = may_a && may_b ? (a_along == b_along ? m >= n : a_along) : may_a;
    way.along_k = way.panel_is_a ? a_along : b_along;

    const size_t length = way.panel_is_a ? m : n, vectors = way.panel_is_a ? n : m;
    const size_t divisible = k > (vectors == 1 ? UNDIVIDED_ONE : UNDIVIDED_SEVERAL) ? k : 0;
    way.by_mma = way.is_skinny && width == sizeof(double) && vectors > 1;

    if (way.by_mma) {
        const size_t blocks = ceil_div(length, size_t(MMA_TILES * MMA_F64_ROWS)) * product.batch;
        way.parts = parts_for(blocks, vectors > MMA_F64_COLS ? ceil_div(wanted, 2) : wanted, divisible, DEPTH_MIN);
        way.depth = ceil_div(ceil_div(k, way.parts), size_t(MMA_UNIT)) * MMA_UNIT;
    } else if (way.is_skinny && way.along_k) {
        // Vectors come to shared memory once a block: with several of them warps rather have rows of their own.
        if (vectors == 1 && length >= wanted * WARPS && k * width >= LONG_ROW) way.rows = 1;
        const size_t teams = ceil_div(length, way.rows) * (vectors == 1 ? product.batch : 1);
        const size_t warps = vectors > 1 ? WARPS : way.rows == 1 ? wanted * WARPS * 2 : wanted * WARPS * 5 / 8;
        unsigned &turns = way.warps_along_k;
        while (turns < WARPS && teams * turns < warps && k >= 4 * turns * span) turns *= 2;
        const size_t blocks = ceil_div(length, way.rows * WARPS / turns) * product.batch;
        way.parts = parts_for(blocks, wanted, k, 2 * turns * span);
        way.depth = ceil_div(ceil_div(k, way.parts), span) * span;
    } else if (way.is_skinny) {
        way.parts = parts_for(ceil_div(length, span) * product.batch, wanted, divisible, DEPTH_MIN);
        way.depth = ceil_div(k, way.parts);
    } else {
        // Of the numbers of parts that nearly occupy the device the one that is done first: what is left over of k takes as long as
        // LEFT_COST times as many places of a part, each element of C by itself.
        const size_t tiles = ceil_div(m, SPLIT_TILE) * ceil_div(n, SPLIT_TILE);
        size_t most = product.batch == 1 ? parts_for(tiles, wanted, k, DEPTH_MIN) : 1;
        if (most > 1 && tiles >= MANY_TILES && k / most >= LONG_PART) most *= 2; // evens out what larger tiles cannot
        const bool a_in_packets = a_along && product.lda * width % PACKET_BYTES == 0;
        const bool b_in_packets = b_along && product.ldb * width % PACKET_BYTES == 0;
        const size_t unit = a_in_packets || b_in_packets ? DEPTH_UNIT : 1;
        size_t least = LEFT_COST * k;
        for (size_t parts = most; parts > 1 && 4 * parts >= 3 * most; --parts) {
            const size_t depth = k / parts / unit * unit, cost = depth + LEFT_COST * (k - parts * depth);
            if (cost < least) least = cost, way.parts = parts, way.depth = depth;
        }
        return way;
    }
    if (way.depth != 0) way.parts = ceil_div(k, way.depth);
    return way;
}

template <typename T>
Operand<T> operand(const void *data, bool along_k, size_t ld, size_t edge, size_t stride) {
    return {static_cast<const T *>(data), along_k ? ld : 1, along_k ? 1 : ld, edge, stride};
}

// Enqueues the second kernel.
template <typename T>
cudaError_t gather(const gpumexk_matmul_args &product, const Way &way, const T *partial, bool pdl, cudaStream_t stream) {
    Gathering<T> args = {};
    args.partial = partial, args.parts = static_cast<unsigned>(way.parts);
    args.a = operand<T>(product.a, product.trans_a == 0, product.lda, product.m, product.stride_a);
    args.b = operand<T>(product.b, product.trans_b != 0, product.ldb, product.n, product.stride_b);
    args.rest_begin = way.parts * way.depth, args.k = product.k;
    args.batch = product.batch, args.stride_c = product.stride_c;
    args.result = {static_cast<T *>(product.c), product.m, product.n, product.ldc, T(product.alpha), T(product.beta), false};
    unsigned warps = 1;
    while (warps < BLOCK_MAX / WARP && warps * 4 < way.parts) warps *= 2;
    const dim3 grid(static_cast<unsigned>(at_most(ceil_div(product.m * product.n, WARP), GRID_X_MAX)),
                    static_cast<unsigned>(at_most(product.batch, GRID_Y_MAX)));
    const cudaError_t error = launch_pdl(pdl, skinny_gather<T>, grid, dim3(WARP, warps), stream, args);
    return error == cudaSuccess ? cudaGetLastError() : error;
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T, int VECTORS, bool IN_PACKETS>
cudaError_t launch_kernel(const Skinny<T> &args, const Way &way, int cache, cudaStream_t stream) {
    constexpr int COLS = VECTORS == 1 || sizeof(T) == sizeof(float) ? WARP * PACKET_LENGTH<T> : MMA_TILES * MMA_F64_ROWS;
    const size_t each = way.along_k && !way.by_mma ? way.rows * WARPS / way.warps_along_k : COLS;
    const size_t blocks = ceil_div(args.panel.edge, each);
    if (blocks > GRID_X_MAX) return cudaErrorInvalidValue;
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(way.parts),
                    static_cast<unsigned>(at_most(args.batch, GRID_Z_MAX)));
    if constexpr (sizeof(T) == sizeof(double) && VECTORS > 1) {
        return way.along_k ? launch<skinny_mma<VECTORS, true, IN_PACKETS>>(grid, dim3(THREADS), cache, stream, args)
                           : launch<skinny_mma<VECTORS, false, IN_PACKETS>>(grid, dim3(THREADS), cache, stream, args);
    } else {
        if (!way.along_k) return launch<skinny_across<T, VECTORS, IN_PACKETS>>(grid, dim3(THREADS), cache, stream, args);
        if constexpr (VECTORS == 1) {
            if (way.rows == 1) return launch<skinny_along<T, 1, 1, IN_PACKETS>>(grid, dim3(THREADS), cache, stream, args);
        }
        return launch<skinny_along<T, VECTORS, ROWS_MAX, IN_PACKETS>>(grid, dim3(THREADS), cache, stream, args);
    }
}

template <typename T, int VECTORS>
cudaError_t launch_vectors(const Skinny<T> &args, const Way &way, int cache, cudaStream_t stream) {
    const Operand<T> &panel = args.panel;
    const size_t ld = way.along_k ? panel.step_edge : panel.step_k;
    const bool in_packets = rows_in_packets<T>(panel.data, ld, panel.stride, args.batch) &&
                            (way.along_k || panel.edge % PACKET_LENGTH<T> == 0);
    return in_packets ? launch_kernel<T, VECTORS, true>(args, way, cache, stream)
                      : launch_kernel<T, VECTORS, false>(args, way, cache, stream);
}

template <typename T>
cudaError_t launch_panel(const gpumexk_matmul_args &product, const Way &way, T *partial, int cache, cudaStream_t stream) {
    const Operand<T> a = operand<T>(product.a, product.trans_a == 0, product.lda, product.m, product.stride_a);
    const Operand<T> b = operand<T>(product.b, product.trans_b != 0, product.ldb, product.n, product.stride_b);
    Skinny<T> args = {};
    args.panel = way.panel_is_a ? a : b, args.vectors = way.panel_is_a ? b : a;
    args.k = product.alpha == 0 ? 0 : product.k, args.depth = way.depth;
    args.batch = product.batch, args.warps_along_k = way.warps_along_k;
    const size_t vectors = args.vectors.edge, apart = args.vectors.step_k == 1 ? args.vectors.step_edge : args.vectors.step_k;
    args.stages_packets = rows_in_packets<T>(args.vectors.data, apart, args.vectors.stride, args.batch);
    const bool is_final = way.parts == 1;
    const size_t ld = is_final ? product.ldc : product.n, matrix = product.m * product.n;
    args.destination.result = {is_final ? static_cast<T *>(product.c) : partial, product.m, product.n, ld,
                               is_final ? T(product.alpha) : T(1), is_final ? T(product.beta) : T(0), false};
    args.destination.step_panel = way.panel_is_a ? ld : 1, args.destination.step_vector = way.panel_is_a ? 1 : ld;
    args.destination.step_part = matrix;
    args.destination.step_product = is_final ? product.stride_c : way.parts * matrix;

    if (vectors == 1) return launch_vectors<T, 1>(args, way, cache, stream);
    if constexpr (sizeof(T) == sizeof(float)) {
        if (vectors <= 4) return launch_vectors<T, 4>(args, way, cache, stream);
    }
    if (vectors <= 8) return launch_vectors<T, 8>(args, way, cache, stream);
    return launch_vectors<T, 16>(args, way, cache, stream);
}

int launch_tiles(const gpumexk_matmul_args &product, float, int cache, gpumexk_stream stream) {
    const gpumexk_tuning tuning = {TILED_THREADS, TILED_VALUES_F32, cache};
    return gpumexk_matmul_tiled_f32(&product, nullptr, &tuning, stream);
}
int launch_tiles(const gpumexk_matmul_args &product, double, int cache, gpumexk_stream stream) {
    const gpumexk_tuning tuning = {TILED_THREADS, TILED_VALUES_F64, cache};
    return gpumexk_matmul_tiled_f64(&product, &tuning, stream);
}

// The parts of a product, as a batch of their own.
template <typename T>
int launch_split(const gpumexk_matmul_args &product, const Way &way, T *partial, int cache, gpumexk_stream stream) {
    if (way.parts == 1) return launch_tiles(product, T(), cache, stream);
    gpumexk_matmul_args parts = product;
    parts.k = way.depth, parts.batch = way.parts;
    parts.stride_a = way.depth * (product.trans_a ? product.lda : 1);
    parts.stride_b = way.depth * (product.trans_b ? 1 : product.ldb);
    parts.c = partial, parts.ldc = product.n, parts.stride_c = product.m * product.n;
    parts.alpha = 1, parts.beta = 0;
    return launch_tiles(parts, T(), cache, stream);
}

template <typename T>
int launch_skinny(const gpumexk_matmul_args &given, void *scratch, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    const int values = tuning.values;
    if (tuning.threads != THREADS || (values != 1 && values != 2 && values != 4)) return cudaErrorInvalidValue;
    if (given.m == 0 || given.n == 0 || given.batch == 0) return cudaSuccess;
    gpumexk_matmul_args product = given;
    product.alpha = T(given.alpha), product.beta = T(given.beta);
    if (small::log_lanes_of<T>(product) >= 0) return launch_tiles(product, T(), tuning.cache, stream); // which knows of it
    Facts facts = {};
    cudaError_t error = find_facts(&facts);
    if (error != cudaSuccess) return error;
    const Way way = way_of(product, sizeof(T), facts.sms, values);
    T *const partial = static_cast<T *>(scratch);
    error = way.is_skinny ? launch_panel<T>(product, way, partial, tuning.cache, stream)
                        : static_cast<cudaError_t>(launch_split<T>(product, way, partial, tuning.cache, stream));
    if (error != cudaSuccess || way.parts == 1) return error;
    return gather<T>(product, way, partial, facts.pdl, stream);
}

}  // namespace

int gpumexk_matmul_skinny_scratch(const gpumexk_matmul_args *product, size_t *bytes) {
    *bytes = 0;
    if (product->m == 0 || product->n == 0 || product->batch == 0) return cudaSuccess;
    Facts facts = {};
    const cudaError_t error = find_facts(&facts);
    if (error != cudaSuccess) return error;
    for (const size_t width : {sizeof(float), sizeof(double)}) {
        size_t parts = 1;
        for (int values = 1; values <= BLOCKS_MAX; values *= 2) {
            const Way way = way_of(*product, width, facts.sms, values);
            if (way.parts > parts) parts = way.parts;
        }
        const size_t need = parts > 1 ? parts * product->batch * product->m * product->n * width : 0;
        if (need > *bytes) *bytes = need;
    }
    return cudaSuccess;
}

int gpumexk_matmul_skinny_f32(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning,
                              gpumexk_stream stream) {
    return launch_skinny<float>(*product, scratch, *tuning, stream);
}

int gpumexk_matmul_skinny_f64(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning,
                              gpumexk_stream stream) {
    return launch_skinny<double>(*product, scratch, *tuning, stream);
}
