// random.cu — uniform random numbers that depend on seed and index alone.
//
//   key[2b], key[2b+1] = x0 | x1·2^32, x2 | x3·2^32        (x0 … x3) = Philox4x32-10 of counter b under the key `seed`
//   integers           lo + ⌊key · (range + 1) / 2^64⌋, in [lo, lo + range]
//   float, double      lo + u · (hi - lo), u = the upper 24 or 53 bits of the key as a fraction, in [lo, hi)
//
// Algorithm  Elements are made in packets, a block of Philox for two of them (prim/generate.cuh). Or the keys are given: sorted
//            ones give sorted elements, since every map here is monotonic.
// Cost       Writes the array once, 10 wide products an element: near memory speed for 8 bytes, arithmetic below. Given keys
//            are read once, 8 bytes an element.
// Limits     Any count; integers of 1, 2, 4 or 8 bytes. Of range + 1 values each has the same number of keys but for one in
//            ⌊2^64 / (range + 1)⌋. hi > lo, and hi - lo is finite.
// Edges      range = UINT64_MAX takes the key as it is. Every floating operation is rounded to nearest and none fused, so that
//            the elements are bit for bit those of the CPU; what rounds up to hi becomes the number below it.
// Source     J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11; D. Lemire, "Fast random integer
//            generation in an interval", 2019 (the product's upper half).

#include "kernels.h"
#include "prim/generate.cuh"
#include "prim/philox.cuh"

#include <string.h>

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int KEYS_PER_VALUE = 4;                                  // keys that a thread holds for each of tuning's values

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Key {
    __device__ uint64_t operator()(uint64_t key) const { return key; }
};

template <typename T>
struct Integer {
    uint64_t lo, range;

    __device__ T operator()(uint64_t key) const {
        return static_cast<T>(lo + (range == UINT64_MAX ? key : __umul64hi(key, range + 1)));
    }
};

struct Float {
    float lo, hi, below_hi;

    __device__ float operator()(uint64_t key) const {
        const float u = __fmul_rn(__uint2float_rn(static_cast<uint32_t>(key >> 40)), 0x1p-24f);
        const float value = __fadd_rn(lo, __fmul_rn(u, __fsub_rn(hi, lo)));
        return value >= hi ? below_hi : value;
    }
};

struct Double {
    double lo, hi, below_hi;

    __device__ double operator()(uint64_t key) const {
        const double u = __dmul_rn(__ull2double_rn(key >> 11), 0x1p-53);
        const double value = __dadd_rn(lo, __dmul_rn(u, __dsub_rn(hi, lo)));
        return value >= hi ? below_hi : value;
    }
};

// The elements that `map` makes of their own keys.
template <typename T, typename Map>
struct Random {
    uint64_t seed;
    Map map;

    __device__ __forceinline__ void pair(size_t b, T *even, T *odd) const {
        const PhiloxBlock block = philox(b, seed);
        *even = map(block.x[0] | uint64_t(block.x[1]) << 32);
        *odd = map(block.x[2] | uint64_t(block.x[3]) << 32);
    }

    template <int LENGTH>
    __device__ void make(size_t first, T (&values)[LENGTH]) const {
        constexpr int BITS = 8 * sizeof(T);
        if constexpr (BITS > 16) {
#pragma unroll
            for (int p = 0; p < LENGTH; p += 2) pair((first + p) / 2, &values[p], &values[p + 1]);
        } else {
            // Many elements: a loop of short code, whose pairs enter a register of 128 bits from above.
            uint64_t low = 0, high = 0;
#pragma unroll 2
            for (int p = 0; p < LENGTH; p += 2) {
                T even, odd;
                pair((first + p) / 2, &even, &odd);
                low = low >> 2 * BITS | high << (64 - 2 * BITS);
                high = high >> 2 * BITS | (even | uint64_t(odd) << BITS) << (64 - 2 * BITS);
            }
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) {
                values[p] = static_cast<T>((p < LENGTH / 2 ? low : high) >> p % (LENGTH / 2) * BITS);
            }
        }
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, int VT, typename Map>
__global__ void __launch_bounds__(BLOCK_MAX) random_from_keys(T *array, size_t count, const uint64_t *keys, Map map) {
    for_each_tile<VT>(count, [&](size_t begin, unsigned here) {
        uint64_t held[VT];
        T made[VT];
        global_to_register<0>(here, keys + begin, held, uint64_t(0));
#pragma unroll
        for (int i = 0; i < VT; ++i) made[i] = map(held[i]);
        register_to_global<0>(here, made, array + begin);
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// The number below a finite one, bit by bit: towards zero from above it, away from it from below.
template <typename T, typename Bits>
T below(T number) {
    Bits bits;
    memcpy(&bits, &number, sizeof bits);
    const Bits sign = Bits(1) << (8 * sizeof bits - 1);
    bits = number == 0 ? sign | 1 : number > 0 ? bits - 1 : bits + 1;
    memcpy(&number, &bits, sizeof bits);
    return number;
}

template <typename T, typename Map>
cudaError_t launch_from_keys(T *array, size_t count, const uint64_t *keys, Map map, const gpumexk_tuning &tuning,
                             gpumexk_stream stream) {
    if (!is_block(tuning.threads) || !is_aligned(array, sizeof(T))) return cudaErrorInvalidValue;
    return choose<1, 2>(tuning.values, [&](auto values) -> cudaError_t {
        if (count == 0) return cudaSuccess;
        constexpr int VT = decltype(values)::value * KEYS_PER_VALUE;
        unsigned blocks = 0;
        const cudaError_t error = tile_blocks(count, tuning.threads, VT, &blocks);
        if (error != cudaSuccess) return error;
        return launch<random_from_keys<T, VT, Map>>(blocks, tuning.threads, tuning.cache, stream, array, count, keys, map);
    });
}

template <typename T, typename Map>
cudaError_t launch_random(T *array, size_t count, uint64_t seed, const uint64_t *keys, Map map,
                          const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (keys != nullptr) return launch_from_keys(array, count, keys, map, *tuning, stream);
    return launch_generate<1, 2>(array, count, Random<T, Map>{seed, map}, *tuning, stream);
}

}  // namespace

int gpumexk_random_keys(uint64_t *keys, size_t count, uint64_t seed, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_generate<1, 2>(keys, count, Random<uint64_t, Key>{seed, {}}, *tuning, stream);
}

int gpumexk_random_int(void *array, size_t count, size_t value_bytes, uint64_t seed, const uint64_t *keys, uint64_t lo,
                       uint64_t range, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return with_width(value_bytes, [&](auto zero) {
        using T = decltype(zero);
        return launch_random(static_cast<T *>(array), count, seed, keys, Integer<T>{lo, range}, tuning, stream);
    });
}

int gpumexk_random_f32(float *array, size_t count, uint64_t seed, const uint64_t *keys, float lo, float hi,
                       const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const Float map = {lo, hi, below<float, uint32_t>(hi)};
    return launch_random(array, count, seed, keys, map, tuning, stream);
}

int gpumexk_random_f64(double *array, size_t count, uint64_t seed, const uint64_t *keys, double lo, double hi,
                       const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const Double map = {lo, hi, below<double, uint64_t>(hi)};
    return launch_random(array, count, seed, keys, map, tuning, stream);
}
