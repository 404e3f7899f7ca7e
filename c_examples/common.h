/* common.h - what the examples share: check a call, open a context and name its device, read a clock, take a median. */
#ifndef GPUMEX_EXAMPLES_COMMON_H
#define GPUMEX_EXAMPLES_COMMON_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* clock_gettime; so this header comes before every other one */
#endif

#include <gpumex.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 }; /* calls; their median is printed, so that a slow first one does not show */

/* Ends the program when a call of the library failed, with the library's own sentence about it. */
#define CHECK(call)                                                                  \
    do {                                                                             \
        if ((call) != GPUMEX_STATUS_OK) {                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, gpumex_last_error()); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* A context. AUTO is what GPUMEX_BACKEND says, else CUDA where it works, else the CPU. */
static inline gpumex_context *open_context(gpumex_backend backend) {
    gpumex_context *ctx = gpumex_context_create(backend, -1);
    if (ctx == NULL) {
        fprintf(stderr, "%s\n", gpumex_last_error());
        exit(1);
    }
    CHECK(gpumex_context_set_timing(ctx, 1)); /* for kernel_ms */
    return ctx;
}

/* Names the backend and the device in one line. */
static inline void print_device(gpumex_context *ctx) {
    gpumex_device_info info = GPUMEX_DEVICE_INFO_INIT;
    CHECK(gpumex_context_device_info(ctx, &info));
    if (info.backend == GPUMEX_BACKEND_CUDA)
        printf("CUDA backend: %s\n", info.name);
    else
        printf("CPU backend: %s, %d threads; here the GPU variants all run the same CPU code\n", info.name,
               (int)info.multiprocessors);
}

/* How long the computation of the last call took, without transfers. */
static inline double kernel_ms(gpumex_context *ctx) {
    double ms = 0;
    CHECK(gpumex_context_kernel_ms(ctx, &ms));
    return ms;
}

/* A clock that only runs forwards. */
static inline double wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static inline int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle one of REPEATS times; sorts them. */
static inline double median(double *times) {
    qsort(times, REPEATS, sizeof times[0], by_size);
    return times[REPEATS / 2];
}

/* Memory, or the end of the program. */
static inline void *allocate(size_t bytes) {
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/* Memory of the library, for gpumex_free to take back; or the end of the program. */
static inline void *lend(gpumex_context *ctx, gpumex_memory_kind kind, size_t bytes) {
    void *memory = NULL;
    CHECK(gpumex_malloc(ctx, kind, bytes, &memory));
    return memory;
}

/* A whole number from `least` to `most` on the command line, or the end of the program. */
static inline size_t number_from(size_t least, const char *text, unsigned long most) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "\"%s\" is not a whole number from %zu to %lu\n", text, least, most);
        exit(2);
    }
    return value;
}

/* A whole number from 1 to `most`. */
static inline size_t number(const char *text, unsigned long most) { return number_from(1, text, most); }

#endif
