/* result_class.cc - the class of what an operation makes, and what of complex numbers it refuses. */

#include "expression.h"

#include <set>

namespace gpuarrays {

bool has_complex(const operation &op, const array *x)
{
    bool found = false;
    for (int k = 0; k < op.arity; k++)
        found = found || is_complex(x[k]->dtype);
    return found;
}

/* Of the first two operands, or of the last two of three. */
static int32_t common_class(const operation &op, const array *x)
{
    int first = op.result == result_class::last_two ? 1 : 0;
    int32_t a = x[first]->dtype, b = x[first + 1]->dtype;
    if (op.result == result_class::last_two && a == b)
        return a;
    int32_t dtype = arithmetic_class(a, b);
    if (dtype == GPUMEX_DTYPE_NONE && op.is_operator())
        error_with_id("Octave:undefined-function",
                      "binary operator '%s' not implemented for 'gpuArray (%s)' by 'gpuArray (%s)' operations",
                      octave_value::binary_op_as_string(static_cast<octave_value::binary_op>(op.host)).c_str(),
                      description_of(a).c_str(), description_of(b).c_str());
    if (dtype == GPUMEX_DTYPE_NONE)
        fail("mixedClasses", "%s: not served for gpuArrays of the classes %s and %s", op.name, description_of(a).c_str(),
             description_of(b).c_str());
    return dtype;
}

[[noreturn]] static void refuse_complex(const operation &op)
{
    static const std::set<std::string> orders = {"<", "<=", ">", ">=", "max", "min"};
    bool is_order = orders.count(op.text) != 0;
    fail("complex", "%s: not served for complex gpuArrays%s", op.name, is_order ? "; compare real (x) or abs (x)" : "");
}

/* Where an operand is complex: gpumex_map has these operations. */
static int32_t class_of_complex(const operation &op, const array *x)
{
    static const std::set<std::string> parts = {"abs", "arg", "real", "imag"};
    static const std::set<std::string> served = {
        "+",    "-",    "*",     "/",    "^",     "sqrt", "exp",  "log",    "log2",   "log10",  "sin",       "cos",       "tan",
        "sinh", "cosh", "tanh",  "sign", "floor", "ceil", "round", "fix",   "conj",   "ifelse", "complex64", "complex128"};
    const std::string text = op.text;
    if (text == "==" || text == "!=" || text == "isnan" || text == "isinf" || text == "isfinite")
        return GPUMEX_DTYPE_BOOL;
    if (parts.count(text) != 0)
        return real_of(x[0]->dtype);
    if (text == "double" || text == "single")
        return complex_of(op.dtype);
    if (served.count(text) == 0)
        refuse_complex(op);
    if (op.result == result_class::cast)
        return op.dtype;
    return op.arity == 1 ? x[0]->dtype : common_class(op, x);
}

int32_t class_of_result(const operation &op, const array *x)
{
    if (has_complex(op, x))
        return class_of_complex(op, x);
    int32_t a = x[0]->dtype;
    switch (op.result) {
    case result_class::logical: return GPUMEX_DTYPE_BOOL;
    case result_class::same: return is_logical(a) ? static_cast<int32_t>(GPUMEX_DTYPE_F64) : a;
    case result_class::floating: return a == GPUMEX_DTYPE_F32 ? a : static_cast<int32_t>(GPUMEX_DTYPE_F64);
    case result_class::cast: return op.dtype;
    case result_class::complex: return complex_of(common_class(op, x));
    case result_class::last_two:
    case result_class::arithmetic: break;
    }
    return common_class(op, x);
}

void refuse_elements(const operation &op)
{
    if (op.refused == refuses::nan)
        fail("nan", "%s: NaN is neither true nor false", op.name);
    if (op.is_operator())
        fail("complex", "%s: the result is complex for some elements; of gpuArrays complex (x) .^ y gives it", op.name);
    if (op.name == std::string("gammaln"))
        fail("complex", "gammaln: the result is complex for some elements, which is not served for gpuArrays");
    fail("complex", "%s: the result is complex for some elements; of gpuArrays %s (complex (x)) gives it", op.name, op.name);
}

} // namespace gpuarrays
