/* operations.cc - the table of element-wise operations: operators, functions, casts. */

#include <unordered_map>

#include "expression.h"

namespace gpuarrays {

using ov = octave_value;
using rc = result_class;
using ks = keeps_sign;

static const operation binary_operators[] = {
    {"operator +", "+", 2, rc::arithmetic, refuses::nothing, ks::all_operands, ov::op_add},
    {"operator -", "-", 2, rc::arithmetic, refuses::nothing, ks::never, ov::op_sub},
    {"product", "*", 2, rc::arithmetic, refuses::nothing, ks::product, ov::op_el_mul},
    {"quotient", "/", 2, rc::arithmetic, refuses::nothing, ks::all_operands, ov::op_el_div},
    {"operator .^", "^", 2, rc::arithmetic, refuses::negative_to_fraction, ks::power, ov::op_el_pow},
    {"operator <", "<", 2, rc::logical, refuses::nothing, ks::always, ov::op_lt},
    {"operator <=", "<=", 2, rc::logical, refuses::nothing, ks::always, ov::op_le},
    {"operator ==", "==", 2, rc::logical, refuses::nothing, ks::always, ov::op_eq},
    {"operator >=", ">=", 2, rc::logical, refuses::nothing, ks::always, ov::op_ge},
    {"operator >", ">", 2, rc::logical, refuses::nothing, ks::always, ov::op_gt},
    {"operator !=", "!=", 2, rc::logical, refuses::nothing, ks::always, ov::op_ne},
    {"operator &", "&", 2, rc::logical, refuses::nan, ks::always, ov::op_el_and},
    {"operator |", "|", 2, rc::logical, refuses::nan, ks::always, ov::op_el_or}};

static const operation unary_operators[] = {
    {"operator !", "!", 1, rc::logical, refuses::nan, ks::always, ov::op_not},
    {"operator -", "-", 1, rc::same, refuses::nothing, ks::never, ov::op_uminus},
    {"operator +", "+", 1, rc::same, refuses::nothing, ks::all_operands, ov::op_uplus}};

static const operation functions[] = {
    {"abs", "abs", 1, rc::same, refuses::nothing, ks::always},
    {"sign", "sign", 1, rc::same, refuses::nothing, ks::all_operands},
    {"floor", "floor", 1, rc::same, refuses::nothing, ks::all_operands},
    {"ceil", "ceil", 1, rc::same, refuses::nothing, ks::all_operands},
    {"round", "round", 1, rc::same, refuses::nothing, ks::all_operands},
    {"fix", "fix", 1, rc::same, refuses::nothing, ks::all_operands},
    {"sqrt", "sqrt", 1, rc::floating, refuses::negative, ks::always},
    {"cbrt", "cbrt", 1, rc::floating, refuses::nothing, ks::all_operands},
    {"exp", "exp", 1, rc::floating, refuses::nothing, ks::always},
    {"expm1", "expm1", 1, rc::floating, refuses::nothing, ks::all_operands},
    {"log", "log", 1, rc::floating, refuses::negative},
    {"log2", "log2", 1, rc::floating, refuses::negative},
    {"log10", "log10", 1, rc::floating, refuses::negative},
    {"log1p", "log1p", 1, rc::floating, refuses::below_minus_one, ks::all_operands},
    {"sin", "sin", 1, rc::floating},
    {"cos", "cos", 1, rc::floating},
    {"tan", "tan", 1, rc::floating},
    {"asin", "asin", 1, rc::floating, refuses::beyond_one},
    {"acos", "acos", 1, rc::floating, refuses::beyond_one, ks::always},
    {"atan", "atan", 1, rc::floating},
    {"sinh", "sinh", 1, rc::floating},
    {"cosh", "cosh", 1, rc::floating, refuses::nothing, ks::always},
    {"tanh", "tanh", 1, rc::floating},
    {"asinh", "asinh", 1, rc::floating},
    {"acosh", "acosh", 1, rc::floating, refuses::below_one, ks::always},
    {"atanh", "atanh", 1, rc::floating, refuses::beyond_one},
    {"erf", "erf", 1, rc::floating},
    {"erfc", "erfc", 1, rc::floating, refuses::nothing, ks::always},
    {"gamma", "gamma", 1, rc::floating},
    {"gammaln", "gammaln", 1, rc::floating, refuses::negative},
    {"real", "real", 1, rc::same, refuses::nothing, ks::all_operands},
    {"imag", "imag", 1, rc::same, refuses::nothing, ks::always},
    {"conj", "conj", 1, rc::same, refuses::nothing, ks::all_operands},
    {"arg", "arg", 1, rc::floating, refuses::nothing, ks::always},
    {"complex", "complex", 2, rc::complex},
    {"complex128", "complex128", 1, rc::cast, refuses::nothing, ks::never, -1, GPUMEX_DTYPE_C128},
    {"complex64", "complex64", 1, rc::cast, refuses::nothing, ks::never, -1, GPUMEX_DTYPE_C64},
    {"isnan", "isnan", 1, rc::logical},
    {"isinf", "isinf", 1, rc::logical},
    {"isfinite", "isfinite", 1, rc::logical},
    {"max", "max", 2, rc::arithmetic, refuses::nothing, ks::any_operand},
    {"min", "min", 2, rc::arithmetic, refuses::nothing, ks::all_operands},
    {"mod", "mod", 2, rc::arithmetic, refuses::nothing, ks::modulus},
    {"rem", "rem", 2, rc::arithmetic, refuses::nothing, ks::all_operands},
    {"atan2", "atan2", 2, rc::arithmetic},
    {"hypot", "hypot", 2, rc::arithmetic, refuses::nothing, ks::always},
    {"bitand", "bitand", 2, rc::arithmetic, refuses::nothing, ks::all_operands},
    {"bitor", "bitor", 2, rc::arithmetic, refuses::nothing, ks::all_operands},
    {"bitxor", "bitxor", 2, rc::arithmetic, refuses::nothing, ks::all_operands},
    {"bitshift", "bitshift", 2, rc::arithmetic, refuses::nothing, ks::all_operands},
    {"xor", "xor", 2, rc::logical, refuses::nan},
    {"merge", "ifelse", 3, rc::last_two},
    {"double", "double", 1, rc::cast, refuses::nothing, ks::all_operands, -1, GPUMEX_DTYPE_F64},
    {"single", "single", 1, rc::cast, refuses::nothing, ks::all_operands, -1, GPUMEX_DTYPE_F32},
    {"logical", "logical", 1, rc::cast, refuses::nan, ks::always, -1, GPUMEX_DTYPE_BOOL},
    {"int8", "int8", 1, rc::cast, refuses::nothing, ks::all_operands, -1, GPUMEX_DTYPE_I8},
    {"int16", "int16", 1, rc::cast, refuses::nothing, ks::all_operands, -1, GPUMEX_DTYPE_I16},
    {"int32", "int32", 1, rc::cast, refuses::nothing, ks::all_operands, -1, GPUMEX_DTYPE_I32},
    {"int64", "int64", 1, rc::cast, refuses::nothing, ks::all_operands, -1, GPUMEX_DTYPE_I64},
    {"uint8", "uint8", 1, rc::cast, refuses::nothing, ks::always, -1, GPUMEX_DTYPE_U8},
    {"uint16", "uint16", 1, rc::cast, refuses::nothing, ks::always, -1, GPUMEX_DTYPE_U16},
    {"uint32", "uint32", 1, rc::cast, refuses::nothing, ks::always, -1, GPUMEX_DTYPE_U32},
    {"uint64", "uint64", 1, rc::cast, refuses::nothing, ks::always, -1, GPUMEX_DTYPE_U64}};

const operation *find_operation(octave_value::binary_op op)
{
    if (op == ov::op_mul) /* by a number */
        op = ov::op_el_mul;
    if (op == ov::op_div)
        op = ov::op_el_div;
    for (const operation &entry : binary_operators)
        if (entry.host == op)
            return &entry;
    return nullptr;
}

const operation *find_operation(octave_value::unary_op op)
{
    for (const operation &entry : unary_operators)
        if (entry.host == op)
            return &entry;
    return nullptr;
}

const operation *find_operation(const std::string &function)
{
    static const auto table = [] {
        std::unordered_map<std::string, const operation *> entries;
        for (const operation &entry : functions)
            entries[entry.name] = &entry;
        return entries;
    }();
    auto found = table.find(function);
    return found == table.end() ? nullptr : found->second;
}

array converted(const array &a, int32_t dtype)
{
    if (a->dtype == dtype)
        return a;
    if (is_complex(dtype) && a->is == state::number)
        return new_number(a->number, dtype);
    if (is_complex(dtype))
        return operate(*find_operation(is_single(dtype) ? "complex64" : "complex128"), a);
    return operate(*find_operation(std::string(name_of(dtype))), a);
}

array gamma_of(const array &a)
{
    const operation &gamma = *find_operation("gamma");
    if (a->is == state::number || a->nonnegative)
        return operate(gamma, a);
    array zero = new_number(0.0, GPUMEX_DTYPE_F64), infinite = new_number(octave::numeric_limits<double>::Inf(), GPUMEX_DTYPE_F64);
    array is_pole = operate(*find_operation(octave_value::op_el_and), operate(*find_operation(octave_value::op_lt), a, zero),
                            operate(*find_operation(octave_value::op_eq), a, operate(*find_operation("fix"), a)));
    return operate(*find_operation("merge"), is_pole, infinite, operate(gamma, a));
}

} // namespace gpuarrays
