/* fake.c - gpuArrays over ordinary memory, for the test of the gateway's way with them.
 *
 * A fake gpuArray is a structure with one field, `on_gpu`, whose value is the array. An mxGPUArray refers to that value, without a
 * copy, or to one of its own until it becomes a result. FAKE_MXGPU_HANDLES in the environment is how many mxGPUArrays there are. */

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

#include "gpu/mxGPUArray.h"

struct mxGPUArray_tag {
    const mxArray *value;
};

static int handles;

static void count_handles(int change)
{
    char text[16];
    handles += change;
    snprintf(text, sizeof text, "%d", handles);
    setenv("FAKE_MXGPU_HANDLES", text, 1);
}

static mxGPUArray *refer_to(const mxArray *value)
{
    mxGPUArray *array = malloc(sizeof *array);
    array->value = value;
    count_handles(1);
    return array;
}

int mxInitGPU(void)
{
    return MX_GPU_SUCCESS;
}

int mxIsGPUArray(mxArray const *argument)
{
    return mxIsStruct(argument) && mxGetNumberOfElements(argument) == 1 && mxGetField(argument, 0, "on_gpu") != NULL;
}

mxGPUArray const *mxGPUCreateFromMxArray(mxArray const *argument)
{
    return refer_to(mxGetField(argument, 0, "on_gpu"));
}

mxGPUArray *mxGPUCreateGPUArray(mwSize ndims, mwSize const *dims, mxClassID class_id, mxComplexity complexity,
                                mxGPUInitialize initialize)
{
    (void)initialize;
    return refer_to(class_id == mxLOGICAL_CLASS ? mxCreateLogicalArray(ndims, dims)
                                                : mxCreateNumericArray(ndims, dims, class_id, complexity));
}

mxArray *mxGPUCreateMxArrayOnGPU(mxGPUArray const *array)
{
    const char *field = "on_gpu";
    mxArray *result = mxCreateStructMatrix(1, 1, 1, &field);
    mxSetField(result, 0, field, mxDuplicateArray(array->value));
    return result;
}

void mxGPUDestroyGPUArray(mxGPUArray const *array)
{
    count_handles(-1);
    free((void *)array);
}

mxClassID mxGPUGetClassID(mxGPUArray const *array)
{
    return mxGetClassID(array->value);
}

mxComplexity mxGPUGetComplexity(mxGPUArray const *array)
{
    return mxIsComplex(array->value) ? mxCOMPLEX : mxREAL;
}

int mxGPUIsSparse(mxGPUArray const *array)
{
    return mxIsSparse(array->value);
}

mwSize mxGPUGetNumberOfDimensions(mxGPUArray const *array)
{
    return mxGetNumberOfDimensions(array->value);
}

mwSize const *mxGPUGetDimensions(mxGPUArray const *array)
{
    return mxGetDimensions(array->value);
}

void const *mxGPUGetDataReadOnly(mxGPUArray const *array)
{
    return mxGetData(array->value);
}

void *mxGPUGetData(mxGPUArray const *array)
{
    return mxGetData(array->value);
}
