/* lab_cuda.h - the exercises on a GPU. */
#ifndef GPUMEX_LAB_CUDA_H
#define GPUMEX_LAB_CUDA_H

#include <cuda_runtime.h>

enum { ON_GPU = 1 };

__device__ unsigned lab_open_on_device;

#define GAP(n) lab_gap(n)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

static __host__ __device__ void lab_gap(int n) {
#ifdef __CUDA_ARCH__
    atomicOr(&lab_open_on_device, 1u << n);
#else
    lab_open |= 1u << n;
#endif
}

static void lab_cuda(cudaError_t error) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    exit(2);
}

static void lab_zero(void *memory, size_t bytes) { lab_cuda(cudaMemsetAsync(memory, 0, bytes)); }

/* Waits for the kernel and adds the gaps that it met; NULL, for complaints are the CPU's. */
static const char *lab_finish() {
    unsigned open = 0;
    const unsigned none = 0;
    lab_cuda(cudaGetLastError());
    lab_cuda(cudaMemcpyFromSymbol(&open, lab_open_on_device, sizeof open));
    lab_cuda(cudaMemcpyToSymbol(lab_open_on_device, &none, sizeof none));
    lab_open |= open;
    return NULL;
}

/* The median of five runs. */
template <typename Body>
static double lab_ms(Body body) {
    float times[5];
    cudaEvent_t start, end;
    lab_cuda(cudaEventCreate(&start));
    lab_cuda(cudaEventCreate(&end));
    body(); /* pages that the comparison has moved to the host come back */
    for (float &ms : times) {
        lab_cuda(cudaEventRecord(start));
        body();
        lab_cuda(cudaEventRecord(end));
        lab_cuda(cudaEventSynchronize(end));
        lab_cuda(cudaEventElapsedTime(&ms, start, end));
    }
    lab_cuda(cudaEventDestroy(start));
    lab_cuda(cudaEventDestroy(end));
    std::sort(times, times + 5);
    return times[2];
}

/* A texture of rows x cols bytes, cols a multiple of 32: tex2D<unsigned char>(texture, column, row), where a place beyond an
 * edge is the nearest one within. */
static cudaTextureObject_t lab_texture(const uint8_t *bytes, int rows, int cols) {
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypePitch2D;
    memory.res.pitch2D.devPtr = (void *)bytes;
    memory.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    memory.res.pitch2D.width = (size_t)cols;
    memory.res.pitch2D.height = (size_t)rows;
    memory.res.pitch2D.pitchInBytes = (size_t)cols;
    cudaTextureDesc reading = {};
    reading.addressMode[0] = reading.addressMode[1] = cudaAddressModeClamp;
    reading.filterMode = cudaFilterModePoint;
    reading.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    lab_cuda(cudaCreateTextureObject(&texture, &memory, &reading, NULL));
    return texture;
}

#endif
