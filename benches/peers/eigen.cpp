// A sparse matrix, compressed by rows, times a vector by Eigen on several threads: a peer of benches/peers/cpu.py, which builds it.
#include <Eigen/SparseCore>
#include <cstdint>

template <typename T>
static void multiply(const T *values, const int32_t *columns, const int32_t *offsets, int32_t rows, int32_t cols, const T *x, T *y) {
    using Matrix = Eigen::SparseMatrix<T, Eigen::RowMajor, int32_t>;
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
    Eigen::Map<const Matrix> matrix(rows, cols, offsets[rows], offsets, columns, values);
    Eigen::Map<Vector>(y, rows).noalias() = matrix * Eigen::Map<const Vector>(x, cols);
}

extern "C" void eigen_threads(int threads) {
    Eigen::setNbThreads(threads);
}

extern "C" void eigen_spmv_float32(const float *values, const int32_t *columns, const int32_t *offsets, int32_t rows, int32_t cols,
                                   const float *x, float *y) {
    multiply(values, columns, offsets, rows, cols, x, y);
}

extern "C" void eigen_spmv_float64(const double *values, const int32_t *columns, const int32_t *offsets, int32_t rows, int32_t cols,
                                   const double *x, double *y) {
    multiply(values, columns, offsets, rows, cols, x, y);
}
