// sum.cu — sums and means along a dimension: of floats in their own type or double, of integers in 64 bits, or in double.
//
// Algorithm, cost, limits: prim/grid/dim_reduce.cuh. Integers of 1 and 2 bytes are summed exactly, whatever the result.

#include "kernels.h"
#include "prim/grid/dim_reduce.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Launch>
cudaError_t dispatch_add(const DimArrays &args, Launch launch) {
    const bool in_double = args.result_dtype == FOLD_F64;
    switch (args.dtype) {
        case FOLD_F32: return in_double || args.op == REDUCTION_MEAN ? launch(arithmetic_fold<AddFold<float, double>>(args))
                                                                      : launch(arithmetic_fold<AddFold<float, float>>(args));
        case FOLD_F64: return launch(arithmetic_fold<AddFold<double, double>>(args));
        case FOLD_I8: return launch(arithmetic_fold<AddFold<int8_t, uint64_t>>(args));
        case FOLD_I16: return launch(arithmetic_fold<AddFold<int16_t, uint64_t>>(args));
        case FOLD_U8: case FOLD_BOOL: return launch(arithmetic_fold<AddFold<uint8_t, uint64_t>>(args));
        case FOLD_U16: return launch(arithmetic_fold<AddFold<uint16_t, uint64_t>>(args));
        case FOLD_I32: return in_double ? launch(arithmetic_fold<AddFold<int32_t, double>>(args))
                                        : launch(arithmetic_fold<AddFold<int32_t, uint64_t>>(args));
        case FOLD_U32: return in_double ? launch(arithmetic_fold<AddFold<uint32_t, double>>(args))
                                        : launch(arithmetic_fold<AddFold<uint32_t, uint64_t>>(args));
        case FOLD_I64: return in_double ? launch(arithmetic_fold<AddFold<int64_t, double>>(args))
                                        : launch(arithmetic_fold<AddFold<uint64_t, uint64_t>>(args));
        case FOLD_U64: return in_double ? launch(arithmetic_fold<AddFold<uint64_t, double>>(args))
                                        : launch(arithmetic_fold<AddFold<uint64_t, uint64_t>>(args));
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace

int gpumexk_reduce_dim_sum(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    return dispatch_add(args, [&](const auto &fold) {
        using Fold = std::decay_t<decltype(fold)>;
        constexpr bool VECTOR = sizeof(typename Fold::In) <= 2 || sizeof(typename Fold::In) == sizeof(typename Fold::Value);
        return launch_dim_reduce<VECTOR>(fold, args, scratch, bytes, stream);
    });
}
