/* check.h - what the C programs of this folder share: a check that names its line, and a status with its sentence. */
#ifndef GPUMEX_TESTS_CHECK_H
#define GPUMEX_TESTS_CHECK_H

#include <gpumex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The condition holds, or the program ends with 1 and says where. */
#define EXPECT(condition)                                                                                        \
    do {                                                                                                         \
        if (!(condition)) {                                                                                      \
            fprintf(stderr, "%s:%d: not so: %s\n  last error: \"%s\"\n", __FILE__, __LINE__, #condition,         \
                    gpumex_last_error());                                                                        \
            exit(1);                                                                                             \
        }                                                                                                        \
    } while (0)

/* The call succeeds. */
#define OK(call) EXPECT((call) == GPUMEX_STATUS_OK)

/* Three live cells in a row turn: the smallest thing that a working library gets right. */
static inline int life_works(gpumex_context *ctx) {
    const uint8_t board[15] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    const uint8_t turned[15] = {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    uint8_t next[15];
    memset(next, 0xA5, sizeof next);
    return gpumex_life(ctx, NULL, board, 3, 5, 1, next) == 0 && memcmp(next, turned, sizeof next) == 0;
}

#endif
