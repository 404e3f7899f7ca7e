/* gpuarrays.c - MATLAB's gpuArrays as inputs and results, where they lie on the GPU, without a copy.
 *
 * Compiled with GPUMEX_MXGPU, which build_gpumex sets in MATLAB with the Parallel Computing Toolbox; elsewhere no argument is a
 * gpuArray. Not tested on MATLAB. The handles of a call are destroyed when it ends, with an error too. gpuArrays are written in the
 * legacy default stream, and the contexts' streams are ordered with that one, so that neither side waits for the other.
 *
 * Source: MathWorks, "GPU MEX API" (mxGPUArray), R2013a and later. */

#include "gateway.h"

#ifdef GPUMEX_MXGPU

#include "gpu/mxGPUArray.h"

/* The class by which a gpuArray is known before the GPU library of MATLAB is started. */
#ifndef GPUMEX_GPU_CLASS
#define GPUMEX_GPU_CLASS "gpuArray"
#endif

static const mxGPUArray *held[24]; /* of one call */
static size_t held_count;

static const mxGPUArray *hold(const mxGPUArray *gpu)
{
    if (held_count == sizeof held / sizeof held[0]) {
        mxGPUDestroyGPUArray(gpu);
        fail("internal", "a call holds more than %zu gpuArrays", held_count);
    }
    return held[held_count++] = gpu;
}

void release_gpu_arrays(void)
{
    while (held_count > 0)
        mxGPUDestroyGPUArray(held[--held_count]);
}

int is_gpu_array(const mxArray *argument)
{
    return mxIsClass(argument, GPUMEX_GPU_CLASS) && mxInitGPU() == MX_GPU_SUCCESS && mxIsGPUArray(argument);
}

operand read_gpu_array(const mxArray *argument)
{
    const mxGPUArray *gpu = hold(mxGPUCreateFromMxArray(argument));
    operand x = {.location = IN_GPU_ARRAY, .parts = "", .class_id = mxGPUGetClassID(gpu)};
    if (mxGPUIsSparse(gpu))
        x.parts = "sparse ";
    else if (mxGPUGetComplexity(gpu) == mxCOMPLEX)
        x.parts = "complex ";
    x.class_name = class_name(x.class_id);
    x.ndims = mxGPUGetNumberOfDimensions(gpu);
    x.dims = mxGPUGetDimensions(gpu);
    x.data = x.parts[0] == '\0' ? mxGPUGetDataReadOnly(gpu) : NULL;
    return x;
}

result new_gpu_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    mxGPUArray *gpu = mxGPUCreateGPUArray(ndims, dims, class_id, mxREAL, MX_GPU_DO_NOT_INITIALIZE);
    hold(gpu);
    const result made = {.location = IN_GPU_ARRAY, .data = mxGPUGetData(gpu), .owner = gpu};
    return made;
}

mxArray *gpu_to_mxarray(result made)
{
    return mxGPUCreateMxArrayOnGPU(made.owner);
}

#else

void release_gpu_arrays(void)
{
}

int is_gpu_array(const mxArray *argument)
{
    (void)argument;
    return 0;
}

operand read_gpu_array(const mxArray *argument)
{
    (void)argument;
    const operand none = {.parts = ""};
    return none;
}

result new_gpu_array(mxClassID class_id, mwSize ndims, const mwSize *dims)
{
    (void)class_id, (void)ndims, (void)dims;
    const result none = {.location = IN_GPU_ARRAY};
    return none;
}

mxArray *gpu_to_mxarray(result made)
{
    return made.owner;
}

#endif
