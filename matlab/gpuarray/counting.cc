/* counting.cc - lookup, and the sums that accumarray needs: sorted search and weighted histograms. */

#include "expression.h"
#include "indexing.h"
#include "methods.h"
#include "operators.h"

namespace gpuarrays {

/* How many elements of TABLE, which ascends, are at most each element of VALUES; of class uint64. */
static memory upper_bounds(const array &table, const array &values)
{
    const std::size_t count = count_of(values), size = count_of(table);
    memory sorted = allocate(count * bytes_of(values->dtype)), order = allocate(count * sizeof(uint64_t));
    gpumex_sort_options sort = GPUMEX_SORT_OPTIONS_INIT;
    sort.dtype = values->dtype;
    sort.payload = GPUMEX_PAYLOAD_INDICES;
    sort.index_dtype = GPUMEX_DTYPE_U64;
    check(gpumex_sort(context(), &sort, elements(values), nullptr, count, data_of(sorted), data_of(order)), "lookup");

    memory bounds = allocate(count * sizeof(uint64_t)), placed = allocate(count * sizeof(uint64_t));
    gpumex_sorted_search_options search = GPUMEX_SORTED_SEARCH_OPTIONS_INIT;
    search.dtype = values->dtype;
    search.bound = GPUMEX_BOUND_UPPER;
    search.index_dtype = GPUMEX_DTYPE_U64;
    check(gpumex_sorted_search(context(), &search, data_of(sorted), count, elements(table), size, data_of(bounds), nullptr,
                               nullptr, nullptr, nullptr),
          "lookup");
    gpumex_scatter_options scatter = GPUMEX_SCATTER_OPTIONS_INIT;
    scatter.dtype = GPUMEX_DTYPE_U64;
    scatter.index_dtype = GPUMEX_DTYPE_U64;
    check(gpumex_scatter(context(), &scatter, data_of(bounds), data_of(order), count, data_of(placed), count), "lookup");
    return placed;
}

static array places_in(const array &table, const array &values)
{
    array bounds = new_array(values->dims, GPUMEX_DTYPE_U64);
    if (count_of(bounds) == 0)
        return converted(bounds, GPUMEX_DTYPE_F64);
    if (count_of(table) == 0) {
        const uint64_t zero = 0;
        check(gpumex_fill(context(), GPUMEX_DTYPE_U64, data_of(bounds->data), count_of(bounds), &zero), "lookup");
    } else {
        bounds->data = upper_bounds(table, values);
    }
    return converted(bounds, GPUMEX_DTYPE_F64);
}

/* Which VALUES are those of TABLE at PLACES, as flags, or their places and 0 for the others. */
static array matches_at(const array &table, const array &values, const array &places, bool as_flags)
{
    if (table->dims.any_zero() || values->dims.any_zero())
        return as_flags ? converted(places, GPUMEX_DTYPE_BOOL) : places;
    const array one = new_number(1.0, GPUMEX_DTYPE_F64);
    array found = indexed(table, octave_value_list(value_of(operate(*find_operation("max"), places, one))));
    array equal = operate(*find_operation(octave_value::op_eq), reshaped(found, values->dims), values);
    return as_flags ? equal : operate(*find_operation("merge"), equal, places, new_number(0.0, GPUMEX_DTYPE_F64));
}

/* Sums of WEIGHTS over equal POSITIONS, which are whole doubles from 1 to COUNT. Without WEIGHTS their numbers. */
static array sums(const array &positions, const array &weights, octave_idx_type count)
{
    array made = new_array(dim_vector(count, 1), weights ? GPUMEX_DTYPE_F64 : GPUMEX_DTYPE_U64);
    if (count_of(made) == 0)
        return made;
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F64;
    options.lo = 1;
    options.hi = static_cast<double>(count) + 1;
    options.weights = weights ? elements(weights) : nullptr;
    options.weights_dtype = weights ? weights->dtype : static_cast<int32_t>(GPUMEX_DTYPE_NONE);
    check(gpumex_histogram(context(), &options, elements(positions), count_of(positions), data_of(made->data),
                           static_cast<std::size_t>(count)),
          "accumarray");
    return converted(made, GPUMEX_DTYPE_F64);
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(lookup, arguments, results)
{
    check_count("lookup", arguments, 2, 3);
    array table = real_array_of(arguments(0), "lookup"), values = real_array_of(arguments(1), "lookup");
    if (table->dims.ndims() > 2 || (table->dims(0) > 1 && table->dims(1) > 1))
        error("lookup: TABLE must be a vector");
    const std::string option = arguments.length() > 2 ? arguments(2).xstring_value("lookup: OPT must be a string") : "";
    if (option.find_first_not_of("mb") != std::string::npos)
        fail("notServed", "lookup: of its options only 'm' and 'b' are served for gpuArrays");
    int32_t dtype = arithmetic_class(table->dtype, values->dtype);
    if (dtype == GPUMEX_DTYPE_NONE)
        fail("mixedClasses", "lookup: not served for gpuArrays of the classes %s and %s", name_of(table->dtype),
             name_of(values->dtype));
    table = converted(table, dtype);
    const octave_idx_type size = table->dims.numel();
    bool descends = false;
    if (size > 1) {
        octave_value_list first, last;
        first(0) = 1.0;
        last(0) = static_cast<double>(size);
        octave_value all = value_of(table);
        descends = binary(octave_value::op_gt, all.index_op(first), all.index_op(last)).is_true();
    }
    if (descends)
        fail("notServed", "lookup: a table that descends is not served for gpuArrays");
    values = converted(values, dtype);
    array places = gpuarrays::places_in(table, values);
    return value_of(option.empty() ? places : gpuarrays::matches_at(table, values, places, option.find('b') != std::string::npos));
}

/* __accumulate__ (positions, weights, count): what accumarray is made of. */
GPU_METHOD(__accumulate__, arguments, results)
{
    check_count("__accumulate__", arguments, 3, 3);
    array positions = converted(real_array_of(arguments(0), "accumarray"), GPUMEX_DTYPE_F64);
    array weights = array_of(arguments(1), "accumarray");
    octave_idx_type count = arguments(2).idx_type_value();
    if (count_of(weights) == 0)
        return value_of(gpuarrays::sums(positions, array(), count));
    if (count_of(weights) != count_of(positions))
        error("accumarray: dimension mismatch");
    int32_t dtype = weights->dtype == GPUMEX_DTYPE_F32 ? weights->dtype : static_cast<int32_t>(GPUMEX_DTYPE_F64);
    return value_of(gpuarrays::sums(positions, converted(weights, dtype), count));
}
