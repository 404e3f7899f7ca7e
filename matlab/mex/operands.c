/* operands.c - inputs and results wherever they lie: in MATLAB's memory, in a gpuArray, in a gpumex.array. */

#include <string.h>

#include "gateway.h"

static operand read_host_array(const mxArray *argument)
{
    static const char *const parts[] = {"", "complex ", "sparse ", "sparse complex "};
    operand x = {.location = ON_HOST, .class_id = mxGetClassID(argument)};
    x.class_name = element_bytes(x.class_id) > 0 ? class_name(x.class_id) : mxGetClassName(argument); /* which allocates it */
    x.parts = parts[2 * !!mxIsSparse(argument) + !!mxIsComplex(argument)];
    x.ndims = mxGetNumberOfDimensions(argument);
    x.dims = mxGetDimensions(argument);
    x.data = element_bytes(x.class_id) > 0 ? mxGetData(argument) : NULL;
    return x;
}

operand read_operand(const mxArray *argument)
{
    if (is_gpu_array(argument))
        return read_gpu_array(argument);
    const array *found = array_of(argument);
    if (found == NULL)
        return read_host_array(argument);
    operand x = {.location = ON_DEVICE, .backend = found->backend, .parts = "", .class_id = found->class_id};
    x.class_name = class_name(x.class_id);
    x.ndims = found->ndims;
    x.dims = found->dims;
    x.data = found->data;
    return x;
}

int is_sparse(operand x)
{
    return strstr(x.parts, "sparse") != NULL;
}

int is_complex(operand x)
{
    return strstr(x.parts, "complex") != NULL;
}

int is_full_real(operand x)
{
    return x.parts[0] == '\0' && !is_text(x);
}

int is_text(operand x)
{
    return x.class_id == mxCHAR_CLASS;
}

int is_vector(operand x)
{
    return length(x) == 0 || (x.ndims == 2 && (rows(x) == 1 || cols(x) == 1));
}

int is_0x0(operand x)
{
    return x.ndims == 2 && rows(x) == 0 && cols(x) == 0;
}

int is_full_matrix(operand x)
{
    return is_full_real(x) && x.ndims == 2;
}

size_t rows(operand x)
{
    return (size_t)x.dims[0];
}

size_t cols(operand x)
{
    return (size_t)x.dims[1];
}

size_t length(operand x)
{
    return count_elements(x.ndims, x.dims);
}

mxArray *new_host_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    if (class_id == mxLOGICAL_CLASS)
        return mxCreateLogicalArray(ndims, dims);
    if (class_id == mxCHAR_CLASS)
        return mxCreateCharArray(ndims, dims);
    return mxCreateNumericArray(ndims, dims, class_id, mxREAL);
}

#ifdef octave_mex_h

enum { LARGE_BYTES = 32768 };

/* Whether the oct-file is not there, or does not fit: then a user is told once. */
static int is_without_oct_file(const mxArray *problem)
{
    char id[32] = "", message[256] = "";
    mxGetString(mxGetField(problem, 0, "identifier"), id, sizeof id);
    if (strcmp(id, "Octave:undefined-function") == 0)
        return 1;
    if (strstr(id, ":builtAnew") == NULL)
        return 0;
    mxGetString(mxGetField(problem, 0, "message"), message, sizeof message);
    mexWarnMsgIdAndTxt("gpumex:copiedResults", "gpumex: large results are copied, and take up to six times as long. %s", message);
    return 1;
}

/* An array of Octave's own, which it takes as it is; those of a MEX file it copies. NULL where the type gpuArray is not there. */
static mxArray *new_octave_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    static int is_missing;
    if (is_missing)
        return NULL;
    mxArray *made = NULL, *inputs[2] = {mxCreateString(class_name(class_id)), mxCreateDoubleMatrix(1, ndims, mxREAL)};
    double *extents = mxGetData(inputs[1]);
    for (mwSize k = 0; k < ndims; k++)
        extents[k] = (double)dims[k];
    mxArray *problem = mexCallMATLABWithTrap(1, &made, 2, inputs, "__gpumex_unset__");
    mxDestroyArray(inputs[0]), mxDestroyArray(inputs[1]);
    if (problem == NULL)
        return made;
    is_missing = is_without_oct_file(problem);
    renew_interrupts(); /* Octave has set its own handler again */
    return NULL;
}

mxArray *new_unset_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    size_t bytes = element_bytes(class_id), count = count_elements(ndims, dims);
    if (bytes > 0 && count > SIZE_MAX / bytes)
        fail("outOfMemory", "an array of %zux%zu elements of %zu bytes is beyond the address space", (size_t)dims[0], (size_t)dims[1], bytes);
    mxArray *made = bytes > 0 && count >= LARGE_BYTES / bytes ? new_octave_array(class_id, ndims, dims) : NULL;
    return made != NULL ? made : new_host_array(class_id, ndims, dims);
}

#else

mxArray *new_unset_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    if (class_id == mxLOGICAL_CLASS || class_id == mxCHAR_CLASS)
        return new_host_array(class_id, ndims, dims);
    return mxCreateUninitNumericArray((size_t)ndims, (size_t *)dims, class_id, mxREAL);
}

#endif

location result_location(operand a, operand b)
{
    return a.location > b.location ? a.location : b.location;
}

result new_result(session s, location where, mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    if (where == IN_GPU_ARRAY)
        return new_gpu_array(class_id, ndims, dims);
    result made = {.location = where};
    if (where == ON_DEVICE) {
        array *kept = new_array(s, class_id, ndims, dims);
        made.owner = kept;
        made.data = kept->data;
    } else {
        made.owner = new_unset_array(class_id, ndims, dims);
        made.data = mxGetData(made.owner);
    }
    return made;
}

mxArray *to_mxarray(result made)
{
    if (made.location == IN_GPU_ARRAY)
        return gpu_to_mxarray(made);
    return made.location == ON_DEVICE ? make_handle(made.owner) : made.owner;
}
