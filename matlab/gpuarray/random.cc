/* random.cc - random numbers made on the device: uniform from gpumex_random, the others from uniform ones. */

#include "random.h"

#include "construct.h"
#include "expression.h"
#include "value.h"

namespace gpuarrays {

/* Each call takes the next seed; sessions begin with the same ones, as Octave's and MATLAB's generators on a GPU do. */
static uint64_t next_seed = 0x67707541;

octave_value set_seed(const octave_value_list &arguments)
{
    if (arguments.length() != 1)
        error("gpuArray.rng: needs a seed");
    next_seed = static_cast<uint64_t>(arguments(0).double_value()) << 20;
    return octave_value();
}

static array uniform(const dim_vector &dims, int32_t dtype, double lo, double hi)
{
    array made = new_array(dims, dtype);
    made->nonnegative = lo >= 0;
    if (count_of(made) > 0)
        check(gpumex_random(context(), dtype, data_of(made->data), count_of(made), next_seed++, lo, hi), "rand");
    return made;
}

static array number(double value)
{
    return new_number(value, GPUMEX_DTYPE_F64);
}

static const operation &op(octave_value::binary_op code)
{
    return *find_operation(code);
}

/* Box and Muller: of two uniform numbers sqrt (-2 log u) cos (2 pi v) is normal. */
static array normal(const dim_vector &dims, int32_t dtype)
{
    array u = operate(op(octave_value::op_sub), number(1), uniform(dims, dtype, 0, 1)); /* in (0, 1] */
    array v = uniform(dims, dtype, 0, 1);
    u->nonnegative = true;
    array radius = operate(op(octave_value::op_el_mul), number(-2), operate(*find_operation("log"), u));
    radius->nonnegative = true;
    array angle = operate(op(octave_value::op_el_mul), number(2 * M_PI), v);
    return operate(op(octave_value::op_el_mul), operate(*find_operation("sqrt"), radius), operate(*find_operation("cos"), angle));
}

/* randi (hi, …), randi ([lo hi], …) */
static array whole_numbers(const octave_value_list &arguments)
{
    if (arguments.length() == 0)
        error("randi: needs a limit");
    NDArray limits = on_host(arguments(0)).array_value();
    double lo = limits.numel() > 1 ? limits(0) : 1, hi = limits(limits.numel() > 1 ? 1 : 0);
    if (limits.numel() < 1 || limits.numel() > 2 || lo != std::round(lo) || hi != std::round(hi) || !(lo <= hi)
        || !(hi - lo < 4503599627370496.0))
        error("randi: the limits must be integers, the second one not below the first one");
    form f = read_form("randi", arguments.slice(1, arguments.length() - 1));
    array u = uniform(f.dims, GPUMEX_DTYPE_F64, 0, 1);
    array steps = operate(*find_operation("floor"), operate(op(octave_value::op_el_mul), u, number(hi - lo + 1)));
    array made = operate(op(octave_value::op_add), steps, number(lo));
    made->nonnegative = lo >= 0;
    return converted(made, f.dtype);
}

octave_value random_numbers(const std::string &name, const octave_value_list &arguments)
{
    if (name == "randi")
        return value_of(whole_numbers(arguments));
    form f = read_form(name, arguments);
    if (!is_float(f.dtype))
        fail("invalidClass", "gpuArray.%s: the class is single or double", name.c_str());
    return value_of(name == "rand" ? uniform(f.dims, f.dtype, 0, 1) : normal(f.dims, f.dtype));
}

} // namespace gpuarrays
