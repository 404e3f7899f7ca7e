// permute.cu — dimensions in another order; of a matrix, its transpose.
//
//   result[i] = source[i in the order of the source]
//
// Algorithm  Where a dimension is the fastest of both, or one of the two fastest is short, a walk (prim/grid/walk.cuh); but where that of
//            the result is short and the source's follows it and is long, permute/interleave.cuh. Else tiles of the result's fastest
//            dimension y and the source's x: a block loads rows of the source, a word a thread, and stores rows of the result. Of elements of 1 and 2 bytes a thread loads as many words as a word has elements, and transposes them in
//            registers: so both sides have whole words, and shared memory has no bank conflicts.
//            Rows that are not aligned to words are loaded as two words and shifted, and stored element by element.
// Cost       Reads source and writes result once: bound by memory.
// Limits     Elements of 1 to 16 bytes, 8 dimensions, any extents.
// Source     G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA 2009.

#include "kernels.h"
#include "permute/interleave.cuh"
#include "permute/tile.cuh"
#include "prim/grid/walk.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

constexpr size_t SHORT = 32;                                       // bytes: of a shorter dimension tiles would be empty

// The dimension in which source is dense; -1 for none.
int fastest_of(const gpumexk_walk &walk) {
    for (int d = 0; d < walk.rank; ++d) {
        if (walk.dimensions[d].stride == 1) return d;
    }
    return -1;
}

bool is_tiled(const gpumexk_walk &walk, int fastest) {
    const size_t bytes = static_cast<size_t>(walk.value_bytes);
    return fastest > 0 && walk.dimensions[0].count * bytes >= SHORT && walk.dimensions[fastest].count * bytes >= SHORT;
}

// Whether the result's fastest dimension y is short, and the source's x lies behind it without a gap.
bool is_interleaved(const gpumexk_walk &walk, int fastest) {
    const gpumexk_dimension *const y = walk.dimensions, *const x = y + 1;
    return fastest == 1 && walk.value_bytes <= 8 && y->count * static_cast<size_t>(walk.value_bytes) < SHORT && x->dense == y->count &&
           x->count >= INTERLEAVE_WIDTH / 4;
}

}  // namespace

int gpumexk_permute(const gpumexk_walk *walk, const void *source, void *result, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!is_walk(*walk) || tuning->values != 0) return cudaErrorInvalidValue;
    const int fastest = fastest_of(*walk);
    if (is_tiled(*walk, fastest)) return launch_transpose(*walk, fastest, source, result, *tuning, stream);
    if (is_interleaved(*walk, fastest)) return launch_interleave(*walk, source, result, *tuning, stream);
    const auto move_of = [&](auto zero) {
        using T = decltype(zero);
        return WalkGather<T>{static_cast<const T *>(source), static_cast<T *>(result)};
    };
    const gpumexk_tuning of_walk = {tuning->threads, 8, tuning->cache};
    return launch_walk(*walk, result, move_of, of_walk, stream);
}
