/* cancel_text.h - what gpumex_last_error says of a call that was cancelled: how long it ran, and how far it came. */
#ifndef GPUMEX_TESTS_CANCEL_TEXT_H
#define GPUMEX_TESTS_CANCEL_TEXT_H

#include <stdio.h>
#include <string.h>

/* In what a text says how far: nothing at all, parts of a loop, units of the progress callback. */
enum cancel_units { UNITS_NONE, UNITS_LOOP, UNITS_WHOLE, UNITS };

typedef struct cancel_text {
    double time; /* s; negative where the text has none */
    enum cancel_units units;
    unsigned long long done, total;
} cancel_text;

/* Reads `pattern`, which ends with %n, at *text, and steps behind it. */
#define STEP(text, pattern, ...) (behind = 0, sscanf(*(text), pattern, __VA_ARGS__, &behind), *(text) += behind, behind > 0)

/* Whether all of a text is what a function says that was cancelled, of so many parts at most as there are. */
static inline int read_cancel_text(const char *text, const char *function, cancel_text *read) {
    static const char ended[] = ": gpumex_context_cancel ended the call";
    const size_t name = strlen(function);
    int behind;
    *read = (cancel_text){-1, UNITS_NONE, 0, 0};
    if (strncmp(text, function, name) != 0 || strncmp(text + name, ended, sizeof ended - 1) != 0) return 0;
    text += name + sizeof ended - 1;
    if (*text == ' ' && !STEP(&text, " after %lf s%n", &read->time)) return 0;
    if (STEP(&text, "; of the loop that it was in %llu of %llu parts were done%n", &read->done, &read->total)) read->units = UNITS_LOOP;
    else if (STEP(&text, "; %llu of %llu were done%n", &read->done, &read->total)) read->units = UNITS_WHOLE;
    return *text == '\0' && read->done <= read->total && (read->units == UNITS_NONE) == (read->total == 0);
}

#endif
