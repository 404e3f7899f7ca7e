/* joining.cc - [A, B; C, D], cat, repmat: arrays of the device and of the host, one behind the other. */

#include "expression.h"
#include "methods.h"
#include "selection.h"
#include "shapes.h"

namespace gpuarrays {

/* The class of [a, b]: an integer class wins, the first one of two; then single; logical only of logicals. */
static int32_t joined_class(int32_t a, int32_t b)
{
    if ((is_complex(a) && is_integer(b)) || (is_integer(a) && is_complex(b)))
        fail("mixedClasses", "concatenation: not served for gpuArrays of the classes %s and %s", description_of(a).c_str(),
             description_of(b).c_str());
    if (is_integer(a))
        return a;
    if (is_integer(b))
        return b;
    return is_logical(a) && is_logical(b) ? a : arithmetic_class(a, b);
}

/* The size of all parts together. cat (3, [], [], A) leaves out what is 0x0 in front of A, as MATLAB has it. */
static dim_vector joined_size(const std::vector<array> &parts, int dim, bool is_bracket, const char *name)
{
    std::size_t first = 0;
    if (parts.size() > 2 && dim > 1) {
        while (first < parts.size() && parts[first]->dims.zero_by_zero())
            first++;
        first = first == parts.size() ? 0 : first;
    }
    dim_vector dims = parts[first]->dims;
    for (std::size_t k = first + 1; k < parts.size(); k++) {
        const dim_vector &next = parts[k]->dims;
        const dim_vector before = dims;
        if (is_bracket ? dims.hvcat(next, dim) : dims.concat(next, dim))
            continue;
        if (is_bracket) /* as Octave says it of its own */
            error("%s dimensions mismatch (%s vs %s)", dim == 0 ? "vertical" : "horizontal", before.str().c_str(), next.str().c_str());
        error("%s: dimension mismatch in dimension %d at position %d: %s does not fit to %s", name, dim + 1,
              static_cast<int>(k) + 1, next.str().c_str(), before.str().c_str());
    }
    return dims;
}

static octave_value join_parts(const octave_value_list &arguments, int dim, bool is_bracket, const char *name)
{
    std::vector<array> parts;
    int32_t dtype = GPUMEX_DTYPE_NONE;
    for (int k = 0; k < arguments.length(); k++) {
        if (arguments(k).is_string() || arguments(k).iscell() || arguments(k).isstruct())
            fail("notServed", "%s: a gpuArray and a %s cannot be joined", name, arguments(k).class_name().c_str());
        parts.push_back(array_of(arguments(k), name));
        dtype = k == 0 ? parts[0]->dtype : joined_class(dtype, parts.back()->dtype);
    }
    if (parts.empty())
        return octave_value(Matrix());
    dim_vector dims = joined_size(parts, dim, is_bracket, name);
    bool nonnegative = true;
    for (array &part : parts) {
        part = converted(part, dtype);
        nonnegative = nonnegative && part->nonnegative;
    }
    array made = joined(parts, dim, dims, dtype);
    made->nonnegative = nonnegative;
    return value_of(made);
}

/* Of an error in a bracket Octave says only "gpuArray/vertcat method failed": a warning in front of it says why. */
static octave_value join(const octave_value_list &arguments, int dim, bool is_bracket, const char *name)
{
    try {
        return join_parts(arguments, dim, is_bracket, name);
    } catch (const octave::execution_exception &reason) {
        if (is_bracket)
            warning_with_id("gpumex:gpuArray:concatenation", "%s", reason.message().c_str());
        throw;
    }
}

/* COUNTS copies of A along each dimension: ranges that begin anew at their ends. */
static array repeated(const array &a, const dim_vector &counts)
{
    int rank = std::max(a->dims.ndims(), counts.ndims());
    dim_vector dims = a->dims.redim(rank);
    selection chosen(dims);
    for (int k = 0; k < counts.ndims(); k++) {
        chosen.set_range(k, 0, 1, dims(k) * counts(k), counts(k) > 1);
        dims(k) *= counts(k);
    }
    array made = new_array(dims, a->dtype);
    made->nonnegative = a->nonnegative;
    if (count_of(made) > 0)
        check(chosen.read(a->dtype, elements(a), data_of(made->data)), "repmat");
    return made;
}

/* What an argument of repmat says: all its elements, of a matrix its first column. */
static std::vector<double> numbers_of(const octave_value &argument)
{
    NDArray given = on_host(argument).array_value();
    if (given.ndims() > 2)
        error("repmat: M has more than 2 dimensions");
    octave_idx_type count = given.rows() > 1 && given.columns() > 1 ? given.rows() : given.numel();
    return std::vector<double>(given.data(), given.data() + count);
}

/* repmat (A, M), repmat (A, M, N) and repmat (A, M, N, P, ...), as Octave reads them: [] says nothing. */
static dim_vector copies_asked_for(const octave_value_list &arguments)
{
    std::vector<double> counts;
    for (int k = 0; k < arguments.length(); k++) {
        if (arguments.length() > 2 && arguments(k).numel() != 1)
            error("repmat: all input arguments must be scalar");
        const std::vector<double> numbers = numbers_of(arguments(k));
        counts.insert(counts.end(), numbers.begin(), numbers.end());
    }
    if (counts.size() < 2)
        counts.resize(2, arguments.length() == 1 && !counts.empty() ? counts[0] : 1);
    dim_vector times(1, 1);
    times.resize(static_cast<int>(counts.size()));
    for (std::size_t k = 0; k < counts.size(); k++) {
        if (counts[k] != std::round(counts[k]))
            error("repmat: counts must be integers");
        times(static_cast<int>(k)) = counts[k] < 0 ? 0 : static_cast<octave_idx_type>(counts[k]);
    }
    return times;
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(horzcat, arguments, results)
{
    return join(arguments, 1, true, "horzcat");
}

GPU_METHOD(vertcat, arguments, results)
{
    return join(arguments, 0, true, "vertcat");
}

GPU_METHOD(cat, arguments, results)
{
    if (arguments.length() == 0)
        error("Invalid call to cat");
    int dim = arguments(0).int_value() - 1;
    if (dim < 0)
        error("cat: DIM must be a valid dimension");
    return join(arguments.slice(1, arguments.length() - 1), dim, false, "cat");
}

GPU_METHOD(repmat, arguments, results)
{
    check_count("repmat", arguments, 2, 64);
    dim_vector times = copies_asked_for(arguments.slice(1, arguments.length() - 1));
    return value_of(repeated(array_of(arguments(0), "repmat"), times));
}
