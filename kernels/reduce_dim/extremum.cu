// extremum.cu — the smallest or the largest element along a dimension, and its position.
//
// Algorithm, cost, limits: prim/grid/dim_reduce.cuh. With positions each result is read again from its position.

#include "kernels.h"
#include "prim/grid/dim_reduce.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
cudaError_t launch_extremum(const DimArrays &args, void *scratch, size_t *bytes, cudaStream_t stream) {
    if (args.positions == nullptr) return launch_dim_reduce<true>(extremum_fold<Bits>(args), args, scratch, bytes, stream);
    FirstFold<Bits> fold;
    fold.order = rank_order<Bits>(args);
    return launch_dim_reduce<false>(fold, args, scratch, bytes, stream);
}

}  // namespace

int gpumexk_reduce_dim_extremum(const gpumexk_dim_args *of, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const DimArrays args = dim_arrays(*of);
    switch (args.result_bytes) {
        case 1: return launch_extremum<uint8_t>(args, scratch, bytes, stream);
        case 2: return launch_extremum<uint16_t>(args, scratch, bytes, stream);
        case 4: return launch_extremum<uint32_t>(args, scratch, bytes, stream);
        default: return launch_extremum<uint64_t>(args, scratch, bytes, stream);
    }
}
