/* failing_ranks_cases.h - the cases of failing_ranks.c, from the calls that its report has of a run without a fault, in the order in which
 * they run. A part of failing_ranks.c. */
#ifndef FAILING_RANKS_CASES_H
#define FAILING_RANKS_CASES_H

#include "failing_cases.h"

static void add_case(const path *of, long number, int error, const char *name) { add_listed((listed){{of, number, error}, name}); }

static void list(const path *of) {
    static const int losses[] = {46 /* unavailable */, 214 /* ECC */, 220 /* NVLink */, 719, 999};
    for (int counter = 0; counter < STAND_IN_COUNTERS; ++counter) {
        for (long i = 0; i < report->calls[counter]; ++i) {
            const call_made *const made = &report->call[counter][i];
            const long number = counter * STAND_IN_MOST_CALLS + i;
            for (const int *error = made->errors; *error != 0; ++error) {
                if (strcmp(made->name, "cuCtxGetId") == 0 && (*error == 201 || *error == 709)) continue; /* a reset */
                add_case(of, number, *error, made->name);
                if (*error == NO_MEMORY && !is_of_nccl(made->name)) add_case(of, number, NO_MEMORY + STAND_IN_STAYS, made->name);
            }
            add_case(of, number, STAND_IN_LOST + losses[i % 5], made->name);
            add_case(of, number, STAND_IN_GONE + losses[i % 5], made->name);
        }
    }
}

/* Whether two cases are of the same function, or launcher, and the same error. */
static int are_alike(const listed *a, const listed *b) { return a->one.error == b->one.error && strcmp(a->name, b->name) == 0; }

/* Whether a function is one by which parts cross: the others are those of failing_driver.c. */
static int crosses(const listed *one) {
    static const char *const names[] = {"Peer", "cuStreamWaitEvent", "cuEventQuery", "cuEventSynchronize", "life_joined", "nccl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strstr(one->name, names[i]) != NULL) return 1;
    }
    return 0;
}

/* At least one case of each error of each function comes first, in a random order: of those by which parts cross, then of the others. */
static void shuffle(void) {
    bring_into_random_order();
    const size_t of_crossing = bring_forward(0, crosses, are_alike), pairs = bring_forward(of_crossing, NULL, are_alike);
    printf("%zu pairs of a function and an error, %zu of functions by which parts cross\n", pairs, of_crossing);
}

#endif
