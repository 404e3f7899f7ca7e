/* along.h - reductions and scans along a dimension, for the gateways of gpumex.array, gpumex.reduce and gpumex.scan. */

#ifndef ALONG_H
#define ALONG_H

#include "gateway.h"

#pragma GCC visibility push(hidden)

/* How it is done. dim 0 takes the array as one column, of which no element has no extremum: 0x0. The class UNKNOWN is that of the array, of
 * sums and products of logicals double. */
typedef struct reduction {
    int32_t op; /* a gpumex_dim_reduction */
    size_t dim;
    mxClassID class_id;
    int32_t nan, rules, variant;
    int32_t reverse; /* of scans */
} reduction;

/* Whether a gpumex_operator is and, or or xor. */
int is_of_bits(int32_t op);

/* Whether gpumex_reduce and gpumex_scan do not have it: a dimension, elements of 1 or 2 bytes, integers that saturate. Bits are refused
 * where they do not. */
int is_along(operand x, int32_t op, uint64_t dim, const mxArray *overflow);

/* Refuses it where its place is a communicator: several ranks compute what gpumex_reduce and gpumex_scan have. */
void refuse_ranks(const mxArray *backend, operand x);

/* A gpumex_nan_flag; whether 'reverse' and not 'forward'. */
int32_t read_nan_flag(const mxArray *argument);
int32_t read_reverse(const mxArray *argument);

/* The gpumex_dim_reduction of a gpumex_operator other than bits. */
int32_t along_operator(int32_t op);

/* positions: NULL, or receives the zero-based positions of extrema, uint64. */
result reduce_along(session s, operand x, reduction how, result *positions);
result scan_along(session s, operand x, reduction how, int32_t kind);

#pragma GCC visibility pop

#endif /* ALONG_H */
