// allreduce.cu — a few elements of every rank joined by an operator, on all ranks, which are devices that see each other.
//
//   result[i] = own of rank 0[i] ∘ own of rank 1[i] ∘ …       own (pieces, count), result (count), 4 or 8 bytes an element
//
// Algorithm  Each rank stores its elements as packets with the number of the round (prim/thread/tagged.cuh) into the boxes of all others, waits
//            for those that the others store into its box, and joins them in the order of ranks: the same bits on all. A box has room for
//            two rounds: who stores the elements of round n + 2 has got those of round n + 1 of this rank, which had got all of round n before.
//            A dependent launch behind the kernel that makes the elements. One element may be in pieces, the results of that kernel's blocks:
//            the block reduces them first, which saves a launch.
// Cost       16 bytes cross for each element and rank, at once: the way of a packet over NVLink, some 2 us, is all there is to wait for.
// Loading    CUDA loads a kernel when it is first used, and may wait for all kernels of devices that are open to each other, among them that of a
//            rank which waits for this one: gpumexk_allreduce_load() comes before an agreement of the ranks.
// Limits     GPUMEXK_ALLREDUCE_RANKS ranks, GPUMEXK_ALLREDUCE_ELEMENTS elements. The kernels of all ranks have to be in progress.
// Edges      A rank that does not come: *stop, or the end of patience, ends all waits. One without elements sends zeros, which nobody joins.
// Source     The LL protocol of NCCL; all pairs at once, which for so few bytes is faster than a ring. CUDA C++ Programming Guide, "Lazy
//            Loading", Concurrent Execution.

#include "kernels.h"
#include "prim/block/reduce.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/operator.cuh"
#include "prim/thread/tagged.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;
constexpr int AT_ONCE = 4;                                         // ranks whose packets a thread waits for at the same time

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ uint4 *box_of(const gpumexk_allreduce_args &args, int of, int from) {
    return reinterpret_cast<uint4 *>(args.boxes[of]) + (size_t(args.round % 2) * args.ranks + from) * GPUMEXK_ALLREDUCE_ELEMENTS;
}

__device__ __forceinline__ bool has(const gpumexk_allreduce_args &args, int rank) { return args.has >> rank & 1; }

__device__ __forceinline__ uint4 packets_of(uint64_t word, unsigned round) {
    return {unsigned(word), round, unsigned(word >> 32), round};
}

template <typename T>
__device__ __forceinline__ T element_of(uint4 packets) { return static_cast<T>(packets.x | uint64_t(packets.z) << 32); }
template <>
__device__ __forceinline__ float element_of<float>(uint4 packets) { return __uint_as_float(packets.x); }
template <>
__device__ __forceinline__ double element_of<double>(uint4 packets) { return __hiloint2double(int(packets.z), int(packets.x)); }

__device__ __forceinline__ uint64_t word_of(float element) { return __float_as_uint(element); }
__device__ __forceinline__ uint64_t word_of(double element) { return uint64_t(__double_as_longlong(element)); }
template <typename Bits>
__device__ __forceinline__ uint64_t word_of(Bits element) { return element; }

// Element i of this rank. With several pieces: their reduction, valid in thread 0; all threads of the block call it.
template <typename Op>
__device__ __forceinline__ typename Op::Value own_element(const gpumexk_allreduce_args &args, const Op &op, size_t i) {
    using T = typename Op::Value;
    const T *own = static_cast<const T *>(args.own);
    if (args.pieces == 1) return i < args.count ? own[i] : T();
    auto value = Op::identity();
    for (size_t p = threadIdx.x; p < args.pieces; p += THREADS) value = op.apply(value, op.load(own[p]));
    return op.store(block_reduce(op, value));
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A thread has element i of all ranks.
template <typename Op>
__global__ void __launch_bounds__(THREADS)
    allreduce(const __grid_constant__ gpumexk_allreduce_args args, Op op, bool adds, typename Op::Value *result) {
    using T = typename Op::Value;
    const size_t i = grid_x();
    pdl_wait();
    const uint4 own = packets_of(has(args, args.rank) ? word_of(own_element(args, op, i)) : 0, args.round);
    if (i >= args.count) return;
    for (int to = 0; to < args.ranks; ++to) {
        if (to != args.rank) store_packets(box_of(args, to, args.rank) + i, own);
    }

    T value = adds ? op.load(result[i]) : Op::identity();
    Patience patience(args.stop, args.patience);
    for (int first = 0; first < args.ranks; first += AT_ONCE) {
        uint4 packets[AT_ONCE];
        bool are_there;
        do {
            are_there = true;
#pragma unroll
            for (int r = 0; r < AT_ONCE; ++r) {
                const int from = first + r;
                const bool is_other = from < args.ranks && from != args.rank;
                packets[r] = load_packets(is_other, box_of(args, args.rank, is_other ? from : args.rank) + i, own);
                are_there &= is_of(packets[r], args.round);
            }
        } while (!are_there && !patience.is_over());
#pragma unroll
        for (int r = 0; r < AT_ONCE; ++r) {
            if (has(args, first + r)) value = op.apply(value, op.load(element_of<T>(packets[r])));
        }
    }
    result[i] = op.store(value);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

bool is_served(const gpumexk_allreduce_args &args) {
    return args.ranks >= 1 && args.ranks <= GPUMEXK_ALLREDUCE_RANKS && args.rank >= 0 && args.rank < args.ranks &&
           args.has >> args.ranks == 0 && args.count >= 1 && args.count <= GPUMEXK_ALLREDUCE_ELEMENTS && args.pieces >= 1 &&
           (args.pieces == 1 || args.count == 1);
}

// *pdl ← whether it is a dependent launch. The kernel is loaded on the current device when this returns.
template <typename Op>
cudaError_t load(const Op &op, bool *pdl, gpumexk_stream stream) {
    return remembered(pdl, [&](int, bool *found) {
        const cudaError_t error = supports_pdl(allreduce<Op>, found);
        if (error != cudaSuccess) return error;
        allreduce<Op><<<1, THREADS, 0, stream>>>({}, op, false, nullptr);  // no elements
        return cudaGetLastError();
    });
}

template <typename Op>
cudaError_t launch_allreduce(const gpumexk_allreduce_args &args, const Op &op, bool adds, void *result, gpumexk_stream stream) {
    const auto kernel = allreduce<Op>;
    const unsigned blocks = static_cast<unsigned>(ceil_div(args.count, size_t(THREADS)));
    bool pdl = false;
    const cudaError_t error = load(op, &pdl, stream);
    if (error != cudaSuccess) return error;
    return launch_pdl(pdl, kernel, blocks, THREADS, stream, args, op, adds, static_cast<typename Op::Value *>(result));
}

}  // namespace

int gpumexk_allreduce(const gpumexk_allreduce_args *args, int dtype, int op, int adds, void *result, gpumexk_stream stream) {
    if (!is_served(*args)) return cudaErrorInvalidValue;
    return dispatch_operator(dtype, op, [&](const auto &of) { return launch_allreduce(*args, of, adds != 0, result, stream); });
}

int gpumexk_allreduce_load(int dtype, int op, gpumexk_stream stream) {
    return dispatch_operator(dtype, op, [&](const auto &of) {
        bool pdl = false;
        return load(of, &pdl, stream);
    });
}
