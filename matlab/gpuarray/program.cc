/* program.cc - expressions as gpumex_map takes them. */

#include "program.h"

#include <cmath>
#include <cstdio>

namespace gpuarrays {

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

/* Whether the dimension behind LAST goes on where that one ends, in every input. */
bool layout::is_one_run(std::size_t last) const
{
    for (const std::vector<int64_t> &s : strides)
        if (s[last + 1] != s[last] * static_cast<int64_t>(shape[last]))
            return false;
    return true;
}

/* Whether dimension K of the arrays, which is the one at LAST, may be joined with the one before. */
bool layout::may_join(std::size_t last, int k, int kept) const
{
    return last > 0 && k != kept && !(kept >= 0 && k > kept && apart + 1 == last);
}

layout::layout(const dim_vector &dims, const std::vector<const node *> &inputs, int kept) : strides(inputs.size())
{
    std::vector<int64_t> reach(inputs.size(), 1);
    for (int k = 0; k < std::max<int>(dims.ndims(), kept + 1); k++) {
        octave_idx_type size = k < dims.ndims() ? dims(k) : 1;
        if (k == kept)
            apart = shape.size();
        if (size == 1 && !shape.empty() && k != kept)
            continue;
        shape.push_back(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i < inputs.size(); i++) {
            octave_idx_type extent = k < inputs[i]->dims.ndims() ? inputs[i]->dims(k) : 1;
            strides[i].push_back(extent == 1 ? 0 : reach[i]);
            reach[i] *= extent;
        }
        std::size_t last = shape.size() - 1;
        if (!may_join(last, k, kept))
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

} // namespace gpuarrays
