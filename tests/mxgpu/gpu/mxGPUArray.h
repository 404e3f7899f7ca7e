/* mxGPUArray.h - stands in for the header of MATLAB's Parallel Computing Toolbox, so that the gateway's way with gpuArrays is
 * compiled and run where there is no MATLAB. The names are those of MathWorks' public list of functions, and of them the ones that
 * the gateway calls; fake.c has them. */

#ifndef MXGPUARRAY_H
#define MXGPUARRAY_H

#include "mex.h"

typedef struct mxGPUArray_tag mxGPUArray;

typedef enum mxGPUInitialize { MX_GPU_DO_NOT_INITIALIZE = 0, MX_GPU_INITIALIZE_VALUES = 1 } mxGPUInitialize;

enum { MX_GPU_SUCCESS = 0, MX_GPU_FAILURE = 1 };

int mxInitGPU(void);
int mxIsGPUArray(mxArray const *argument);

mxGPUArray const *mxGPUCreateFromMxArray(mxArray const *argument);
mxGPUArray *mxGPUCreateGPUArray(mwSize ndims, mwSize const *dims, mxClassID class_id, mxComplexity complexity,
                                mxGPUInitialize initialize);
mxArray *mxGPUCreateMxArrayOnGPU(mxGPUArray const *array);
void mxGPUDestroyGPUArray(mxGPUArray const *array);

mxClassID mxGPUGetClassID(mxGPUArray const *array);
mxComplexity mxGPUGetComplexity(mxGPUArray const *array);
int mxGPUIsSparse(mxGPUArray const *array);
mwSize mxGPUGetNumberOfDimensions(mxGPUArray const *array);
mwSize const *mxGPUGetDimensions(mxGPUArray const *array);
void const *mxGPUGetDataReadOnly(mxGPUArray const *array);
void *mxGPUGetData(mxGPUArray const *array);

#endif /* MXGPUARRAY_H */
