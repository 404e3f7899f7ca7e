/* vectors.c - what the parallel primitives share: vectors, options and one-based indices. */

#include <string.h>

#include "gateway.h"

/* --------------------------------------------------------------------------------------------------------- options */

operand read_numbers(const mxArray *argument, const char *reason, const char *name)
{
    operand x = read_operand(argument);
    x.name = name;
    require(is_full_real(x) && element_bytes(x.class_id) >= 4, reason, name, x,
            "it is full and real: int32, uint32, int64, uint64, single or double");
    return x;
}

operand read_values(const mxArray *argument, const char *reason, const char *name)
{
    operand x = read_operand(argument);
    x.name = name;
    require(is_full_real(x) && dtype_of(x.class_id) != GPUMEX_DTYPE_NONE, reason, name, x,
            "it is full and real: logical, an integer class, single or double");
    return x;
}

operand read_keys(const mxArray *argument, const char *reason, const char *name)
{
    operand x = read_operand(argument);
    x.name = name;
    require((is_full_real(x) || is_text(x)) && dtype_of(x.class_id) != GPUMEX_DTYPE_NONE, reason, name, x,
            "it is full and real: logical, char, an integer class, single or double");
    return x;
}

static operand as_vector(operand x, const char *reason, const char *name)
{
    require(is_vector(x), reason, name, x, "it is a vector");
    return x;
}

operand read_vector(const mxArray *argument, const char *reason, const char *name)
{
    return as_vector(read_numbers(argument, reason, name), reason, name);
}

operand read_key_vector(const mxArray *argument, const char *reason, const char *name)
{
    return as_vector(read_keys(argument, reason, name), reason, name);
}

/* A gpumex_variant; gpumex_sort_variant numbers these two alike. */
int32_t read_variant(const mxArray *argument)
{
    static const enumerator variants[] = {{"auto", GPUMEX_VARIANT_AUTO}, {"sequential", GPUMEX_VARIANT_SEQUENTIAL}, {NULL, 0}};
    return read_enum(argument, "invalidVariant", "variant", variants);
}

int32_t read_operator(const mxArray *argument, operand x)
{
    static const enumerator operators[] = {
        {"sum", GPUMEX_OPERATOR_SUM}, {"prod", GPUMEX_OPERATOR_PRODUCT}, {"min", GPUMEX_OPERATOR_MIN},
        {"max", GPUMEX_OPERATOR_MAX}, {"and", GPUMEX_OPERATOR_AND},      {"or", GPUMEX_OPERATOR_OR},
        {"xor", GPUMEX_OPERATOR_XOR}, {NULL, 0}};
    int32_t op = read_enum(argument, "invalidOperator", "op", operators);
    int is_bitwise = op == GPUMEX_OPERATOR_AND || op == GPUMEX_OPERATOR_OR || op == GPUMEX_OPERATOR_XOR;
    if (is_bitwise && (x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS))
        fail("unsupported", "op is of the bits of integers, and %s is %s", x.name, x.class_name);
    return op;
}

int32_t read_order(const mxArray *argument)
{
    static const enumerator orders[] = {
        {"ascend", GPUMEX_SORT_ORDER_ASCENDING}, {"descend", GPUMEX_SORT_ORDER_DESCENDING}, {NULL, 0}};
    return read_enum(argument, "invalidDirection", "direction", orders);
}

int32_t read_overflow(const mxArray *argument)
{
    static const enumerator overflows[] = {{"saturate", GPUMEX_RULES_MATLAB}, {"wrap", GPUMEX_RULES_C}, {NULL, 0}};
    return is_auto(argument) ? GPUMEX_RULES_MATLAB : read_enum(argument, "invalidOverflow", "Overflow", overflows);
}

int read_logical_option(const mxArray *argument, const char *reason, const char *name)
{
    return is_auto(argument) ? 0 : read_logical(argument, reason, name);
}

/* --------------------------------------------------------------------------------------------------------- vectors */

void require_one_class(operand a, operand b)
{
    if (a.class_id != b.class_id)
        fail("mixedClasses", "%s is %s and %s is %s; both have the same class", a.name, a.class_name, b.name, b.class_name);
}

int are_narrow(operand x, operand a)
{
    int is_here = element_bytes(x.class_id) < 4;
    require(!is_here || x.location == ON_HOST, "invalidData", x.name, x, "on a device its elements have 4 or 8 bytes");
    require(!is_here || a.location == ON_HOST, "invalidData", a.name, a, "on a device its elements have 4 or 8 bytes");
    return is_here;
}

result copy_beside(session s, operand y, operand x)
{
    result made = new_result(s, result_location(y, x), y.class_id, y.ndims, y.dims);
    check(s, gpumex_copy(s.ctx, made.data, y.data, length(y) * element_bytes(y.class_id)));
    return made;
}

void gather_values(session s, mxClassID class_id, const void *from, size_t elements, const uint64_t *positions, size_t count, void *to)
{
    gpumex_gather_options options = GPUMEX_GATHER_OPTIONS_INIT;
    options.dtype = dtype_of(class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    check(s, gpumex_gather(s.ctx, &options, from, elements, positions, count, to));
}

int is_row(operand x)
{
    return x.ndims == 2 && rows(x) == 1;
}

int are_rows(operand a, operand b)
{
    return (is_row(a) || is_row(b)) && (is_row(a) || length(a) == 0) && (is_row(b) || length(b) == 0);
}

/* The dimension that is not 1; ndims where there are several, or none. */
static mwSize long_dimension(operand x)
{
    mwSize found = x.ndims;
    for (mwSize k = 0; k < x.ndims; k++)
        if (x.dims[k] != 1)
            found = found == x.ndims ? k : x.ndims + 1;
    return found < x.ndims ? found : x.ndims;
}

int is_line(operand x)
{
    return long_dimension(x) < x.ndims;
}

result new_line(session s, operand x, location where, size_t count)
{
    if (!is_line(x))
        return new_vector(s, where, x.class_id, count, 0);
    size_t bytes = (size_t)x.ndims * sizeof *x.dims;
    mwSize *dims = memcpy(mxMalloc(bytes), x.dims, bytes);
    dims[long_dimension(x)] = (mwSize)count;
    return new_result(s, where, x.class_id, shown_rank((size_t)x.ndims, dims), dims);
}

result new_vector(session s, location where, mxClassID class_id, size_t count, int as_row)
{
    const mwSize dims[2] = {as_row ? 1 : (mwSize)count, as_row ? (mwSize)count : 1};
    return new_result(s, where, class_id, 2, dims);
}

result new_room(session s, location where, mxClassID class_id, size_t count)
{
    if (where != ON_HOST)
        return new_vector(s, where, class_id, count, 0);
    const result made = {.location = ON_HOST, .data = scratch(s, count * element_bytes(class_id))};
    return made;
}

result shrink(session s, result room, mxClassID class_id, size_t count, int as_row)
{
    result shorter = new_vector(s, room.location, class_id, count, as_row);
    copy_bytes(s, shorter.data, room.data, count * element_bytes(class_id));
    return shorter;
}

/* --------------------------------------------------------------------------------------------------------- numbers */

uint64_t *new_uint64s(session s, size_t count)
{
    return host_scratch(s, count * sizeof(uint64_t));
}

/* Element k of an array of whole numbers as double: exact up to 2^53, beyond which there is no array. */
static double as_double(const void *data, mxClassID class_id, size_t k)
{
    switch (class_id) {
    case mxINT8_CLASS: return ((const int8_t *)data)[k];
    case mxUINT8_CLASS: return ((const uint8_t *)data)[k];
    case mxINT16_CLASS: return ((const int16_t *)data)[k];
    case mxUINT16_CLASS: return ((const uint16_t *)data)[k];
    case mxINT32_CLASS: return ((const int32_t *)data)[k];
    case mxUINT32_CLASS: return ((const uint32_t *)data)[k];
    case mxINT64_CLASS: return (double)((const int64_t *)data)[k];
    case mxUINT64_CLASS: return (double)((const uint64_t *)data)[k];
    case mxSINGLE_CLASS: return ((const float *)data)[k];
    default: return ((const double *)data)[k];
    }
}

/* The elements of an array on the host. */
static const void *on_host(session s, operand x)
{
    size_t bytes = length(x) * element_bytes(x.class_id);
    if (x.location == ON_HOST)
        return x.data;
    void *copy = host_scratch(s, bytes);
    check(s, gpumex_copy(s.ctx, copy, x.data, bytes));
    return copy;
}

/* numbers <- whole doubles from `base` on, less it, up to the first element that is none. How many. */
static size_t read_doubles(const double *data, size_t count, uint64_t base, uint64_t *numbers)
{
    const double least = (double)base, most = MOST_WHOLE;
    for (size_t k = 0; k < count; k++) {
        double value = data[k];
        if (!(value >= least && value <= most))
            return k;
        uint64_t whole = (uint64_t)value;
        if ((double)whole != value)
            return k;
        numbers[k] = whole - base;
    }
    return count;
}

uint64_t *read_integers(session s, const mxArray *argument, uint64_t base, const char *reason, const char *name)
{
    operand x = read_operand(argument);
    int are_numbers = is_full_real(x) && element_bytes(x.class_id) > 0 && x.class_id != mxLOGICAL_CLASS;
    require(are_numbers, reason, name, x, "it holds whole numbers");
    const void *data = on_host(s, x);
    size_t count = length(x);
    uint64_t *numbers = new_uint64s(s, count);
    for (size_t k = x.class_id == mxDOUBLE_CLASS ? read_doubles(data, count, base, numbers) : 0; k < count; k++) {
        double value = as_double(data, x.class_id, k) + 0.0; /* -0 is 0 */
        if (!is_whole(value) || value < (double)base)
            fail(reason, "%s(%zu) is %.17g; it is a whole number from %d to 2^53", name, k + 1, value, (int)base);
        numbers[k] = (uint64_t)value - base;
    }
    return numbers;
}

mxArray *new_positions(size_t count, int as_row)
{
    const mwSize dims[2] = {as_row ? 1 : (mwSize)count, as_row ? (mwSize)count : 1};
    return new_unset_array(mxDOUBLE_CLASS, 2, dims);
}

enum { BLOCK = 256 };

/* Whole numbers below 2^52 in place, which are the low bits of 2^52 and more; in blocks that the compiler makes vector instructions of.
 * A position and a double both have 8 bytes. */
static void make_block_one_based(uint64_t *numbers)
{
    for (int k = 0; k < BLOCK; k++) {
        uint64_t bits = numbers[k] | UINT64_C(0x4330000000000000);
        double number;
        memcpy(&number, &bits, sizeof number);
        number -= 4503599627370495.0; /* 2^52 - 1 */
        memcpy(&numbers[k], &number, sizeof number);
    }
}

void make_one_based(mxArray *positions)
{
    uint64_t *numbers = mxGetData(positions), rest[BLOCK] = {0};
    size_t count = mxGetNumberOfElements(positions), k = 0;
    for (; k + BLOCK <= count; k += BLOCK)
        make_block_one_based(numbers + k);
    if (k == count)
        return;
    memcpy(rest, numbers + k, (count - k) * sizeof *rest);
    make_block_one_based(rest);
    memcpy(numbers + k, rest, (count - k) * sizeof *rest);
}
