/* program.h - an expression as gpumex_map takes it: text, inputs, shape and strides. */
#pragma once

#include "expression.h"

namespace gpuarrays {

const std::size_t most_inputs = 16;

struct program {
    std::string text;
    std::vector<const node *> inputs;
    std::vector<const node *> checked; /* operations whose operands have to be looked at */
    bool fits = true;                  /* there are no more inputs than most_inputs */

    void add(const node &n);

    /* What is true where an operation refuses its operands. */
    void add_refusal(const node &n);

private:
    void add_input(const node &n);
    void add_operation(const node &n);
    bool add_literal(const node &n);
};

/* Shape and strides of arrays that broadcast, as few dimensions as they take. */
struct layout {
    std::vector<std::size_t> shape;
    std::vector<std::vector<int64_t>> strides; /* of each input */
    std::size_t apart = 0;                     /* where the dimension is that stays apart */

    /* KEPT: a dimension that is not joined with others, from 0; -1: none. */
    layout(const dim_vector &dims, const std::vector<const node *> &inputs, int kept = -1);

private:
    bool may_join(std::size_t last, int k, int kept) const;
    bool is_one_run(std::size_t last) const;
};

/* result <- the reduction OP of an expression along a dimension, from 0, or of all its elements (-1), in the class DTYPE and with a gpumex_nan_flag,
 * without storing the elements. False: A is no expression, has been computed in this way before, so that its elements are worth storing, or is not served. */
bool reduce_pending(const array &a, int32_t op, int dim, int32_t dtype, int32_t nan,
                    void *result);

/* result <- the prefixes of an expression along a dimension, from 0, each with its element; in the same way. */
bool scan_pending(const array &a, int32_t op, int dim, int32_t dtype, void *result);

} // namespace gpuarrays
