/* reductions.cc - reductions and prefixes along a dimension, as gpumex_reduce_dim and gpumex_scan_dim have them. */

#include "reductions.h"

#include "expression.h"
#include "program.h"
#include "value.h"

namespace gpuarrays {

along extents_along(const dim_vector &dims, int dim)
{
    along extents;
    for (int k = 0; k < dims.ndims(); k++) {
        std::size_t &extent = k < dim ? extents.inner : k == dim ? extents.count : extents.outer;
        extent *= static_cast<std::size_t>(dims(k));
    }
    return extents;
}

int default_dimension(const dim_vector &dims)
{
    for (int k = 0; k < dims.ndims(); k++)
        if (dims(k) != 1)
            return k;
    return 0;
}

bool is_word_all(const octave_value &value)
{
    return value.is_string() && value.string_value() == "all";
}

int32_t nan_flag_of(const std::string &word)
{
    if (word == "omitnan")
        return GPUMEX_NAN_FLAG_OMIT;
    return word == "includenan" ? static_cast<int32_t>(GPUMEX_NAN_FLAG_INCLUDE) : -1;
}

/* In the words that Octave's functions have for it. */
[[noreturn]] static void refuse_dimension(const char *function, double dim)
{
    const std::string name = function;
    if (name == "sum" || name == "prod" || name == "sumsq")
        error("%s: invalid dimension DIM = %g", function, dim);
    if (name == "cumsum" || name == "cumprod" || name == "any" || name == "all")
        error("%s: invalid dimension argument = %g", function, dim);
    error("%s: DIM must be a valid dimension", function);
}

int read_dimension(const octave_value &value, const char *function)
{
    double dim = value.isempty() ? 0 : on_host(value).double_value();
    if (value.numel() != 1 || dim != std::round(dim) || dim < 1 || dim > 1e6)
        refuse_dimension(function, dim);
    return static_cast<int>(dim) - 1;
}

array reduced(const array &a, int32_t op, int dim, int32_t dtype, const char *function, array *positions, int32_t nan)
{
    bool is_condition = op == GPUMEX_DIM_REDUCTION_ANY || op == GPUMEX_DIM_REDUCTION_ALL || op == GPUMEX_DIM_REDUCTION_COUNT;
    if (is_complex(a->dtype) && is_condition)
        return reduced(operate(*find_operation("abs"), a), op, dim, dtype, function);
    bool is_extremum = op == GPUMEX_DIM_REDUCTION_MIN || op == GPUMEX_DIM_REDUCTION_MAX;
    dim_vector dims = a->dims;
    if (dims.zero_by_zero() && dims.ndims() == 2 && !is_extremum)
        dims(1) = 1; /* sum ([]) is 0 */
    along extents = extents_along(dims, dim);
    if (dim < dims.ndims() && (!is_extremum || dims(dim) != 0))
        dims(dim) = 1;
    array made = new_array(dims, dtype);
    made->nonnegative = made->nonnegative || a->nonnegative;
    if (positions != nullptr)
        *positions = new_array(dims, GPUMEX_DTYPE_U64);
    if (count_of(made) == 0 || (positions == nullptr && reduce_pending(a, op, dim, dtype, nan, data_of(made->data))))
        return made;
    gpumex_reduce_dim_options options = GPUMEX_REDUCE_DIM_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.op = op;
    options.accumulator_dtype = dtype;
    options.rules = GPUMEX_RULES_MATLAB;
    options.nan = nan;
    if (positions != nullptr) {
        options.index_dtype = GPUMEX_DTYPE_U64;
        options.positions = data_of((*positions)->data);
    }
    check(gpumex_reduce_dim(context(), &options, elements(a), extents.inner, extents.count, extents.outer,
                            data_of(made->data)),
          function);
    return made;
}

array scanned(const array &a, int32_t op, int dim, int32_t dtype, const char *function)
{
    array made = new_array(a->dims, dtype);
    made->nonnegative = made->nonnegative || a->nonnegative;
    if (count_of(made) == 0 || scan_pending(a, op, dim, dtype, data_of(made->data)))
        return made;
    along extents = extents_along(a->dims, dim);
    gpumex_scan_dim_options options = GPUMEX_SCAN_DIM_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.op = op;
    options.kind = GPUMEX_SCAN_KIND_INCLUSIVE;
    options.accumulator_dtype = dtype;
    options.rules = GPUMEX_RULES_MATLAB;
    check(gpumex_scan_dim(context(), &options, elements(a), extents.inner, extents.count, extents.outer,
                          data_of(made->data)),
          function);
    return made;
}

/* All elements in one, in the class DTYPE. */
static octave_value whole(const array &a, int32_t op, int32_t dtype, const char *function)
{
    array made = new_array(dim_vector(1, 1), dtype);
    if (count_of(a) > 0 && reduce_pending(a, op, -1, dtype, GPUMEX_NAN_FLAG_DEFAULT, data_of(made->data)))
        return download(made);
    return download(reduced(reshaped(a, dim_vector(a->dims.numel(), 1)), op, 0, dtype, function));
}

bool all_true(const array &a)
{
    array real = is_complex(a->dtype) ? operate(*find_operation("abs"), a) : a;
    return whole(converted(real, GPUMEX_DTYPE_BOOL), GPUMEX_DIM_REDUCTION_ALL, GPUMEX_DTYPE_BOOL, "condition").bool_value();
}

std::size_t count_nonzeros(const array &a)
{
    array flags = operate(*find_operation(octave_value::op_ne), a, new_number(0.0, GPUMEX_DTYPE_F64));
    if (flags->dims.any_zero())
        return 0;
    return static_cast<std::size_t>(whole(flags, GPUMEX_DIM_REDUCTION_COUNT, GPUMEX_DTYPE_F64, "nnz").double_value());
}

} // namespace gpuarrays
