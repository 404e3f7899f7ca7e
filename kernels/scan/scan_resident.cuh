// scan_resident.cuh — scans of arrays that the registers of all multiprocessors hold.
//
// Algorithm  scan/scan_rows.cuh in each block, one a multiprocessor, which publishes its aggregate as a tile of scan/lookback.cuh and reads
//            those of all blocks before it, a thread each. A small kernel clears the state; this one is its dependent launch, and loads meanwhile.
// Cost       Reads and writes the array once; two launches.
// Limits     The elements of SCAN_RESIDENT_LEAST rows, and of SCAN_ROWS rows for each multiprocessor: 2^22 of 4 bytes on an H200.
// Edges      A block waits for those with lower numbers alone, which every device so far starts before it, as CUB's scans rely on as well.
//            The order of the operations depends on the count and on the device: sums of floats have the same bits each time.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016, with one tile a block.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/warp.cuh"
#include "scan/lookback.cuh"
#include "scan/scan_rows.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t SCAN_RESIDENT_LEAST = 6;                          // rows: with fewer one block of the pipeline needs one launch

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Op, typename T = typename Op::Value>
__global__ void __launch_bounds__(SCAN_ROWS_THREADS, 1)
    scan_resident(const T *data, size_t count, int rows, Op op, bool inclusive, bool aligned, void *state, T *result, T *total) {
    __shared__ T of_warps[SCAN_ROWS_WARPS], before_blocks[SCAN_ROWS_WARPS];
    ScanRows<Op> own({data, result, count, aligned}, rows, blockIdx.x);
    own.load(op);
    T sum, prefix = own.scan(op, of_warps, &sum);

    const Lookback<Op> lookback(state);
    const unsigned warp = threadIdx.x / WARP;
    pdl_wait();                                                    // the state is cleared
    if (threadIdx.x == 0) lookback.publish(blockIdx.x, sum);
    if (warp * WARP < blockIdx.x) {
        const T found = threadIdx.x < blockIdx.x ? lookback.wait_for(threadIdx.x) : Op::identity();
        const T before = warp_reduce(op, found);
        if (threadIdx.x % WARP == 0) before_blocks[warp] = before;
    }
    __syncthreads();                                               // what comes before the block is there, by 32 blocks each
    T before = Op::identity();
    for (unsigned w = 0; w * WARP < blockIdx.x; ++w) before = op.apply(before, before_blocks[w]);
    if (total != nullptr && threadIdx.x == 0 && blockIdx.x + 1 == gridDim.x) *total = op.store(op.apply(before, sum));
    own.store(op, op.apply(before, prefix), inclusive);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// *shape ← that of an array of `count` elements; no blocks where it is too long.
template <typename T>
cudaError_t scan_resident_shape(size_t count, ScanRowsShape *shape) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    sms = max(min(sms, size_t(SCAN_ROWS_THREADS)), size_t(1));     // a thread for each block
    const size_t rows = ceil_div(count, SCAN_ROW<T>), rows_of_block = ceil_div(rows, sms);
    *shape = {0, 0};
    if (error != cudaSuccess || rows < SCAN_RESIDENT_LEAST || rows_of_block > SCAN_ROWS) return error;
    *shape = {static_cast<unsigned>(ceil_div(rows, rows_of_block)), static_cast<int>(rows_of_block)};
    return cudaSuccess;
}

template <typename T>
constexpr size_t scan_resident_scratch(const ScanRowsShape &shape) { return lookback_bytes(shape.blocks, sizeof(T)); }

template <typename Op, typename T = typename Op::Value>
cudaError_t launch_scan_resident(const ScanRowsShape &shape, const Op &op, const T *data, size_t count, bool inclusive, bool aligned,
                                 void *state, T *result, T *total, cudaStream_t stream) {
    const auto kernel = scan_resident<Op>;
    bool pdl = false;
    cudaError_t error = remembered(&pdl, [&](int, bool *found) { return supports_pdl(kernel, found); });
    if (error == cudaSuccess) error = launch_lookback_clear(state, scan_resident_scratch<T>(shape), stream);
    if (error != cudaSuccess) return error;
    return launch_pdl(pdl, kernel, shape.blocks, SCAN_ROWS_THREADS, stream, data, count, shape.rows, op, inclusive, aligned, state, result, total);
}
