// gather.cu — elements at given positions.
//
//   result[i] = source[indices[i]], and zero bytes where indices[i] is not below source_count
//
// Algorithm  Grid-stride over packets of indices (prim/grid/indexed.cuh).
// Cost       Reads indices and writes result once, and for an index that is far from its neighbours a sector of 32 bytes of source.
// Limits     Elements of 1, 2, 4 and 8 bytes, indices u32 or u64. Any count.
// Source     S. Baxter, "ModernGPU", The Library, "DeviceGather", NVIDIA 2013.

#include "kernels.h"
#include "prim/grid/indexed.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct Gather {
    static constexpr bool READS = false;
    const T *source;
    size_t count;

    template <typename Index>
    __device__ __forceinline__ T operator()(Index index, T) const { return index < count ? __ldg(source + index) : T(0); }
};

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_gather(const void *source, size_t source_count, int value_bytes, const void *indices, int index_bytes, size_t count,
                   void *result, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const auto access_of = [&](auto zero) {
        return Gather<decltype(zero)>{static_cast<const decltype(zero) *>(source), source_count};
    };
    return launch_indexed(value_bytes, index_bytes, result, indices, count, access_of, *tuning, stream);
}
