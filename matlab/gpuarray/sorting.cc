/* sorting.cc - sort, unique and find. */

#include <octave/parse.h>

#include "expression.h"
#include "indexing.h"
#include "methods.h"
#include "reductions.h"
#include "shapes.h"

namespace gpuarrays {

namespace {

/* The columns of a matrix in order, with the position of each element in the matrix, of class uint64. */
struct sorted_columns {
    array values, positions;
};

} // namespace

static sorted_columns sort_columns(const array &a, bool is_descending, bool has_positions)
{
    sorted_columns made = {new_array(a->dims, a->dtype), array()};
    if (has_positions)
        made.positions = new_array(a->dims, GPUMEX_DTYPE_U64);
    const std::size_t count = count_of(a), rows = static_cast<std::size_t>(a->dims(0));
    if (count == 0)
        return made;
    void *positions = has_positions ? data_of(made.positions->data) : nullptr;
    int32_t order = is_descending ? GPUMEX_SORT_ORDER_DESCENDING : GPUMEX_SORT_ORDER_ASCENDING;
    int32_t payload = has_positions ? GPUMEX_PAYLOAD_INDICES : GPUMEX_PAYLOAD_NONE;
    if (rows == count) {
        gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
        options.dtype = a->dtype;
        options.order = order;
        options.payload = payload;
        options.index_dtype = GPUMEX_DTYPE_U64;
        check(gpumex_sort(context(), &options, elements(a), nullptr, count, data_of(made.values->data), positions), "sort");
        return made;
    }
    const std::size_t columns = count / rows;
    memory starts = allocate(columns * sizeof(uint64_t));
    check(gpumex_fill_ascending(context(), GPUMEX_DTYPE_U64, data_of(starts), columns, 0, static_cast<double>(rows)), "sort");
    gpumex_segmented_sort_options options = GPUMEX_SEGMENTED_SORT_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.order = order;
    options.payload = payload;
    options.index_dtype = GPUMEX_DTYPE_U64;
    check(gpumex_segmented_sort(context(), &options, elements(a), nullptr, count, data_of(starts), columns,
                                data_of(made.values->data), positions),
          "sort");
    return made;
}

/* Dimension DIM in front of the others, and back. */
static array with_first(const array &a, int dim, bool is_back)
{
    int rank = std::max(static_cast<int>(a->dims.ndims()), dim + 1);
    Array<int> order(dim_vector(1, rank));
    order.xelem(0) = dim;
    for (int k = 1; k < rank; k++)
        order.xelem(k) = k <= dim ? k - 1 : k;
    return dim == 0 ? a : permuted(a, order, is_back);
}

/* The place in its column, from 1, of a position in the matrix. */
static array place_in_column(const array &positions, octave_idx_type rows)
{
    array place = converted(positions, GPUMEX_DTYPE_F64);
    place = operate(*find_operation("mod"), place, new_number(static_cast<double>(rows), GPUMEX_DTYPE_F64));
    return operate(*find_operation(octave_value::op_add), place, new_number(1.0, GPUMEX_DTYPE_F64));
}

static octave_value_list sort_along(const octave_value_list &arguments, int results)
{
    check_count("sort", arguments, 1, 3);
    array a = real_array_of(arguments(0), "sort");
    int dim = default_dimension(a->dims);
    bool is_descending = false;
    for (int k = 1; k < arguments.length(); k++) {
        if (!arguments(k).is_string()) {
            dim = read_dimension(arguments(k), "sort");
            continue;
        }
        std::string mode = arguments(k).string_value();
        if (mode != "ascend" && mode != "descend")
            error("sort: MODE must be either \"ascend\" or \"descend\"");
        is_descending = mode == "descend";
    }
    array columns = with_first(a, dim, false);
    sorted_columns made = sort_columns(columns, is_descending, results > 1);
    made.values->nonnegative = a->nonnegative;
    octave_value_list sorted = ovl(value_of(with_first(made.values, dim, true)));
    if (results > 1)
        sorted.append(value_of(with_first(place_in_column(made.positions, columns->dims(0)), dim, true)));
    return sorted;
}

/* Of each value one, ascending; each NaN is a value of its own. */
static octave_value unique_values(const array &a)
{
    if (a->dims.any_zero())
        return value_of(a->dims.zero_by_zero() ? a : new_array(dim_vector(0, 1), a->dtype));
    bool is_row = a->dims.ndims() == 2 && a->dims(0) == 1;
    octave_idx_type count = a->dims.numel();
    array sorted = sort_columns(reshaped(a, dim_vector(count, 1)), false, false).values;
    if (count == 1)
        return value_of(a);
    array head = indexed(sorted, ovl(octave::range<double>(1, 1, static_cast<double>(count) - 1)));
    array tail = indexed(sorted, ovl(octave::range<double>(2, 1, static_cast<double>(count))));
    array is_new = operate(*find_operation(octave_value::op_ne), head, tail);
    array flags = joined({new_number(true, GPUMEX_DTYPE_BOOL), is_new}, 0, dim_vector(count, 1), GPUMEX_DTYPE_BOOL);
    array kept = indexed(sorted, octave_value_list(value_of(flags)));
    return value_of(reshaped(kept, is_row ? dim_vector(1, kept->dims.numel()) : dim_vector(kept->dims.numel(), 1)));
}

/* The size of find (a), which has COUNT elements. */
static dim_vector size_of_found(const dim_vector &dims, octave_idx_type count)
{
    octave_idx_type others = 1;
    for (int k = 1; k < dims.ndims(); k++)
        others *= dims(k);
    if ((dims.numel() == 1 && count == 0) || (dims(0) == 0 && others == 0))
        return dim_vector(0, 0);
    return dims(0) == 1 && dims.ndims() == 2 ? dim_vector(1, count) : dim_vector(count, 1);
}

/* The positions, from 0 and of class uint64, of what is not 0: the first MOST of them, or the last. */
static array found(const array &a, double most, bool is_last)
{
    array flags = operate(*find_operation(octave_value::op_ne), a, new_number(0.0, GPUMEX_DTYPE_F64));
    const std::size_t count = count_of(a);
    memory positions = allocate(count * sizeof(uint64_t));
    uint64_t needed = 0;
    if (count > 0) {
        gpumex_compact_options options = GPUMEX_COMPACT_OPTIONS_INIT;
        options.index_dtype = GPUMEX_DTYPE_U64;
        check(gpumex_compact(context(), &options, nullptr, static_cast<const uint8_t *>(elements(flags)), count, nullptr,
                             data_of(positions), count, &needed),
              "find");
    }
    std::size_t wanted = most < static_cast<double>(needed) ? static_cast<std::size_t>(most) : needed;
    array made = new_array(size_of_found(a->dims, static_cast<octave_idx_type>(wanted)), GPUMEX_DTYPE_U64);
    const uint64_t *first = static_cast<const uint64_t *>(data_of(positions)) + (is_last ? needed - wanted : 0);
    copy(data_of(made->data), first, wanted * sizeof(uint64_t), "find");
    return made;
}

static octave_value_list find_nonzeros(const octave_value_list &arguments, int results)
{
    check_count("find", arguments, 1, 3);
    array a = array_of(arguments(0), "find");
    double most = octave::numeric_limits<double>::Inf();
    if (arguments.length() > 1) {
        most = arguments(1).double_value();
        if (most < 0 || most != std::round(most))
            error("find: N must be a non-negative integer");
    }
    bool is_last = false;
    if (arguments.length() > 2) {
        std::string direction = arguments(2).xstring_value("find: DIRECTION must be \"first\" or \"last\"");
        if (direction != "first" && direction != "last")
            error("find: DIRECTION must be \"first\" or \"last\"");
        is_last = direction == "last";
    }
    array positions = found(a, most, is_last);
    array one = new_number(1.0, GPUMEX_DTYPE_F64), place = converted(positions, GPUMEX_DTYPE_F64);
    const operation &plus = *find_operation(octave_value::op_add);
    if (results < 2)
        return value_of(operate(plus, place, one));
    array rows = new_number(static_cast<double>(std::max<octave_idx_type>(a->dims(0), 1)), GPUMEX_DTYPE_F64);
    array row = operate(*find_operation("mod"), place, rows);
    array column = operate(*find_operation("floor"), operate(*find_operation(octave_value::op_el_div), place, rows));
    octave_value_list made = ovl(value_of(operate(plus, row, one)), value_of(operate(plus, column, one)));
    if (results > 2)
        made.append(value_of(indexed(a, octave_value_list(value_of(operate(plus, place, one))))));
    return made;
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(sort, arguments, results)
{
    return sort_along(arguments, results);
}

GPU_METHOD(unique, arguments, results)
{
    check_count("unique", arguments, 1, 4);
    array a = real_array_of(arguments(0), "unique");
    if (arguments.length() == 1 && results < 2)
        return unique_values(a);
    if (a->dims.any_zero()) {
        array none = new_array(dim_vector(0, 0), GPUMEX_DTYPE_F64);
        return ovl(unique_values(a), value_of(none), value_of(none));
    }
    octave_value_list made = octave::feval("builtin", octave_value_list("unique").append(arguments), results);
    for (int k = 0; k < made.length(); k++)
        made(k) = value_of(array_of(made(k), "unique"));
    return made;
}

GPU_METHOD(find, arguments, results)
{
    return find_nonzeros(arguments, results);
}
