// launch_cluster.cuh — launches of thread-block clusters, and what a device offers of them.
//
// Algorithm  A kernel asks for clusters of more than 8 blocks, and for more than 48 KiB of shared memory, by attributes of its own on a
//            device, which are set before its first launch there.
// Cost       The current device and one byte of memory a launch; what a device offers is for the caller to remember().
// Limits     Attributes are remembered for 64 devices; beyond, they are set at each launch.
// Edges      Where other code resets the device the attributes are gone: a launch that fails sets them and is tried once more.
// Source     CUDA C++ Programming Guide, "Thread Block Clusters"; CUDA Runtime API, cudaFuncSetAttribute.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/cluster/cluster.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/launch.cuh"

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline cudaLaunchAttribute cluster_of(unsigned blocks) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {blocks, 1, 1};
    return attribute;
}

// Lets a kernel have clusters of CLUSTER_MAX.
template <typename... Parameters>
cudaError_t allow_wide(void (*kernel)(Parameters...)) {
    cudaFuncAttributes attributes = {};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess || attributes.ptxVersion < 90) return error;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
}

// The same with all the shared memory of a block; *bytes ← what of it is not the kernel's own.
template <typename... Parameters>
cudaError_t allow_large(void (*kernel)(Parameters...), size_t *bytes) {
    int device = 0, limit = 0;
    cudaFuncAttributes attributes = {};
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, kernel);
    const int most = limit - static_cast<int>(attributes.sharedSizeBytes);
    if (error == cudaSuccess) error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (error == cudaSuccess) error = allow_wide(kernel);
    *bytes = static_cast<size_t>(most);
    return error;
}

// How many clusters of so many such blocks the current device runs at once; 0 where it has no such clusters.
template <typename... Parameters>
unsigned clusters_at_once(void (*kernel)(Parameters...), unsigned threads, size_t bytes, unsigned blocks) {
    cudaLaunchAttribute attribute = cluster_of(blocks);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.attrs = &attribute, config.numAttrs = 1;
    int active = 0;
    if (cudaOccupancyMaxActiveClusters(&active, kernel, &config) == cudaSuccess && active > 0) return static_cast<unsigned>(active);
    (void)cudaGetLastError();                                      // a size that the device does not have
    return 0;
}

// *blocks ← the largest cluster of such blocks that the current device runs; 1 for code without clusters.
template <typename... Parameters>
cudaError_t widest_cluster(void (*kernel)(Parameters...), unsigned threads, size_t bytes, unsigned *blocks) {
    cudaFuncAttributes attributes = {};
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    *blocks = 1;
    if (error != cudaSuccess || attributes.ptxVersion < 90) return error;
    for (unsigned size = CLUSTER_MAX; size > 1 && *blocks == 1; size /= 2) {
        if (clusters_at_once(kernel, threads, bytes, size) > 0) *blocks = size;
    }
    return cudaSuccess;
}

// What KERNEL is allowed before its first launch.
enum class Allow { WIDE, LARGE };                                  // wide clusters, or those and all the shared memory of a block

template <auto KERNEL, Allow ALLOW>
cudaError_t allow() {
    size_t bytes = 0;
    return ALLOW == Allow::LARGE ? allow_large(KERNEL, &bytes) : allow_wide(KERNEL);
}

// Launches `grid` in clusters of `blocks` blocks, with `pdl` as a dependent launch of the kernel before it in the stream.
template <auto KERNEL, Allow ALLOW, typename... Arguments>
cudaError_t launch_clusters_pdl(bool pdl, dim3 grid, unsigned blocks, unsigned threads, size_t bytes, cudaStream_t stream,
                            const Arguments &...arguments) {
    static unsigned char allowed[DEVICES_REMEMBERED];
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess) return error;
    unsigned char *const known = device < DEVICES_REMEMBERED ? &allowed[device] : nullptr;
    if (known == nullptr || __atomic_load_n(known, __ATOMIC_RELAXED) == 0) {
        error = allow<KERNEL, ALLOW>();
        if (error != cudaSuccess) return error;
        if (known != nullptr) __atomic_store_n(known, 1, __ATOMIC_RELAXED);
    }
    cudaLaunchAttribute attributes[2];
    unsigned count = 0;
    if (blocks > 1) attributes[count++] = cluster_of(blocks);
    if (pdl) attributes[count++] = dependent_launch();
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes, config.stream = stream;
    config.attrs = attributes, config.numAttrs = count;
    const auto run = [&] {
        const cudaError_t result = cudaLaunchKernelEx(&config, KERNEL, arguments...);
        return result == cudaSuccess ? cudaGetLastError() : result;
    };
    error = run();
    if (error == cudaSuccess || error == cudaErrorMemoryAllocation) return error;
    (void)cudaGetLastError();
    error = allow<KERNEL, ALLOW>();
    return error == cudaSuccess ? run() : error;
}

template <auto KERNEL, Allow ALLOW, typename... Arguments>
cudaError_t launch_clusters(dim3 grid, unsigned blocks, unsigned threads, size_t bytes, cudaStream_t stream,
                            const Arguments &...arguments) {
    return launch_clusters_pdl<KERNEL, ALLOW>(false, grid, blocks, threads, bytes, stream, arguments...);
}
