/* Exercise 3: a histogram with atomic additions in global and in shared memory.
 *
 * How often does each of the 256 values occur among the bytes of a text? histogram_global has a thread for each byte. Write
 * histogram_strided, whose grid has a fixed size, and histogram_shared, in which each block counts in shared memory. */
#include "lab.h"

enum { VALUES = 256, THREADS = 256, BLOCKS = ON_GPU ? 1024 : 4 };

static const char *const gaps[] = {
    "strided: from byte `first` on, count every byte that is `step` further",
    "shared: set the counters of the block to zero, one a thread",
    "shared: wait until they are zero",
    "shared: count in them, from byte `first` on in steps of `step`",
    "shared: wait until all threads have counted",
    "shared: add them to the counters in global memory, one a thread"};

typedef unsigned long long counter; /* a type of 64 bits that atomicAdd takes */

__global__ void histogram_global(const uint8_t *text, int length, counter *counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) atomicAdd(&counts[text[i]], 1);
}

__global__ void histogram_strided(const uint8_t *text, int length, counter *counts) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    GAP(1);
}

/* THREADS is VALUES: each thread has a counter to set and to add. */
__global__ void histogram_shared(const uint8_t *text, int length, counter *counts) {
    __shared__ unsigned of_block[VALUES];
    const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    GAP(2);
    GAP(3);
    GAP(4);
    GAP(5);
    GAP(6);
}

static int32_t library(int32_t variant, const uint8_t *text, int length, counter *counts) {
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    options.variant = variant;
    return gpumex_histogram(lab.ctx, &options, text, (size_t)length, counts, VALUES);
}

int main(int argc, char **argv) {
    const int length = 1024 * lab_size(argc, argv, 1, 16384, 32); /* the size is in KiB */
    lab_begin("Histogram", gaps);
    uint8_t *text = lab_array<uint8_t>((size_t)length);
    counter *counts = lab_array<counter>(VALUES), *want = lab_array<counter>(VALUES);
    for (int i = 0; i < length; i++) text[i] = (uint8_t)("etaoin shrdlu\n"[std::min(lab_random() % 14, lab_random() % 14)]);
    lab_check(library(GPUMEX_HISTOGRAM_VARIANT_AUTO, text, length, want));

    const int all = (length + THREADS - 1) / THREADS;
    const size_t bytes = VALUES * sizeof(counter);
    lab_kernel("global", counts, want, VALUES, 0, [&] {
        lab_zero(counts, bytes);
        LAUNCH(histogram_global, all, THREADS, text, length, counts);
    });
    lab_kernel("strided", counts, want, VALUES, 0, [&] {
        lab_zero(counts, bytes);
        LAUNCH(histogram_strided, BLOCKS, THREADS, text, length, counts);
    });
    lab_kernel("shared", counts, want, VALUES, 0, [&] {
        lab_zero(counts, bytes);
        LAUNCH(histogram_shared, BLOCKS, THREADS, text, length, counts);
    });
    lab_library("GLOBAL", [&] { return library(GPUMEX_HISTOGRAM_VARIANT_GLOBAL, text, length, want); });
    lab_library("STRIDED", [&] { return library(GPUMEX_HISTOGRAM_VARIANT_STRIDED, text, length, want); });
    lab_library("SHARED", [&] { return library(GPUMEX_HISTOGRAM_VARIANT_SHARED, text, length, want); });
    lab_library("AUTO", [&] { return library(GPUMEX_HISTOGRAM_VARIANT_AUTO, text, length, want); });

    lab_free(text);
    for (counter *array : {counts, want}) lab_free(array);
    return lab_end();
}
