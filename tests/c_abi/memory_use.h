/* memory_use.h - what a "Memory" note of gpumex.h says that a call allocates, and the names that its formulas know. */
#ifndef MEMORY_USE_H
#define MEMORY_USE_H

#define OPERATIONS_LINKED
#define OPERATIONS_FILLED
#define GPUMEX_NO_PLAIN_NAMES
#include "gpumex.h"

#include <math.h>
#include <stddef.h>

/* Bytes, by backend; the last ones more, for arrays in host memory. */
typedef struct memory_note {
    const char *function;
    double cpu, cuda, host;
    int is_cpu_most, is_cuda_most, is_host_most; /* "at most" */
    double ranks;                                /* whose cpu is added up; 0: one */
} memory_note;

static _Thread_local memory_note noted; /* of the last call of a function that has a note */
static double threads = 2;              /* of the context */
static double ranks, halo;              /* of communicators */

static inline double min(double a, double b) { return a < b ? a : b; }
static inline double max(double a, double b) { return a > b ? a : b; }
static inline double width(int32_t dtype);
static inline double wide(int32_t dtype) { return max(width(dtype), 4); }
static inline double widened(int32_t dtype) { return dtype != 0 && width(dtype) < 4 ? 4 : 0; }
static inline double copied(int32_t dtype) { return widened(dtype) == 0 ? width(dtype) : 0; }

/* What the copies of arrays take that are made one after the other, each gone when it is converted, beyond what they become. */
static inline double converting_all(int32_t dtype, const double *counts, size_t arrays) {
    double most = 0, behind = 0;
    for (size_t i = arrays; i-- > 0; behind += widened(dtype) * counts[i]) most = max(most, width(dtype) * counts[i] - behind);
    return widened(dtype) == 0 ? 0 : most;
}
#define converting(dtype, ...) \
    converting_all(dtype, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))

static inline double payload_bytes(int32_t payload, int32_t value_dtype, int32_t index_dtype) {
    return payload == GPUMEX_PAYLOAD_NONE ? 0 : width(payload == GPUMEX_PAYLOAD_VALUES ? value_dtype : index_dtype);
}
static inline double pair_bytes(double key, double payload) { return payload == 0 ? key : 2 * max(key, payload); }
static inline double elements(const size_t *shape, int32_t rank) {
    double product = 1;
    for (int32_t d = 0; d < max(rank, 1); ++d) product *= (double)shape[d];
    return product;
}
static inline double taken_of(const size_t *shape, const size_t *counts, int32_t rank) { return elements(counts != NULL ? counts : shape, rank); }
/* Positions of index vectors, those of masks alone or of all. */
static inline double positions_of(const size_t *shape, const size_t *counts, const void *const *indices, const int32_t *dtypes, int32_t rank,
                                  int of_masks_alone) {
    double sum = 0;
    for (int32_t d = 0; indices != NULL && d < max(rank, 1); ++d) {
        if (indices[d] == NULL || (of_masks_alone && dtypes[d] != GPUMEX_DTYPE_BOOL)) continue;
        sum += 8 * (double)(counts != NULL ? counts : shape)[d];
    }
    return sum;
}
static inline double input_bytes(const int32_t *dtypes, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += width(dtypes[i]);
    return sum;
}

#include "memory_notes.h" /* made by memory_use.rs: a function in the place of each that has a note, which evaluates it as well */
#include "../../benches/ranks.h"

static inline double width(int32_t dtype) { return (double)bytes_of(dtype); }

#endif
