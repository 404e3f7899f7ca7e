// scatter.cu — elements to given positions.
//
//   target[indices[i]] = source[i], where indices[i] is below target_count
//
// Algorithm  Grid-stride over packets of indices (prim/grid/indexed.cuh).
// Cost       Reads indices and source once. Indices in a row are bound by memory; of random ones each writes a sector of 32 bytes, which
//            is read first where the target does not fit into the second-level cache.
// Limits     Elements of 1, 2, 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      Of equal indices one wins, whichever; what no index names stays.
// Source     S. Baxter, "ModernGPU", The Library, "DeviceScatter", NVIDIA 2013.

#include "kernels.h"
#include "prim/grid/indexed.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct Scatter {
    static constexpr bool READS = true;
    T *target;
    size_t count;

    template <typename Index>
    __device__ __forceinline__ T operator()(Index index, T element) const {
        if (index < count) target[index] = element;
        return element;
    }
};

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_scatter(const void *source, int value_bytes, const void *indices, int index_bytes, size_t count, void *target,
                    size_t target_count, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const auto access_of = [&](auto zero) {
        return Scatter<decltype(zero)>{static_cast<decltype(zero) *>(target), target_count};
    };
    return launch_indexed(value_bytes, index_bytes, const_cast<void *>(source), indices, count, access_of, *tuning, stream);
}
