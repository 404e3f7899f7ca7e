// raytrace.cu — orthographic ray cast of spheres, the same search through three memory paths.
//
//   each pixel shows the sphere that its ray hits first (raytrace/formula.cuh)
//   spheres (count, 7) f32: r, g, b, radius, x, y, z      image: of any form (raytrace/picture.cuh)
//
// Algorithm  One thread a pixel goes through all spheres and keeps t, dz and the number of the best, then shades it.
//            global     plain pointer: ordinary loads
//            read_only  const and __restrict__: loads through the read-only data cache
//            constant   chunks of 2340 spheres are copied to constant memory in turn; t of the best sphere so far waits
//                       in `depth` between chunks, and a chunk repaints the pixels that it improves.
// Cost       width·height·count tests of some ten operations; 3 or 4 bytes written a pixel. All threads of a warp read the
//            same sphere: one broadcast a warp on every path. From 1024 spheres on they outgrow the constant
//            cache near the arithmetic, and constant is the slowest of the three on an H200.
// Limits     Any width, height, count.
// Edges      t = -∞ may win where nothing else hits. count = 0 gives the background.
// Source     J. Sanders, E. Kandrot, "CUDA by Example", chapter 6, 2010; University of Sheffield, CUDA lab 03.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "raytrace/formula.cuh"
#include "raytrace/picture.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t CHUNK = GPUMEXK_RAYTRACE_CONSTANT_SPHERES;
constexpr size_t NONE = ~size_t(0);                                // no sphere has this number
constexpr unsigned BLOCK_X = 32;                                   // a warp paints 128 neighbouring bytes

__constant__ float constant_spheres[CHUNK * FLOATS];               // (CHUNK, FLOATS)
static_assert(sizeof constant_spheres <= 65536, "constant memory holds 64 KiB");

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Best {
    float t;                                                       // of the best hit so far; NaN: none so far
    float dz;                                                      // of the best of these spheres
    size_t sphere;                                                 // its number among these spheres; NONE: none of them
};

__device__ inline float no_hit() { return __int_as_float(0x7fffffff); } // NaN

// The best of `count` spheres for the ray from (ox, oy), given the t that they have to beat. The memory that it reads
// is the caller's choice: this function is compiled into each kernel anew, with what is known of the pointer there.
__device__ __forceinline__ Best nearest(const float *spheres, size_t count, float ox, float oy, float t_to_beat) {
    Best best = {t_to_beat, 0.0f, NONE};
    for (size_t s = 0; s < count; ++s) {
        const float *sphere = spheres + s * FLOATS;
        const float radius = sphere[RADIUS];
        const float d = squared_distance(ox, oy, sphere[X], sphere[Y]);
        if (radius > 0.0f && d < __fmul_rn(radius, radius)) {
            const float dz = rise(d, radius);
            const float t = __fadd_rn(sphere[Z], dz);
            // Wins unless it is NaN or not above the best; no t is <= the NaN that stands for no hit.
            if (t == t && !(t <= best.t)) best = {t, dz, s};
        }
    }
    return best;
}

__device__ __forceinline__ uchar4 paint(const float *spheres, Best best) {
    return best.sphere == NONE ? background() : shaded(spheres + best.sphere * FLOATS, best.dz);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// image may alias spheres for all the compiler knows, so that these are ordinary loads.
__global__ void raytrace_global(const float *spheres, size_t count, Picture picture, uint8_t *image) {
    const size_t width = picture.width, height = picture.height;
    for (size_t j = grid_y(); j < height; j += grid_height()) {
        for (size_t i = grid_x(); i < width; i += grid_width()) {
            const Best best = nearest(spheres, count, origin(i, width), origin(j, height), no_hit());
            store_pixel(picture, image, i, j, paint(spheres, best));
        }
    }
}

// The promise of const and __restrict__, that nobody writes the spheres, is what allows the read-only path.
__global__ void raytrace_read_only(const float *__restrict__ spheres, size_t count, Picture picture,
                                   uint8_t *__restrict__ image) {
    const size_t width = picture.width, height = picture.height;
    for (size_t j = grid_y(); j < height; j += grid_height()) {
        for (size_t i = grid_x(); i < width; i += grid_width()) {
            const Best best = nearest(spheres, count, origin(i, width), origin(j, height), no_hit());
            store_pixel(picture, image, i, j, paint(spheres, best));
        }
    }
}

// One chunk of `count` spheres. The first chunk paints every pixel, a later one those that it improves. depth (height,
// width) carries the best t from chunk to chunk; NULL when there is a single chunk.
__global__ void raytrace_constant(bool first, size_t count, Picture picture, float *depth, uint8_t *image) {
    const size_t width = picture.width, height = picture.height;
    for (size_t j = grid_y(); j < height; j += grid_height()) {
        for (size_t i = grid_x(); i < width; i += grid_width()) {
            const size_t pixel = j * width + i;
            const float t_to_beat = first ? no_hit() : depth[pixel];
            const Best best = nearest(constant_spheres, count, origin(i, width), origin(j, height), t_to_beat);
            if (first || best.sphere != NONE) {
                store_pixel(picture, image, i, j, paint(constant_spheres, best));
                if (depth != nullptr) depth[pixel] = best.t;
            }
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

dim3 block_of(const gpumexk_tuning &tuning) { return dim3(BLOCK_X, tuning.threads / BLOCK_X); }

Picture form_of(const gpumexk_picture &picture) { return {picture.width, picture.height, picture.channels, picture.layout}; }

}  // namespace

int gpumexk_raytrace_global(const float *spheres, size_t count, const gpumexk_picture *picture, uint8_t *image,
                            const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (picture->width == 0 || picture->height == 0) return cudaSuccess;
    const dim3 block = block_of(*tuning);
    return launch<raytrace_global>(cover(picture->width, picture->height, block), block, tuning->cache, stream, spheres, count,
                                   form_of(*picture), image);
}

int gpumexk_raytrace_read_only(const float *spheres, size_t count, const gpumexk_picture *picture, uint8_t *image,
                               const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (picture->width == 0 || picture->height == 0) return cudaSuccess;
    const dim3 block = block_of(*tuning);
    return launch<raytrace_read_only>(cover(picture->width, picture->height, block), block, tuning->cache, stream, spheres,
                                      count, form_of(*picture), image);
}

int gpumexk_raytrace_constant(const float *spheres, size_t count, const gpumexk_picture *picture, float *depth, uint8_t *image,
                              const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (picture->width == 0 || picture->height == 0) return cudaSuccess;
    if (count > CHUNK && depth == nullptr) return cudaErrorInvalidValue;
    if (count <= CHUNK) depth = nullptr;

    // A chunk's copy waits in the stream until the kernel of the chunk before it has finished with the bank.
    const dim3 block = block_of(*tuning), grid = cover(picture->width, picture->height, block);
    size_t done = 0;
    do {
        const size_t now = at_most(count - done, CHUNK);
        cudaError_t error = cudaSuccess;
        if (now > 0) {
            error = cudaMemcpyToSymbolAsync(constant_spheres, spheres + done * FLOATS, now * FLOATS * sizeof(float), 0,
                                            cudaMemcpyDeviceToDevice, stream);
        }
        if (error != cudaSuccess) return error;
        error = launch<raytrace_constant>(grid, block, tuning->cache, stream, done == 0, now, form_of(*picture), depth, image);
        if (error != cudaSuccess) return error;
        done += now;
    } while (done < count);
    return cudaSuccess;
}
