// extremum.cu — the smallest or the largest element along a dimension, and its position.
//
// Algorithm, cost, limits: prim/grid/dim_reduce.cuh. With positions each result is read again from its position.

#include "kernels.h"
#include "prim/grid/dim_reduce.cuh"
#include "prim/thread/float_extremum.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
cudaError_t launch_extremum(const DimArrays &args, void *scratch, size_t *bytes, cudaStream_t stream) {
    if (args.positions == nullptr) return launch_dim_reduce<true>(extremum_fold<Bits>(args), args, scratch, bytes, stream);
    FirstFold<Bits> fold;
    fold.order = rank_order<Bits>(args);
    return launch_dim_reduce<false>(fold, args, scratch, bytes, stream);
}

template <typename Float, bool OMITS>
cudaError_t launch_float_extremum(const DimArrays &args, void *scratch, size_t *bytes, cudaStream_t stream) {
    return launch_dim_reduce<true>(float_extremum_fold<Float, OMITS>(args), args, scratch, bytes, stream);
}

}  // namespace

int gpumexk_reduce_dim_extremum(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    if (args.positions == nullptr && args.dtype == FOLD_F32) {
        return (args.omits ? launch_float_extremum<float, true> : launch_float_extremum<float, false>)(args, scratch, bytes, stream);
    }
    if (args.positions == nullptr && args.dtype == FOLD_F64) {
        return (args.omits ? launch_float_extremum<double, true> : launch_float_extremum<double, false>)(args, scratch, bytes, stream);
    }
    switch (args.result_bytes) {
        case 1: return launch_extremum<uint8_t>(args, scratch, bytes, stream);
        case 2: return launch_extremum<uint16_t>(args, scratch, bytes, stream);
        case 4: return launch_extremum<uint32_t>(args, scratch, bytes, stream);
        default: return launch_extremum<uint64_t>(args, scratch, bytes, stream);
    }
}
