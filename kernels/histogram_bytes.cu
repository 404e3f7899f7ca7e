// histogram_bytes.cu — how often each byte value occurs, in each of up to four interleaved channels.
#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/tune.cuh"

namespace {

using Count = unsigned long long;

__global__ void histogram_bytes(const uint8_t *data, size_t len, unsigned channels, Count *counts) {
    for (size_t i = grid_x(); i < len; i += grid_width()) {
        atomicAdd(&counts[(i % channels) * 256 + data[i]], Count(1));
    }
}

}  // namespace

int gpumexk_histogram_bytes(const uint8_t *data, size_t len, int channels, uint64_t *counts, const gpumexk_tuning *tuning,
                            gpumexk_stream stream) {
    if (len == 0) return cudaSuccess;
    return launch<histogram_bytes>(cover(at_most(len, 1 << 20), 1, 256), 256, tuning->cache, stream, data, len,
                                   static_cast<unsigned>(channels), reinterpret_cast<Count *>(counts));
}
