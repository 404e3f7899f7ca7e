// axpy.cu — a vector plus a multiple of another one.
//
//   y[i] ← fma (alpha, x[i], beta · y[i]), and alpha · x[i] where beta is 0        x, y (count) float or double
//
// Algorithm  prim/grid/update.cuh. All threads see the same beta, which may lie on the device, and take one of the two loops.
// Cost       Reads x and, unless beta is 0, y, and writes y: bound by memory.
// Limits     Any count.
// Edges      Two IEEE operations an element, a product and a fused multiply-add: the bits are those of the CPU. y that beta = 0 leaves
//            out is not read: NaN in it is gone.
// Source     C. Lawson et al., "Basic Linear Algebra Subprograms for Fortran Usage", ACM TOMS 5, 1979 (AXPY).

#include "kernels.h"
#include "prim/grid/update.cuh"

namespace {

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, size_t ALIGNMENT, int VT>
__global__ void __launch_bounds__(BLOCK_MAX) axpy(Scalar<T> alpha_at, Scalar<T> beta_at, const T *x, T *y, size_t count) {
    const T alpha = alpha_at.load(), beta = beta_at.load();
    if (beta == T(0)) {
        update<READS_X, ALIGNMENT, VT>(x, y, count, [=](T a, T) { return alpha * a; });
    } else {
        update<READS_X | READS_Y, ALIGNMENT, VT>(x, y, count, [=](T a, T b) { return fma(alpha, a, beta * b); });
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_axpy(const gpumexk_scalar &alpha, const gpumexk_scalar &beta, const T *x, T *y, size_t count,
                        const gpumexk_tuning &tuning, gpumexk_stream stream) {
    return launch_update(x, y, count, tuning, [&](auto alignment, auto values, unsigned blocks) {
        return launch<axpy<T, decltype(alignment)::value, decltype(values)::value>>(
            blocks, tuning.threads, tuning.cache, stream, scalar_of<T>(alpha), scalar_of<T>(beta), x, y, count);
    });
}

}  // namespace

int gpumexk_axpy_f32(const gpumexk_scalar *alpha, const gpumexk_scalar *beta, const float *x, float *y, size_t count,
                     const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_axpy(*alpha, *beta, x, y, count, *tuning, stream);
}

int gpumexk_axpy_f64(const gpumexk_scalar *alpha, const gpumexk_scalar *beta, const double *x, double *y, size_t count,
                     const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_axpy(*alpha, *beta, x, y, count, *tuning, stream);
}
