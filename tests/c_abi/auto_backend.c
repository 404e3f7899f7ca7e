/* auto_backend.c - where calls of a context run that GPUMEX_BACKEND_AUTO has put on a device: on a driver and launchers that compute
 * nothing (stand_in_driver.c, stand_in_kernels.c), so that what has a result was computed on the host.
 *
 * Each operation of benches/operations.h gets a few elements in ordinary memory: no kernel is launched, and the outputs are those of
 * the CPU backend. Elsewhere, with another variant, beyond 4 MiB, and on a context of GPUMEX_BACKEND_CUDA kernels are launched. */
#include "failing_driver.h"
#include "check.h"

enum { SMALL = 100, LARGE = 3 << 19 /* 6 MiB of float */ };

/* Calls of launchers since the last time; functions of the driver begin with cu. */
static int launches(void) {
    int count = 0;
    for (long i = 0; i < stand_in_calls(0); ++i) count += strncmp(stand_in_name(i), "cu", 2) != 0;
    stand_in_fail(-1, 0);
    return count;
}

static void forget_outputs(library *l) {
    size_t bytes;
    for (int i = 8; i < 11; ++i) {
        void **const place = array(l, i, &bytes);
        memset(*place, 0xA5, bytes);
    }
}

static int has_same_outputs(library *a, library *b) {
    int same = 1;
    size_t bytes;
    for (int i = 8; i < 11; ++i) {
        void **const of_a = array(a, i, &bytes), **const of_b = array(b, i, &bytes);
        same &= memcmp(*of_a, *of_b, bytes) == 0;
    }
    return same;
}

/* Geometries are the device's, pictures are work enough, and texts go to the caller anyway. */
static int is_of_device(const operation *op) {
    return strcmp(op->label, "segments_prepare") == 0 || strcmp(op->label, "raytrace") == 0 || strncmp(op->label, "print", 5) == 0;
}

static void each_operation_stays_on_the_host(gpumex_context *automatic, gpumex_context *cpu) {
    int count = 0;
    for (size_t o = 0; o < operation_count && runs_on_cpu(&operations[o]); ++o) {
        const operation *const op = &operations[o];
        if (is_of_device(op)) continue;
        library l[2] = {on_host(op, SMALL), on_host(op, SMALL)};
        l[0].ctx = automatic, l[1].ctx = cpu;
        for (int i = 0; i < 2; ++i) {
            forget_outputs(&l[i]);
            (void)launches();
            const int32_t status = op->run(&l[i]);
            const int launched = launches();
            if (status == 0 && launched == 0) continue;
            fprintf(stderr, "%s: status %d (%s), %d launches\n", op->label, status, gpumex_last_error(), launched);
            exit(1);
        }
        if (!has_same_outputs(&l[0], &l[1])) {
            fprintf(stderr, "%s: other results than on the CPU backend\n", op->label);
            exit(1);
        }
        ++count;
    }
    printf("%d operations stay on the host\n", count);
}

static int launches_of_sum(gpumex_context *ctx, const float *data, size_t count, float *result) {
    (void)launches();
    OK(gpumex_reduce(ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F32), data, count, result));
    return launches();
}

static void other_calls_run_on_the_device(gpumex_context *automatic, gpumex_context *cuda) {
    static float data[LARGE];
    float result = 0, *kept = NULL, *pinned = NULL;
    double ms = 1;
    EXPECT(launches_of_sum(automatic, data, SMALL, &result) == 0);
    EXPECT(launches_of_sum(cuda, data, SMALL, &result) > 0);
    EXPECT(launches_of_sum(automatic, data, LARGE, &result) > 0);
    OK(gpumex_malloc(automatic, GPUMEX_MEMORY_KIND_DEVICE, sizeof data, (void **)&kept));
    OK(gpumex_malloc(automatic, GPUMEX_MEMORY_KIND_PINNED, sizeof data, (void **)&pinned));
    EXPECT(launches_of_sum(automatic, kept, SMALL, &result) > 0);
    EXPECT(launches_of_sum(automatic, data, SMALL, kept) > 0);
    EXPECT(launches_of_sum(automatic, pinned, SMALL, &result) > 0); /* the stream may be writing it */
    OK(gpumex_dot(automatic, GPUMEX_OPTIONS(dot, .dtype = GPUMEX_DTYPE_F32, .variant = GPUMEX_DOT_VARIANT_TWO_PASS), data, data, SMALL, &result));
    EXPECT(launches() > 0);
    EXPECT(gpumex_reduce(automatic, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F32, .variant = GPUMEX_VARIANT_SEQUENTIAL), data, SMALL,
                         &result) == GPUMEX_STATUS_UNSUPPORTED);
    OK(gpumex_context_set_timing(automatic, 1));
    OK(gpumex_sort(automatic, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_F32), data, NULL, SMALL, data + SMALL, NULL));
    OK(gpumex_context_kernel_ms(automatic, &ms));
    EXPECT(ms > 0 && ms < 1000);
    OK(gpumex_free(kept));
    OK(gpumex_free(pinned));
}

/* Few bytes may be much work: elements that an expression makes of broadcast operands, products of which each costs a call, a program
 * of many steps, sums that saturate and so are added in one order. */
static void work_that_arrays_do_not_show_runs_on_the_device(gpumex_context *automatic) {
    enum { SIDE = 20000, BATCH = 100000, BYTES = 4000000 };
    static float a[BATCH], b[BATCH], c[BATCH];
    static int8_t bytes[BYTES];
    const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_F32};
    const size_t shape[] = {SIDE, SIDE};
    const int64_t strides[] = {1, 0, 0, 1};
    const void *inputs[] = {a, b};
    (void)launches();
    OK(gpumex_map_reduce(automatic, GPUMEX_OPTIONS(map_reduce, .dtype = GPUMEX_DTYPE_F32, .dtypes = dtypes, .rank = 2, .shape = shape,
                                                   .strides = strides), "exp (-abs (a - b))", inputs, 2, c));
    EXPECT(launches() > 0);
    OK(gpumex_matmul(automatic, GPUMEX_OPTIONS(matmul, .dtype = GPUMEX_DTYPE_F32, .batch = BATCH), 1, 1, 1, a, b, c));
    EXPECT(launches() > 0);
    const int32_t one[] = {GPUMEX_DTYPE_F32};
    const size_t count = 20000;
    OK(gpumex_map(automatic, GPUMEX_OPTIONS(map, .dtype = GPUMEX_DTYPE_F32, .dtypes = one, .shape = &count), "sin (cos (sin (cos (a))))", inputs, 1, c));
    EXPECT(launches() > 0);
    int8_t result = 0;
    OK(gpumex_reduce_dim(automatic, GPUMEX_OPTIONS(reduce_dim, .dtype = GPUMEX_DTYPE_I8, .accumulator_dtype = GPUMEX_DTYPE_I8,
                                                   .rules = GPUMEX_RULES_MATLAB), bytes, 1, BYTES, 1, &result));
    EXPECT(launches() > 0);
}

/* What a stream that is captured cannot hold is refused, however short it is. */
static void a_captured_stream_refuses_the_host(gpumex_context *automatic) {
    float data[SMALL] = {0}, result = 0;
    void *stream = NULL;
    OK(gpumex_context_stream(automatic, &stream));
    void *const graph = stand_in_begin_capture(stream);
    EXPECT(gpumex_reduce(automatic, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F32), data, SMALL, &result) == GPUMEX_STATUS_UNSUPPORTED);
    stand_in_end_capture(graph);
    EXPECT(launches_of_sum(automatic, data, SMALL, &result) == 0);
}

int main(void) {
    gpumex_context *const automatic = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1), *const cpu = gpumex_context_create(GPUMEX_BACKEND_CPU, -1),
                   *const cuda = gpumex_context_create(GPUMEX_BACKEND_CUDA, -1);
    int32_t backend = 0;
    OK(gpumex_context_backend(automatic, &backend));
    EXPECT(backend == GPUMEX_BACKEND_CUDA);
    stand_in_count(1);
    each_operation_stays_on_the_host(automatic, cpu);
    other_calls_run_on_the_device(automatic, cuda);
    work_that_arrays_do_not_show_runs_on_the_device(automatic);
    a_captured_stream_refuses_the_host(automatic);
    OK(gpumex_context_destroy(automatic));
    OK(gpumex_context_destroy(cpu));
    OK(gpumex_context_destroy(cuda));
    puts("Test passed");
    return 0;
}
