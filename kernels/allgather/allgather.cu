// allgather.cu — a few words of every rank, on all ranks, which are devices that see each other.
//
//   elements[#(q < r: has q)] ← the first bytes of own of rank r, for all r that `has` has
//   sums[i] ← Σ own[i] of all ranks                                               own (words)
//
// Algorithm  Each rank stores its words as packets with the number of the round (prim/thread/tagged.cuh) into the boxes of all ranks, its own
//            among them, and waits for those that the others store into its box. A box has room for two rounds: who stores the words of
//            round n + 2 has got those of round n + 1 of this rank, which had got all of round n before.
// Cost       16 bytes cross for each word and rank, at once: the way of a packet over NVLink, some 2 us, is all there is to wait for.
// Limits     GPUMEXK_ALLGATHER_RANKS ranks, GPUMEXK_ALLGATHER_WORDS words. The kernels of all ranks have to be in progress.
// Edges      A rank that does not come: *stop, or the end of patience, ends all waits.
// Source     The LL protocol of NCCL; all pairs at once, which for so few bytes is faster than a ring.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/thread/tagged.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;
constexpr int BYTES_MAX = 16;                                      // of an element

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ uint4 *box_of(const gpumexk_allgather_args &args, int of, int from) {
    return reinterpret_cast<uint4 *>(args.boxes[of]) + (size_t(args.round % 2) * args.ranks + from) * GPUMEXK_ALLGATHER_WORDS;
}

// Word i of this rank goes to all of them.
__device__ __forceinline__ void send_word(const gpumexk_allgather_args &args, size_t i) {
    const uint64_t word = args.own[i];
    const uint4 packets = {unsigned(word), args.round, unsigned(word >> 32), args.round};
    for (int to = 0; to < args.ranks; ++to) store_packets(box_of(args, to, args.rank) + i, packets);
}

// Word i of a rank; where it does not come, any.
__device__ __forceinline__ uint64_t receive_word(const gpumexk_allgather_args &args, int from, size_t i) {
    const uint4 *const at = box_of(args, args.rank, from) + i;
    Patience patience(args.stop, args.patience);
    uint4 packets;
    do packets = load_packets(true, at, {});
    while (!is_of(packets, args.round) && !patience.is_over());
    return packets.x | uint64_t(packets.z) << 32;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A block. elements: where a word of the element goes, by bytes of it.
__global__ void __launch_bounds__(2 * GPUMEXK_ALLGATHER_RANKS)
    allgather(const __grid_constant__ gpumexk_allgather_args args, unsigned has, int element_bytes, unsigned char *elements) {
    if (threadIdx.x < args.words) send_word(args, threadIdx.x);
    const int from = int(threadIdx.x) / 2, part = int(threadIdx.x) % 2;
    if (from >= args.ranks || part >= int(args.words)) return;
    const uint64_t word = receive_word(args, from, part);
    if ((has >> from & 1) == 0) return;
    unsigned char *const to = elements + __popc(has & ((1u << from) - 1)) * element_bytes + 8 * part;
    const int bytes = element_bytes - 8 * part;
    for (int i = 0; i < bytes && i < 8; ++i) to[i] = static_cast<unsigned char>(word >> 8 * i);
}

__global__ void __launch_bounds__(THREADS)
    allreduce(const __grid_constant__ gpumexk_allgather_args args, bool adds, uint64_t *sums) {
    const size_t i = size_t(blockIdx.x) * THREADS + threadIdx.x;
    if (i >= args.words) return;
    send_word(args, i);
    uint64_t sum = adds ? sums[i] : 0;
    for (int from = 0; from < args.ranks; ++from) sum += receive_word(args, from, i);
    sums[i] = sum;
}

// ---- launchers ------------------------------------------------------------------------------------------------------

bool is_served(const gpumexk_allgather_args &args) {
    return args.ranks >= 1 && args.ranks <= GPUMEXK_ALLGATHER_RANKS && args.words >= 1 && args.words <= GPUMEXK_ALLGATHER_WORDS;
}

}  // namespace

int gpumexk_allgather(const gpumexk_allgather_args *args, unsigned has, int element_bytes, void *elements, gpumexk_stream stream) {
    if (!is_served(*args) || element_bytes < 1 || element_bytes > BYTES_MAX || args->words != (element_bytes > 8 ? 2 : 1)) {
        return cudaErrorInvalidValue;
    }
    allgather<<<1, 2 * GPUMEXK_ALLGATHER_RANKS, 0, stream>>>(*args, has, element_bytes, static_cast<unsigned char *>(elements));
    return cudaGetLastError();
}

int gpumexk_allreduce(const gpumexk_allgather_args *args, int adds, uint64_t *sums, gpumexk_stream stream) {
    if (!is_served(*args)) return cudaErrorInvalidValue;
    const unsigned blocks = static_cast<unsigned>(ceil_div(args->words, size_t(THREADS)));
    allreduce<<<blocks, THREADS, 0, stream>>>(*args, adds != 0, sums);
    return cudaGetLastError();
}
