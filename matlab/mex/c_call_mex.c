/* c_call_mex.c - seconds = c_call(operation, a, b), how long a function of the C interface takes on arrays of the host: memory for the
 * result, which is new, the call, and the memory given back. bench_calls compares it with what M code calls.
 *
 *   matmul(a, b)    square matrices of one class
 *   sort(a, [])     keys in ascending order
 *   life(a, n)      a board of bytes, n generations */

#define _POSIX_C_SOURCE 199309L

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gateway.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int32_t call(session s, const char *name, operand a, const mxArray *argument, void *result)
{
    if (strcmp(name, "matmul") == 0) {
        operand b = read_operand(argument);
        require(is_full_matrix(b) && b.class_id == a.class_id && length(b) == length(a), "invalidData", "B", b, "it is as A is");
        gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
        options.order = GPUMEX_MATMUL_ORDER_COLUMN;
        options.dtype = dtype_of(a.class_id);
        return gpumex_matmul(s.ctx, &options, rows(a), rows(a), rows(a), a.data, b.data, result);
    }
    if (strcmp(name, "sort") == 0) {
        gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
        options.dtype = dtype_of(a.class_id);
        return gpumex_sort(s.ctx, &options, a.data, NULL, length(a), result, NULL);
    }
    if (strcmp(name, "life") != 0)
        fail("invalidOperation", "'%s' is not one of matmul, sort, life", name);
    uint64_t generations = read_integer(argument, "invalidGenerations", "generations");
    return gpumex_life(s.ctx, NULL, a.data, cols(a), rows(a), generations, result);
}

void c_call_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    char name[16] = "";
    check_argument_count(nlhs, 1, nrhs, 3, "seconds = c_call(operation, a, b)");
    read_word(prhs[0], name, sizeof name);
    operand a = read_operand(prhs[1]);
    int is_good = a.location == ON_HOST && is_full_matrix(a) && element_bytes(a.class_id) > 0;
    require(is_good, "invalidData", "A", a, "it is a full real matrix on the host");
    session s = open_session(NULL);
    double start = now();
    void *result = malloc(length(a) * element_bytes(a.class_id));
    if (result == NULL)
        fail("outOfMemory", "no memory for the result");
    int32_t status = call(s, name, a, prhs[2], result);
    free(result);
    double end = now();
    check(s, status);
    plhs[0] = mxCreateDoubleScalar(end - start);
}
