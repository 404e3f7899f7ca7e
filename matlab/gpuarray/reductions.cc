/* reductions.cc - all elements of an array, or those along a dimension, in one. */

#include "reductions.h"

#include "expression.h"

namespace gpuarrays {

static void reduce_all(const array &flags, int32_t op, int32_t accumulator, void *result, const char *function)
{
    gpumex_reduce_options options = GPUMEX_REDUCE_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_U8;
    options.op = op;
    options.accumulator_dtype = accumulator;
    check(gpumex_reduce(context(), &options, elements(flags), count_of(flags), result), function);
}

bool all_true(const array &a)
{
    array flags = converted(a, GPUMEX_DTYPE_BOOL);
    uint8_t least = 1;
    reduce_all(flags, GPUMEX_OPERATOR_MIN, GPUMEX_DTYPE_U8, &least, "condition");
    return least != 0;
}

std::size_t count_nonzeros(const array &a)
{
    array flags = operate(*find_operation(octave_value::op_ne), a, new_number(0.0, GPUMEX_DTYPE_F64));
    if (count_of(flags) == 0)
        return 0;
    uint64_t count = 0;
    reduce_all(flags, GPUMEX_OPERATOR_SUM, GPUMEX_DTYPE_U64, &count, "nnz");
    return count;
}

} // namespace gpuarrays
