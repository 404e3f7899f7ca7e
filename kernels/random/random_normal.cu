// random_normal.cu — normal random numbers that depend on seed and index alone.
//
//   k, l           = x0 | x1·2^32, x2 | x3·2^32            (x0 … x3) = Philox4x32-10 of counter b under the key `seed`
//   u              = 1 - ⌊k/2^12⌋·2^-52 (double), the upper 48 bits of k in two parts, rounded once (float), in (0, 1]
//   r, φ           = √(-2 ln u), 2π·(q/4 + t/8), q the upper two bits of l, t the next ones, in (-1, 1)
//   array[2b]      = mean + deviation · (r cos φ)
//   array[2b + 1]  = mean + deviation · (r sin φ)
//
// Algorithm  Box and Muller's transform, a pair for a block of Philox. The logarithm is e·ln 2 + 2 artanh ((m - 1)/(m + 1)) for
//            u = m·2^e, √½ ≤ m < √2; it, the sine and the cosine of t·π/4 are Taylor series.
// Cost       Writes the array once; a pair takes 10 rounds of Philox, a quotient, a root and about 80 sums and products.
// Limits     Any count. |mean| + 9·deviation is finite, deviation is not negative.
// Edges      Every floating operation is rounded to nearest and none fused, so that the elements are bit for bit those of
//            src/cpu/random_normal.rs, where the order of operations is the same.
// Source     G. Box, M. Muller, "A note on the generation of random normal deviates", 1958.

#include "kernels.h"
#include "random/philox.cuh"
#include "prim/grid/generate.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ float sum(float x, float y) { return __fadd_rn(x, y); }
__device__ __forceinline__ double sum(double x, double y) { return __dadd_rn(x, y); }
__device__ __forceinline__ float product(float x, float y) { return __fmul_rn(x, y); }
__device__ __forceinline__ double product(double x, double y) { return __dmul_rn(x, y); }
__device__ __forceinline__ float quotient(float x, float y) { return __fdiv_rn(x, y); }
__device__ __forceinline__ double quotient(double x, double y) { return __ddiv_rn(x, y); }
__device__ __forceinline__ float root(float x) { return __fsqrt_rn(x); }
__device__ __forceinline__ double root(double x) { return __dsqrt_rn(x); }

// c0 + x·(c1 + x·(c2 + …))
template <typename T>
__device__ __forceinline__ T series(T, T last) { return last; }

template <typename T, typename... Rest>
__device__ __forceinline__ T series(T x, T first, Rest... rest) { return sum(first, product(x, series<T>(x, rest...))); }

struct NormalFloat {
    using T = float;

    static __device__ float uniform(uint64_t k) {
        const float high = product(__uint2float_rn(static_cast<uint32_t>(k >> 40)), 0x1p-24f);
        return sum(high, product(__uint2float_rn((static_cast<uint32_t>(k >> 16) & 0xFFFFFF) + 1), 0x1p-48f));
    }

    // u = m·2^e
    static __device__ float mantissa(float u, float *e) {
        constexpr uint32_t ROOT = 0x3F3504F3;                      // √½
        const uint32_t shifted = __float_as_uint(u) - ROOT;
        *e = __int2float_rn(static_cast<int32_t>(shifted) >> 23);
        return __uint_as_float((shifted & 0x7FFFFF) + ROOT);
    }

    static __device__ float log(float u) {
        float e;
        const float m = mantissa(u, &e), s = quotient(sum(m, -1.0f), sum(m, 1.0f)), z = product(s, s);
        const float log_of_m =
            product(s, series(z, 2.0f, 2.0f / 3.0f, 2.0f / 5.0f, 2.0f / 7.0f, 2.0f / 9.0f, 2.0f / 11.0f));
        return sum(product(e, 0.693359375f), sum(log_of_m, product(e, -2.1219444e-4f)));
    }

    // t in (-1, 1), of the bits behind the quadrant's
    static __device__ float angle(uint64_t l) {
        const float high = product(__int2float_rn(static_cast<int32_t>(l >> 40) - (1 << 23)), 0x1p-23f);
        const float low = product(sum(__uint2float_rn(static_cast<uint32_t>(l >> 17) & 0x7FFFFF), 0.5f), 0x1p-46f);
        return product(sum(high, low), 0.785398185f);
    }

    static __device__ float sine(float x, float z) {
        return product(x, series(z, 1.0f, -1.0f / 6.0f, 1.0f / 120.0f, -1.0f / 5040.0f, 1.0f / 362880.0f));
    }

    static __device__ float cosine(float z) {
        return series(z, 1.0f, -1.0f / 2.0f, 1.0f / 24.0f, -1.0f / 720.0f, 1.0f / 40320.0f, -1.0f / 3628800.0f);
    }
};

struct NormalDouble {
    using T = double;

    static __device__ double bits(uint64_t word) { return __longlong_as_double(static_cast<long long>(word)); }

    static __device__ double uniform(uint64_t k) { return sum(2.0, -bits(0x3FF0000000000000 | k >> 12)); }

    static __device__ double log(double u) {
        constexpr uint64_t ROOT = 0x3FE6A09E667F3BCD;              // √½
        const uint64_t shifted = static_cast<uint64_t>(__double_as_longlong(u)) - ROOT;
        const double e = __int2double_rn(static_cast<int32_t>(shifted >> 32) >> 20);
        const double m = bits((shifted & 0xFFFFFFFFFFFFF) + ROOT), s = quotient(sum(m, -1.0), sum(m, 1.0)), z = product(s, s);
        const double log_of_m = product(s, series(z, 2.0, 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0, 2.0 / 9.0, 2.0 / 11.0, 2.0 / 13.0, 2.0 / 15.0,
                                                  2.0 / 17.0, 2.0 / 19.0, 2.0 / 21.0));
        return sum(product(e, 0.6931471803691238), sum(log_of_m, product(e, 1.9082149292705877e-10)));
    }

    static __device__ double angle(uint64_t l) {
        const double t = sum(sum(bits(0x4000000000000000 | l >> 12), -3.0), 0x1p-52);
        return product(t, 0.78539816339744830962);
    }

    static __device__ double sine(double x, double z) {
        return product(x, series(z, 1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0, 1.0 / 6227020800.0,
                                 -1.0 / 1307674368000.0, 1.0 / 355687428096000.0));
    }

    static __device__ double cosine(double z) {
        return series(z, 1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3628800.0, 1.0 / 479001600.0,
                      -1.0 / 87178291200.0, 1.0 / 20922789888000.0);
    }
};

// The pairs of an array, by the formulas of a type.
template <typename Of>
struct RandomNormal {
    using T = typename Of::T;

    uint64_t seed;
    T mean, deviation;

    __device__ __forceinline__ T scaled(T value) const { return sum(mean, product(deviation, value)); }

    __device__ __forceinline__ void pair(size_t b, T *even, T *odd) const {
        const PhiloxBlock block = philox(b, seed);
        const uint64_t k = block.x[0] | uint64_t(block.x[1]) << 32, l = block.x[2] | uint64_t(block.x[3]) << 32;
        const T r = root(product(T(-2), Of::log(Of::uniform(k))));
        const T angle = Of::angle(l << 2), z = product(angle, angle), sine = Of::sine(angle, z), cosine = Of::cosine(z);
        const bool is_odd = (l >> 62 & 1) != 0, is_left = l >> 63 != 0;
        const T x = is_odd ? -sine : cosine, y = is_odd ? cosine : sine;
        *even = scaled(product(r, is_left ? -x : x));
        *odd = scaled(product(r, is_left ? -y : y));
    }

    template <int LENGTH>
    __device__ void make(size_t first, T (&values)[LENGTH]) const {
#pragma unroll
        for (int p = 0; p < LENGTH; p += 2) pair((first + p) / 2, &values[p], &values[p + 1]);
    }
};

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_random_normal_f32(float *array, size_t count, uint64_t seed, float mean, float deviation,
                              const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_generate<1, 2>(array, count, RandomNormal<NormalFloat>{seed, mean, deviation}, *tuning, stream);
}

int gpumexk_random_normal_f64(double *array, size_t count, uint64_t seed, double mean, double deviation,
                              const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_generate<1, 2>(array, count, RandomNormal<NormalDouble>{seed, mean, deviation}, *tuning, stream);
}
