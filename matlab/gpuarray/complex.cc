/* complex.cc - complex numbers: from their parts, and the inverse functions, which gpumex_map has of real numbers only. */

#include "complex.h"

#include "methods.h"

namespace gpuarrays {

using ov = octave_value;

static array made_by(const char *function, const array &a)
{
    return operate(*find_operation(function), a);
}

static array made_by(octave_value::binary_op op, const array &a, const array &b)
{
    return operate(*find_operation(op), a, b);
}

static array constant_of(double value)
{
    return new_number(value, GPUMEX_DTYPE_F64);
}

static array joined_parts(const array &re, const array &im)
{
    return operate(*find_operation("complex"), re, im);
}

/* i z, without the product of infinity and 0 */
static array turned(const array &z)
{
    return joined_parts(operate(*find_operation(ov::op_uminus), made_by("imag", z)), made_by("real", z));
}

/* -i z */
static array turned_back(const array &z)
{
    return joined_parts(made_by("imag", z), operate(*find_operation(ov::op_uminus), made_by("real", z)));
}

static array real_of_product(const array &z, const array &w)
{
    return made_by(ov::op_sub, made_by(ov::op_el_mul, made_by("real", z), made_by("real", w)),
                 made_by(ov::op_el_mul, made_by("imag", z), made_by("imag", w)));
}

static array imaginary_of_product(const array &z, const array &w)
{
    return made_by(ov::op_add, made_by(ov::op_el_mul, made_by("real", z), made_by("imag", w)),
                 made_by(ov::op_el_mul, made_by("imag", z), made_by("real", w)));
}

/* sqrt (a + b z) for a, b = 1 or -1; the sign of a zero imaginary part is kept, since it says on which side of the cut z is. */
static array root(double a, double b, const array &z)
{
    array re = made_by("real", z), im = made_by("imag", z);
    if (b < 0) {
        re = operate(*find_operation(ov::op_uminus), re);
        im = operate(*find_operation(ov::op_uminus), im);
    }
    return made_by("sqrt", joined_parts(made_by(ov::op_add, re, constant_of(a)), im));
}

static array arc_tangent(const array &y, const array &x)
{
    return operate(*find_operation("atan2"), y, x);
}

/* On the cut beyond 1 Octave has the conjugate of C's value. */
static array as_octave_beyond_one(const array &z, const array &value)
{
    array is_real = made_by(ov::op_eq, made_by("imag", z), constant_of(0));
    array is_there = made_by(ov::op_el_and, is_real, made_by(ov::op_gt, made_by("real", z), constant_of(1)));
    return operate(*find_operation("merge"), is_there, made_by("conj", value), value);
}

static array asin_of(const array &z)
{
    array below = root(1, -1, z), above = root(1, 1, z);
    return joined_parts(arc_tangent(made_by("real", z), real_of_product(below, above)),
                        made_by("asinh", imaginary_of_product(made_by("conj", below), above)));
}

static array acos_of(const array &z)
{
    array below = root(1, -1, z), above = root(1, 1, z);
    return joined_parts(made_by(ov::op_el_mul, constant_of(2), arc_tangent(made_by("real", below), made_by("real", above))),
                        made_by("asinh", imaginary_of_product(made_by("conj", above), below)));
}

static array acosh_of(const array &z)
{
    array below = root(-1, 1, z), above = root(1, 1, z);
    return joined_parts(made_by("asinh", real_of_product(made_by("conj", below), above)),
                        made_by(ov::op_el_mul, constant_of(2), arc_tangent(made_by("imag", below), made_by("real", above))));
}

/* The real part is log1p (4 |x| / ((1 - |x|)^2 + y^2)) / 4 with the sign of x, the imaginary one atan2 (2 y, (1 - x) (1 + x) - y^2) / 2. */
static array atanh_of(const array &z)
{
    array x = made_by("real", z), y = made_by("imag", z);
    array size = made_by("abs", x), left = made_by(ov::op_sub, constant_of(1), size), squared = made_by(ov::op_el_mul, y, y);
    array distance = made_by(ov::op_add, made_by(ov::op_el_mul, left, left), squared);
    array ratio = made_by(ov::op_el_div, made_by(ov::op_el_mul, constant_of(4), size), distance);
    ratio->nonnegative = true;
    array re = made_by(ov::op_el_mul, made_by("sign", x), made_by(ov::op_el_mul, constant_of(0.25), made_by("log1p", ratio)));
    array across = made_by(ov::op_sub, made_by(ov::op_el_mul, left, made_by(ov::op_add, constant_of(1), size)), squared);
    array im = made_by(ov::op_el_mul, constant_of(0.5), arc_tangent(made_by(ov::op_el_mul, constant_of(2), y), across));
    return joined_parts(re, im);
}

/* log (1 + z): |1 + z|^2 = 1 + (2 x + x^2 + y^2) */
static array log1p_of(const array &z)
{
    array x = made_by("real", z), y = made_by("imag", z), one = constant_of(1);
    array beyond = made_by(ov::op_add, made_by(ov::op_el_mul, x, made_by(ov::op_add, x, constant_of(2))), made_by(ov::op_el_mul, y, y));
    beyond->nonnegative = true; /* it is not below -1 */
    return joined_parts(made_by(ov::op_el_mul, constant_of(0.5), made_by("log1p", beyond)), arc_tangent(y, made_by(ov::op_add, x, one)));
}

/* exp (z) - 1: exp (x) cos (y) - 1 = expm1 (x) cos (y) - 2 sin (y / 2)^2 */
static array expm1_of(const array &z)
{
    array x = made_by("real", z), y = made_by("imag", z);
    array half = made_by("sin", made_by(ov::op_el_mul, y, constant_of(0.5)));
    array re = made_by(ov::op_sub, made_by(ov::op_el_mul, made_by("expm1", x), made_by("cos", y)),
                       made_by(ov::op_el_mul, constant_of(2), made_by(ov::op_el_mul, half, half)));
    return joined_parts(re, made_by(ov::op_el_mul, made_by("exp", x), made_by("sin", y)));
}

array function_of_complex(const std::string &name, const array &z)
{
    if (name == "asin")
        return as_octave_beyond_one(z, asin_of(z));
    if (name == "acos")
        return as_octave_beyond_one(z, acos_of(z));
    if (name == "atan")
        return turned_back(atanh_of(turned(z)));
    if (name == "asinh")
        return turned_back(asin_of(turned(z)));
    if (name == "acosh")
        return acosh_of(z);
    if (name == "atanh")
        return atanh_of(z);
    if (name == "log1p")
        return log1p_of(z);
    if (name == "expm1")
        return expm1_of(z);
    return array();
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(complex, arguments, results)
{
    check_count("complex", arguments, 1, 2);
    array parts[2];
    for (int k = 0; k < arguments.length(); k++) {
        array a = array_of(arguments(k), "complex");
        if (is_integer(a->dtype) || (is_complex(a->dtype) && arguments.length() == 2))
            error("complex: invalid conversion");
        parts[k] = is_logical(a->dtype) ? converted(a, GPUMEX_DTYPE_F64) : a;
    }
    if (arguments.length() == 1)
        return value_of(converted(parts[0], complex_of(parts[0]->dtype)));
    return value_of(operate(*find_operation("complex"), parts[0], parts[1]));
}
