/* comm.c - operations on parts of arrays, on all GPUs of a machine against one of them: correctness first, then a table.
 *
 *   cc -O2 -pthread -Iinclude benches/comm.c -o target/comm -Ltarget/release -lgpumex -Wl,-rpath,"$PWD/target/release"
 *   target/comm [ranks [scale]]          ranks: GPUs, 2; scale: sizes are divided by it, 1
 *   target/comm halo [ranks [scale]]     Life with halos of several sizes, for src/ops/comm_life/cost.rs
 *   target/comm nccl [ranks [scale]]     either of them over NCCL (gpumex_comm_create_nccl)
 *   target/comm cpu [ranks [scale]]      the same on the CPU, to see that the program works
 *
 *   mpicc -DWITH_MPI …, mpirun -n 2 target/comm_mpi [scale]        the table with a process a rank, NCCL underneath; nothing is checked
 *
 * Ranks are threads of this process (gpumex_comm_create_local, or by NCCL), each with a GPU and its part in device memory. A time is that from when
 * all are released together until the last one has waited for its GPU; medians of 11. One GPU does the same with the
 * operation of one rank: the whole of a strong problem, its part of a weak one. The ratio is that of the rates. */
#define _POSIX_C_SOURCE 200809L
#include "gpumex.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_MPI
#include "gpumex_mpi.h"
#endif

enum { MOST = 16, REPEATS = 11 };

static int repeats = REPEATS;

typedef struct rank {
    int rank;
    gpumex_context *ctx;
    gpumex_comm *comm;
    void *data, *other, *result; /* of the measurement, in device memory */
    size_t count;
    double end;
} rank;

static rank all[MOST];
static int ranks = 2, is_cpu, is_nccl;
static int first, last; /* the ranks of this process, and the first one behind them */
static size_t scale = 1;
static pthread_barrier_t barrier;
static void (*work)(rank *);
static int is_over;
static atomic_int awake, is_released;

static void check(int32_t status, const char *call) {
    if (status == 0) return;
    fprintf(stderr, "%s: %s\n", call, gpumex_last_error());
    exit(1);
}
#define OK(call) check(call, #call)

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- ranks ----------------------------------------------------------------------------------------------------------------------- */

#ifdef WITH_MPI

static gpumex_mpi mpi;

static double on_all(void (*body)(rank *)) {
    double start, all_took, took;
    MPI_Barrier(MPI_COMM_WORLD);
    start = seconds();
    body(&all[first]);
    OK(gpumex_context_synchronize(all[first].ctx));
    took = seconds() - start;
    MPI_Allreduce(&took, &all_took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all_took;
}

#else

static void *serve(void *argument) {
    rank *const r = argument;
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (is_over) return NULL;
        atomic_fetch_add(&awake, 1);
        while (!atomic_load(&is_released)) {}
        if (r->rank < ranks) {
            work(r);
            OK(gpumex_context_synchronize(r->ctx));
            r->end = seconds();
        }
        pthread_barrier_wait(&barrier);
    }
}

/* Runs `body` on all ranks; the time from when all threads are awake until the last is done. */
static double on_all(void (*body)(rank *)) {
    double start, end = 0;
    int i;
    work = body;
    atomic_store(&awake, 0), atomic_store(&is_released, 0);
    pthread_barrier_wait(&barrier);
    while (atomic_load(&awake) < ranks) {}
    start = seconds();
    atomic_store(&is_released, 1);
    pthread_barrier_wait(&barrier);
    for (i = 0; i < ranks; i++) end = all[i].end > end ? all[i].end : end;
    return end - start;
}

#endif

/* On the first rank alone, in this thread. */
static double on_one(void (*body)(rank *)) {
    const double start = seconds();
    if (first > 0) return 1;
    body(&all[0]);
    OK(gpumex_context_synchronize(all[0].ctx));
    return seconds() - start;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double (*on)(void (*)(rank *)), void (*body)(rank *)) {
    double times[REPEATS];
    int i;
    on(body);
    for (i = 0; i < repeats; i++) times[i] = on(body);
    qsort(times, (size_t)repeats, sizeof *times, by_size);
    return times[repeats / 2];
}

/* What both do the same of, in turn: the ratio of their rates is `times` · one/all. */
static void row(const char *what, const char *unit, double amount_of_one, double amount_of_all, void (*one)(rank *), void (*part)(rank *),
                const char *wanted) {
    const double alone = median(on_one, one), together = median(on_all, part), again = median(on_one, one);
    const double best = alone < again ? alone : again;
    const double rate_of_one = amount_of_one / best, rate_of_all = amount_of_all / together;
    if (first > 0) return;
    printf("| %-44s | %9.3f | %9.3f | %10.4g | %10.4g | %-8s | %5.3f | %s |\n", what, best * 1e3, together * 1e3, rate_of_one, rate_of_all, unit,
           rate_of_all / rate_of_one, wanted);
    fflush(stdout);
}

static void *memory(rank *r, size_t bytes) {
    void *address = NULL;
    OK(gpumex_malloc(r->ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, &address));
    return address;
}

static void release(rank *r) {
    if (r->data) OK(gpumex_free(r->data));
    if (r->other) OK(gpumex_free(r->other));
    if (r->result) OK(gpumex_free(r->result));
    r->data = r->other = r->result = NULL;
}

static void release_all(void) {
    int i;
    for (i = first; i < last; i++) {
        OK(gpumex_context_synchronize(all[i].ctx));
        release(&all[i]);
    }
}

/* ---- Life ------------------------------------------------------------------------------------------------------------------------ */

static size_t rows_of_one, rows_of_part, cols;
static uint64_t generations;
static int32_t boundary;

static void life_one(rank *r) {
    OK(gpumex_life(r->ctx, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary), r->data, rows_of_one, cols, generations, r->data));
}

static void life_part(rank *r) {
    OK(gpumex_comm_life(r->comm, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary), r->data, r->count, cols, generations,
                        r->data));
}

/* The same without communication: each its own board. */
static void life_alone(rank *r) {
    OK(gpumex_life(r->ctx, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary), r->data, rows_of_part, cols, generations, r->data));
}

static void boards(size_t width, size_t one, size_t part, uint64_t steps) {
    const size_t words = (width + 63) / 64;
    int i;
    rows_of_one = one, rows_of_part = part, cols = width, generations = steps;
    for (i = first; i < last; i++) {
        const size_t rows = i == 0 && one > part ? one : part;
        all[i].count = part;
        all[i].data = memory(&all[i], rows * words * 8);
        OK(gpumex_random(all[i].ctx, GPUMEX_DTYPE_U64, all[i].data, rows * words, 7 + (uint64_t)i, 0, 1.8e19));
    }
}

static void life_rows(const char *name, size_t one, size_t part, uint64_t steps, size_t width, const char *wanted) {
    boards(width, one, part, steps);
    row(name, "Tcell/s", 1e-12 * (double)one * (double)width * (double)steps, 1e-12 * (double)part * ranks * (double)width * (double)steps, life_one,
        life_part, wanted);
    release_all();
}

/* ---- vectors --------------------------------------------------------------------------------------------------------------------- */

static int32_t dtype;

static void vectors(int32_t of, size_t size, size_t count, size_t result_bytes) {
    int i;
    dtype = of;
    for (i = first; i < last; i++) {
        all[i].count = count;
        all[i].data = memory(&all[i], count * size);
        all[i].result = memory(&all[i], result_bytes);
        OK(gpumex_random(all[i].ctx, of, all[i].data, count, 1 + (uint64_t)i, 0, size == 8 ? 1.8e19 : size == 4 ? 4.29e9 : 255));
    }
}

static void histogram_one(rank *r) { OK(gpumex_histogram(r->ctx, NULL, r->data, r->count, r->result, 256)); }
static void histogram_part(rank *r) { OK(gpumex_comm_histogram(r->comm, NULL, r->data, r->count, r->result, 256)); }
static void reduce_one(rank *r) { OK(gpumex_reduce(r->ctx, GPUMEX_OPTIONS(reduce, .dtype = dtype), r->data, r->count, r->result)); }
static void reduce_part(rank *r) { OK(gpumex_comm_reduce(r->comm, GPUMEX_OPTIONS(reduce, .dtype = dtype), r->data, r->count, r->result)); }
static void sort_one(rank *r) { OK(gpumex_sort(r->ctx, GPUMEX_OPTIONS(sort, .dtype = dtype), r->data, NULL, r->count, r->result, NULL)); }
static void sort_part(rank *r) { OK(gpumex_comm_sort(r->comm, GPUMEX_OPTIONS(sort, .dtype = dtype), r->data, NULL, r->count, r->result, NULL)); }
static void scan_one(rank *r) { OK(gpumex_scan(r->ctx, GPUMEX_OPTIONS(scan, .dtype = dtype), r->data, r->count, r->result, NULL)); }
static void scan_part(rank *r) { OK(gpumex_comm_scan(r->comm, GPUMEX_OPTIONS(scan, .dtype = dtype), r->data, r->count, r->result, NULL)); }

static void vector_rows(const char *name, const char *unit, double amount, void (*one)(rank *), void (*part)(rank *), const char *wanted) {
    row(name, unit, amount, amount * ranks, one, part, wanted);
    release_all();
}

/* An odd share of the whole for each rank. */
static size_t share(size_t n, int i) {
    const size_t from = n / (size_t)ranks * (size_t)i + (n < 64 * (size_t)ranks ? 0 : (size_t)(7 * i) % 13);
    return i == ranks || from > n ? n : from;
}

/* ---- matrices -------------------------------------------------------------------------------------------------------------------- */

static size_t order;

static void matmul_one(rank *r) {
    OK(gpumex_matmul(r->ctx, GPUMEX_OPTIONS(matmul, .dtype = dtype), order, order, order, r->data, r->other, r->result));
}

static void matmul_part(rank *r) {
    OK(gpumex_comm_matmul(r->comm, GPUMEX_OPTIONS(matmul, .dtype = dtype), r->count, order, r->count, r->data, r->other, r->result));
}

/* The products of a rank without what crosses: the rows of B of this rank in the place of those of the others. */
static void matmul_alone(rank *r) {
    const double one = 1;
    int i;
    for (i = 0; i < ranks; i++) {
        OK(gpumex_matmul(r->ctx, GPUMEX_OPTIONS(matmul, .dtype = dtype, .lda = order, .beta = i > 0 ? &one : NULL), r->count, order, r->count, r->data,
                         r->other, r->result));
    }
}

static void matmul_rows(const char *name, int32_t of, size_t size, size_t n, const char *wanted) {
    const double tera = 2e-12 * (double)n * (double)n * (double)n;
    int i;
    dtype = of, order = n;
    for (i = first; i < last; i++) {
        const size_t rows = n / (size_t)ranks, bytes = (i == 0 ? n : rows) * n * size;
        all[i].count = rows;
        all[i].data = memory(&all[i], bytes), all[i].other = memory(&all[i], bytes), all[i].result = memory(&all[i], bytes);
        OK(gpumex_random(all[i].ctx, of, all[i].data, (i == 0 ? n : rows) * n, 1 + (uint64_t)i, -1, 1));
        OK(gpumex_random(all[i].ctx, of, all[i].other, (i == 0 ? n : rows) * n, 9 + (uint64_t)i, -1, 1));
    }
    repeats = 3;
    row(name, "TFLOP/s", tera, tera, matmul_one, matmul_part, wanted);
    row("  the same without what crosses", "TFLOP/s", tera, tera, matmul_one, matmul_alone, "");
    repeats = REPEATS;
    release_all();
}

#ifndef WITH_MPI

/* ---- correctness ----------------------------------------------------------------------------------------------------------------- */

static int failures;

static void same(const char *what, const void *a, const void *b, size_t bytes) {
    const int is_same = memcmp(a, b, bytes) == 0;
    printf("%-60s %s\n", what, is_same ? "the bits of one rank" : "DIFFERS");
    failures += !is_same;
}

/* Hands the whole, on the host, to the ranks in parts of `unit` bytes. */
static void scatter(const char *whole, size_t n, size_t unit) {
    int i;
    for (i = first; i < last; i++) {
        const size_t from = share(n, i), count = share(n, i + 1) - from;
        all[i].count = count;
        all[i].data = memory(&all[i], count * unit);
        all[i].result = memory(&all[i], count * unit + 256 * 8);
        OK(gpumex_copy(all[i].ctx, all[i].data, whole + from * unit, count * unit));
    }
}

static void gather(char *whole, size_t n, size_t unit, int is_in_place) {
    int i;
    for (i = first; i < last; i++) {
        OK(gpumex_copy(all[i].ctx, whole + share(n, i) * unit, is_in_place ? all[i].data : all[i].result, all[i].count * unit));
    }
}

static void check_life(int32_t of, size_t rows, size_t width, uint64_t steps, const char *name) {
    const size_t row_bytes = (width + 63) / 64 * 8;
    char *board = malloc(rows * row_bytes), *want = malloc(rows * row_bytes), *got = malloc(rows * row_bytes);
    boundary = of, cols = width, generations = steps;
    OK(gpumex_random(all[0].ctx, GPUMEX_DTYPE_U64, board, rows * row_bytes / 8, 3, 0, 1.8e19));
    OK(gpumex_life(all[0].ctx, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = of), board, rows, width, steps, want));
    scatter(board, rows, row_bytes);
    on_all(life_part);
    gather(got, rows, row_bytes, 1);
    same(name, want, got, rows * row_bytes);
    release_all();
    boundary = 0;
    free(board), free(want), free(got);
}

static void check_vector(const char *name, int32_t of, size_t size, size_t n, void (*part)(rank *), int result_count) {
    char *data = malloc(n * size), *want = malloc(n * size + 2048), *got = malloc(n * size + 2048);
    rank whole = all[0];
    dtype = of;
    OK(gpumex_random(all[0].ctx, of, data, n, 5, 0, size == 8 ? 1e6 : size == 4 ? 4.29e9 : 255));
    whole.data = data, whole.result = want, whole.count = n;
    if (part == sort_part) sort_one(&whole);
    if (part == scan_part) scan_one(&whole);
    if (part == reduce_part) reduce_one(&whole);
    if (part == histogram_part) histogram_one(&whole);
    scatter(data, n, size);
    on_all(part);
    if (result_count == 0) {
        gather(got, n, size, 0);
        same(name, want, got, n * size);
    } else {
        OK(gpumex_copy(all[ranks - 1].ctx, got, all[ranks - 1].result, (size_t)result_count * 8));
        same(name, want, got, (size_t)result_count * (part == reduce_part ? size : 8));
    }
    release_all();
    free(data), free(want), free(got);
}

/* The largest difference from one rank, in units of the bound's n*u. */
static void check_matmul(const char *name, int32_t of, size_t size, size_t n) {
    const double unit = of == GPUMEX_DTYPE_F64 ? 1.2e-16 : 6e-8;
    char *const a = malloc(n * n * size), *const b = malloc(n * n * size), *const want = malloc(n * n * size), *const got = malloc(n * n * size);
    rank whole = all[0];
    double worst = 0;
    size_t j;
    int i;
    dtype = of, order = n;
    OK(gpumex_random(all[0].ctx, of, a, n * n, 1, -1, 1));
    OK(gpumex_random(all[0].ctx, of, b, n * n, 2, -1, 1));
    whole.data = a, whole.other = b, whole.result = want;
    matmul_one(&whole);
    scatter(a, n, n * size);
    for (i = first; i < last; i++) {
        all[i].other = memory(&all[i], all[i].count * n * size);
        OK(gpumex_copy(all[i].ctx, all[i].other, b + share(n, i) * n * size, all[i].count * n * size));
    }
    on_all(matmul_part);
    gather(got, n, n * size, 0);
    for (j = 0; j < n * n; j++) {
        const double x = size == 8 ? ((double *)got)[j] : (double)((float *)got)[j], y = size == 8 ? ((double *)want)[j] : (double)((float *)want)[j];
        const double off = (x > y ? x - y : y - x) / (unit * (double)n * (double)n);
        if (!(off <= worst)) worst = off;
    }
    printf("%-60s differs by %.3g of the bound\n", name, worst);
    failures += !(worst <= 2);
    release_all();
    free(a), free(b), free(want), free(got);
}

static void check_all(void) {
    const size_t n = 30000001 / scale;
    check_life(0, 4099 / scale, 5003, 1000, "Life 4099 x 5003, 1000 generations");
    check_life(2, 1501 / scale, 1000, 777, "Life 1501 x 1000, 777 generations, torus");
    check_life(1, 16384 / scale, 16384, 300, "Life 16384 x 16384, 300 generations, dead edges");
    check_vector("histogram of 30000001 bytes", GPUMEX_DTYPE_U8, 1, n, histogram_part, 256);
    check_vector("sum of 30000001 u64", GPUMEX_DTYPE_U64, 8, n, reduce_part, 1);
    check_vector("scan of 30000001 u64", GPUMEX_DTYPE_U64, 8, n, scan_part, 0);
    check_vector("sort of 30000001 u32", GPUMEX_DTYPE_U32, 4, n, sort_part, 0);
    check_vector("sort of 30000001 u64, many equal", GPUMEX_DTYPE_U64, 8, n, sort_part, 0);
    check_vector("sort of 30000001 f32", GPUMEX_DTYPE_F32, 4, n, sort_part, 0);
    check_matmul("matmul f32 1501^3", GPUMEX_DTYPE_F32, 4, scale > 1 ? 151 : 1501);
    check_matmul("matmul f64 1501^3", GPUMEX_DTYPE_F64, 8, scale > 1 ? 151 : 1501);
}

#endif

/* ---- the tables ------------------------------------------------------------------------------------------------------------------ */

static void sum_of_nothing(rank *r) { OK(gpumex_comm_reduce(r->comm, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_U64), r->data, 1, r->result)); }

static void host_histogram(rank *r) { OK(gpumex_histogram(r->ctx, NULL, r->data, r->count, r->result, 256)); }

/* Host memory that each rank's thread has written. */
static void own_pages(rank *r) { memset(r->data, 1 + r->rank, r->count); }

static void without_communication(void) {
    const size_t gib = ((size_t)1 << 30) / scale;
    int i;
    boards(16384, 16384 / scale, 16384 / scale, 2000);
    row("no communication: Life 16384^2, 2000 gen.", "Tcell/s", 1e-12 * 16384. * (double)rows_of_part * 2000, 1e-12 * 16384. * (double)rows_of_part * 2000 * ranks,
        life_one, life_alone, "2.0");
    release_all();
    vectors(GPUMEX_DTYPE_U32, 4, ((size_t)1 << 28) / scale, ((size_t)4 << 28) / scale);
    vector_rows("no communication: sort u32, 2^28 each", "Gkey/s", 1e-9 * (double)all[first].count, sort_one, sort_one, "2.0");
    for (i = first; i < last; i++) {
        all[i].count = gib, all[i].data = malloc(gib), all[i].result = malloc(2048);
    }
    on_all(own_pages);
    row("no communication: histogram, 1 GiB of the host", "GB/s", 1e-9 * (double)gib, 1e-9 * (double)gib * ranks, host_histogram, host_histogram, "1.8 1.95");
    for (i = first; i < last; i++) {
        free(all[i].data), free(all[i].result);
        all[i].data = all[i].result = NULL;
    }
}

static void table(void) {
    const size_t keys = ((size_t)1 << 28) / scale;
    if (first == 0) printf("\n| %-44s | %9s | %9s | %10s | %10s | %-8s | %5s | must, reach |\n|---|---|---|---|---|---|---|---|\n", "", "one, ms", "all, ms", "one", "all", "unit",
           "ratio");
    life_rows("Life 16384^2 each, 2000 generations", 16384 / scale, 16384 / scale, 2000, 16384, "1.94 1.98");
    life_rows("Life 65536^2 in all, 500 generations", 65536 / scale, 65536 / scale / (size_t)ranks, 500, 65536, "1.93 1.97");
    vectors(GPUMEX_DTYPE_U8, 1, ((size_t)2 << 30) / scale, 2048);
    vector_rows("histogram of 2 GiB each", "GB/s", 1e-9 * (double)all[first].count, histogram_one, histogram_part, "1.9 1.97");
    vectors(GPUMEX_DTYPE_U32, 4, keys, 64);
    vector_rows("reduce of 2^28 u32 each", "GB/s", 4e-9 * (double)keys, reduce_one, reduce_part, "1.9 1.97");
    vectors(GPUMEX_DTYPE_U32, 4, keys, 4 * keys);
    vector_rows("scan of 2^28 u32 each", "GB/s", 8e-9 * (double)keys, scan_one, scan_part, "");
    vectors(GPUMEX_DTYPE_U32, 4, keys, 4 * keys);
    vector_rows("sort of 2^28 u32 each", "Gkey/s", 1e-9 * (double)keys, sort_one, sort_part, "1.3 1.5");
    vectors(GPUMEX_DTYPE_U64, 8, keys, 8 * keys);
    vector_rows("sort of 2^28 u64 each", "Gkey/s", 1e-9 * (double)keys, sort_one, sort_part, "1.45 1.6");
    matmul_rows("matmul f32 32768^3 in all", GPUMEX_DTYPE_F32, 4, scale > 1 ? 512 : 32768, "1.85 1.95");
    matmul_rows("matmul f64 32768^3 in all", GPUMEX_DTYPE_F64, 8, scale > 1 ? 512 : 32768, "1.85 1.95");
    vectors(GPUMEX_DTYPE_U64, 8, 1, 64);
    {
        const double took = median(on_all, sum_of_nothing);
        if (first == 0) printf("one sum of one element a rank: %.1f us\n", 1e6 * took);
    }
    release_all();
    without_communication();
}

#ifdef WITH_MPI

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &first);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    last = first + 1;
    if (argc > 1) scale = (size_t)atol(argv[1]);
    if (ranks > MOST || scale < 1) return fprintf(stderr, "%d ranks at most, a scale of 1 or more\n", MOST), 2;
    all[first].rank = first;
    all[first].ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, first);
    if (all[first].ctx == NULL) return fprintf(stderr, "rank %d: %s\n", first, gpumex_last_error()), 1;
    printf("rank %d: %s\n", first, gpumex_context_device_text(all[first].ctx));
    OK(gpumex_mpi_create(all[first].ctx, NULL, MPI_COMM_WORLD, &mpi, &all[first].comm));
    table();
    gpumex_mpi_destroy(&mpi, all[first].comm);
    gpumex_context_destroy(all[first].ctx);
    MPI_Finalize();
    return 0;
}

#else

/* ---- communicators --------------------------------------------------------------------------------------------------------------- */

static char id[128];
static int32_t life_halo;

static void create_by_id(rank *r) {
    OK(gpumex_comm_create_nccl(r->ctx, GPUMEX_OPTIONS(comm, .life_halo = life_halo), id, r->rank, ranks, &r->comm));
}

static void destroy(rank *r) {
    OK(gpumex_comm_destroy(r->comm));
    r->comm = NULL;
}

static void open_comms(int32_t halo) {
    gpumex_context *contexts[MOST];
    gpumex_comm *comms[MOST];
    int i;
    on_all(destroy);
    life_halo = halo;
    if (is_nccl) {
        OK(gpumex_comm_unique_id(id, sizeof id));
        on_all(create_by_id);
        return;
    }
    for (i = first; i < last; i++) contexts[i] = all[i].ctx;
    OK(gpumex_comm_create_local(contexts, (size_t)ranks, GPUMEX_OPTIONS(comm, .life_halo = halo), comms));
    for (i = first; i < last; i++) all[i].comm = comms[i];
}

/* us a generation, for each K: of boards that give the cost of an exchange, and of those that hide it. */
static void halo_table(void) {
    static const int32_t halos[] = {8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 0};
    static const size_t sizes[][2] = {{16384, 16384}, {32768, 65536}, {4096, 4096}, {1024, 1024}};
    size_t i, k;
    printf("\nus a generation; K = 0 is what the library takes; the last column: one rank without a halo\n|     rows x cols each |");
    for (k = 0; k < sizeof halos / sizeof *halos; k++) printf(" %7d |", (int)halos[k]);
    printf("     one |\n");
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        boards(sizes[i][1], sizes[i][0] / scale, sizes[i][0] / scale, 1536);
        printf("| %9zu x %8zu |", rows_of_part, cols);
        for (k = 0; k < sizeof halos / sizeof *halos; k++) {
            open_comms(halos[k]);
            printf(" %7.3f |", 1e6 * median(on_all, life_part) / (double)generations);
            fflush(stdout);
        }
        printf(" %7.3f |\n", 1e6 * median(on_one, life_one) / (double)generations);
        release_all();
    }
    open_comms(0);
}

int main(int argc, char **argv) {
    pthread_t threads[MOST];
    int i, is_halo = 0;
    for (; argc > 1 && (argv[1][0] < '0' || argv[1][0] > '9'); argc--, argv++) {
        is_cpu |= strcmp(argv[1], "cpu") == 0;
        is_halo |= strcmp(argv[1], "halo") == 0;
        is_nccl |= strcmp(argv[1], "nccl") == 0;
    }
    if (argc > 1) ranks = atoi(argv[1]);
    if (argc > 2) scale = (size_t)atol(argv[2]);
    last = ranks;
    if (ranks < 1 || ranks > MOST || scale < 1) return fprintf(stderr, "1 to %d ranks, a scale of 1 or more\n", MOST), 2;
    for (i = first; i < last; i++) {
        all[i].rank = i;
        all[i].ctx = gpumex_context_create(is_cpu ? GPUMEX_BACKEND_CPU : GPUMEX_BACKEND_CUDA, is_cpu ? -1 : i);
        if (all[i].ctx == NULL) return fprintf(stderr, "rank %d: %s\n", i, gpumex_last_error()), 1;
        printf("rank %d: %s\n", i, gpumex_context_device_text(all[i].ctx));
    }
    pthread_barrier_init(&barrier, NULL, (unsigned)ranks + 1);
    for (i = first; i < last; i++) pthread_create(&threads[i], NULL, serve, &all[i]);
    open_comms(0);
    check_all();
    if (failures) printf("%d differ\n", failures);
    else if (is_halo) halo_table();
    else table();
    on_all(destroy);
    is_over = 1;
    pthread_barrier_wait(&barrier);
    for (i = first; i < last; i++) {
        pthread_join(threads[i], NULL);
        gpumex_context_destroy(all[i].ctx);
    }
    return failures != 0;
}

#endif
