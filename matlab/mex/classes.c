/* classes.c - the classes of MATLAB's arrays and the library's gpumex_dtype. */

#include "gateway.h"

/* Octave compares the bytes of its texts with signs, MATLAB the units of UTF-16 of its own without. */
#ifdef octave_mex_h
enum { TEXT_DTYPE = GPUMEX_DTYPE_I8 };
#else
enum { TEXT_DTYPE = GPUMEX_DTYPE_U16 };
#endif

static const struct {
    mxClassID id;
    int32_t dtype;
    size_t bytes;
    const char *name;
} classes[] = {
    {mxLOGICAL_CLASS, GPUMEX_DTYPE_BOOL, sizeof(mxLogical), "logical"},
    {mxSINGLE_CLASS, GPUMEX_DTYPE_F32, 4, "single"},
    {mxDOUBLE_CLASS, GPUMEX_DTYPE_F64, 8, "double"},
    {mxINT8_CLASS, GPUMEX_DTYPE_I8, 1, "int8"},
    {mxUINT8_CLASS, GPUMEX_DTYPE_U8, 1, "uint8"},
    {mxINT16_CLASS, GPUMEX_DTYPE_I16, 2, "int16"},
    {mxUINT16_CLASS, GPUMEX_DTYPE_U16, 2, "uint16"},
    {mxINT32_CLASS, GPUMEX_DTYPE_I32, 4, "int32"},
    {mxUINT32_CLASS, GPUMEX_DTYPE_U32, 4, "uint32"},
    {mxINT64_CLASS, GPUMEX_DTYPE_I64, 8, "int64"},
    {mxUINT64_CLASS, GPUMEX_DTYPE_U64, 8, "uint64"},
    {mxCHAR_CLASS, TEXT_DTYPE, sizeof(mxChar), "char"}, /* the last one: its dtype is first an integer class's */
};

enum { CLASSES = sizeof classes / sizeof classes[0] };

static size_t index_of(mxClassID class_id)
{
    size_t k = 0;
    while (k < CLASSES && classes[k].id != class_id)
        k++;
    return k;
}

size_t element_bytes(mxClassID class_id)
{
    size_t k = index_of(class_id);
    return k < CLASSES ? classes[k].bytes : 0;
}

const char *class_name(mxClassID class_id)
{
    size_t k = index_of(class_id);
    return k < CLASSES ? classes[k].name : "array of no known class";
}

int32_t dtype_of(mxClassID class_id)
{
    size_t k = index_of(class_id);
    return k < CLASSES ? classes[k].dtype : GPUMEX_DTYPE_NONE;
}

mxClassID class_of_dtype(int32_t dtype)
{
    for (size_t k = 0; k < CLASSES; k++)
        if (classes[k].dtype == dtype)
            return classes[k].id;
    return mxUNKNOWN_CLASS;
}

mwSize shown_rank(size_t rank, const mwSize *dims)
{
    while (rank > 2 && dims[rank - 1] == 1)
        rank--;
    return (mwSize)rank;
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
