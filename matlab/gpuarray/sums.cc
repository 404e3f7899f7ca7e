/* sums.cc - sum, prod, any, all, mean, cumsum, cumprod and their relatives. */

#include <octave/parse.h>

#include "expression.h"
#include "methods.h"
#include "reductions.h"

namespace gpuarrays {

namespace {

/* The arguments of sum (x, dim, 'native'). */
struct request {
    array a;
    int dim;
    int32_t dtype; /* of the result */
    int32_t nan = GPUMEX_NAN_FLAG_DEFAULT;
};

} // namespace

static request read_request(const char *name, const octave_value_list &arguments)
{
    request r;
    int count = static_cast<int>(arguments.length());
    bool is_native = false, is_double = false, is_all = false;
    while (count > 1 && arguments(count - 1).is_string()) {
        std::string word = arguments(--count).string_value();
        is_native = is_native || word == "native";
        is_double = is_double || word == "double";
        is_all = is_all || word == "all";
        r.nan = std::max(r.nan, nan_flag_of(word));
        if (nan_flag_of(word) < 0 && word != "native" && word != "double" && word != "extra" && word != "default" && word != "all")
            error("%s: unrecognized type argument '%s'", name, word.c_str());
    }
    if (count < 1 || count > 2 || (is_all && count > 1))
        error("Invalid call to %s", name);
    r.a = array_of(arguments(0), name);
    if (is_all)
        r.a = reshaped(r.a, dim_vector(r.a->dims.numel(), 1));
    r.dim = count == 2 ? read_dimension(arguments(1), name) : default_dimension(r.a->dims);
    const bool is_kept = is_native || is_complex(r.a->dtype) || r.a->dtype == GPUMEX_DTYPE_F32;
    if (is_single(r.a->dtype) && is_double)
        r.a = converted(r.a, is_complex(r.a->dtype) ? GPUMEX_DTYPE_C128 : GPUMEX_DTYPE_F64);
    r.dtype = is_kept ? r.a->dtype : static_cast<int32_t>(GPUMEX_DTYPE_F64);
    return r;
}

static octave_value reduce_along(const char *name, int32_t op, const octave_value_list &arguments)
{
    request r = read_request(name, arguments);
    if (is_logical(r.dtype)) /* sum ([true true], 'native') is true */
        op = op == GPUMEX_DIM_REDUCTION_SUM ? GPUMEX_DIM_REDUCTION_ANY : GPUMEX_DIM_REDUCTION_ALL;
    return value_of(reduced(r.a, op, r.dim, r.dtype, name, nullptr, r.nan));
}

static octave_value scan_along(const char *name, int32_t op, const octave_value_list &arguments)
{
    request r = read_request(name, arguments);
    if (is_complex(r.dtype) && op != GPUMEX_DIM_REDUCTION_SUM)
        fail("complex", "%s: not served for complex gpuArrays", name);
    if (r.nan == GPUMEX_NAN_FLAG_OMIT)
        fail("notServed", "%s: 'omitnan' is not served for gpuArrays", name);
    if (is_logical(r.dtype))
        fail("notServed", "%s: 'native' is not served for a logical gpuArray", name);
    return value_of(scanned(r.a, op, r.dim, r.dtype, name));
}

static octave_value decide(const char *name, int32_t op, const octave_value_list &arguments)
{
    check_count(name, arguments, 1, 2);
    array a = array_of(arguments(0), name);
    if (arguments.length() == 2 && is_word_all(arguments(1)))
        return value_of(reduced(reshaped(a, dim_vector(a->dims.numel(), 1)), op, 0, GPUMEX_DTYPE_BOOL, name));
    int dim = arguments.length() == 2 ? read_dimension(arguments(1), name) : default_dimension(a->dims);
    return value_of(reduced(a, op, dim, GPUMEX_DTYPE_BOOL, name));
}

/* The geometric and the harmonic mean, mean (x, 'g') and mean (x, 'h'): Octave's own function. */
static bool is_other_mean(const octave_value_list &arguments)
{
    for (int k = 1; k < arguments.length(); k++)
        if (arguments(k).is_string() && (arguments(k).string_value() == "g" || arguments(k).string_value() == "h"))
            return true;
    return false;
}

/* The first dimension of more than one element, from 0: mean passes by those of none, unlike sum. */
static int dimension_of_mean(const dim_vector &dims)
{
    for (int k = 0; k < dims.ndims(); k++)
        if (dims(k) > 1)
            return k;
    return 0;
}

/* mean (x, dim, 'native'), mean (x, 'all') */
static octave_value mean_along(const octave_value_list &arguments)
{
    array a = array_of(arguments(0), "mean");
    bool is_native = false;
    octave_value_list given = arguments.slice(0, 1);
    for (int k = 1; k < arguments.length(); k++) {
        std::string word = arguments(k).is_string() ? arguments(k).string_value() : "";
        is_native = is_native || word == "native";
        if (word == "all")
            given(0) = value_of(reshaped(a, dim_vector(a->dims.numel(), 1)));
        else if (word != "a" && word != "native")
            given.append(arguments(k));
    }
    request r = read_request("mean", given);
    if (given.length() < 2 || given(1).is_string())
        r.dim = dimension_of_mean(r.a->dims);
    array result = reduced(r.a, GPUMEX_DIM_REDUCTION_MEAN, r.dim, r.dtype, "mean", nullptr, r.nan);
    return value_of(is_native && !is_logical(a->dtype) ? converted(result, a->dtype) : result);
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(sum, arguments, results)
{
    return reduce_along("sum", GPUMEX_DIM_REDUCTION_SUM, arguments);
}

GPU_METHOD(prod, arguments, results)
{
    return reduce_along("prod", GPUMEX_DIM_REDUCTION_PRODUCT, arguments);
}

GPU_METHOD(sumsq, arguments, results)
{
    octave_value_list given = arguments;
    array a = array_of(arguments(0), "sumsq");
    if (is_integer(a->dtype))
        a = converted(a, GPUMEX_DTYPE_F64);
    if (is_complex(a->dtype))
        a = operate(*find_operation("abs"), a);
    given(0) = value_of(operate(*find_operation(octave_value::op_el_mul), a, a));
    return reduce_along("sumsq", GPUMEX_DIM_REDUCTION_SUM, given);
}

GPU_METHOD(mean, arguments, results)
{
    if (is_other_mean(arguments))
        return octave::feval("builtin", octave_value_list("mean").append(arguments), 1);
    return mean_along(arguments);
}

GPU_METHOD(any, arguments, results)
{
    return decide("any", GPUMEX_DIM_REDUCTION_ANY, arguments);
}

GPU_METHOD(all, arguments, results)
{
    return decide("all", GPUMEX_DIM_REDUCTION_ALL, arguments);
}

GPU_METHOD(cumsum, arguments, results)
{
    return scan_along("cumsum", GPUMEX_DIM_REDUCTION_SUM, arguments);
}

GPU_METHOD(cumprod, arguments, results)
{
    return scan_along("cumprod", GPUMEX_DIM_REDUCTION_PRODUCT, arguments);
}

GPU_METHOD(dot, arguments, results)
{
    check_count("dot", arguments, 2, 3);
    array a = array_of(arguments(0), "dot"), b = array_of(arguments(1), "dot");
    if (a->dims.isvector() && b->dims.isvector() && a->dims.numel() == b->dims.numel()) {
        a = reshaped(a, dim_vector(a->dims.numel(), 1));
        b = reshaped(b, a->dims);
    }
    if (a->dims != b->dims)
        error("dot: sizes of X and Y must match");
    octave_value_list given = arguments.slice(1, arguments.length() - 1);
    if (is_complex(a->dtype))
        a = operate(*find_operation("conj"), a);
    given(0) = value_of(operate(*find_operation(octave_value::op_el_mul), a, b));
    return reduce_along("dot", GPUMEX_DIM_REDUCTION_SUM, given);
}
