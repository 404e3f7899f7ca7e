// dispatch.cuh — kernels that move or count elements are instantiated by the size of an element, not by its type.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// ---- host helpers ---------------------------------------------------------------------------------------------------

// launch(T()) with the unsigned integer of 4 or 8 bytes.
template <typename Launch>
cudaError_t dispatch_width(int width, Launch launch) {
    switch (width) {
        case 4: return launch(uint32_t());
        case 8: return launch(uint64_t());
        default: return cudaErrorInvalidValue;
    }
}

// launch(T()) with that of 1, 2, 4 or 8 bytes.
template <typename Launch>
cudaError_t dispatch_any_width(size_t width, Launch launch) {
    switch (width) {
        case 1: return launch(uint8_t());
        case 2: return launch(uint16_t());
        default: return dispatch_width(static_cast<int>(width), launch);
    }
}

// launch(T(), Index()) for elements and indices of 4 or 8 bytes.
template <typename Launch>
cudaError_t dispatch_widths(int width, int index_bytes, Launch launch) {
    return dispatch_width(width, [&](auto element) {
        return dispatch_width(index_bytes, [&](auto index) { return launch(element, index); });
    });
}
