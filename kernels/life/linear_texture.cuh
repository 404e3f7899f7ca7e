// linear_texture.cuh — texture objects over linear memory: limit, creation, destruction.
//
// Algorithm  A texture object for each range of memory, read element by element with tex1Dfetch.
// Cost       A driver call each, a few microseconds.
// Limits     A texture ends after 2^27 or 2^28 elements, which the device says: longer memory takes several.
// Edges      Memory starts at a multiple of 512 bytes. An object that a kernel in flight still reads must not be destroyed.
// Source     CUDA C++ Programming Guide, "Texture Object API".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

// ---- host helpers ---------------------------------------------------------------------------------------------------

// *elements ← how many a texture of Texel holds on the current device.
template <typename Texel>
cudaError_t texture_limit(size_t *elements) {
    int device = 0;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>();
    const cudaError_t error = cudaGetDevice(&device);
    return error == cudaSuccess ? cudaDeviceGetTexture1DLinearMaxWidth(elements, &format, device) : error;
}

// *texture ← one over `elements` of memory.
template <typename Texel>
cudaError_t create_texture(Texel *memory, size_t elements, cudaTextureObject_t *texture) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<Texel>();
    resource.res.linear.sizeInBytes = elements * sizeof(Texel);
    cudaTextureDesc reading = {};
    reading.readMode = cudaReadModeElementType;
    return cudaCreateTextureObject(texture, &resource, &reading, nullptr);
}

// Ends the first *created of the textures; the first failure counts, `error` first of all.
inline cudaError_t destroy_textures(const cudaTextureObject_t *textures, size_t *created, cudaError_t error) {
    while (*created > 0) {
        const cudaError_t destroyed = cudaDestroyTextureObject(textures[--*created]);
        if (error == cudaSuccess) error = destroyed;
    }
    return error;
}
