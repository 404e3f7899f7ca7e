/* progress.c - a long run on packed boards tells how far it is, and ends when its callback says so. */
#include "check.h"

typedef struct {
    uint64_t done, total, calls, last; /* last: where it is cancelled */
} Watch;

static int32_t watched(void *user, uint64_t done, uint64_t total) {
    Watch *watch = (Watch *)user;
    EXPECT(done > watch->done && done <= total);
    watch->done = done, watch->total = total, watch->calls++;
    return done >= watch->last ? 42 : 0;
}

int main(void) {
    uint64_t board[100 * 2], next[100 * 2], want[100 * 2]; /* (100, 70) */
    const gpumex_life_options *o = GPUMEX_OPTIONS(
        life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS, .cells = GPUMEX_LIFE_CELLS_BITS, .rule = "B36/S23");
    Watch watch = {0, 0, 0, UINT64_MAX};
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    for (size_t i = 0; i < 200; i++) board[i] = (i + 1) * 0x9E3779B97F4A7C15u;

    EXPECT(ctx != NULL);
    OK(gpumex_life(ctx, o, board, 100, 70, 200, want));
    OK(gpumex_context_set_progress(ctx, watched, &watch));
    OK(gpumex_life(ctx, o, board, 100, 70, 200, next));
    EXPECT(memcmp(next, want, sizeof next) == 0);
    EXPECT(watch.calls > 1 && watch.done == 200 && watch.total == 200);

    memset(&watch, 0, sizeof watch);
    watch.last = 5;
    EXPECT(gpumex_life(ctx, o, board, 100, 70, UINT64_MAX, next) == GPUMEX_STATUS_CANCELLED);
    EXPECT(strstr(gpumex_last_error(), "returned 42") != NULL);
    EXPECT(watch.done >= 5 && watch.total == UINT64_MAX);

    watch.calls = 0;
    OK(gpumex_context_set_progress(ctx, NULL, NULL));
    OK(gpumex_life(ctx, o, board, 100, 70, 200, next));
    EXPECT(memcmp(next, want, sizeof next) == 0 && watch.calls == 0);
    OK(gpumex_context_destroy(ctx));
    puts("done");
    return 0;
}
