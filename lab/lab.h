/* lab.h - what the exercises share: gaps, the comparison with the library, times.
 *
 * nvcc compiles an exercise for the GPU (lab_cuda.h); a C++17 compiler compiles the same file for the CPU, where the
 * threads of a block run one after another (lab_cpu.h). */
#ifndef GPUMEX_LAB_H
#define GPUMEX_LAB_H

#include <gpumex.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static unsigned lab_open; /* bit n: gap n was met */

#ifdef __CUDACC__
#include "lab_cuda.h"
#else
#include "lab_cpu.h"
#endif

struct lab_state {
    gpumex_context *ctx;
    const char *const *gaps; /* what is to be written in each, from gap 1 on */
    unsigned all_open;       /* bit n: gap n */
    int wrong;               /* kernels whose results differ from the library's */
};

static lab_state lab;

static inline void lab_check(int32_t status) {
    if (status == GPUMEX_STATUS_OK) return;
    fprintf(stderr, "%s\n", gpumex_last_error());
    exit(2);
}

/* Opens the library and prints where it computes. */
static inline void lab_begin(const char *title, const char *const *gaps) {
    lab.ctx = gpumex_context_create(ON_GPU ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU, -1);
    if (lab.ctx == NULL) lab_check(GPUMEX_STATUS_NO_DEVICE);
    lab_check(gpumex_context_set_timing(lab.ctx, 1));
    lab.gaps = gaps;
    printf("%s\n%s\n", title, gpumex_context_device_text(lab.ctx));
    if (!ON_GPU) printf("Without a GPU the results of your kernels are checked, and their times are not measured.\n");
    printf("\n%-20s %10s\n", "", "kernel ms");
}

/* Memory that host and device share. */
template <typename T>
static T *lab_array(size_t count) {
    void *memory = NULL;
    lab_check(gpumex_malloc(lab.ctx, GPUMEX_MEMORY_KIND_MANAGED, count * sizeof(T), &memory));
    return (T *)memory;
}

static inline void lab_free(void *memory) { lab_check(gpumex_free(memory)); }

/* The size on the command line, a multiple of `unit`, or what suits the machine. */
static inline int lab_size(int argc, char **argv, int unit, int on_gpu, int on_cpu) {
    const int size = argc > 1 ? atoi(argv[1]) : ON_GPU ? on_gpu : on_cpu;
    if (size > 0 && size <= 16384 && size % unit == 0) return size;
    fprintf(stderr, "the size is a multiple of %d, up to 16384\n", unit);
    exit(2);
}

/* The next number of a sequence that is the same in every run. */
static inline unsigned lab_random() {
    static uint64_t state = 2013;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 40);
}

static inline float lab_uniform(float from, float to) { return from + (to - from) * ((float)lab_random() / (1 << 24)); }

static inline void lab_line(const char *name, double ms, const char *text) {
    if (ms < 0) printf("%-20s %10s   %s\n", name, "-", text);
    else printf("%-20s %10.4f   %s\n", name, ms, text);
}

/* Prints the gaps that a kernel met; whether there were any. */
static inline bool lab_has_gaps(const char *name) {
    char text[200];
    for (int n = 1; n < 32; n++) {
        if (!(lab_open >> n & 1)) continue;
        snprintf(text, sizeof text, "gap %d is open: %s", n, lab.gaps[n - 1]);
        lab_line(name, -1, text);
        name = "";
    }
    const bool has_gaps = lab_open != 0;
    lab.all_open |= lab_open;
    lab_open = 0;
    return has_gaps;
}

/* Prints where a result differs first; whether it does. tolerance is relative to the library's value. */
template <typename T>
static inline bool lab_differs(const char *name, const T *got, const T *want, size_t count, double tolerance) {
    size_t wrong = 0, first = 0;
    for (size_t i = count; i-- > 0;) {
        const double error = std::fabs((double)got[i] - (double)want[i]);
        if (!(error <= tolerance * std::fabs((double)want[i]))) first = i, wrong++;
    }
    if (wrong == 0) return false;
    char text[200];
    snprintf(text, sizeof text, "WRONG: %zu of %zu elements; element %zu is %g, the library has %g", wrong, count, first,
             (double)got[first], (double)want[first]);
    lab_line(name, -1, text);
    lab.wrong++;
    return true;
}

/* Runs a kernel, compares its result with the library's, and measures it. */
template <typename T, typename Body>
static inline void lab_kernel(const char *name, T *result, const T *want, size_t count, double tolerance, Body body) {
    memset((void *)result, 0xEE, count * sizeof(T));
    body();
    const char *complaint = lab_finish();
    if (lab_has_gaps(name)) return;
    if (complaint != NULL) {
        lab_line(name, -1, complaint);
        lab.wrong++;
    } else if (!lab_differs(name, result, want, count, tolerance)) {
        lab_line(name, lab_ms(body), "right");
    }
}

/* Measures a call of the library, the answer of the exercise. */
template <typename Call>
static inline void lab_library(const char *name, Call call) {
    double times[5];
    lab_check(call()); /* the first call loads the kernels */
    for (double &ms : times) {
        lab_check(call());
        lab_check(gpumex_context_kernel_ms(lab.ctx, &ms));
    }
    std::sort(times, times + 5);
    lab_line(name, times[2], "library");
}

/* Says what is left to do; the program's exit status. */
static inline int lab_end() {
    int open = 0;
    for (int n = 1; n < 32; n++) open += lab.all_open >> n & 1;
    if (open > 0) printf("\n%d gaps are open\n", open);
    else if (lab.wrong > 0) printf("\n%d results are wrong\n", lab.wrong);
    else printf("\nAll results are right\n");
    lab_check(gpumex_context_destroy(lab.ctx));
    return open > 0 || lab.wrong > 0;
}

#endif
