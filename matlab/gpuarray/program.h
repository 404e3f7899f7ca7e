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

    layout(const dim_vector &dims, const std::vector<const node *> &inputs);

private:
    bool is_one_run(std::size_t last) const;
};

} // namespace gpuarrays
