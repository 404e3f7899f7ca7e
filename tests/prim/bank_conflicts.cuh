// bank_conflicts.cuh — two kernels for a profiler: strided order to thread order and back, in shared memory, with an odd and
// with an even number of values a thread. Odd has no bank conflicts, even has them eightfold:
//
//   metric=l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op
//   ncu -k regex:transposes --metrics ${metric}_ld.sum,${metric}_st.sum moves --bank-conflicts
#pragma once

#include "prim/block/move.cuh"

#include <cstdio>
#include <vector>

constexpr int TRANSPOSE_THREADS = 256;
constexpr unsigned TRANSPOSE_BLOCKS = 1024;
constexpr int TRANSPOSE_ROUNDS = 64;

// Two exchanges a round, which cancel, with one added between them: values[e] ← values[e] + TRANSPOSE_ROUNDS.
template <int VT>
__device__ void transposes(float *values) {
    constexpr int NT = TRANSPOSE_THREADS;
    __shared__ float tile[NT * VT];
    float strided[VT], in_order[VT];
    float *const mine = values + size_t(blockIdx.x) * NT * VT;
    global_to_register<NT>(NT * VT, mine, strided);
    for (int round = 0; round < TRANSPOSE_ROUNDS; ++round) {
        register_to_shared<NT>(NT * VT, strided, tile);
        shared_to_thread<NT>(NT * VT, tile, in_order);
#pragma unroll
        for (int i = 0; i < VT; ++i) in_order[i] += 1.0f;
        thread_to_shared<NT>(NT * VT, in_order, tile);
        shared_to_register<NT>(NT * VT, tile, strided);
    }
    register_to_global<NT>(NT * VT, strided, mine);
}

__global__ void transposes_odd_7(float *values) { transposes<7>(values); }
__global__ void transposes_even_8(float *values) { transposes<8>(values); }

// Runs the kernel once cold and once timed, checks what it leaves, prints one line; returns the number of failures.
inline int run_transpose(void (*kernel)(float *), unsigned vt, const char *name) {
    std::vector<float> values(size_t(TRANSPOSE_BLOCKS) * TRANSPOSE_THREADS * vt);
    for (size_t e = 0; e < values.size(); ++e) values[e] = float(e % 65536);
    const size_t bytes = values.size() * sizeof values[0];
    float *device = nullptr, ms = 0;
    cudaEvent_t before, after;
    cudaMalloc(&device, bytes);
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    cudaMemcpy(device, values.data(), bytes, cudaMemcpyHostToDevice);
    kernel<<<TRANSPOSE_BLOCKS, TRANSPOSE_THREADS>>>(device);
    cudaEventRecord(before);
    kernel<<<TRANSPOSE_BLOCKS, TRANSPOSE_THREADS>>>(device);
    cudaEventRecord(after);
    cudaMemcpy(values.data(), device, bytes, cudaMemcpyDeviceToHost);
    cudaEventElapsedTime(&ms, before, after);
    const cudaError_t error = cudaGetLastError();
    cudaFree(device);

    int failures = error != cudaSuccess;
    for (size_t e = 0; e < values.size(); ++e) failures += values[e] != float(e % 65536) + 2 * TRANSPOSE_ROUNDS;
    const double accesses = 4.0 * TRANSPOSE_ROUNDS * double(values.size());
    std::printf("%s: %.1f G shared accesses a second, %d wrong (%s)\n", name, accesses / ms / 1e6, failures,
                cudaGetErrorString(error));
    return failures;
}

inline int run_transposes() {
    return run_transpose(transposes_odd_7, 7, "transposes_odd_7") + run_transpose(transposes_even_8, 8, "transposes_even_8");
}
