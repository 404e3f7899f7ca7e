// rare.cu — the other reductions along a dimension: counts of elements that are not 0 (any, all, count), products, sums and products of
// integers that saturate, means that leave NaN out.
//
// Algorithm, cost, limits: prim/grid/dim_reduce.cuh. But for counts elements of any dtype are converted by a branch on the dtype.

#include "kernels.h"
#include "prim/grid/dim_reduce.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
CountFold<Bits> count_fold(const DimArrays &args) {
    CountFold<Bits> fold;
    const Bits all = Bits(~Bits(0)), sign = RankOrder<Bits>::SIGN;
    const bool is_float = is_fold_float(args.dtype), omits = args.omits && args.op != REDUCTION_ALL;
    fold.mask = is_float ? Bits(~sign) : all;
    fold.limit = is_float && omits ? Bits(RankOrder<Bits>::INFINITE) : fold.mask;
    return fold;
}

}  // namespace

int gpumexk_reduce_dim_count(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    switch (args.dtype) {
        case FOLD_I8: case FOLD_U8: case FOLD_BOOL: return launch_dim_reduce<true>(count_fold<uint8_t>(args), args, scratch, bytes, stream);
        case FOLD_I16: case FOLD_U16: return launch_dim_reduce<false>(count_fold<uint16_t>(args), args, scratch, bytes, stream);
        case FOLD_F32: case FOLD_I32: case FOLD_U32:
            return launch_dim_reduce<false>(count_fold<uint32_t>(args), args, scratch, bytes, stream);
        default: return launch_dim_reduce<false>(count_fold<uint64_t>(args), args, scratch, bytes, stream);
    }
}

int gpumexk_reduce_dim_rare(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    const bool is_product = args.op == REDUCTION_PRODUCT, is_signed = is_fold_signed(args.dtype);
    const auto launch = [&](const auto &fold) { return launch_dim_reduce<false>(fold, args, scratch, bytes, stream); };
    if (args.op == REDUCTION_MEAN) return launch(CountedSumFold());
    if (args.saturates && is_signed) return is_product ? launch(clamped_fold<true>(args)) : launch(clamped_fold<false>(args));
    if (args.saturates) return is_product ? launch(capped_fold<true>(args)) : launch(capped_fold<false>(args));
    if (!is_product) return cudaErrorInvalidValue;
    if (args.dtype == FOLD_F32 && args.result_dtype == FOLD_F32) return launch(arithmetic_fold<MultiplyFold<float, float>>(args));
    if (args.result_dtype == FOLD_F64) return launch(arithmetic_fold<MultiplyAnyFold<double>>(args));
    return launch(arithmetic_fold<MultiplyAnyFold<uint64_t>>(args));
}
