/* operands.c - inputs and results wherever they lie: in MATLAB's memory, in a gpuArray, in a gpumex.array. */

#include <string.h>

#include "gateway.h"

static const struct {
    mxClassID id;
    size_t bytes;
    const char *name;
} element_types[] = {
    {mxLOGICAL_CLASS, sizeof(mxLogical), "logical"}, {mxSINGLE_CLASS, 4, "single"}, {mxDOUBLE_CLASS, 8, "double"},
    {mxINT8_CLASS, 1, "int8"},   {mxUINT8_CLASS, 1, "uint8"},   {mxINT16_CLASS, 2, "int16"}, {mxUINT16_CLASS, 2, "uint16"},
    {mxINT32_CLASS, 4, "int32"}, {mxUINT32_CLASS, 4, "uint32"}, {mxINT64_CLASS, 8, "int64"}, {mxUINT64_CLASS, 8, "uint64"},
};

enum { ELEMENT_TYPES = sizeof element_types / sizeof element_types[0] };

size_t element_bytes(mxClassID class_id)
{
    for (size_t k = 0; k < ELEMENT_TYPES; k++)
        if (element_types[k].id == class_id)
            return element_types[k].bytes;
    return 0;
}

const char *class_name(mxClassID class_id)
{
    for (size_t k = 0; k < ELEMENT_TYPES; k++)
        if (element_types[k].id == class_id)
            return element_types[k].name;
    return "array of no known class";
}

static operand read_host_array(const mxArray *argument)
{
    static const char *const parts[] = {"", "complex ", "sparse ", "sparse complex "};
    operand x = {.place = ON_HOST, .class_id = mxGetClassID(argument), .class_name = mxGetClassName(argument)};
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
    const operand x = {ON_DEVICE, "", found->class_id, class_name(found->class_id), found->ndims, found->dims, found->data};
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
    return x.parts[0] == '\0';
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

/* 0 when a dimension is; SIZE_MAX when there are more. */
size_t count_elements(mwSize ndims, const mwSize *dims)
{
    size_t count = 1;
    for (size_t i = 0; i < (size_t)ndims; i++) {
        size_t dim = (size_t)dims[i];
        count = dim != 0 && count > SIZE_MAX / dim ? SIZE_MAX : count * dim;
    }
    return count;
}

size_t length(operand x)
{
    return count_elements(x.ndims, x.dims);
}

mxArray *new_host_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    if (class_id == mxLOGICAL_CLASS)
        return mxCreateLogicalArray(ndims, dims);
    return mxCreateNumericArray(ndims, dims, class_id, mxREAL);
}

place place_of_result(operand a, operand b)
{
    return a.place > b.place ? a.place : b.place;
}

result new_result(session s, place where, mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    if (where == IN_GPU_ARRAY)
        return new_gpu_array(class_id, ndims, dims);
    result made = {.place = where};
    if (where == ON_DEVICE) {
        array *kept = new_array(s, class_id, ndims, dims);
        made.owner = kept;
        made.data = kept->data;
    } else {
        made.owner = new_host_array(class_id, ndims, dims);
        made.data = mxGetData(made.owner);
    }
    return made;
}

mxArray *deliver(result made)
{
    if (made.place == IN_GPU_ARRAY)
        return deliver_gpu_array(made);
    return made.place == ON_DEVICE ? hand_out(made.owner) : made.owner;
}
