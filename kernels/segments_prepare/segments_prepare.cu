// segments_prepare.cu — the partition of a segmented reduction, computed once for many reductions over the same segments.
//
//   geometry[p] = how many segments end within the parts before p                      offsets (segments + 1), geometry (parts)
//
// Algorithm  The search that each block of a segmented reduction begins with (prim/grid/segmented_reduce.cuh), a warp for each
//            part.
// Cost       A launch, as long as one search of the offsets: some microseconds, which every later reduction saves.
// Limits     The number of parts depends on the sizes and the device: a geometry is for one device.
// Edges      A geometry of other segments gives any results; nothing outside the arrays is touched.
// Source     S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013 (SegReduceCsrPreprocess).

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/segmented_reduce.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PREPARE_THREADS = 128;

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(PREPARE_THREADS) segments_prepare_cut(Segments of, unsigned parts, uint64_t *geometry) {
    const unsigned part = (blockIdx.x * PREPARE_THREADS + threadIdx.x) / WARP;
    if (part >= parts) return;                                     // a whole warp
    const Bounds bounds(of);
    const size_t segment = segments_within(of, bounds, share_of(of, bounds, parts).begin(part));
    if (threadIdx.x % WARP == 0) geometry[part] = segment;
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_segments_geometry(size_t segments, size_t count, size_t *elements) {
    unsigned parts = 0, blocks = 0;
    const cudaError_t error = walk_blocks(segments, count, WALK_RESIDENT, &parts, &blocks);
    *elements = parts;
    return error;
}

int gpumexk_segments_prepare(const gpumexk_segments *segments, uint64_t *geometry, gpumexk_stream stream) {
    const bool is_wide = segments->index_dtype == 0;
    const Segments of = {{segments->offsets, is_wide}, {nullptr, is_wide}, segments->segments, segments->count};
    unsigned parts = 0, blocks = 0;
    const cudaError_t error = walk_blocks(of.segments, of.count, WALK_RESIDENT, &parts, &blocks);
    if (error != cudaSuccess) return error;
    if (of.segments == 0) return cudaMemsetAsync(geometry, 0, parts * sizeof *geometry, stream);   // and no offsets
    const unsigned grid = static_cast<unsigned>(ceil_div(parts, PREPARE_THREADS / WARP));
    segments_prepare_cut<<<grid, PREPARE_THREADS, 0, stream>>>(of, parts, geometry);
    return cudaGetLastError();
}
