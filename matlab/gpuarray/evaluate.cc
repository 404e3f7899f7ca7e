/* evaluate.cc - expressions to elements: one call of gpumex_map, and a look at what operations refuse. */

#include "program.h"

namespace gpuarrays {

namespace {

/* The inputs of a program as a call takes them. */
struct call {
    layout place;
    std::vector<int32_t> dtypes;
    std::vector<int64_t> strides;
    std::vector<const void *> inputs;
    element_bytes numbers[most_inputs];

    call(const program &p, const dim_vector &dims, int apart = -1) : place(dims, p.inputs, apart)
    {
        for (std::size_t i = 0; i < p.inputs.size(); i++) {
            const node &n = *p.inputs[i];
            dtypes.push_back(n.dtype);
            strides.insert(strides.end(), place.strides[i].begin(), place.strides[i].end());
            numbers[i] = n.is == state::number ? bits_of(n) : element_bytes();
            inputs.push_back(n.is == state::number ? &numbers[i] : data_of(n.data));
        }
    }
    call(const call &) = delete; /* inputs point into it */
};

} // namespace

static int32_t run(const program &p, const dim_vector &dims, int32_t dtype, void *result)
{
    call c(p, dims);
    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.rules = GPUMEX_RULES_MATLAB;
    options.dtype = dtype;
    options.rank = static_cast<int32_t>(c.place.shape.size());
    options.dtypes = c.dtypes.data();
    options.shape = c.place.shape.data();
    options.strides = c.strides.data();
    return gpumex_map(context(), &options, p.text.c_str(), c.inputs.data(), c.inputs.size(), result);
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
            refuse_elements(*n->op);
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

/* Fields of gpumex_map_reduce and gpumex_map_scan: OP of elements of class FROM along a dimension, or with -1 of all. */
template <typename Options>
static void describe(Options &options, const call &c, int32_t from, int32_t op, int dim, int32_t to)
{
    options.rules = GPUMEX_RULES_MATLAB;
    options.dtype = from;
    options.rank = static_cast<int32_t>(c.place.shape.size());
    options.op = op;
    options.dimension = dim < 0 ? 0 : static_cast<int32_t>(c.place.apart + 1);
    options.accumulator_dtype = to;
    options.dtypes = c.dtypes.data();
    options.shape = c.place.shape.data();
    options.strides = c.strides.data();
}

/* Has COMPUTE, which returns a status, take the program of an expression whose elements are not stored. False: A is no expression, has been
   computed in this way before, so that its elements are worth storing, or is not served. */
template <typename Compute> static bool consume_pending(const array &a, const Compute &compute)
{
    if (a->is != state::pending || a->inlined > 0 || count_of(a) == 0)
        return false;
    settle_parts(a);
    program p;
    p.add(*a);
    if (!p.fits)
        return false;
    look_at_operands(p, a->dims);
    int32_t status = compute(p);
    if (status == GPUMEX_STATUS_UNSUPPORTED)
        return false;
    check(status, a->op->name);
    a->inlined++;
    count_parts(a);
    return true;
}

bool reduce_pending(const array &a, int32_t op, int dim, int32_t dtype, int32_t nan, void *result)
{
    return consume_pending(a, [&](const program &p) {
        call c(p, a->dims, dim);
        gpumex_map_reduce_options options = GPUMEX_MAP_REDUCE_OPTIONS_INIT;
        describe(options, c, a->dtype, op, dim, dtype);
        options.nan = nan;
        return gpumex_map_reduce(context(), &options, p.text.c_str(), c.inputs.data(), c.inputs.size(), result);
    });
}

bool scan_pending(const array &a, int32_t op, int dim, int32_t dtype, void *result)
{
    if (is_complex(a->dtype))
        return false;
    return consume_pending(a, [&](const program &p) {
        call c(p, a->dims, dim);
        gpumex_map_scan_options options = GPUMEX_MAP_SCAN_OPTIONS_INIT;
        describe(options, c, a->dtype, op, dim, dtype);
        options.kind = GPUMEX_SCAN_KIND_INCLUSIVE;
        return gpumex_map_scan(context(), &options, p.text.c_str(), c.inputs.data(), c.inputs.size(), result);
    });
}

} // namespace gpuarrays
