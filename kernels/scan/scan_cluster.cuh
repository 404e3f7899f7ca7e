// scan_cluster.cuh — scans of arrays that the registers of one thread-block cluster hold, in one launch.
//
// Algorithm  A thread has up to SCAN_ROWS packets of 16 bytes, a warp consecutive ones: row r of it is 32 packets. Rows are scanned over
//            the lanes, independently of each other, then warps and blocks by their aggregates, which each block stores into the
//            shared memory of all.
// Cost       Reads and writes the array once; two barriers of the cluster. One H200: CUB takes 1.1 to 1.6 times as long up to 2^18
//            elements of 4 bytes. Up to 16 blocks: beyond, more multiprocessors than a cluster has are faster.
// Limits     scan_cluster_max elements. Arrays that are not aligned to 16 bytes take a load and a store an element.
// Edges      result may be data: a thread stores where it has loaded. The order of the operations depends on the count and on the
//            device's clusters: sums of floats have the same bits each time.
// Source     The hierarchy of M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007; CUDA C++
//            Programming Guide, "Distributed Shared Memory".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/cluster/cluster.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int SCAN_ROWS = 8;
constexpr unsigned SCAN_CLUSTER_THREADS = 1024, SCAN_CLUSTER_WARPS = SCAN_CLUSTER_THREADS / WARP;
constexpr unsigned SCAN_ROWS_ALONE = 2;                            // of one block, where there are no clusters

// ---- device helpers -------------------------------------------------------------------------------------------------

// What a thread holds: packets of which those from `count` elements on, and their elements, are missing.
template <typename T>
struct RowOfPackets {
    const T *data;
    T *result;
    size_t count;
    bool aligned;

    __device__ __forceinline__ bool is_whole(size_t first) const { return aligned && first + PACKET_LENGTH<T> <= count; }
    template <typename Op>
    __device__ __forceinline__ Packet<T> load(const Op &op, size_t first) const {
        Packet<T> packet;
        if (is_whole(first)) {
            packet = *reinterpret_cast<const Packet<T> *>(data + first);
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) packet.values[p] = op.load(packet.values[p]);
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) packet.values[p] = first + p < count ? op.load(data[first + p]) : Op::identity();
        }
        return packet;
    }
    __device__ __forceinline__ void store(const Packet<T> &packet, size_t first) const {
        if (is_whole(first)) {
            *reinterpret_cast<Packet<T> *>(result + first) = packet;
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) {
                if (first + p < count) result[first + p] = packet.values[p];
            }
        }
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Op, typename T = typename Op::Value>
__global__ void __launch_bounds__(SCAN_CLUSTER_THREADS, 1)
    scan_cluster(const T *data, size_t count, int rows, Op op, bool inclusive, bool aligned, T *result, T *total) {
    __shared__ T of_warps[SCAN_CLUSTER_WARPS], of_blocks[WARP];
    constexpr int LENGTH = PACKET_LENGTH<T>, ROW = WARP * LENGTH;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, rank = cluster_rank(), blocks = cluster_blocks();
    if (threadIdx.x < WARP) of_blocks[threadIdx.x] = Op::identity();
    cluster_arrive();                                              // from now on other blocks may store into it

    const RowOfPackets<T> all = {data, result, count, aligned};
    const size_t first = (size_t(rank) * SCAN_CLUSTER_WARPS + warp) * rows * ROW + lane * LENGTH;
    Packet<T> packets[SCAN_ROWS];
#pragma unroll
    for (int r = 0; r < SCAN_ROWS; ++r) {
        if (r < rows) packets[r] = all.load(op, first + r * ROW);
    }
    T before[SCAN_ROWS], own = Op::identity();                     // a packet's prefix within the warp, and the warp's aggregate
#pragma unroll
    for (int r = 0; r < SCAN_ROWS; ++r) {
        if (r >= rows) break;
        T sum = packets[r].values[0];
#pragma unroll
        for (int p = 1; p < LENGTH; ++p) sum = op.apply(sum, packets[r].values[p]);
        const T scanned = warp_scan(op, sum);
        before[r] = op.apply(own, warp_exclusive(op, scanned));
        own = op.apply(own, __shfl_sync(ALL_LANES, scanned, WARP - 1));
    }

    if (lane == 0) of_warps[warp] = own;
    __syncthreads();
    const T warps = warp_scan(op, of_warps[lane]);
    T prefix = __shfl_sync(ALL_LANES, warp_exclusive(op, warps), warp), sum = __shfl_sync(ALL_LANES, warps, WARP - 1);
    cluster_wait();                                                // all blocks have begun
    if (blocks > 1) {
        if (threadIdx.x < blocks) cluster_store(threadIdx.x, &of_blocks[rank], sum);
        cluster_sync();
        const T of_ranks = warp_scan(op, of_blocks[lane]);
        prefix = op.apply(__shfl_sync(ALL_LANES, warp_exclusive(op, of_ranks), rank), prefix);
        sum = __shfl_sync(ALL_LANES, of_ranks, WARP - 1);
    }
    if (total != nullptr && rank == 0 && threadIdx.x == 0) *total = op.store(sum);

#pragma unroll
    for (int r = 0; r < SCAN_ROWS; ++r) {
        if (r >= rows) break;
        T value = op.apply(prefix, before[r]);
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            const T next = op.apply(value, packets[r].values[p]);
            packets[r].values[p] = op.store(inclusive ? next : value);
            value = next;
        }
        all.store(packets[r], first + r * ROW);
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

struct ScanClusterShape {
    unsigned blocks;
    int rows;
};

// *widest ← the largest cluster of the current device.
inline cudaError_t widest_scan_cluster(unsigned *widest) {
    return remembered(widest, [](int, unsigned *found) {
        const auto kernel = scan_cluster<Sum<uint32_t>>;           // all of them have as many threads, and no more registers
        cudaError_t error = allow_wide(kernel);
        return error == cudaSuccess ? widest_cluster(kernel, SCAN_CLUSTER_THREADS, 0, found) : error;
    });
}

// *shape ← that of an array of `count` elements; no blocks where it is too long.
template <typename T>
cudaError_t scan_cluster_shape(size_t count, ScanClusterShape *shape) {
    constexpr size_t ROW = SCAN_CLUSTER_THREADS * PACKET_LENGTH<T>;
    unsigned widest = 1;
    const cudaError_t error = widest_scan_cluster(&widest);
    const size_t rows_max = widest > 1 ? SCAN_ROWS : SCAN_ROWS_ALONE;
    *shape = {0, 0};
    if (error != cudaSuccess || count > widest * rows_max * ROW) return error;
    unsigned blocks = 1;
    while (blocks < widest && blocks * ROW < count) blocks *= 2;
    *shape = {blocks, static_cast<int>(max(ceil_div(count, blocks * ROW), size_t(1)))};
    return cudaSuccess;
}

template <typename Op, typename T = typename Op::Value>
cudaError_t launch_scan_cluster(const ScanClusterShape &shape, const Op &op, const T *data, size_t count, bool inclusive,
                                bool aligned, T *result, T *total, cudaStream_t stream) {
    return launch_clusters<scan_cluster<Op>, Allow::WIDE>(dim3(shape.blocks), shape.blocks, SCAN_CLUSTER_THREADS, 0, stream, data, count,
                                                          shape.rows, op, inclusive, aligned, result, total);
}
