// sum.cu — sums along a dimension, from one element to the next: of floats in their own type or double, of integers in 64 bits.
//
// Algorithm, cost, limits: scan_dim/scan_dim.cuh.

#include "kernels.h"
#include "scan_dim/scan_dim.cuh"

int gpumexk_scan_dim_sum(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    const auto launch = [&](const auto &fold) { return launch_dim_scan(fold, args, scratch, bytes, stream); };
    const bool is_float = is_fold_float(args.dtype), in_double = args.result_dtype == FOLD_F64;
    if (args.dtype == FOLD_F32 && !in_double) return launch(arithmetic_fold<AddFold<float, float>>(args));
    if (args.dtype == FOLD_F64) return launch(arithmetic_fold<AddFold<double, double>>(args));
    if (is_float || in_double) return launch(arithmetic_fold<ArithmeticFold<AnyReader<double>, double, false>>(args));
    if (args.dtype == FOLD_I32) return launch(arithmetic_fold<AddFold<int32_t, uint64_t>>(args));
    return launch(arithmetic_fold<ArithmeticFold<AnyReader<uint64_t>, uint64_t, false>>(args));
}
