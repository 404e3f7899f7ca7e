/* evaluate.cc - expressions to elements: the text of gpumex_map, its inputs and their strides, one call. */

#include <cmath>
#include <cstdio>

#include "expression.h"

namespace gpuarrays {

static const std::size_t most_inputs = 16;

namespace {

/* An expression as gpumex_map takes it. */
struct program {
    std::string text;
    std::vector<const node *> inputs;
    std::vector<const node *> checked; /* operations whose operands have to be looked at */
    bool fits = true;

    void add(const node &n);
    void add_input(const node &n);
    void add_operation(const node &n);
    bool add_literal(const node &n);
    void add_refusal(const node &n);
};

} // namespace

/* Numbers that programs have in their text are literals, so that x.^2 is seen as a square; others are inputs, since a new text is
   compiled anew. */
bool program::add_literal(const node &n)
{
    if (n.is != state::number || n.dtype != GPUMEX_DTYPE_F64)
        return false;
    double x = n.number.double_value();
    if (!(std::abs(x) <= 64) || x * 4 != std::round(x * 4) || (x == 0 && std::signbit(x)))
        return false;
    char digits[32];
    std::snprintf(digits, sizeof digits, x < 0 ? "(%g)" : "%g", x);
    text += digits;
    return true;
}

void program::add_input(const node &n)
{
    if (add_literal(n))
        return;
    std::size_t index = std::find(inputs.begin(), inputs.end(), &n) - inputs.begin();
    if (index == inputs.size())
        inputs.push_back(&n);
    fits = fits && index < most_inputs;
    text += static_cast<char>('a' + index);
}

void program::add_operation(const node &n)
{
    const operation &op = *n.op;
    bool is_infix = op.is_operator() && op.arity == 2;
    if (!op.is_operator())
        text += op.text;
    text += '(';
    if (op.is_operator() && op.arity == 1)
        text += op.text;
    for (int k = 0; k < op.arity; k++) {
        if (k > 0)
            text += is_infix ? op.text : ",";
        add(*n.operands[k]);
    }
    text += ')';
    if (n.is_checked && std::find(checked.begin(), checked.end(), &n) == checked.end())
        checked.push_back(&n);
}

void program::add(const node &n)
{
    if (n.is == state::pending)
        add_operation(n);
    else
        add_input(n);
}

/* What is true where an operation refuses its operands. */
void program::add_refusal(const node &n)
{
    auto with = [this](const char *before, const node &x, const char *behind) {
        text += before;
        add(x);
        text += behind;
    };
    const node &a = *n.operands[0];
    switch (n.op->refused) {
    case refuses::nothing: break;
    case refuses::negative: with("(", a, "<0)"); break;
    case refuses::below_one: with("(", a, "<1)"); break;
    case refuses::below_minus_one: with("(", a, "<(-1))"); break;
    case refuses::beyond_one: with("(abs(", a, ")>1)"); break;
    case refuses::negative_to_fraction:
        with("((", a, "<0)&(fix(");
        with("", *n.operands[1], ")!=");
        with("", *n.operands[1], "))");
        break;
    case refuses::nan:
        with("(isnan(", a, ")");
        if (n.operands[1])
            with("|isnan(", *n.operands[1], ")");
        text += ')';
        break;
    }
}

namespace {

/* Shape and strides, as few dimensions as they take. */
struct layout {
    std::vector<std::size_t> shape;
    std::vector<std::vector<int64_t>> strides; /* of each input */

    layout(const dim_vector &dims, const std::vector<const node *> &inputs);

private:
    bool is_one_run(std::size_t last) const;
};

} // namespace

/* Whether the dimension behind LAST goes on where that one ends, in every input. */
bool layout::is_one_run(std::size_t last) const
{
    for (const std::vector<int64_t> &s : strides)
        if (s[last + 1] != s[last] * static_cast<int64_t>(shape[last]))
            return false;
    return true;
}

layout::layout(const dim_vector &dims, const std::vector<const node *> &inputs) : strides(inputs.size())
{
    std::vector<int64_t> reach(inputs.size(), 1);
    for (int k = 0; k < dims.ndims(); k++) {
        if (dims(k) == 1 && !shape.empty())
            continue;
        shape.push_back(static_cast<std::size_t>(dims(k)));
        for (std::size_t i = 0; i < inputs.size(); i++) {
            octave_idx_type extent = k < inputs[i]->dims.ndims() ? inputs[i]->dims(k) : 1;
            strides[i].push_back(extent == 1 ? 0 : reach[i]);
            reach[i] *= extent;
        }
        std::size_t last = shape.size() - 1;
        if (last == 0)
            continue;
        bool is_first_empty = shape[0] == 1 && last == 1;
        if (is_first_empty || is_one_run(last - 1)) {
            shape[last - 1] *= shape[last];
            shape.pop_back();
            for (std::vector<int64_t> &s : strides) {
                if (is_first_empty)
                    s[0] = s[1];
                s.pop_back();
            }
        }
    }
    if (shape.size() > 8)
        fail("unsupported", "gpuArray: arrays that broadcast along more than 8 dimensions are not served");
}

static int32_t run(const program &p, const dim_vector &dims, int32_t dtype, void *result)
{
    layout place(dims, p.inputs);
    std::vector<int32_t> dtypes;
    std::vector<int64_t> strides;
    std::vector<const void *> inputs;
    uint64_t numbers[most_inputs];
    for (std::size_t i = 0; i < p.inputs.size(); i++) {
        const node &n = *p.inputs[i];
        dtypes.push_back(n.dtype);
        strides.insert(strides.end(), place.strides[i].begin(), place.strides[i].end());
        numbers[i] = n.is == state::number ? bits_of(n) : 0;
        inputs.push_back(n.is == state::number ? &numbers[i] : data_of(n.data));
    }
    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.rules = GPUMEX_RULES_MATLAB;
    options.dtype = dtype;
    options.rank = static_cast<int32_t>(place.shape.size());
    options.dtypes = dtypes.data();
    options.shape = place.shape.data();
    options.strides = strides.data();
    return gpumex_map(context(), &options, p.text.c_str(), inputs.data(), inputs.size(), result);
}

static const char *reason_of(refuses refused)
{
    switch (refused) {
    case refuses::nan: return "NaN is neither true nor false";
    default: return "the result is complex for some elements; gpuArrays are real in this version";
    }
}

/* Raises the error of the first operation that refuses one of its operands' elements. */
static void look_at_operands(const program &p, const dim_vector &dims)
{
    for (const node *n : p.checked) {
        program refusal;
        refusal.add_refusal(*n);
        memory flags = allocate(static_cast<std::size_t>(dims.numel()));
        check(run(refusal, dims, GPUMEX_DTYPE_BOOL, data_of(flags)), n->op->name);
        gpumex_reduce_options options = GPUMEX_REDUCE_OPTIONS_INIT;
        options.dtype = options.accumulator_dtype = GPUMEX_DTYPE_U8;
        options.op = GPUMEX_OPERATOR_MAX;
        uint8_t is_refused = 0;
        check(gpumex_reduce(context(), &options, data_of(flags), dims.numel(), &is_refused), n->op->name);
        if (is_refused)
            fail(n->op->refused == refuses::nan ? "nan" : "complex", "%s: %s", n->op->name, reason_of(n->op->refused));
    }
}

/* What other expressions have computed as a part of theirs before is computed for itself now, so that nothing is computed often. */
static void settle_parts(const array &a)
{
    for (array &operand : a->operands) {
        if (!operand || operand->is != state::pending)
            continue;
        if (operand->inlined > 0)
            evaluate(operand);
        else
            settle_parts(operand);
    }
}

static void count_parts(const array &a)
{
    for (array &operand : a->operands)
        if (operand && operand->is == state::pending && operand->inlined++ == 0)
            count_parts(operand);
}

static void settle_longest_operand(const array &a)
{
    const array *longest = nullptr;
    for (const array &operand : a->operands)
        if (operand && operand->is == state::pending && (longest == nullptr || operand->tokens > (*longest)->tokens))
            longest = &operand;
    if (longest == nullptr)
        fail("internal", "%s: the expression is too long", a->op->name);
    evaluate(*longest);
}

static void become_stored(const array &a, memory data)
{
    remove_from_pending(a.get());
    a->data = std::move(data);
    a->is = state::stored;
    a->tokens = a->leaves = 1;
    a->depth = 0;
    std::vector<array> former;
    for (array &operand : a->operands)
        former.push_back(std::move(operand));
}

void evaluate(const array &a)
{
    if (a->is != state::pending)
        return;
    settle_parts(a);
    memory data = allocate(count_of(a) * bytes_of(a->dtype));
    for (;;) {
        program p;
        p.add(*a);
        int32_t status = GPUMEX_STATUS_UNSUPPORTED;
        if (p.fits) {
            look_at_operands(p, a->dims);
            status = run(p, a->dims, a->dtype, data_of(data));
        }
        if (status == GPUMEX_STATUS_OK)
            break;
        if (status != GPUMEX_STATUS_UNSUPPORTED || a->leaves <= 1)
            check(status, a->op->name);
        settle_longest_operand(a);
    }
    count_parts(a);
    become_stored(a, std::move(data));
}

} // namespace gpuarrays
