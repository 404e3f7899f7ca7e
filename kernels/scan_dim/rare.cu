// rare.cu — the other scans along a dimension: minima, maxima, products, and sums and products of integers that saturate.
//
// Algorithm, cost, limits: scan_dim/scan_dim.cuh.

#include "kernels.h"
#include "scan_dim/scan_dim.cuh"

int gpumexk_scan_dim_extremum(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    const auto launch = [&](const auto &fold) { return launch_dim_scan(fold, args, scratch, bytes, stream); };
    switch (args.result_bytes) {
        case 1: return launch(extremum_fold<uint8_t>(args));
        case 2: return launch(extremum_fold<uint16_t>(args));
        case 4: return launch(extremum_fold<uint32_t>(args));
        default: return launch(extremum_fold<uint64_t>(args));
    }
}

int gpumexk_scan_dim_rare(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    const bool is_product = args.op == REDUCTION_PRODUCT, is_signed = is_fold_signed(args.dtype);
    const auto launch = [&](const auto &fold) { return launch_dim_scan(fold, args, scratch, bytes, stream); };
    if (args.saturates && is_signed) return is_product ? launch(clamped_fold<true>(args)) : launch(clamped_fold<false>(args));
    if (args.saturates) return is_product ? launch(capped_fold<true>(args)) : launch(capped_fold<false>(args));
    if (!is_product) return cudaErrorInvalidValue;
    if (args.dtype == FOLD_F32 && args.result_dtype == FOLD_F32) return launch(arithmetic_fold<MultiplyFold<float, float>>(args));
    if (args.result_dtype == FOLD_F64) return launch(arithmetic_fold<MultiplyAnyFold<double>>(args));
    return launch(arithmetic_fold<MultiplyAnyFold<uint64_t>>(args));
}
