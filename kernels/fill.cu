// fill.cu — arrays of one value, and arithmetic progressions.
//
//   fill             array[i] = pattern
//   fill_ascending   array[i] = first + i · step
//
// Algorithm  Elements are made in packets of 16 bytes and stored in strided order (prim/generate.cuh).
// Cost       Writes the array once: bound by memory. The floating progressions take two double operations an element, which
//            bound them on devices with few units for those.
// Limits     Elements of 1, 2, 4 or 8 bytes, any count; the array is aligned to its elements.
// Edges      Integers wrap modulo 2^(8·bytes), signed and unsigned alike. Floating elements are (first + (i · step)) in double,
//            each operation rounded to nearest and none fused, the sum rounded to the element: bit for bit as on the CPU.
// Source     S. Baxter, "ModernGPU", The Library, "FillAscending", NVIDIA 2013.

#include "kernels.h"
#include "prim/generate.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct Pattern {
    T value;

    template <int LENGTH>
    __device__ void make(size_t, T (&values)[LENGTH]) const {
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) values[p] = value;
    }
};

template <typename T>
struct AscendingInt {
    T first, step;                                                 // their low bytes are enough

    template <int LENGTH>
    __device__ void make(size_t i, T (&values)[LENGTH]) const {
        const T begin = static_cast<T>(first + static_cast<T>(i) * step);
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) values[p] = static_cast<T>(begin + static_cast<T>(p) * step);
    }
};

__device__ inline void round_to(double value, float *rounded) { *rounded = __double2float_rn(value); }
__device__ inline void round_to(double value, double *rounded) { *rounded = value; }

template <typename T>
struct AscendingFloat {
    double first, step;

    template <int LENGTH>
    __device__ void make(size_t i, T (&values)[LENGTH]) const {
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            round_to(__dadd_rn(first, __dmul_rn(__ull2double_rn(i + p), step)), &values[p]);
        }
    }
};

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T, typename Generator>
cudaError_t launch_fill(T *array, size_t count, Generator generator, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_generate<1, 2, 4>(array, count, generator, *tuning, stream);
}

}  // namespace

int gpumexk_fill(void *array, size_t count, size_t value_bytes, uint64_t pattern, const gpumexk_tuning *tuning,
                 gpumexk_stream stream) {
    return with_width(value_bytes, [&](auto zero) {
        using T = decltype(zero);
        return launch_fill(static_cast<T *>(array), count, Pattern<T>{static_cast<T>(pattern)}, tuning, stream);
    });
}

int gpumexk_fill_ascending_int(void *array, size_t count, size_t value_bytes, uint64_t first, uint64_t step,
                               const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return with_width(value_bytes, [&](auto zero) {
        using T = decltype(zero);
        const AscendingInt<T> ascending = {static_cast<T>(first), static_cast<T>(step)};
        return launch_fill(static_cast<T *>(array), count, ascending, tuning, stream);
    });
}

int gpumexk_fill_ascending_f32(float *array, size_t count, double first, double step, const gpumexk_tuning *tuning,
                               gpumexk_stream stream) {
    return launch_fill(array, count, AscendingFloat<float>{first, step}, tuning, stream);
}

int gpumexk_fill_ascending_f64(double *array, size_t count, double first, double step, const gpumexk_tuning *tuning,
                               gpumexk_stream stream) {
    return launch_fill(array, count, AscendingFloat<double>{first, step}, tuning, stream);
}
