// cluster.cuh — blocks of one cluster: who they are, how they hand each other words, how they are launched.
//
// Algorithm  A word goes straight into another block's shared memory, and its bytes count at a barrier there (an Arrival):
//            the receiver waits for as many as it expects, and nobody for anyone else.
// Cost       One H200: a barrier of the whole cluster 0.23 us; a word and its arrival about half.
// Limits     Code for compute capability 9.0 on; older code, PTX of it included, runs as clusters of one block and sends nothing.
// Edges      A receiver must have made its arrivals and met the cluster before anyone sends; nothing may be sent to a block
//            that does not wait for it, since that block may have ended.
// Source     PTX ISA, "st.async" and "mbarrier"; CUDA C++ Programming Guide, "Thread Block Clusters".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/thread/shared_address.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned CLUSTER_MAX = 16;                               // beyond 8 a kernel has to ask for it

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ inline unsigned cluster_rank() {
    unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}

__device__ inline unsigned cluster_blocks() {
    unsigned blocks = 1;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
#endif
    return blocks;
}

// All threads of all blocks meet; what they wrote before can be seen.
__device__ inline void cluster_meet() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

// All threads of all blocks meet, and no memory is ordered: what each of them had to read it has read.
__device__ inline void cluster_part() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
#endif
}

// The address of the same place in the shared memory of another block.
__device__ inline uint32_t address_in(unsigned block, const void *place) {
    uint32_t address = shared_address(place);
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(address) : "r"(block));
#endif
    return address;
}

// A barrier in shared memory that opens when one thread has said how many bytes come, and they have come. It serves round
// after round, and a round's parity is 0, 1, 0, …
struct Arrival {
    uint64_t state;

    __device__ void make() {
#if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&state)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
    }

    __device__ void expect(unsigned bytes) {
#if __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&state)), "r"(bytes) : "memory");
#endif
        (void)bytes;
    }

    __device__ void wait(unsigned parity) {
#if __CUDA_ARCH__ >= 900
        unsigned open = 0;
        while (open == 0) {
            asm volatile("{\n\t.reg .pred p;\n\t"
                         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(open) : "r"(shared_address(&state)), "r"(parity) : "memory");
        }
#endif
        (void)parity;
    }
};

// Writes one, two or four words to an address of address_in(), aligned to all of them, and counts their bytes at an arrival
// of the same block.
template <int WORDS>
__device__ inline void send(uint32_t address, const uint32_t *words, uint32_t arrival) {
#if __CUDA_ARCH__ >= 900
    if constexpr (WORDS == 4) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];"
                     ::"r"(address), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(arrival) : "memory");
    } else if constexpr (WORDS == 2) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];"
                     ::"r"(address), "r"(words[0]), "r"(words[1]), "r"(arrival) : "memory");
    } else {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                     ::"r"(address), "r"(words[0]), "r"(arrival) : "memory");
    }
#endif
    (void)address, (void)words, (void)arrival;
}
// ---- host helpers ---------------------------------------------------------------------------------------------------

inline cudaLaunchAttribute cluster_of(unsigned blocks) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {blocks, 1, 1};
    return attribute;
}

// Lets a kernel have all the shared memory of a block, and clusters of CLUSTER_MAX; *bytes ← that memory.
template <typename... Parameters>
cudaError_t allow_large(void (*kernel)(Parameters...), size_t *bytes) {
    int device = 0, limit = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess) error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, limit);
    cudaFuncAttributes attributes = {};
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess && attributes.ptxVersion >= 90) {
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }
    *bytes = static_cast<size_t>(limit);
    return error;
}

// *blocks ← the largest cluster of such blocks that the current device runs; 1 for code without clusters.
template <typename... Parameters>
cudaError_t widest_cluster(void (*kernel)(Parameters...), unsigned threads, size_t bytes, unsigned *blocks) {
    cudaFuncAttributes attributes = {};
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    *blocks = 1;
    if (error != cudaSuccess || attributes.ptxVersion < 90) return error;
    for (unsigned size = CLUSTER_MAX; size > 1; size /= 2) {
        cudaLaunchAttribute attribute = cluster_of(size);
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(size), config.blockDim = dim3(threads);
        config.dynamicSmemBytes = bytes;
        config.attrs = &attribute, config.numAttrs = 1;
        int active = 0;
        if (cudaOccupancyMaxActiveClusters(&active, kernel, &config) == cudaSuccess && active > 0) {
            *blocks = size;
            return cudaSuccess;
        }
        (void)cudaGetLastError();                                  // a size that the device does not have
    }
    return cudaSuccess;
}

// Launches one cluster of `blocks` blocks.
template <typename... Parameters, typename... Arguments>
cudaError_t launch_cluster(unsigned blocks, unsigned threads, size_t bytes, cudaStream_t stream,
                           void (*kernel)(Parameters...), Arguments... arguments) {
    cudaLaunchAttribute attribute = cluster_of(blocks);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes, config.stream = stream;
    config.attrs = &attribute, config.numAttrs = blocks > 1 ? 1 : 0;
    const cudaError_t error = cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
    return error == cudaSuccess ? cudaGetLastError() : error;
}
