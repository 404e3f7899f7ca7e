/* nd.h - what the gateways of gpumex.array share: subscripts and sizes. */

#ifndef ND_H
#define ND_H

#include "gateway.h"

#pragma GCC visibility push(hidden)

enum { MOST_DIMENSIONS = 8 };

/* Subscripts as the library takes them. */
typedef struct subscripts {
    size_t rank, taken; /* taken: how many elements */
    size_t shape[MOST_DIMENSIONS], counts[MOST_DIMENSIONS];
    int64_t starts[MOST_DIMENSIONS];
    const void *indices[MOST_DIMENSIONS];
    int32_t dtypes[MOST_DIMENSIONS];
} subscripts;

/* The context of the device that an array lies on. */
session session_of(operand x);

/* The product of the extents from dimension `from` to that before `to`. */
size_t product_of(const mwSize *dims, size_t from, size_t to);

subscripts read_subscripts(operand x, int count, const mxArray *arguments[]);

/* A size, as a row of whole numbers; without ones at its end. */
mwSize *read_size(const mxArray *argument, size_t *rank);

/* A new array with the elements of x, and of another size. */
result copy_of(session s, operand x, mwSize ndims, const mwSize *dims);

gpumex_scatter_nd_options scatter_options(const subscripts *at, operand values);

#pragma GCC visibility pop

#endif /* ND_H */
