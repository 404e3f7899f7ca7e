/* lab_cpu.h - the exercises without a GPU: the words of CUDA that they use, in plain C++.
 *
 * The threads of a block are contexts of one thread of the CPU. Each runs to the next barrier, in the order of its index; so
 * a barrier that is missing gives a wrong result in every run. An addition that has to be atomic does not: nothing interrupts it. */
#ifndef GPUMEX_LAB_CPU_H
#define GPUMEX_LAB_CPU_H

#include <functional>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __constant__
#define __shared__ static /* one block runs at a time */

#define GAP(n) (lab_open |= 1u << (n))
#define LAUNCH(kernel, grid, block, ...) lab_launch(grid, block, [&] { kernel(__VA_ARGS__); })

enum { ON_GPU = 0, LAB_STACK = 1 << 16 };

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

static dim3 gridDim, blockDim, blockIdx, threadIdx;

struct lab_thread {
    ucontext_t place;
    dim3 index;
    bool has_ended;
};

struct lab_block {
    std::function<void()> kernel;
    std::vector<lab_thread> threads;
    std::vector<char> stacks;
    lab_thread *running;
    ucontext_t scheduler;
    bool is_uneven; /* a thread ended where others waited at a barrier */
};

static lab_block lab_running;

static inline void __syncthreads() { swapcontext(&lab_running.running->place, &lab_running.scheduler); }

static inline void lab_thread_main() {
    lab_running.kernel();
    lab_running.running->has_ended = true;
}

static inline void lab_start_thread(size_t t) {
    lab_thread &thread = lab_running.threads[t];
    const unsigned x = (unsigned)t % blockDim.x, rest = (unsigned)t / blockDim.x;
    thread.index = dim3(x, rest % blockDim.y, rest / blockDim.y);
    thread.has_ended = false;
    getcontext(&thread.place);
    thread.place.uc_stack.ss_sp = &lab_running.stacks[t * LAB_STACK];
    thread.place.uc_stack.ss_size = LAB_STACK;
    thread.place.uc_link = &lab_running.scheduler;
    makecontext(&thread.place, lab_thread_main, 0);
}

/* Each thread runs to its next barrier or its end; how many ended. */
static inline size_t lab_to_barrier() {
    size_t ended = 0;
    for (lab_thread &thread : lab_running.threads) {
        if (thread.has_ended) continue;
        lab_running.running = &thread;
        threadIdx = thread.index;
        swapcontext(&lab_running.scheduler, &thread.place);
        ended += thread.has_ended;
    }
    return ended;
}

static inline void lab_run_block() {
    for (size_t t = 0; t < lab_running.threads.size(); t++) lab_start_thread(t);
    for (size_t left = lab_running.threads.size(); left > 0;) {
        const size_t ended = lab_to_barrier();
        left -= ended;
        lab_running.is_uneven |= ended > 0 && left > 0;
    }
}

static inline void lab_launch(dim3 grid, dim3 block, std::function<void()> kernel) {
    const size_t threads = (size_t)block.x * block.y * block.z;
    gridDim = grid, blockDim = block;
    lab_running.kernel = kernel;
    lab_running.threads.resize(threads);
    lab_running.stacks.resize(threads * LAB_STACK);
    for (blockIdx.z = 0; blockIdx.z < grid.z; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) lab_run_block();
}

/* What is wrong with the kernel whatever its result, or NULL. */
static inline const char *lab_finish() {
    const bool is_uneven = lab_running.is_uneven;
    lab_running.is_uneven = false;
    return is_uneven ? "WRONG: a thread ended while others of its block waited in __syncthreads ()" : NULL;
}

template <typename Body>
static double lab_ms(Body) {
    return -1;
}

static inline void lab_zero(void *memory, size_t bytes) { memset(memory, 0, bytes); }

template <typename T, typename Value>
static T atomicAdd(T *place, Value value) {
    const T before = *place;
    *place += (T)value;
    return before;
}

template <typename T>
static int cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes) {
    memcpy((void *)&symbol, from, bytes);
    return 0;
}

typedef struct lab_texture_of {
    const uint8_t *bytes;
    int rows, cols;
} cudaTextureObject_t;

static inline cudaTextureObject_t lab_texture(const uint8_t *bytes, int rows, int cols) { return {bytes, rows, cols}; }
static inline int cudaDestroyTextureObject(cudaTextureObject_t) { return 0; }

template <typename T>
static T tex2D(cudaTextureObject_t texture, float x, float y) {
    const int col = std::min(std::max((int)std::floor(x), 0), texture.cols - 1);
    const int row = std::min(std::max((int)std::floor(y), 0), texture.rows - 1);
    return (T)texture.bytes[(size_t)row * (size_t)texture.cols + (size_t)col];
}

#endif
