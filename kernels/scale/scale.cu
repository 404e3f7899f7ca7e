// scale.cu — a vector times a number, or divided by one or by its square root.
//
//   x[i] ← alpha · x[i],  x[i] / alpha  or  x[i] / √alpha        x (count) float or double
//
// Algorithm  prim/grid/update.cuh; the root is computed by each thread, once.
// Cost       Reads and writes x: bound by memory. A division takes about ten operations, which hide behind that.
// Limits     Any count.
// Edges      Each operation is rounded once, as IEEE 754 has it: the bits are those of the CPU.
// Source     C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage", ACM TOMS 5, 1979 (SCAL).

#include "kernels.h"
#include "prim/grid/update.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

enum Factor { FACTOR_ALPHA = 0, FACTOR_RECIPROCAL = 1, FACTOR_RECIPROCAL_ROOT = 2 };   // gpumex_scale_factor

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, size_t ALIGNMENT, int VT>
__global__ void __launch_bounds__(BLOCK_MAX) scale_multiply(Scalar<T> alpha_at, T *x, size_t count) {
    const T alpha = alpha_at.load();
    update<READS_Y, ALIGNMENT, VT>(x, x, count, [=](T, T value) { return alpha * value; });
}

template <typename T, size_t ALIGNMENT, int VT>
__global__ void __launch_bounds__(BLOCK_MAX) scale_divide(Scalar<T> alpha_at, bool by_root, T *x, size_t count) {
    const T alpha = alpha_at.load(), divisor = by_root ? sqrt(alpha) : alpha;
    update<READS_Y, ALIGNMENT, VT>(x, x, count, [=](T, T value) { return value / divisor; });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_scale(const gpumexk_scalar &alpha, int factor, T *x, size_t count, const gpumexk_tuning &tuning,
                         gpumexk_stream stream) {
    return launch_update(x, x, count, tuning, [&](auto alignment, auto values, unsigned blocks) {
        constexpr size_t ALIGNMENT = decltype(alignment)::value;
        constexpr int VT = decltype(values)::value;
        const unsigned threads = tuning.threads;
        return factor == FACTOR_ALPHA
                   ? launch<scale_multiply<T, ALIGNMENT, VT>>(blocks, threads, tuning.cache, stream, scalar_of<T>(alpha), x, count)
                   : launch<scale_divide<T, ALIGNMENT, VT>>(blocks, threads, tuning.cache, stream, scalar_of<T>(alpha),
                                                            factor == FACTOR_RECIPROCAL_ROOT, x, count);
    });
}

}  // namespace

int gpumexk_scale_f32(const gpumexk_scalar *alpha, int factor, float *x, size_t count, const gpumexk_tuning *tuning,
                      gpumexk_stream stream) {
    return launch_scale(*alpha, factor, x, count, *tuning, stream);
}

int gpumexk_scale_f64(const gpumexk_scalar *alpha, int factor, double *x, size_t count, const gpumexk_tuning *tuning,
                      gpumexk_stream stream) {
    return launch_scale(*alpha, factor, x, count, *tuning, stream);
}
