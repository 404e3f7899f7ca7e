/* memory_use.c - the memory that each operation allocates, compared with the "Memory" note of gpumex.h.
 *
 *   memory_use cpu|cuda ELEMENTS...     100000 at least
 *
 * The CPU backend: the peak of what malloc and its like have given, which are functions of this program. CUDA: the peak of the
 * context's allocator, which rounds to 512 bytes here (SIMPLE); with arrays on the device, then with arrays on the host. Of several
 * ranks those of all on the CPU, where they are threads of this program, and those of the first one on CUDA. A line for
 * each call; what differs from its note by more than a tenth and CONSTANT has a mark, and so has an operation without a row. */
#include "memory_use.h"

#include <malloc.h>
#include <stdatomic.h>

/* Bytes, and on the CPU backend as many more a thread; "at most" is this many times as much; images and boards have a size of their own. */
enum { CONSTANT = 1 << 20, SLACK = 5, ELEMENTS_MIN = 100000 };

/* ---- allocations that are counted --------------------------------------------------------------------------------------------- */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static _Atomic long live, peak;

static void *counted(void *block) {
    const long more = (long)malloc_usable_size(block), now = atomic_fetch_add(&live, more) + more;
    long before = atomic_load(&peak);
    while (now > before && !atomic_compare_exchange_weak(&peak, &before, now)) continue;
    return block;
}

static void discount(void *block) { atomic_fetch_sub(&live, (long)malloc_usable_size(block)); }

void *malloc(size_t bytes) { return counted(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void *memalign(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

void *realloc(void *old, size_t bytes) {
    const long before = (long)malloc_usable_size(old);
    void *const block = __libc_realloc(old, bytes);
    if (block == NULL && bytes != 0) return NULL;
    atomic_fetch_sub(&live, before);
    return counted(block);
}

void free(void *block) {
    discount(block);
    __libc_free(block);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = memalign(alignment, bytes);
    return *memory == NULL ? 12 /* ENOMEM */ : 0;
}

/* ---- rows for what the common ones are too small for ----------------------------------------------------------------------------- */

/* Of any cells: what the array holds, which filling it here would measure as well. */
static int32_t life_large(library *l) {
    return CALL(life)(l->ctx, OPTIONS(life, .cells = l->number), l->out[1], l->n / 256, l->number == GPUMEX_LIFE_CELLS_BITS ? 32768 : 4096,
                      4, l->out[0]);
}
ROW("life bytes", life, life_large, GPUMEX_LIFE_CELLS_BYTES, ONCE)
ROW("life bits", life, life_large, GPUMEX_LIFE_CELLS_BITS, ONCE)

static int32_t raytrace_many(library *l) { return CALL(raytrace)(l->ctx, NULL, l->x, l->n / 8, 512, 512, l->out[0]); }
ROW("raytrace many", raytrace, raytrace_many, 0, ONCE)

static int32_t matmul_square(library *l) {
    size_t side = 64;
    while (4 * side * side <= l->n) side *= 2;
    return CALL(matmul)(l->ctx, OPTIONS(matmul, NUMBERS), side, side, side, l->x, l->y, l->out[0]);
}
ROW("matmul square", matmul, matmul_square, 0, FLOATS)

static int32_t reduce_wide(library *l) {
    return CALL(reduce)(l->ctx, OPTIONS(reduce, .dtype = GPUMEX_DTYPE_U8, .accumulator_dtype = GPUMEX_DTYPE_U64), l->x, l->n, l->out[0]);
}
ROW("reduce bytes to U64", reduce, reduce_wide, 0, ONCE)

static int32_t scan_wide(library *l) {
    return CALL(scan)(l->ctx, OPTIONS(scan, .dtype = GPUMEX_DTYPE_U32, .accumulator_dtype = GPUMEX_DTYPE_U64), l->x, l->n, l->out[0], NULL);
}
ROW("scan U32 to U64", scan, scan_wide, 0, ONCE)

/* Results of fewer than 4 bytes are computed in 4. */
static int32_t reduce_narrow(library *l) {
    return CALL(reduce)(l->ctx, OPTIONS(reduce, .dtype = GPUMEX_DTYPE_U8, .accumulator_dtype = l->number), l->x, l->n, l->out[0]);
}
ROW("reduce bytes to U8", reduce, reduce_narrow, GPUMEX_DTYPE_U8, ONCE)
ROW("reduce bytes to U16", reduce, reduce_narrow, GPUMEX_DTYPE_U16, ONCE)

static int32_t scan_narrow(library *l) {
    return CALL(scan)(l->ctx, OPTIONS(scan, .dtype = GPUMEX_DTYPE_U8, .accumulator_dtype = l->number), l->x, l->n, l->out[0], NULL);
}
ROW("scan bytes to U8", scan, scan_narrow, GPUMEX_DTYPE_U8, ONCE)
ROW("scan bytes to U16", scan, scan_narrow, GPUMEX_DTYPE_U16, ONCE)
ROW("scan bytes to U32", scan, scan_narrow, GPUMEX_DTYPE_U32, ONCE)
ROW("scan bytes to U64", scan, scan_narrow, GPUMEX_DTYPE_U64, ONCE)

static int32_t scan_in_place(library *l) {
    return CALL(scan)(l->ctx, OPTIONS(scan, NUMBERS), l->out[0], l->n, l->out[0], NULL);
}
ROW("scan in place", scan, scan_in_place, 0, ALL)

static int32_t sort_many_by_expression(library *l) {
    return CALL(sort)(l->ctx, OPTIONS(sort, NUMBERS, .expression = "a > b"), l->x, NULL, l->n, l->out[0], NULL);
}
ROW("sort many by expression", sort, sort_many_by_expression, 0, ALL)

static int32_t sort_positions(library *l) {
    return CALL(sort)(l->ctx, OPTIONS(sort, NUMBERS, INDICES, .payload = GPUMEX_PAYLOAD_INDICES), l->x, NULL, l->n, NULL, l->out[1]);
}
ROW("sort positions", sort, sort_positions, 0, ALL)

static int32_t locality_sort_values(library *l) {
    return CALL(locality_sort)(l->ctx, OPTIONS(locality_sort, NUMBERS, INDICES, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32), l->x,
                               l->values, l->n, l->out[0], l->out[1]);
}
ROW("locality_sort values", locality_sort, locality_sort_values, GPUMEX_PAYLOAD_VALUES, ALL)
ROW("locality_sort indices", locality_sort, locality_sort_values, GPUMEX_PAYLOAD_INDICES, ALL)

static int32_t histogram_u16(library *l) {
    return CALL(histogram)(l->ctx, OPTIONS(histogram, .dtype = GPUMEX_DTYPE_U16, .channels = 4), l->x, l->n / 4 * 4, l->out[0], 1000);
}
ROW("histogram U16", histogram, histogram_u16, 0, ONCE)

/* With few outputs, or none, the conversion of keys of 1 and 2 bytes is the peak. */
static int32_t compact_kept(library *l) {
    return CALL(compact)(l->ctx, OPTIONS(compact, NUMBERS), l->x, l->flags, l->n, l->out[0], NULL, l->n, l->out[2]);
}
ROW("compact kept", compact, compact_kept, 0, ALL)

static int32_t join_count(library *l) {
    return CALL(join)(l->ctx, OPTIONS(join, NUMBERS, INDICES), l->a, l->n / l->number, l->b, l->n, NULL, NULL, 0, l->out[2]);
}
ROW("join count", join, join_count, 1, ALL)
ROW("join count, a short", join, join_count, 8, ALL)

static int32_t set_operation_count(library *l) {
    return CALL(set_operation)(l->ctx, OPTIONS(set_operation, NUMBERS), l->a, NULL, l->n, l->b, NULL, l->n / l->number, NULL, NULL, 0,
                               l->out[2]);
}
ROW("intersection count", set_operation, set_operation_count, 1, ALL)
ROW("intersection, b short", set_operation, set_operation_count, 8, ALL)

static int32_t set_operation_keys(library *l) {
    return CALL(set_operation)(l->ctx, OPTIONS(set_operation, NUMBERS, .op = GPUMEX_SET_OPERATOR_UNION), l->a, NULL, l->n / 2, l->b, NULL,
                               l->n / 2, l->out[0], NULL, l->n, l->out[2]);
}
ROW("union keys", set_operation, set_operation_keys, 0, ALL)

static int32_t sorted_search_flags(library *l) {
    return CALL(sorted_search)(l->ctx, OPTIONS(sorted_search, NUMBERS), l->a, l->n, l->b, l->n / 8, NULL, NULL, l->out[0], NULL, NULL);
}
ROW("sorted_search flags", sorted_search, sorted_search_flags, 0, ALL)

static int32_t reduce_by_key_narrow(library *l) {
    return CALL(reduce_by_key)(l->ctx, OPTIONS(reduce_by_key, .dtype = GPUMEX_DTYPE_U32, .key_dtype = l->dtype, .op = GPUMEX_OPERATOR_MAX),
                               l->a, l->values, l->n, l->out[0], l->number ? l->out[1] : NULL, NULL, l->n, l->out[2]);
}
ROW("reduce_by_key of U32", reduce_by_key, reduce_by_key_narrow, 1, ALL)
ROW("reduce_by_key keys", reduce_by_key, reduce_by_key_narrow, 0, ALL)

/* ---- one operation ----------------------------------------------------------------------------------------------------------------- */

static int failures;

static void must(library *l, int32_t status, const char *what) {
    (void)l;
    if (status == 0) return;
    fprintf(stderr, "%s: %s\n", what, gpumex_last_error());
    exit(2);
}

/* 0, or what the call answers that it refuses. */
static int32_t measure(library *l, const operation *op, int is_cuda, double *bytes) {
    struct gpumex_allocator_stats stats = {.size = sizeof stats};
    l->number = op->number;
    const int32_t status = op->run(l); /* threads and what the library keeps are there behind it */
    if (status != 0) return status;
    must(l, gpumex_context_synchronize(l->ctx), op->label);
    must(l, gpumex_allocator_select(l->ctx, GPUMEX_ALLOCATOR_SIMPLE), "gpumex_allocator_select"); /* its statistics begin */
    const long before = atomic_load(&live);
    atomic_store(&peak, before);
    must(l, op->run(l), op->label);
    const long most = atomic_load(&peak);
    must(l, gpumex_context_synchronize(l->ctx), op->label);
    must(l, gpumex_allocator_get_stats(l->ctx, &stats), "gpumex_allocator_get_stats");
    *bytes = is_cuda ? (double)stats.peak : (double)(most - before);
    return 0;
}

/* What is taken of an upper bound on CUDA depends on the device. On the CPU the ranks need not have their peaks at the same time. */
static void compare(const operation *op, int32_t dtype, size_t n, const char *place, double bytes, double stated, int is_most, double ranks, double constant) {
    const double least = is_most ? stated / SLACK : 0.9 * stated / (strcmp(place, "cpu") == 0 ? ranks : 1);
    const int is_more = bytes > 1.1 * stated + constant * ranks, depends = is_most && strcmp(place, "cpu") != 0;
    const int is_less = !depends && bytes < least - constant * ranks;
    printf("%-22s dtype %2d %9zu %-6s %12.0f bytes, %s %12.0f%s\n", op->label, (int)dtype, n, place, bytes, is_most ? "at most" : "stated ",
           stated, is_more ? "  MORE" : is_less ? "  LESS" : "");
    failures += is_more || is_less;
}

static void *taken(gpumex_context *owner, int on_device, size_t bytes) {
    void *pointer = NULL;
    if (!on_device) return calloc(1, bytes);
    must(NULL, gpumex_malloc(owner, GPUMEX_MEMORY_KIND_DEVICE, bytes, &pointer), "gpumex_malloc");
    return pointer;
}

static void released(int on_device, void *pointer) {
    if (on_device) must(NULL, gpumex_free(pointer), "gpumex_free");
    else free(pointer);
}

/* Every operation with n elements, of all types that it takes; `runs` counts the calls of each. */
static void measure_all(int is_cuda, int on_device, size_t n, int *runs) {
    static const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_U64, GPUMEX_DTYPE_U8, GPUMEX_DTYPE_U16};
    const int32_t backend = is_cuda ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU;
    const double constant = is_cuda ? CONSTANT : CONSTANT * (1 + threads);
    library l = {.ctx = gpumex_context_create(backend, -1)};
    gpumex_context *const owner = gpumex_context_create(backend, -1); /* of the arrays, so that they are not in the statistics */
    if (l.ctx == NULL || owner == NULL) must(&l, 1, "a context");
    must(&l, gpumex_context_set_threads(l.ctx, (int32_t)threads), "gpumex_context_set_threads");
    void **const arrays[] = {&l.x, &l.y, &l.a, &l.b, &l.values, &l.indices, &l.positions, &l.flags, &l.out[0], &l.out[1], &l.out[2]};
    enum { ARRAYS = sizeof arrays / sizeof *arrays };
    for (int i = 0; i < ARRAYS; ++i) *arrays[i] = taken(owner, on_device, (i < 8 ? 8 : 16) * n + 4096);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; ++d) {
        fill_arrays(&l, dtypes[d], n);
        for (size_t o = 0; o < operation_count; ++o) {
            const operation *const op = &operations[o];
            if ((op->kinds == ONCE && d > 0) || (op->kinds == FLOATS && !is_float(dtypes[d]))) continue;
            double bytes = 0;
            noted = (memory_note){0};
            if (measure(&l, op, is_cuda, &bytes) != 0) continue; /* it does not take this type */
            if (noted.function == NULL) continue; /* the test says which function has no note */
            const double stated = !is_cuda ? noted.cpu : on_device ? noted.cuda : noted.cuda + noted.host;
            const int is_most = !is_cuda ? noted.is_cpu_most : noted.is_cuda_most || (!on_device && noted.is_host_most);
            compare(op, dtypes[d], n, !is_cuda ? "cpu" : on_device ? "device" : "host", bytes, stated, is_most, max(noted.ranks, 1), constant);
            ++runs[o];
        }
    }
    for (int i = 0; i < ARRAYS; ++i) released(on_device, *arrays[i]);
    must(&l, gpumex_context_destroy(l.ctx), "gpumex_context_destroy");
    must(&l, gpumex_context_destroy(owner), "gpumex_context_destroy");
}

int main(int argc, char **argv) {
    static int runs[sizeof operations / sizeof *operations];
    const int is_cuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
    if (argc < 3 || (!is_cuda && strcmp(argv[1], "cpu") != 0)) return fprintf(stderr, "usage: memory_use cpu|cuda ELEMENTS...\n"), 2;
    for (int i = 2; i < argc; ++i) {
        const size_t n = strtoul(argv[i], NULL, 10);
        if (n < ELEMENTS_MIN) return fprintf(stderr, "memory_use: at least %d elements\n", ELEMENTS_MIN), 2;
        for (int on_device = is_cuda; on_device >= 0; --on_device) measure_all(is_cuda, on_device, n, runs);
    }
    for (size_t o = 0; o < operation_count; ++o) {
        if (runs[o] == 0) printf("%s: never measured\n", operations[o].label), ++failures;
    }
    printf("%d failed\n", failures);
    return failures != 0;
}
