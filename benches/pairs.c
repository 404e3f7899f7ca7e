/* pairs.c - two builds of the library side by side: is any operation slower than before?
 *
 *   cc -O2 -pthread -Iinclude benches/pairs.c -o target/pairs -ldl
 *   target/pairs OLD/libgpumex.so NEW/libgpumex.so cpu|cuda [FILTER]
 *
 * Each operation runs with both libraries in turn, on the same random input in memory of the backend. A row is microseconds a call
 * (medians; a round is as many calls as take 2 ms) and the median of new / old over the rounds. Rows above 1.05 are measured once
 * more, since most are noise. Both libraries have the same header; a function that the old one lacks is left out. */
#include "ranks.h"

#include <time.h>

enum { ROUNDS = 15, ROUND_NS = 2000000 };

/* ---- measuring ------------------------------------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void wait(const library *l) { ok(l, CALL(context_synchronize)(l->ctx)); }

static double mean_ns(library *l, const operation *op, int calls) {
    const double start = now_ns();
    for (int i = 0; i < calls; ++i) (void)op->run(l);
    wait(l);
    return (now_ns() - start) / calls;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static const char *last_error(const library *l) { return CALL(last_error)(); }

/* The ratio new / old; medians of both in us, NAN when the operation refuses these arguments. */
static double compare(library *both, const operation *op, double us[2]) {
    double ns[2][ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < 2; ++i) {
        both[i].number = op->number;
        if (op->run(&both[i]) != 0) return -1;
        wait(&both[i]);
    }
    const double once = mean_ns(&both[0], op, 1);
    const int calls = once > ROUND_NS ? 1 : (int)(ROUND_NS / once) + 1;
    for (int r = 0; r < ROUNDS; ++r) {
        const int first = r % 2; /* who goes first changes */
        ns[first][r] = mean_ns(&both[first], op, calls);
        ns[1 - first][r] = mean_ns(&both[1 - first], op, calls);
        ratio[r] = ns[1][r] / ns[0][r];
    }
    for (int i = 0; i < 2; ++i) us[i] = median(ns[i]) / 1e3;
    return median(ratio);
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: pairs OLD.so NEW.so cpu|cuda [FILTER]\n"), 2;
    const int cuda = strcmp(argv[3], "cuda") == 0;
    const size_t sizes[] = {1000, 100000, cuda ? 64000000 : 4000000};
    const struct { int32_t dtype; const char *name; } types[] = {
        {GPUMEX_DTYPE_U32, "u32"}, {GPUMEX_DTYPE_I32, "i32"}, {GPUMEX_DTYPE_I64, "i64"}, {GPUMEX_DTYPE_F32, "f32"}, {GPUMEX_DTYPE_F64, "f64"}};
    library both[2] = {{0}};
    for (int i = 0; i < 2; ++i) open_library(&both[i], i, argv[1 + i], cuda ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU, sizes[2]);
    int rows = 0, slower = 0, refused = 0;
    printf("%-22s %-4s %9s %12s %12s %7s\n", "operation", "type", "elements", "old us", "new us", "ratio");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
            for (int i = 0; i < 2; ++i) fill_arrays(&both[i], types[t].dtype, sizes[s]);
            for (size_t o = 0; o < operation_count; ++o) {
                const operation *const op = &operations[o];
                if (argc > 4 && strstr(op->label, argv[4]) == NULL) continue;
                if ((op->kinds == FLOATS && !is_float(types[t].dtype)) || (op->kinds == ONCE && t > 0)) continue;
                if (dlsym(both[0].handle, op->function) == NULL || dlsym(both[1].handle, op->function) == NULL) continue; /* new */
                double us[2];
                double ratio = compare(both, op, us);
                if (ratio < 0) {
                    ++refused;
                    printf("%-22s %-4s %9zu  %s\n", op->label, types[t].name, sizes[s], last_error(&both[1]));
                    continue;
                }
                if (ratio > 1.05) ratio = compare(both, op, us);
                ++rows, slower += ratio > 1.05;
                printf("%-22s %-4s %9zu %12.2f %12.2f %7.3f%s\n", op->label, types[t].name, sizes[s], us[0], us[1], ratio, ratio > 1.05 ? "  slower" : "");
                fflush(stdout);
            }
        }
    }
    printf("%d rows, %d slower by more than 5 %%, %d refused\n", rows, slower, refused);
    return 0;
}
