// raytrace.cu — orthographic ray cast of spheres, the same search through three memory paths.
//
//   pixel (i, j), i = column, j = row, looks along z from (ox, oy) = (i - width/2, j - height/2):
//   dx = ox - x, dy = oy - y, d = fma(dy, dy, dx·dx)      hit iff radius > 0 and d < radius·radius
//   dz = √fma(radius, radius, -d), t = z + dz             the largest t wins, the first sphere on a tie, NaN never
//   channel = trunc(clamp((colour · (dz / radius)) · 255, 0, 255)), NaN gives 0; background 0, 0, 0; alpha 255
//   spheres (count, 7) f32: r, g, b, radius, x, y, z      rgba (height, width, 4) u8
//
// Algorithm  One thread a pixel goes through all spheres and keeps t, dz and the number of the best, then shades it.
//            global     plain pointer: ordinary loads
//            read_only  const and __restrict__: loads through the read-only data cache
//            constant   chunks of 2340 spheres are copied to constant memory in turn; t of the best sphere so far waits
//                       in `depth` between chunks, and a chunk repaints the pixels that it improves.
// Cost       width·height·count tests of some ten operations; 4 bytes written a pixel. All threads of a warp read the
//            same sphere: one broadcast a warp on every path. From 1024 spheres on they outgrow the constant
//            cache near the arithmetic, and constant is the slowest of the three on an H200.
// Limits     Any width, height, count. float coordinates: pixel numbers above 2^24 round.
// Edges      Every operation is one IEEE rounding, spelled out: the compiler may neither fuse nor flush, so the image
//            is bit for bit that of the CPU. t = -∞ may win where nothing else hits. count = 0 gives the background.
// Source     J. Sanders, E. Kandrot, "CUDA by Example", chapter 6, 2010; University of Sheffield, CUDA lab 03.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/tune.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

enum { RED, GREEN, BLUE, RADIUS, X, Y, Z, FLOATS };                // one sphere

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

__device__ inline float no_hit() { return __int_as_float(0x7fffffff); }   // NaN

// i - width/2
__device__ inline float origin(size_t i, size_t width) {
    return __fsub_rn(__ull2float_rn(i), __fmul_rn(__ull2float_rn(width), 0.5f));
}

// The best of `count` spheres for the ray from (ox, oy), given the t that they have to beat. The memory that it reads
// is the caller's choice: this function is compiled into each kernel anew, with what is known of the pointer there.
__device__ __forceinline__ Best nearest(const float *spheres, size_t count, float ox, float oy, float t_to_beat) {
    Best best = {t_to_beat, 0.0f, NONE};
    for (size_t s = 0; s < count; ++s) {
        const float *sphere = spheres + s * FLOATS;
        const float radius = sphere[RADIUS];
        const float dx = __fsub_rn(ox, sphere[X]);
        const float dy = __fsub_rn(oy, sphere[Y]);
        const float d = __fmaf_rn(dy, dy, __fmul_rn(dx, dx));
        if (radius > 0.0f && d < __fmul_rn(radius, radius)) {
            const float dz = __fsqrt_rn(__fmaf_rn(radius, radius, -d));
            const float t = __fadd_rn(sphere[Z], dz);
            // Wins unless it is NaN or not above the best; no t is <= the NaN that stands for no hit.
            if (t == t && !(t <= best.t)) best = {t, dz, s};
        }
    }
    return best;
}

// trunc(clamp((colour · shade) · 255, 0, 255)); fmaxf prefers 0 to NaN.
__device__ inline unsigned char channel(float colour, float shade) {
    const float value = __fmul_rn(__fmul_rn(colour, shade), 255.0f);
    return static_cast<unsigned char>(__float2uint_rz(fminf(fmaxf(value, 0.0f), 255.0f)));
}

__device__ __forceinline__ uchar4 paint(const float *spheres, Best best) {
    if (best.sphere == NONE) return make_uchar4(0, 0, 0, 255);
    const float *sphere = spheres + best.sphere * FLOATS;
    const float shade = __fdiv_rn(best.dz, sphere[RADIUS]);
    return make_uchar4(channel(sphere[RED], shade), channel(sphere[GREEN], shade), channel(sphere[BLUE], shade), 255);
}

// One 32-bit store where the image starts at a multiple of 4, else four bytes: a caller's byte array may start
// anywhere.
__device__ inline void store_pixel(uint8_t *rgba, size_t pixel, uchar4 value) {
    if (reinterpret_cast<size_t>(rgba) % sizeof(uchar4) == 0) {
        reinterpret_cast<uchar4 *>(rgba)[pixel] = value;
    } else {
        uint8_t *bytes = rgba + 4 * pixel;
        bytes[0] = value.x, bytes[1] = value.y, bytes[2] = value.z, bytes[3] = value.w;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// rgba may alias spheres for all the compiler knows, so that these are ordinary loads.
__global__ void raytrace_global(const float *spheres, size_t count, size_t width, size_t height, uint8_t *rgba) {
    for (size_t j = grid_y(); j < height; j += grid_height()) {
        for (size_t i = grid_x(); i < width; i += grid_width()) {
            const Best best = nearest(spheres, count, origin(i, width), origin(j, height), no_hit());
            store_pixel(rgba, j * width + i, paint(spheres, best));
        }
    }
}

// The promise of const and __restrict__, that nobody writes the spheres, is what allows the read-only path.
__global__ void raytrace_read_only(const float *__restrict__ spheres, size_t count, size_t width, size_t height,
                                   uint8_t *__restrict__ rgba) {
    for (size_t j = grid_y(); j < height; j += grid_height()) {
        for (size_t i = grid_x(); i < width; i += grid_width()) {
            const Best best = nearest(spheres, count, origin(i, width), origin(j, height), no_hit());
            store_pixel(rgba, j * width + i, paint(spheres, best));
        }
    }
}

// One chunk of `count` spheres. The first chunk paints every pixel, a later one those that it improves. depth (height,
// width) carries the best t from chunk to chunk; NULL when there is a single chunk.
__global__ void raytrace_constant(bool first, size_t count, size_t width, size_t height, float *depth, uint8_t *rgba) {
    for (size_t j = grid_y(); j < height; j += grid_height()) {
        for (size_t i = grid_x(); i < width; i += grid_width()) {
            const size_t pixel = j * width + i;
            const float t_to_beat = first ? no_hit() : depth[pixel];
            const Best best = nearest(constant_spheres, count, origin(i, width), origin(j, height), t_to_beat);
            if (first || best.sphere != NONE) {
                store_pixel(rgba, pixel, paint(constant_spheres, best));
                if (depth != nullptr) depth[pixel] = best.t;
            }
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

dim3 block_of(const gpumexk_tuning &tuning) { return dim3(BLOCK_X, tuning.threads / BLOCK_X); }

}  // namespace

int gpumexk_raytrace_global(const float *spheres, size_t count, size_t width, size_t height, uint8_t *rgba,
                            const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    const dim3 block = block_of(*tuning);
    return launch<raytrace_global>(cover(width, height, block), block, tuning->cache, stream, spheres, count, width, height,
                                   rgba);
}

int gpumexk_raytrace_read_only(const float *spheres, size_t count, size_t width, size_t height, uint8_t *rgba,
                               const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    const dim3 block = block_of(*tuning);
    return launch<raytrace_read_only>(cover(width, height, block), block, tuning->cache, stream, spheres, count, width,
                                      height, rgba);
}

int gpumexk_raytrace_constant(const float *spheres, size_t count, size_t width, size_t height, float *depth, uint8_t *rgba,
                              const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (width == 0 || height == 0) return cudaSuccess;
    if (count > CHUNK && depth == nullptr) return cudaErrorInvalidValue;
    if (count <= CHUNK) depth = nullptr;

    // A chunk's copy waits in the stream until the kernel of the chunk before it has finished with the bank.
    const dim3 block = block_of(*tuning), grid = cover(width, height, block);
    size_t done = 0;
    do {
        const size_t now = at_most(count - done, CHUNK);
        cudaError_t error = cudaSuccess;
        if (now > 0) {
            error = cudaMemcpyToSymbolAsync(constant_spheres, spheres + done * FLOATS, now * FLOATS * sizeof(float), 0,
                                            cudaMemcpyDeviceToDevice, stream);
        }
        if (error != cudaSuccess) return error;
        error = launch<raytrace_constant>(grid, block, tuning->cache, stream, done == 0, now, width, height, depth, rgba);
        if (error != cudaSuccess) return error;
        done += now;
    } while (done < count);
    return cudaSuccess;
}
