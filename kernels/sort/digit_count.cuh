// digit_count.cuh — histograms of all digits in one read of the keys; then the plan of the passes.
//
// Algorithm  Blocks count in shared memory, in `1 << columns` columns that the lanes of a warp share: with 32 of them there are
//            no bank conflicts. The sums are added to the plan by atomics, and the last block to finish makes the plan.
// Cost       Reads the keys once; a shared atomic a digit and key.
// Source     A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022, §4.1.
#pragma once

#include "sort/plan.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/thread/order.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int COUNT_THREADS = 1024, COUNT_LOADS = 4;               // loads of 16 bytes that a thread has in flight

// ---- kernels --------------------------------------------------------------------------------------------------------

// starts (passes, portions + 1, DIGITS): of portion 0, where in the result of the pass the keys of a digit begin. Where *unless is
// not 0 nothing is counted, and the plan has no passes.
template <typename Bits>
__global__ void __launch_bounds__(COUNT_THREADS)
sort_count(const Bits *keys, size_t count, KeyOrder<Bits> order, int columns, SortPlan *plan, unsigned long long *starts,
           size_t starts_stride, const int *unless) {
    constexpr int PASSES = sizeof(Bits);
    constexpr int LENGTH = PACKET_LENGTH<Bits>;
    using Pack = Packet<Bits>;
    extern __shared__ __align__(16) unsigned counts[];             // (PASSES, DIGITS, 1 << columns)
    const unsigned tid = threadIdx.x, column = tid & ((1u << columns) - 1);
    pdl_wait();
    if (unless != nullptr && *unless != 0) {                       // no pass has a turn
        if (blockIdx.x == 0 && tid < PASSES) plan->turn[tid] = -1;
        if (blockIdx.x == 0 && tid == 0) plan->passes = -1;
        return;
    }
    for (unsigned i = tid; i < (PASSES * DIGITS) << columns; i += COUNT_THREADS) counts[i] = 0;
    __syncthreads();

    // The keys before the first whole pack, and behind the last one, are the first block's.
    const auto tally = [&](Bits key) {
        const Bits rank = order.rank(key);
#pragma unroll
        for (int digit = 0; digit < PASSES; ++digit) {
            atomicAdd(&counts[((digit * DIGITS + digit_of(rank, digit)) << columns) | column], 1u);
        }
    };
    const size_t misaligned = reinterpret_cast<uintptr_t>(keys) % PACKET_BYTES;
    const size_t lead = min(count, (PACKET_BYTES - misaligned) % PACKET_BYTES / sizeof(Bits));
    const size_t packs = (count - lead) / LENGTH, tail = lead + packs * LENGTH;
    if (blockIdx.x == 0) {
        if (tid < lead) tally(keys[tid]);
        if (tid < count - tail) tally(keys[tail + tid]);
    }
    const Pack *const packed = reinterpret_cast<const Pack *>(keys + lead);
    const size_t step = size_t(gridDim.x) * COUNT_THREADS * COUNT_LOADS;
    for (size_t begin = size_t(blockIdx.x) * COUNT_THREADS * COUNT_LOADS; begin < packs; begin += step) {
        Pack pack[COUNT_LOADS];
        const bool whole = begin + COUNT_THREADS * COUNT_LOADS <= packs;
#pragma unroll
        for (int i = 0; i < COUNT_LOADS; ++i) {
            const size_t at = begin + i * COUNT_THREADS + tid;
            if (whole || at < packs) pack[i] = packed[at];
        }
#pragma unroll
        for (int i = 0; i < COUNT_LOADS; ++i) {
            if (whole || begin + i * COUNT_THREADS + tid < packs) {
#pragma unroll
                for (int j = 0; j < LENGTH; ++j) tally(pack[i].values[j]);
            }
        }
    }
    __syncthreads();

    for (unsigned cell = tid; cell < PASSES * DIGITS; cell += COUNT_THREADS) {
        unsigned sum = 0;
        for (unsigned i = 0; i < 1u << columns; ++i) {             // each lane begins with another bank
            sum += counts[(cell << columns) | ((i + tid) & ((1u << columns) - 1))];
        }
        if (sum != 0) atomicAdd(&plan->counts[cell / DIGITS][cell % DIGITS], static_cast<unsigned long long>(sum));
    }

    // The last block has all counts.
    __shared__ bool is_last;
    __threadfence();
    __syncthreads();
    if (tid == 0) is_last = atomicAdd(&plan->blocks_done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();

    // A warp a digit: eight counts a lane, summed up over the lanes.
    __shared__ bool is_common[PASSES_MAX];                         // whether all keys have this digit in common
    const unsigned warp = tid / WARP, lane = tid % WARP;
    if (warp < PASSES) {
        constexpr int EACH = DIGITS / WARP;
        unsigned long long own[EACH], sum = 0;
        bool common = false;
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            own[i] = __ldcg(&plan->counts[warp][lane * EACH + i]);
            common |= own[i] == count;
            sum += own[i];
        }
        unsigned long long before = warp_inclusive_sum(sum) - sum;
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            starts[warp * starts_stride + lane * EACH + i] = before;
            before += own[i];
        }
        common = __any_sync(ALL_LANES, common);
        if (lane == 0) is_common[warp] = common;
    }
    __syncthreads();
    if (tid == 0) {
        int passes = 0;
        for (int digit = 0; digit < PASSES; ++digit) plan->turn[digit] = is_common[digit] ? -1 : passes++;
        plan->passes = passes;
    }
}
