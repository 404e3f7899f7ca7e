// width.cuh — kernels that only move elements, or count them, are compiled by the size of an element, not by its type.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- host helpers ---------------------------------------------------------------------------------------------------

// launch(T()) with the unsigned integer of 4 or 8 bytes.
template <typename Launch>
cudaError_t by_width(int width, Launch launch) {
    switch (width) {
        case 4: return launch(uint32_t());
        case 8: return launch(uint64_t());
        default: return cudaErrorInvalidValue;
    }
}

// launch(T(), Index()) for elements and indices of 4 or 8 bytes.
template <typename Launch>
cudaError_t by_widths(int width, int index_bytes, Launch launch) {
    return by_width(width, [&](auto element) {
        return by_width(index_bytes, [&](auto index) { return launch(element, index); });
    });
}
