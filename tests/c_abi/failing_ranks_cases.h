/* failing_ranks_cases.h - the cases of failing_ranks.c, from the calls that its report has of a run without a fault, in the order in which
 * they run. A part of failing_ranks.c. */
#ifndef FAILING_RANKS_CASES_H
#define FAILING_RANKS_CASES_H

static uint64_t random_state;

static uint64_t random_below(uint64_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % end;
}

typedef struct listed { one_case one; const char *name; } listed;

static listed *cases;
static size_t case_count;

static void add_case(const path *of, long number, int error, const char *name) {
    if ((case_count & (case_count - 1)) == 0) cases = realloc(cases, 2 * (case_count + 1) * sizeof *cases);
    if (cases == NULL) exit(2);
    cases[case_count++] = (listed){{of, number, error}, name};
}

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
static int crosses(const char *name) {
    static const char *const names[] = {"Peer", "cuStreamWaitEvent", "cuEventQuery", "cuEventSynchronize", "life_joined", "nccl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strstr(name, names[i]) != NULL) return 1;
    }
    return 0;
}

static void swap(size_t i, size_t j) {
    const listed swapped = cases[i];
    cases[i] = cases[j], cases[j] = swapped;
}

/* Brings a case of each pair that is not among the first ones behind these; how many these are then. */
static size_t bring_forward(size_t first, int of_crossing) {
    for (size_t i = first; i < case_count; ++i) {
        int is_new = crosses(cases[i].name) == of_crossing;
        for (size_t j = 0; j < first && is_new; ++j) is_new = !are_alike(&cases[j], &cases[i]);
        if (is_new) swap(first++, i);
    }
    return first;
}

/* At least one case of each error of each function comes first, in a random order: of those by which parts cross, then of the others. */
static void shuffle(void) {
    for (size_t i = case_count; i > 1; --i) swap(i - 1, random_below(i));
    const size_t of_crossing = bring_forward(0, 1), pairs = bring_forward(of_crossing, 0);
    printf("%zu pairs of a function and an error, %zu of functions by which parts cross\n", pairs, of_crossing);
}

#endif
