/* expression.cc - how expressions are put together: class, size, limits; those of numbers alone are computed here. */

#include "expression.h"

#include <octave/errwarn.h>
#include <octave/interpreter.h>
#include <octave/ov-typeinfo.h>
#include <octave/parse.h>

namespace gpuarrays {

/* Below those of gpumex_map: 1024 tokens, 64 parentheses, 16 inputs. A function takes at most four tokens more. */
static const unsigned most_tokens = 640, deepest = 48, most_leaves = 16;

dim_vector broadcast(const char *name, const dim_vector &a, const dim_vector &b)
{
    if (a == b)
        return a;
    int rank = std::max(a.ndims(), b.ndims());
    dim_vector x = a.redim(rank), y = b.redim(rank);
    for (int k = 0; k < rank; k++) {
        if (x(k) != y(k) && x(k) != 1 && y(k) != 1)
            octave::err_nonconformant(name, a, b);
        if (x(k) == 1)
            x(k) = y(k);
    }
    return x;
}

static bool may_be_nan(const node &n)
{
    return is_float(n.dtype) && (n.is != state::number || std::isnan(n.number.double_value()));
}

/* What of an operand makes a look at its elements needless. */
static bool is_safe(refuses refused, const array *operands)
{
    const node &a = *operands[0];
    switch (refused) {
    case refuses::nothing: return true;
    case refuses::negative:
    case refuses::below_minus_one: return a.nonnegative || is_complex(a.dtype);
    case refuses::negative_to_fraction: {
        if (is_complex(a.dtype) || is_complex(operands[1]->dtype))
            return true;
        const node &b = *operands[1];
        double exponent = b.is == state::number ? b.number.double_value() : 0.5;
        return a.nonnegative || !is_float(a.dtype) || !is_float(b.dtype) || exponent == std::round(exponent);
    }
    case refuses::nan:
        for (int k = 0; k < 2 && operands[k]; k++)
            if (may_be_nan(*operands[k]))
                return false;
        return true;
    case refuses::beyond_one: return is_logical(a.dtype);
    case refuses::below_one: return false;
    }
    return false;
}

static bool is_nonnegative(const operation &op, int32_t dtype, const array *x)
{
    if (is_logical(dtype) || is_unsigned(dtype))
        return true;
    if (is_complex(dtype))
        return false;
    switch (op.nonnegative) {
    case keeps_sign::never: return false;
    case keeps_sign::always: return true;
    case keeps_sign::any_operand: return x[0]->nonnegative || x[1]->nonnegative;
    case keeps_sign::product: return x[0] == x[1] || (x[0]->nonnegative && x[1]->nonnegative);
    case keeps_sign::modulus: return x[1]->nonnegative && x[1]->is == state::number && x[1]->number.double_value() > 0;
    case keeps_sign::power:
        return x[0]->nonnegative
               || (x[1]->is == state::number && std::fmod(x[1]->number.double_value(), 2) == 0);
    case keeps_sign::all_operands: break;
    }
    for (int k = 0; k < op.arity; k++)
        if (!x[k]->nonnegative)
            return false;
    return true;
}

/* Of numbers alone: what Octave makes of them. */
static array on_host(const operation &op, const array *x)
{
    const bool may_be_complex = op.result == result_class::complex || has_complex(op, x);
    const int32_t expected = may_be_complex ? class_of_result(op, x) : static_cast<int32_t>(GPUMEX_DTYPE_NONE);
    octave_value result;
    if (op.host < 0) {
        octave_value_list arguments;
        for (int k = 0; k < op.arity; k++)
            arguments.append(x[k]->number);
        result = octave::feval(op.name, arguments, 1)(0);
    } else if (op.arity == 2) {
        static octave::type_info &types = octave::__get_type_info__("gpuArray");
        result = octave::binary_op(types, static_cast<octave_value::binary_op>(op.host), x[0]->number, x[1]->number);
    } else {
        result = octave::unary_op(static_cast<octave_value::unary_op>(op.host), x[0]->number);
    }
    if (is_complex(expected))
        return new_number(result, expected);
    if (result.iscomplex())
        refuse_elements(op);
    return new_number(result, dtype_of(result));
}

/* The distinct inputs of an expression; `seen` are its inner nodes. */
static void add_leaves(const array &a, std::vector<const node *> &leaves, std::vector<const node *> &seen)
{
    std::vector<const node *> &list = a->is == state::pending ? seen : leaves;
    if (std::find(list.begin(), list.end(), a.get()) != list.end())
        return;
    list.push_back(a.get());
    if (a->is == state::pending)
        for (const array &operand : a->operands)
            if (operand)
                add_leaves(operand, leaves, seen);
}

static bool is_within_limits(const operation &op, const array *x)
{
    unsigned tokens = 4, depth = 0, leaves = 0;
    for (int k = 0; k < op.arity; k++) {
        tokens += x[k]->tokens;
        depth = std::max(depth, x[k]->depth + 2);
        leaves += x[k]->leaves;
    }
    if (tokens > most_tokens || depth > deepest)
        return false;
    if (leaves <= most_leaves)
        return true;
    std::vector<const node *> distinct, seen;
    for (int k = 0; k < op.arity; k++)
        add_leaves(x[k], distinct, seen);
    return distinct.size() <= most_leaves;
}

static void shorten(const operation &op, const array *x)
{
    while (!is_within_limits(op, x)) {
        const array *longest = nullptr;
        for (int k = 0; k < op.arity; k++)
            if (x[k]->is == state::pending && (longest == nullptr || x[k]->tokens > (*longest)->tokens))
                longest = &x[k];
        if (longest == nullptr)
            break;
        evaluate(*longest);
    }
}

/* zeros (0, 3) & NaN is an error in Octave, although no element meets NaN. */
static void refuse_nan_number(const operation &op, const array *x)
{
    for (int k = 0; k < op.arity && op.refused == refuses::nan; k++)
        if (x[k]->is == state::number && may_be_nan(*x[k]))
            fail("nan", "%s: NaN is neither true nor false", op.name);
}

static array build(const operation &op, array *x)
{
    for (int k = 0; k < op.arity && op.refused == refuses::nan && op.result != result_class::cast; k++)
        if (is_complex(x[k]->dtype)) /* is true where it is not 0 */
            x[k] = operate(*find_operation("abs"), x[k]);
    bool is_number = true;
    for (int k = 0; k < op.arity; k++)
        is_number = is_number && x[k]->is == state::number;
    if (is_number)
        return on_host(op, x);

    dim_vector dims = x[0]->dims;
    for (int k = 1; k < op.arity; k++)
        dims = broadcast(op.name, dims, x[k]->dims);
    array made = std::make_shared<node>(dims, class_of_result(op, x));
    if (made->dims.any_zero()) {
        refuse_nan_number(op, x);
        return made;
    }
    std::size_t count = count_of(made);
    for (int k = 0; k < op.arity; k++)
        if (x[k]->is == state::pending && count_of(x[k]) < count)
            evaluate(x[k]); /* once, and not once for each element that it meets */
    shorten(op, x);

    made->op = &op;
    made->tokens = 4;
    made->leaves = 0;
    for (int k = 0; k < op.arity; k++) {
        made->operands[k] = x[k];
        made->tokens += x[k]->tokens;
        made->depth = std::max(made->depth, x[k]->depth + 2);
        made->leaves += x[k]->leaves;
    }
    made->nonnegative = is_nonnegative(op, made->dtype, x);
    made->is_checked = !is_safe(op.refused, x);
    made->is = state::pending;
    add_to_pending(made.get());
    return made;
}

array operate(const operation &op, const array &a)
{
    array x[3] = {a};
    if (op.result == result_class::floating && !is_float(a->dtype) && !is_complex(a->dtype) && a->is != state::number)
        x[0] = converted(a, GPUMEX_DTYPE_F64);
    return build(op, x);
}

array operate(const operation &op, const array &a, const array &b)
{
    array x[3] = {a, b};
    return build(op, x);
}

array operate(const operation &op, const array &a, const array &b, const array &c)
{
    array x[3] = {a, b, c};
    return build(op, x);
}

} // namespace gpuarrays
