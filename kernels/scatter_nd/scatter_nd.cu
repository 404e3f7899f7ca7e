// scatter_nd.cu — elements to positions of each dimension of an N-D array.
//
//   target[s0(i0), s1(i1), …] = values[i0, i1, …], where the positions are in range
//
// Algorithm  A walk (prim/grid/walk.cuh). Neighbouring threads store neighbouring columns, of bytes as well: so the stores of a warp
//            fill sectors.
// Cost       Reads values once and writes as much of target: bound by memory where neighbours go to neighbours.
// Limits     Elements of 1 to 16 bytes, 8 dimensions, any counts.
// Edges      Of elements that go to one place one wins, whichever; what no position names stays.
// Source     CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".

#include "kernels.h"
#include "prim/grid/walk.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct WalkScatter {
    static constexpr bool MOVES_WORDS = false;
    const T *values;                                               // or null: `value` goes everywhere
    T value;
    T *target;

    __device__ __forceinline__ void row(const WalkColumns<T, false> &columns, int64_t offset, size_t dense, size_t step) const {
        constexpr int COUNT = WALK_COLUMNS<T>;
        if (offset == NOWHERE) return;
        T held[COUNT];
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            held[k] = values != nullptr && (columns.exist >> k & 1) != 0 ? __ldg(values + dense + k * step) : value;
        }
#pragma unroll
        for (int k = 0; k < COUNT; ++k) {
            if ((columns.found >> k & 1) != 0) target[offset + columns.offsets[k]] = held[k];
        }
    }
};

template <typename T>
T value_of(uint64_t pattern) {
    if constexpr (sizeof(T) <= 8) return static_cast<T>(pattern);
    else return T{};                                               // one value is not widened
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_scatter_nd(const gpumexk_walk *walk, const void *values, uint64_t pattern, void *target, const gpumexk_tuning *tuning,
                       gpumexk_stream stream) {
    if (values == nullptr && walk->value_bytes > 8) return cudaErrorInvalidValue;
    const auto move_of = [&](auto zero) {
        using T = decltype(zero);
        return WalkScatter<T>{static_cast<const T *>(values), value_of<T>(pattern), static_cast<T *>(target)};
    };
    return launch_walk(*walk, values, move_of, *tuning, stream);
}
