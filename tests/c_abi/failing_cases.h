/* failing_cases.h - the list of cases of failing_driver.c and failing_ranks.c, which define `one_case` before it, and the order in which they
 * run. */
#ifndef FAILING_CASES_H
#define FAILING_CASES_H

#include <stdint.h>
#include <stdlib.h>

static uint64_t random_state;

static uint64_t random_below(uint64_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % end;
}

typedef struct listed { one_case one; const char *name; } listed; /* of the call that fails */

static listed *cases;
static size_t case_count;

static void add_listed(listed added) {
    if ((case_count & (case_count - 1)) == 0) cases = realloc(cases, 2 * (case_count + 1) * sizeof *cases);
    if (cases == NULL) exit(2);
    cases[case_count++] = added;
}

static void swap(size_t i, size_t j) {
    const listed swapped = cases[i];
    cases[i] = cases[j], cases[j] = swapped;
}

static void bring_into_random_order(void) {
    for (size_t i = case_count; i > 1; --i) swap(i - 1, random_below(i));
}

/* Brings the wanted cases that are like none of the first ones behind these, NULL: all such; how many these are then. */
static size_t bring_forward(size_t first, int (*is_wanted)(const listed *), int (*are_alike)(const listed *, const listed *)) {
    for (size_t i = first; i < case_count; ++i) {
        int is_new = is_wanted == NULL || is_wanted(&cases[i]);
        for (size_t j = 0; j < first && is_new; ++j) is_new = !are_alike(&cases[j], &cases[i]);
        if (is_new) swap(first++, i);
    }
    return first;
}

#endif
