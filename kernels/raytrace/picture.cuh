// picture.cuh — where the channels of a pixel go, in each form of a picture.
//
//   layout 0: (j·width + i)·channels + c;  1: (c·height + j)·width + i;  2: (c·width + i)·height + j
//
// Algorithm  A picture has a fast axis u, along which the bytes of memory run, and a slow one v: columns and rows, but rows and
//            columns in layout 2. With these, pixel (u, v) of a plane is at (c·slow + v)·fast + u in both planar layouts.
//            Four neighbours on u go as one store of 16 bytes (RGBA), three of 4 (RGB) or one of 4 a plane, where the
//            address allows it; else pixel by pixel, channel by channel: a caller's byte array may start anywhere.
// Cost       Branches that are the same for the whole grid, but at the picture's edge.
// Limits     3 channels red, green, blue or 4, alpha behind them.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int INTERLEAVED = 0, PLANAR_COLUMNS = 2;                 // layouts of kernels.h

struct Picture {
    size_t width, height;
    int channels, layout;

    __host__ __device__ size_t fast() const { return layout == PLANAR_COLUMNS ? height : width; }
    __host__ __device__ size_t slow() const { return layout == PLANAR_COLUMNS ? width : height; }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ bool starts_at_multiple(const void *address, size_t of) {
    return reinterpret_cast<size_t>(address) % of == 0;
}

__device__ __forceinline__ void store_uv(const Picture &picture, uint8_t *image, size_t u, size_t v, uchar4 value) {
    const size_t pixel = v * picture.fast() + u;
    if (picture.layout == INTERLEAVED && picture.channels == 4 && starts_at_multiple(image, sizeof(uchar4))) {
        reinterpret_cast<uchar4 *>(image)[pixel] = value;
        return;
    }
    const bool is_interleaved = picture.layout == INTERLEAVED;
    const size_t plane = is_interleaved ? 1 : picture.width * picture.height;
    uint8_t *bytes = image + pixel * (is_interleaved ? picture.channels : 1);
    bytes[0] = value.x, bytes[plane] = value.y, bytes[2 * plane] = value.z;
    if (picture.channels == 4) bytes[3 * plane] = value.w;
}

__device__ __forceinline__ void store_uv(const Picture &picture, uint8_t *image, size_t u, size_t v, unsigned rgba) {
    store_uv(picture, image, u, v, make_uchar4(rgba & 255, rgba >> 8 & 255, rgba >> 16 & 255, rgba >> 24));
}

__device__ __forceinline__ void store_pixel(const Picture &picture, uint8_t *image, size_t i, size_t j, uchar4 value) {
    const bool is_swapped = picture.layout == PLANAR_COLUMNS;
    store_uv(picture, image, is_swapped ? j : i, is_swapped ? i : j, value);
}

// Four pixels as words, the byte of red the lowest: their bytes number CHANNEL, the first pixel's the lowest.
template <int CHANNEL>
__device__ __forceinline__ unsigned plane_of(const unsigned (&rgba)[4]) {
    constexpr unsigned PAIR = (4 + CHANNEL) << 4 | CHANNEL;        // byte CHANNEL of each of two words
    const unsigned low = __byte_perm(rgba[0], rgba[1], PAIR), high = __byte_perm(rgba[2], rgba[3], PAIR);
    return __byte_perm(low, high, 0x5410);
}

// The four pixels from (u, v) on, all of which the picture has. False: nothing was stored, the address does not allow it.
__device__ __forceinline__ bool store_four(const Picture &picture, uint8_t *image, size_t u, size_t v,
                                           const unsigned (&rgba)[4]) {
    const size_t pixel = v * picture.fast() + u;
    if (picture.layout != INTERLEAVED) {
        const size_t plane = picture.width * picture.height;
        uint8_t *bytes = image + pixel;
        if (!starts_at_multiple(bytes, 4) || plane % 4 != 0) return false;
        *reinterpret_cast<unsigned *>(bytes) = plane_of<0>(rgba);
        *reinterpret_cast<unsigned *>(bytes + plane) = plane_of<1>(rgba);
        *reinterpret_cast<unsigned *>(bytes + 2 * plane) = plane_of<2>(rgba);
        if (picture.channels == 4) *reinterpret_cast<unsigned *>(bytes + 3 * plane) = ~0u;
        return true;
    }
    if (picture.channels == 4) {
        uint8_t *bytes = image + 4 * pixel;
        if (!starts_at_multiple(bytes, sizeof(uint4))) return false;
        *reinterpret_cast<uint4 *>(bytes) = make_uint4(rgba[0], rgba[1], rgba[2], rgba[3]);
        return true;
    }
    unsigned *words = reinterpret_cast<unsigned *>(image + 3 * pixel);
    if (!starts_at_multiple(words, 4)) return false;
    words[0] = __byte_perm(rgba[0], rgba[1], 0x4210);              // r g b | r
    words[1] = __byte_perm(rgba[1], rgba[2], 0x5421);              // g b | r g
    words[2] = __byte_perm(rgba[2], rgba[3], 0x6542);              // b | r g b
    return true;
}
