// sort.cu — stable sort of keys, ascending or descending, with values or positions.
//
//   sorted = the keys, rank (sorted[i]) ≤ rank (sorted[i + 1])        keys, sorted (count), 4 or 8 bytes each
//   sorted_values[i] = the value, or the position, of sorted[i]       values, sorted_values (count), 4 or 8 bytes each, or none
//
// Algorithm  LSD radix sort, eight bits a pass. One kernel counts all digits (sort/digit_count.cuh); a pass ranks, looks back
//            and scatters in one kernel (sort/pass.cuh). A digit that all keys have in common is detected on the device, and
//            costs an empty launch. Few keys are sorted by comparison counting (prim/grid/enumeration_sort.cuh).
//            Positions are not stored before the first pass writes them; they have 4 bytes while that is enough.
// Cost       Reads the keys once, then reads and writes keys and values once a pass: 4 or 8 passes. 2^28 keys of 4 bytes take
//            4.4 ms on an H200, of which memory alone would need 2.2; the rest is the ranking.
// Limits     Any count.
// Edges      count = 0 writes nothing. Inputs are not modified, and overlap no output.
// Source     A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022.

#include "kernels.h"
#include "sort/digit_count.cuh"
#include "sort/pass.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/enumeration_sort.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/order.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t PORTION_MAX = size_t(1) << 29;                    // keys; below 2^30, see plan.cuh
constexpr size_t ALIGNMENT = 256;                                  // of the arrays in the scratch

// ---- host helpers ---------------------------------------------------------------------------------------------------

// The scratch of a sort: offsets in bytes.
template <typename Bits, typename Value>
struct Layout {
    static constexpr size_t TILE = PassShape<Bits, Value>::TILE, PASSES = sizeof(Bits);
    size_t portion, portions, state_tiles, starts_stride;
    size_t starts, zeros, tiles, states[2], spare_keys, spare_values, other_keys, bytes;
    size_t zero_bytes;                                             // from `zeros` on

    explicit Layout(const gpumexk_sort_args &args) {
        size_t end = 0;
        const auto take = [&](size_t size) {
            const size_t begin = end;
            end += ceil_div(size, ALIGNMENT) * ALIGNMENT;
            return begin;
        };
        portion = PORTION_MAX / TILE * TILE;
        portions = ceil_div(args.count, portion);
        state_tiles = ceil_div(at_most(args.count, portion), TILE);
        starts_stride = (portions + 1) * DIGITS;
        starts = take(PASSES * starts_stride * sizeof(unsigned long long));
        zeros = take(sizeof(SortPlan));
        tiles = take(PASSES * portions * sizeof(unsigned));
        states[0] = take(state_tiles * DIGITS * sizeof(uint32_t));
        zero_bytes = end - zeros;
        states[1] = take(state_tiles * DIGITS * sizeof(uint32_t));
        spare_keys = take(args.count * sizeof(Bits));
        spare_values = take(args.count * VALUE_BYTES<Value>);
        other_keys = take(args.sorted == nullptr ? args.count * sizeof(Bits) : 0);
        bytes = end;
    }
};

template <typename Bits>
cudaError_t sort_few(const gpumexk_sort_args &args, cudaStream_t stream) {
    EnumerationSort<Bits> sort = {};
    sort.keys = static_cast<const Bits *>(args.keys), sort.sorted = static_cast<Bits *>(args.sorted);
    sort.values = args.values, sort.sorted_values = args.sorted_values, sort.value_bytes = args.value_bytes;
    sort.count = static_cast<unsigned>(args.count);
    sort.order = KeyOrder<Bits>::of(args.dtype, args.descending != 0);
    sort.unless = args.unless;
    return launch_enumeration_sort<false>(sort, stream);
}

// Enqueues the kernel that counts, on as many blocks as the device holds at once.
template <typename Bits>
cudaError_t count_digits(const gpumexk_sort_args &args, KeyOrder<Bits> order, SortPlan *plan, unsigned long long *starts,
                         size_t starts_stride, cudaStream_t stream) {
    int device = 0, limit = 0, blocks = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    size_t sms = 0;
    if (error == cudaSuccess) error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;

    const size_t column = sizeof(Bits) * DIGITS * sizeof(unsigned);
    int columns = 0;
    while (columns < 5 && (column << (columns + 1)) + 1024 <= static_cast<size_t>(limit)) ++columns;
    const size_t bytes = column << columns;
    const auto kernel = sort_count<Bits>;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    if (error == cudaSuccess) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, COUNT_THREADS, bytes);
    if (error != cudaSuccess) return error;
    const size_t tile = size_t(COUNT_THREADS) * COUNT_LOADS * 16 / sizeof(Bits);
    const size_t grid = at_most(ceil_div(args.count, tile), sms * (blocks > 0 ? blocks : 1));
    kernel<<<static_cast<unsigned>(grid), COUNT_THREADS, bytes, stream>>>(static_cast<const Bits *>(args.keys), args.count, order,
                                                                         columns, plan, starts, starts_stride,
                                                                         args.unless);
    return cudaGetLastError();
}

template <typename Bits, typename Value, bool IS_FLOAT>
cudaError_t sort_by_passes(void *scratch, const gpumexk_sort_args &args, bool widen, int cache, cudaStream_t stream) {
    using Shape = PassShape<Bits, Value>;
    const Layout<Bits, Value> layout(args);
    unsigned char *const base = static_cast<unsigned char *>(scratch);
    SortPlan *const plan = reinterpret_cast<SortPlan *>(base + layout.zeros);
    unsigned long long *const starts = reinterpret_cast<unsigned long long *>(base + layout.starts);
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(args.dtype, args.descending != 0);

    SortArrays<Bits, Value> arrays = {};
    arrays.keys = static_cast<const Bits *>(args.keys);
    arrays.keys_wanted = args.sorted != nullptr;
    arrays.keys_out[0] = static_cast<Bits *>(args.sorted);
    if (!arrays.keys_wanted) arrays.keys_out[0] = reinterpret_cast<Bits *>(base + layout.other_keys);
    arrays.keys_out[1] = reinterpret_cast<Bits *>(base + layout.spare_keys);
    arrays.values = static_cast<const Value *>(args.values);
    arrays.values_out[0] = static_cast<Value *>(args.sorted_values);
    arrays.values_out[1] = reinterpret_cast<Value *>(base + layout.spare_values);
    arrays.widen = widen;

    const auto kernel = sort_pass<Bits, Value, IS_FLOAT>;
    const size_t bytes = sizeof(PassShared<Bits, Value>);
    bool pdl = false;
    cudaError_t error = set_smem_carveout<sort_pass<Bits, Value, IS_FLOAT>>(cache);
    if (error == cudaSuccess) error = supports_pdl(kernel, &pdl);
    if (error == cudaSuccess) {
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
    }
    if (error == cudaSuccess) error = cudaMemsetAsync(base + layout.zeros, 0, layout.zero_bytes, stream);
    if (error == cudaSuccess) error = count_digits<Bits>(args, order, plan, starts, layout.starts_stride, stream);

    // Where there may be nothing to do, a pass has no more blocks than run at once.
    size_t grid_max = GRID_X_MAX;
    if (Shape::LOOPS && args.unless != nullptr && error == cudaSuccess) {
        error = multiprocessors(&grid_max);
        grid_max *= Shape::BLOCKS;
    }

    SortPortion portion = {};
    portion.portions = static_cast<unsigned>(layout.portions);
    portion.state_tiles = static_cast<unsigned>(layout.state_tiles);
    for (int i = 0; i < 2; ++i) portion.states[i] = reinterpret_cast<uint32_t *>(base + layout.states[i]);
    for (size_t digit = 0; digit < layout.PASSES; ++digit) {
        for (size_t i = 0; i < layout.portions && error == cudaSuccess; ++i) {
            portion.begin = i * layout.portion;
            portion.count = static_cast<unsigned>(at_most(args.count - portion.begin, layout.portion));
            portion.digit = static_cast<int>(digit);
            portion.portion = static_cast<unsigned>(i);
            portion.next_tile = reinterpret_cast<unsigned *>(base + layout.tiles) + digit * layout.portions + i;
            portion.starts = starts + digit * layout.starts_stride + i * DIGITS;
            portion.next_starts = i + 1 < layout.portions ? starts + digit * layout.starts_stride + (i + 1) * DIGITS : nullptr;
            const size_t tiles = ceil_div(portion.count, Shape::TILE);
            const unsigned grid = static_cast<unsigned>(at_most(tiles, grid_max));
            error = launch_pdl_shared(pdl, kernel, grid, Shape::NT, bytes, stream, arrays, portion, order, plan);
        }
    }
    return error;
}

// run(Bits(), Value()) for the types that the passes move; widen: positions of 4 bytes that become 8 at the end.
template <typename Run>
cudaError_t dispatch_types(const gpumexk_sort_args &args, Run run) {
    const bool widen = args.value_bytes == 8 && args.values == nullptr && args.count <= UINT32_MAX;
    const auto dispatch_value_type = [&](auto bits) {
        switch (widen ? 4 : args.value_bytes) {
            case 0: return run(bits, NullType(), widen);
            case 4: return run(bits, uint32_t(), widen);
            case 8: return run(bits, uint64_t(), widen);
            default: return cudaErrorInvalidValue;
        }
    };
    return is_wide_dtype(args.dtype) ? dispatch_value_type(uint64_t()) : dispatch_value_type(uint32_t());
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_sort_scratch(const gpumexk_sort_args *args, size_t *bytes) {
    return dispatch_types(*args, [&](auto bits, auto value, bool) {
        *bytes = args->count <= ENUMERATION_SORT_MAX ? 0 : Layout<decltype(bits), decltype(value)>(*args).bytes;
        return cudaSuccess;
    });
}

int gpumexk_sort(const gpumexk_sort_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != 0 || tuning->values != 0) return cudaErrorInvalidValue;
    if (args->count == 0) return cudaSuccess;
    return dispatch_types(*args, [&](auto bits, auto value, bool widen) {
        using Bits = decltype(bits);
        using Value = decltype(value);
        if (args->count <= ENUMERATION_SORT_MAX) return sort_few<Bits>(*args, stream);
        if (scratch == nullptr) return cudaErrorInvalidValue;
        return is_float_dtype(args->dtype) ? sort_by_passes<Bits, Value, true>(scratch, *args, widen, tuning->cache, stream)
                                           : sort_by_passes<Bits, Value, false>(scratch, *args, widen, tuning->cache, stream);
    });
}
