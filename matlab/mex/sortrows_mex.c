/* sortrows_mex.c - the gateway behind gpumex.sortrows:
 *
 *   [sorted, positions] = sortrows(A, columns, direction, variant, backend)
 *
 * A: a matrix of the host. columns: doubles, which count from 1, negative ones for descending order; 0 for all in turn. direction: of
 * all columns, whatever their sign; 'auto' leaves it to the sign. positions: doubles, from 1; sorted is A(positions,:).
 *
 * Keys are sorted a column after another, from the last one to the first; each sort is stable. */

#include <math.h>
#include <string.h>

#include "gateway.h"

#define GATHER(type)                                          \
    for (size_t k = 0; k < count; k++)                        \
        ((type *)to)[k] = ((const type *)from)[order[k]]

/* The same of elements of so many bytes, without a call of the library, which takes longer where they are few. */
static void gather_here(size_t width, void *to, const void *from, const uint64_t *order, size_t count)
{
    if (width == 8)
        GATHER(uint64_t);
    else if (width == 4)
        GATHER(uint32_t);
    else if (width == 2)
        GATHER(uint16_t);
    else
        GATHER(uint8_t);
}

/* to[k] <- from[order[k]], k below count, elements of a gpumex_dtype. */
static void gather_elements(session s, int32_t dtype, void *to, const void *from, const uint64_t *order, size_t count)
{
    if (count <= FEW) {
        gather_here(element_bytes(class_of_dtype(dtype)), to, from, order, count);
        return;
    }
    gather_values(s, class_of_dtype(dtype), from, count, order, count, to);
}

/* The columns to compare, doubles from 1 to cols(a) or negative ones. */
static const double *read_columns(const mxArray *argument, operand a, size_t *count)
{
    operand columns = read_operand(argument);
    require(columns.location == ON_HOST && is_full_real(columns) && columns.class_id == mxDOUBLE_CLASS, "invalidColumns", "columns",
            columns, "they are doubles");
    const double *given = columns.data;
    *count = length(columns);
    if (*count == 1 && given[0] == 0) {
        double *all = mxMalloc((cols(a) + 1) * sizeof *all);
        for (size_t k = 0; k < cols(a); k++)
            all[k] = (double)(k + 1);
        *count = cols(a);
        return all;
    }
    for (size_t k = 0; k < *count; k++)
        if (given[k] == 0 || given[k] != floor(given[k]) || !(fabs(given[k]) <= (double)cols(a)))
            fail("invalidColumns", "columns are whole numbers from 1 to %zu, negative ones for descending order", cols(a));
    return given;
}

/* order <- the zero-based positions of the rows in order. */
static void sort_rows(session s, gpumex_sort_options how, const mxArray *direction, operand a, const double *columns, size_t count,
                      uint64_t *order)
{
    size_t bytes = element_bytes(a.class_id);
    char *keys = host_scratch(s, rows(a) * bytes), *sorted = host_scratch(s, rows(a) * bytes);
    uint64_t *positions = host_scratch(s, rows(a) * sizeof *positions), *before = host_scratch(s, rows(a) * sizeof *before);
    for (size_t k = count; k-- > 0;) {
        const char *column = (const char *)a.data + (size_t)(fabs(columns[k]) - 1) * rows(a) * bytes;
        int is_first = k + 1 == count;
        if (!is_first)
            gather_elements(s, how.dtype, keys, column, order, rows(a));
        int32_t by_sign = columns[k] < 0 ? GPUMEX_SORT_ORDER_DESCENDING : GPUMEX_SORT_ORDER_ASCENDING;
        how.order = is_auto(direction) ? by_sign : read_order(direction);
        check(s, gpumex_sort(s.ctx, &how, is_first ? column : keys, NULL, rows(a), sorted, is_first ? order : positions));
        if (is_first)
            continue;
        memcpy(before, order, rows(a) * sizeof *order);
        gather_elements(s, GPUMEX_DTYPE_U64, order, before, positions, rows(a));
    }
}

void sortrows_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[sorted, positions] = sortrows(A, columns, direction, variant, backend)");
    operand a = read_keys(prhs[0], "invalidData", "A");
    require(a.location == ON_HOST && a.ndims == 2, "invalidData", "A", a, "it is a matrix of the host");
    size_t count;
    const double *columns = read_columns(prhs[1], a, &count);
    gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
    options.dtype = dtype_of(a.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.payload = GPUMEX_PAYLOAD_INDICES;
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);

    mxArray *positions = new_positions(rows(a), 0);
    uint64_t *order = mxGetData(positions);
    for (size_t k = 0; k < rows(a); k++)
        order[k] = k;
    sort_rows(s, options, prhs[2], a, columns, count, order);
    plhs[0] = new_unset_array(a.class_id, 2, a.dims);
    size_t column_bytes = rows(a) * element_bytes(a.class_id);
    for (size_t k = 0; k < cols(a); k++) {
        char *to = (char *)mxGetData(plhs[0]) + k * column_bytes;
        gather_elements(s, options.dtype, to, (const char *)a.data + k * column_bytes, order, rows(a));
    }
    if (nlhs > 1) {
        make_one_based(positions);
        plhs[1] = positions;
    }
}
