/* progress.h - how far a long run is, on a line of the terminal. */
#ifndef GPUMEX_EXAMPLES_PROGRESS_H
#define GPUMEX_EXAMPLES_PROGRESS_H

#include "common.h"

#include <unistd.h>

static const double PATIENCE_MS = 1000, REDRAW_MS = 100; /* until a run is long, and between looks at it */

/* How far a run is. A long one says so on a line of the terminal, which is wiped away at its end. */
typedef struct progress {
    uint64_t before, total;                         /* in calls before the one that runs, and in all, 0 where nobody knows */
    void (*print)(uint64_t reached, uint64_t total); /* to stderr, without an end of line */
    double start, drawn;                            /* ms */
    int is_watched;                                 /* somebody sits there */
} progress;

/* For gpumex_context_set_progress, with a `progress` as user: the library calls it about 20 times a second. */
static inline int32_t show_progress(void *user, uint64_t done, uint64_t total) {
    progress *const p = (progress *)user;
    const double now = wall_ms();
    (void)total; /* of this call */
    if (!p->is_watched || now - p->start <= PATIENCE_MS || now - p->drawn <= REDRAW_MS) return 0;
    fprintf(stderr, "\r");
    p->print(p->before + done, p->total);
    p->drawn = now;
    return 0;
}

/* Watches the calls of a context by `callback`, which is show_progress or calls it. */
static inline void start_progress(gpumex_context *ctx, progress *p, gpumex_progress_callback callback,
                                  void (*print)(uint64_t, uint64_t), uint64_t total) {
    memset(p, 0, sizeof *p);
    p->total = total, p->print = print, p->start = wall_ms(), p->is_watched = isatty(fileno(stderr));
    CHECK(gpumex_context_set_progress(ctx, callback, p));
}

static inline void end_progress(gpumex_context *ctx, const progress *p) {
    CHECK(gpumex_context_set_progress(ctx, NULL, NULL));
    if (p->drawn > 0) fprintf(stderr, "\r\033[K");
}

/* What start_progress prints of a run over bytes. */
static inline void print_bytes(uint64_t reached, uint64_t total) {
    fprintf(stderr, "%.2f GB", (double)reached / 1e9);
    if (total > 0) fprintf(stderr, " of %.2f, %.0f %%", (double)total / 1e9, 100.0 * (double)reached / (double)total);
}

#endif
