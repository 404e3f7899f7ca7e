/* operators.cc - the operators of the interpreter: which types meet, and what they mean. */

#include "operators.h"

#include <octave/errwarn.h>
#include <octave/ov.h>
#include <octave/parse.h>

#include "construct.h"
#include "elementwise.h"
#include "expression.h"
#include "shapes.h"
#include "value.h"

namespace gpuarrays {

/* Octave's names of the types that an operand may have. */
static const char *const types_of_operands[] = {
    "scalar", "matrix", "bool", "bool matrix", "float scalar", "float matrix", "int8 scalar", "int8 matrix", "int16 scalar",
    "int16 matrix", "int32 scalar", "int32 matrix", "int64 scalar", "int64 matrix", "uint8 scalar", "uint8 matrix",
    "uint16 scalar", "uint16 matrix", "uint32 scalar", "uint32 matrix", "uint64 scalar", "uint64 matrix", "string",
    "sq_string", "double_range", "range", "diagonal matrix", "float diagonal matrix", "permutation matrix", "null_matrix",
    "null_string", "null_sq_string", "lazy_index", "complex scalar", "complex matrix", "float complex scalar",
    "float complex matrix", "sparse matrix", "sparse bool matrix", "sparse complex matrix"};

static octave_value borrowed(const octave_base_value &v)
{
    return octave_value(const_cast<octave_base_value *>(&v), true);
}

static bool is_one_number(const array &a)
{
    return count_of(a) == 1 || in_arrayfun();
}

[[noreturn]] static void refuse_power()
{
    fail("notServed", "operator ^ (mpower): of matrices only whole powers are served for gpuArrays; gather gives an array of the host");
}

/* A \ B of matrices: the method linsolve, in M code. */
static array solved(const array &a, const array &b)
{
    octave_value_list made = octave::feval("linsolve", ovl(value_of(a), value_of(b)), 1);
    return array_of(made(0), "mldivide");
}

/* A^K for a whole K, by repeated squaring. */
static array power_of_matrix(const array &a, const array &k)
{
    if (a->dims.ndims() != 2 || a->dims(0) != a->dims(1) || !is_one_number(k))
        error("for x^y, only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise power.");
    const octave_value exponent = download(k);
    double left = exponent.iscomplex() ? 0.5 : exponent.double_value();
    if (left != std::round(left) || !(std::abs(left) < 9007199254740992.0))
        refuse_power();
    array square = is_logical(a->dtype) ? converted(a, GPUMEX_DTYPE_F64) : a;
    if (left < 0) {
        square = array_of(octave::feval("inv", ovl(value_of(square)), 1)(0), "operator ^");
        left = -left;
    }
    array product;
    for (; left > 0; left = std::floor(left / 2)) {
        if (std::fmod(left, 2) == 1)
            product = product ? matrix_product(product, square) : square;
        if (left > 1)
            square = matrix_product(square, square);
    }
    if (product)
        return product;
    octave_value_list identity = ovl(static_cast<double>(a->dims(0)), "like", value_of(square));
    return array_of(construct("eye", identity), "operator ^");
}

static array compute(octave_value::binary_op op, const array &a, const array &b)
{
    switch (op) {
    case octave_value::op_mul:
        if (!is_one_number(a) && !is_one_number(b))
            return matrix_product(a, b);
        break;
    case octave_value::op_div:
        if (!is_one_number(b))
            return transposed(solved(transposed(b), transposed(a)));
        break;
    case octave_value::op_pow:
        if (!is_one_number(a))
            return power_of_matrix(a, b);
        if (!is_one_number(b))
            refuse_power();
        op = octave_value::op_el_pow;
        break;
    case octave_value::op_ldiv:
        if (!is_one_number(a))
            return solved(a, b);
        return compute(octave_value::op_el_div, b, a);
    case octave_value::op_el_ldiv: return compute(octave_value::op_el_div, b, a);
    default: break;
    }
    return operate(*find_operation(op), a, b);
}

octave_value binary(octave_value::binary_op op, const octave_value &a, const octave_value &b)
{
    std::string name = "binary operator '" + octave_value::binary_op_as_string(op) + "'";
    return value_of(compute(op, array_of(a, name.c_str()), array_of(b, name.c_str())));
}

template <octave_value::binary_op op>
static octave_value binary_function(const octave_base_value &a, const octave_base_value &b)
{
    return binary(op, borrowed(a), borrowed(b));
}

template <octave_value::unary_op op>
static octave_value unary_function(const octave_base_value &a)
{
    return value_of(operate(*find_operation(op), static_cast<const gpu_value &>(a).get()));
}

static octave_value transpose(const octave_base_value &a)
{
    if (in_arrayfun())
        return borrowed(a);
    return value_of(transposed(static_cast<const gpu_value &>(a).get()));
}

static octave_value conjugate_transpose(const octave_base_value &a)
{
    const array &content = static_cast<const gpu_value &>(a).get();
    if (!is_complex(content->dtype))
        return transpose(a);
    array conjugate = operate(*find_operation("conj"), content);
    return value_of(in_arrayfun() ? conjugate : transposed(conjugate));
}

/* a++ and a-- as statements */
template <octave_value::binary_op op>
static void step_by_one(octave_base_value &v)
{
    gpu_value &value = static_cast<gpu_value &>(v);
    value.set(operate(*find_operation(op), value.get(), new_number(1.0, GPUMEX_DTYPE_F64)));
}

template <octave_value::binary_op op>
static void install_binary(octave::type_info &types, const std::vector<int> &others)
{
    int gpu = gpu_value::static_type_id();
    types.install_binary_op(op, gpu, gpu, binary_function<op>);
    for (int other : others) {
        types.install_binary_op(op, gpu, other, binary_function<op>);
        types.install_binary_op(op, other, gpu, binary_function<op>);
    }
}

template <octave_value::binary_op... ops>
static void install_all(octave::type_info &types, const std::vector<int> &others)
{
    (install_binary<ops>(types, others), ...);
}

/* An array of the host that is assigned a gpuArray at some index becomes a gpuArray. */
static octave_base_value *to_device(const octave_base_value &v)
{
    return new gpu_value(upload(borrowed(v)));
}

/* The number of a type is its place in the list of names. */
static std::vector<int> ids_of_operands(octave::type_info &types)
{
    const string_vector names = types.installed_type_names();
    std::vector<int> ids;
    for (octave_idx_type id = 0; id < names.numel(); id++)
        for (const char *name : types_of_operands)
            if (names(id) == name)
                ids.push_back(static_cast<int>(id));
    return ids;
}

void install_operators(octave::type_info &types)
{
    using ov = octave_value;
    const std::vector<int> others = ids_of_operands(types);
    install_all<ov::op_add, ov::op_sub, ov::op_mul, ov::op_div, ov::op_pow, ov::op_ldiv, ov::op_lt, ov::op_le, ov::op_eq,
                ov::op_ge, ov::op_gt, ov::op_ne, ov::op_el_mul, ov::op_el_div, ov::op_el_pow, ov::op_el_ldiv,
                ov::op_el_and, ov::op_el_or>(types, others);

    int gpu = gpu_value::static_type_id();
    types.install_unary_op(ov::op_not, gpu, unary_function<ov::op_not>);
    types.install_unary_op(ov::op_uminus, gpu, unary_function<ov::op_uminus>);
    types.install_unary_op(ov::op_uplus, gpu, unary_function<ov::op_uplus>);
    types.install_unary_op(ov::op_transpose, gpu, transpose);
    types.install_unary_op(ov::op_hermitian, gpu, conjugate_transpose);
    types.install_non_const_unary_op(ov::op_incr, gpu, step_by_one<ov::op_add>);
    types.install_non_const_unary_op(ov::op_decr, gpu, step_by_one<ov::op_sub>);

    for (int other : others) {
        types.install_pref_assign_conv(other, gpu, gpu);
        types.install_widening_op(other, gpu, to_device);
    }
}

} // namespace gpuarrays
