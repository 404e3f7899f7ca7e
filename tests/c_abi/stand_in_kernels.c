/* stand_in_kernels.c - launchers of kernels that compute nothing, but for what the library reads of their results before it goes on:
 * nothing is found. The launchers that are not here are written from kernels/kernels.h by failing_driver.rs. */
#include "../../kernels/kernels.h"
#include "stand_in_driver.h"

#include <stdio.h>
#include <string.h>

/* A launcher with an effect; memory of the device is memory of the host. */
#define LAUNCH(name, effect)                                                                                      \
    const int error = stand_in_launch(name);                                                                      \
    if (error == 0) effect;                                                                                       \
    return error

void gpumexk_clear_error(void) {}

const char *gpumexk_error_string(int error) {
    static _Thread_local char text[32];
    snprintf(text, sizeof text, "cudaError %d", error);
    return text;
}

int gpumexk_check_indices(const void *indices, int index_bytes, size_t count, size_t limit, uint64_t *position, gpumexk_stream stream) {
    (void)indices, (void)index_bytes, (void)count, (void)limit, (void)stream;
    LAUNCH("check_indices", *position = UINT64_MAX);
}

int gpumexk_check_sorted(const void *keys, size_t count, int dtype, int descending, int strict, uint64_t *position, gpumexk_stream stream) {
    (void)keys, (void)count, (void)dtype, (void)descending, (void)strict, (void)stream;
    LAUNCH("check_sorted", *position = UINT64_MAX);
}

int gpumexk_set_operation(const gpumexk_set_operation_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)scratch, (void)tuning, (void)stream;
    LAUNCH("set_operation", *args->needed = 0);
}

int gpumexk_join(const gpumexk_join_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)scratch, (void)tuning, (void)stream;
    LAUNCH("join", *args->needed = 0);
}

int gpumexk_reduce_by_key(const gpumexk_reduce_by_key_args *args, void *scratch, gpumexk_stream stream) {
    (void)scratch, (void)stream;
    LAUNCH("reduce_by_key", *args->needed = 0);
}

int gpumexk_compact(const gpumexk_compact_args *args, void *scratch, gpumexk_stream stream) {
    (void)scratch, (void)stream;
    LAUNCH("compact", *args->needed = 0);
}

int gpumexk_words_clear(const gpumexk_words_table *table, gpumexk_stream stream) {
    (void)stream;
    LAUNCH("words_clear", memset(table->state, 0, 4 * sizeof *table->state));
}

int gpumexk_words_missing(const gpumexk_words_text *text, const gpumexk_words_table *from, const gpumexk_words_table *to,
                          uint64_t *missing, gpumexk_stream stream) {
    (void)text, (void)from, (void)to, (void)stream;
    LAUNCH("words_missing", memset(missing, 0, 2 * sizeof *missing));
}

int gpumexk_words_merge(const gpumexk_words_text *text, const gpumexk_words_table *from, const gpumexk_words_table *to, uint8_t *copies,
                        uint64_t *used, gpumexk_stream stream) {
    (void)text, (void)from, (void)to, (void)copies, (void)stream;
    LAUNCH("words_merge", *used = 0);
}

int gpumexk_words_rank(const gpumexk_words_table *table, uint64_t most, uint64_t count, uint64_t low, unsigned shift, uint64_t *ranks,
                       gpumexk_stream stream) {
    (void)table, (void)most, (void)count, (void)low, (void)shift, (void)stream;
    LAUNCH("words_rank", memset(ranks, 0, GPUMEXK_WORDS_RANKS * sizeof *ranks));
}

int gpumexk_words_pick(const gpumexk_words_table *table, uint64_t count, uint64_t position, uint64_t most, uint64_t *picked,
                       uint64_t *number, gpumexk_stream stream) {
    (void)table, (void)count, (void)position, (void)most, (void)picked, (void)stream;
    LAUNCH("words_pick", *number = 0);
}

int gpumexk_words_lengths(const gpumexk_words_text *text, const uint64_t *positions, size_t count, uint64_t *lengths,
                          gpumexk_stream stream) {
    (void)text, (void)positions, (void)stream;
    LAUNCH("words_lengths", memset(lengths, 0, count * sizeof *lengths));
}
