// scan_cluster.cuh — scans of arrays that the registers of one thread-block cluster hold, in one launch.
//
// Algorithm  scan/scan_rows.cuh in each block, then blocks by their aggregates, which each block stores into the shared memory of all.
// Cost       Reads and writes the array once; two barriers of the cluster. One H200: CUB takes 1.2 to 1.5 times as long up to 2^17
//            elements of 4 bytes.
// Limits     The elements of SCAN_CLUSTER_ROWS rows of the widest cluster, which has 16 blocks at most.
// Edges      The order of the operations depends on the count and on the device's clusters: sums of floats have the same bits each time.
// Source     CUDA C++ Programming Guide, "Distributed Shared Memory".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/cluster/cluster.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"
#include "scan/scan_rows.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned SCAN_CLUSTER_ROWS = 2;                          // with more a block on each multiprocessor is faster

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Op, typename T = typename Op::Value>
__global__ void __launch_bounds__(SCAN_ROWS_THREADS, 1)
    scan_cluster(const T *data, size_t count, int rows, Op op, bool inclusive, bool aligned, T *result, T *total) {
    __shared__ T of_warps[SCAN_ROWS_WARPS], of_blocks[WARP];
    const unsigned lane = threadIdx.x % WARP, rank = cluster_rank(), blocks = cluster_blocks();
    if (threadIdx.x < WARP) of_blocks[threadIdx.x] = Op::identity();
    cluster_arrive();                                              // from now on other blocks may store into it

    ScanRows<Op> own({data, result, count, aligned}, rows, rank);
    own.load(op);
    T sum, prefix = own.scan(op, of_warps, &sum);
    cluster_wait();                                                // all blocks have begun
    if (blocks > 1) {
        if (threadIdx.x < blocks) cluster_store(threadIdx.x, &of_blocks[rank], sum);
        cluster_sync();
        const T of_ranks = warp_scan(op, of_blocks[lane]);
        prefix = op.apply(__shfl_sync(ALL_LANES, warp_exclusive(op, of_ranks), rank), prefix);
        sum = __shfl_sync(ALL_LANES, of_ranks, WARP - 1);
    }
    if (total != nullptr && rank == 0 && threadIdx.x == 0) *total = op.store(sum);
    own.store(op, prefix, inclusive);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// *widest ← the largest cluster of the current device.
inline cudaError_t widest_scan_cluster(unsigned *widest) {
    return remembered(widest, [](int, unsigned *found) {
        const auto kernel = scan_cluster<Sum<uint32_t>>;           // all of them have as many threads, and no more registers
        cudaError_t error = allow_wide(kernel);
        return error == cudaSuccess ? widest_cluster(kernel, SCAN_ROWS_THREADS, 0, found) : error;
    });
}

// *shape ← that of an array of `count` elements; no blocks where it is too long.
template <typename T>
cudaError_t scan_cluster_shape(size_t count, ScanRowsShape *shape) {
    unsigned widest = 1;
    const cudaError_t error = widest_scan_cluster(&widest);
    *shape = {0, 0};
    if (error != cudaSuccess || count > widest * SCAN_CLUSTER_ROWS * SCAN_ROW<T>) return error;
    unsigned blocks = 1;
    while (blocks < widest && blocks * SCAN_ROW<T> < count) blocks *= 2;
    *shape = {blocks, static_cast<int>(max(ceil_div(count, blocks * SCAN_ROW<T>), size_t(1)))};
    return cudaSuccess;
}

template <typename Op, typename T = typename Op::Value>
cudaError_t launch_scan_cluster(const ScanRowsShape &shape, const Op &op, const T *data, size_t count, bool inclusive, bool aligned, T *result,
                                T *total, cudaStream_t stream) {
    return launch_clusters<scan_cluster<Op>, Allow::WIDE>(dim3(shape.blocks), shape.blocks, SCAN_ROWS_THREADS, 0, stream, data, count,
                                                          shape.rows, op, inclusive, aligned, result, total);
}
