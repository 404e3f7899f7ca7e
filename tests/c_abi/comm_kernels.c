/* comm_kernels.c - the launchers that ranks on devices need, as plain loops over memory of the host: Life on strips, and sorts, merges and
 * gathers of unsigned keys. The others are those of stand_in_kernels.c. */
#include "../../kernels/kernels.h"
#include "stand_in_driver.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LAUNCH(name, effect)                                                                                      \
    const int error = stand_in_launch(name);                                                                      \
    if (error == 0) effect;                                                                                       \
    return error

static uint64_t number(const void *array, size_t i, size_t bytes) {
    uint64_t value = 0;
    memcpy(&value, (const char *)array + i * bytes, bytes);
    return value;
}

/* Bytes of a float or an integer of 4 or 8: 2, 8 and 12 are GPUMEX_DTYPE_F64, I64 and U64. */
static size_t bytes_of(int dtype) { return dtype == 2 || dtype == 8 || dtype == 12 ? 8 : 4; }

/* ---- Life ------------------------------------------------------------------------------------------------------------------------ */

/* The word and the bit of a cell of strips (kernels/life/strips.cuh). */
static uint32_t *word_of(uint32_t *strips, const gpumexk_life_game *game, size_t row, size_t col, unsigned *bit) {
    const size_t strip = col / GPUMEXK_LIFE_STRIP_COLS, within = col % GPUMEXK_LIFE_STRIP_COLS;
    *bit = (unsigned)(within / 8 + 1);
    return strips + (strip * game->rows + row) * 8 + within % 8;
}

static int cell(uint32_t *strips, const gpumexk_life_game *game, ptrdiff_t row, ptrdiff_t col) {
    const ptrdiff_t rows = (ptrdiff_t)game->rows, cols = (ptrdiff_t)game->cols;
    unsigned bit;
    if (game->boundary == 1 && (row < 0 || row >= rows || col < 0 || col >= cols)) return 0;
    if (game->boundary == 2) row = (row + rows) % rows, col = (col + cols) % cols;
    row = row < 0 ? 0 : row >= rows ? rows - 1 : row, col = col < 0 ? 0 : col >= cols ? cols - 1 : col;
    const uint32_t *const word = word_of(strips, game, (size_t)row, (size_t)col, &bit);
    return *word >> bit & 1;
}

static void step(uint32_t *from, uint32_t *to, const gpumexk_life_game *game) {
    for (size_t row = 0; row < game->rows; ++row) {
        for (size_t col = 0; col < game->cols; ++col) {
            unsigned bit, around = 0;
            uint32_t *const word = word_of(to, game, row, col, &bit);
            for (int i = -1; i <= 1; ++i) {
                for (int j = -1; j <= 1; ++j) around += (i || j) && cell(from, game, (ptrdiff_t)row + i, (ptrdiff_t)col + j);
            }
            const unsigned rule = cell(from, game, (ptrdiff_t)row, (ptrdiff_t)col) ? game->survival : game->birth;
            *word = (*word & ~(1u << bit)) | (rule >> around & 1) << bit;
        }
    }
}

/* The result is where the kernel has it: in front after an even number of steps of GPUMEXK_LIFE_STRIP_STEPS generations. */
static void play(uint32_t *front, uint32_t *back, const gpumexk_life_game *game, uint64_t generations) {
    const size_t words = game->rows * ((game->cols + GPUMEXK_LIFE_STRIP_COLS - 1) / GPUMEXK_LIFE_STRIP_COLS) * 8;
    const int is_front = (generations + GPUMEXK_LIFE_STRIP_STEPS - 1) / GPUMEXK_LIFE_STRIP_STEPS % 2 == 0;
    uint32_t *a = front, *b = back;
    memset(b, 0, words * 4);
    for (uint64_t i = 0; i < generations; ++i) {
        uint32_t *const other = a;
        step(a, b, game), a = b, b = other;
    }
    uint32_t *const result = is_front ? front : back;
    if (a != result) memcpy(result, a, words * 4);
}

int gpumexk_life_registers_scratch(const gpumexk_life_game *game, const gpumexk_tuning *tuning, size_t *bytes) {
    (void)game, (void)tuning;
    *bytes = 16;
    return 0;
}

int gpumexk_life_registers(uint32_t *front, uint32_t *back, void *scratch, const gpumexk_life_game *game, uint64_t generations,
                           const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)scratch, (void)tuning, (void)stream;
    LAUNCH("life_registers", play(front, back, game, generations));
}

/* The slab's own rows by steps of the kernel; between two of them the outer rows go to the neighbours as packets, and theirs are waited for. */
int joined_launches, joined_loads; /* those that play, and those of no generations */

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether a wait for another rank goes on. At the end of patience those of all ranks end. */
static int waits(unsigned *stop, uint64_t patience, uint64_t begin) {
    if (now_ns() - begin > patience) __atomic_store_n(stop, 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(stop, __ATOMIC_ACQUIRE)) return 0;
    sched_yield();
    return 1;
}

/* A kernel that writes what its device was not opened to is a fault of the device. */
static void check_reach(const char *kernel, const void *memory) {
    if (memory == NULL || stand_in_reaches(memory)) return;
    fprintf(stderr, "%s uses memory of a device that its own was not opened to\n", kernel);
    abort();
}

enum { PAIRS = GPUMEXK_LIFE_JOINED_PACKETS / 8, HALO = GPUMEXK_LIFE_STRIP_STEPS };

/* The packets of a strip of a halo after so many steps: word, step, word, step. */
static size_t packets_of(size_t strips, uint64_t steps, size_t strip) { return (steps % 2 * strips + strip) * PAIRS * 4; }

static void send_rows(uint32_t *packets, const uint32_t *rows, uint32_t steps) {
    for (size_t i = 0; i < 2 * PAIRS; ++i) packets[2 * i] = rows[i];
    for (size_t i = 0; i < 2 * PAIRS; ++i) __atomic_store_n(packets + 2 * i + 1, steps, __ATOMIC_RELEASE);
}

/* Waits for the rows of a halo; whether they have come. */
static int receive_rows(const gpumexk_life_joined_args *args, const uint32_t *packets, uint32_t *rows, uint32_t steps, uint64_t begin) {
    for (size_t i = 0; i < 2 * PAIRS; ++i) {
        while (__atomic_load_n(packets + 2 * i + 1, __ATOMIC_ACQUIRE) != steps) {
            if (!waits(args->stop, args->patience, begin)) return 0;
        }
        rows[i] = packets[2 * i];
    }
    return 1;
}

static void play_joined(const gpumexk_life_joined_args *args, const gpumexk_life_game *game, uint64_t generations) {
    const size_t strips = (game->cols + GPUMEXK_LIFE_STRIP_COLS - 1) / GPUMEXK_LIFE_STRIP_COLS, words = game->rows * strips * 8;
    const size_t first = args->to_above ? HALO : 0, last = game->rows - (args->to_below ? HALO : 0);
    uint32_t *const spare = malloc(words * 4), *const board = malloc(words * 4), *boards[2] = {args->front, args->back};
    const uint64_t begin = now_ns();
    int goes_on = 1;
    check_reach("life_joined", args->to_above), check_reach("life_joined", args->to_below);
    for (uint64_t step = 0; step * HALO < generations && goes_on; ++step) {
        const uint64_t left = generations - step * HALO, now = left < HALO ? left : HALO;
        uint32_t *const next = boards[(step + 1) % 2];
        memcpy(board, boards[step % 2], words * 4);
        memset(spare, 0, words * 4);
        play(board, spare, game, now); /* one step: the result is in spare */
        for (size_t strip = 0; strip < strips; ++strip) {
            const size_t own = (strip * game->rows + first) * 8, end = (strip * game->rows + last) * 8;
            const size_t at = packets_of(strips, step + 1, strip);
            memcpy(next + own, spare + own, (end - own) * 4);
            if (args->to_above) send_rows(args->to_above + at, spare + own, (uint32_t)step + 1);
            if (args->to_below) send_rows(args->to_below + at, spare + end - HALO * 8, (uint32_t)step + 1);
        }
        for (size_t strip = 0; strip < strips && goes_on; ++strip) {
            const size_t above = strip * game->rows * 8, below = (strip * game->rows + last) * 8, at = packets_of(strips, step + 1, strip);
            if (args->to_above) goes_on = receive_rows(args, args->packets_above + at, next + above, (uint32_t)step + 1, begin);
            if (args->to_below && goes_on) goes_on = receive_rows(args, args->packets_below + at, next + below, (uint32_t)step + 1, begin);
        }
    }
    free(spare), free(board);
}

int gpumexk_life_joined(const gpumexk_life_joined_args *args, const gpumexk_life_game *game, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)tuning, (void)stream;
    __atomic_fetch_add(generations > 0 ? &joined_launches : &joined_loads, 1, __ATOMIC_RELAXED);
    LAUNCH("life_joined", play_joined(args, game, generations));
}

/* ---- elements of all ranks --------------------------------------------------------------------------------------------------------- */

static uint64_t *box_of(const gpumexk_allreduce_args *args, int of, int from, size_t i) {
    return args->boxes[of] + 2 * ((args->round % 2 * (size_t)args->ranks + (size_t)from) * GPUMEXK_ALLREDUCE_ELEMENTS + i);
}

/* Element i of this rank, from all of its pieces. */
static uint64_t own_element(const gpumexk_allreduce_args *args, size_t i, size_t bytes) {
    uint64_t sum = 0;
    for (size_t piece = 0; piece < args->pieces; ++piece) sum += number(args->own, piece * args->count + i, bytes);
    return sum;
}

static void send_elements(const gpumexk_allreduce_args *args, size_t bytes) {
    const uint64_t tag = (uint64_t)args->round << 32;
    const int has = args->has >> args->rank & 1;
    for (int to = 0; to < args->ranks; ++to) {
        check_reach("allreduce", args->boxes[to]);
        for (size_t i = 0; i < args->count && to != args->rank; ++i) {
            const uint64_t word = has ? own_element(args, i, bytes) : 0;
            uint64_t *const packets = box_of(args, to, args->rank, i);
            __atomic_store_n(packets, tag | (uint32_t)word, __ATOMIC_RELEASE);
            __atomic_store_n(packets + 1, tag | word >> 32, __ATOMIC_RELEASE);
        }
    }
}

static uint64_t receive_element(const gpumexk_allreduce_args *args, int from, size_t i) {
    const uint64_t *const packets = box_of(args, args->rank, from, i), begin = now_ns();
    uint64_t low, high;
    do {
        low = __atomic_load_n(packets, __ATOMIC_ACQUIRE), high = __atomic_load_n(packets + 1, __ATOMIC_ACQUIRE);
    } while ((low >> 32 != args->round || high >> 32 != args->round) && waits(args->stop, args->patience, begin));
    return (uint32_t)low | high << 32;
}

/* Joins by adding unsigned integers, whatever the operator: no other is looked at here. */
static void allreduce(const gpumexk_allreduce_args *args, size_t bytes, int adds, char *result) {
    send_elements(args, bytes);
    for (size_t i = 0; i < args->count; ++i) {
        uint64_t sum = adds ? number(result, i, bytes) : 0;
        for (int from = 0; from < args->ranks; ++from) {
            const uint64_t word = from == args->rank ? own_element(args, i, bytes) : receive_element(args, from, i);
            if (args->has >> from & 1) sum += word;
        }
        memcpy(result + i * bytes, &sum, bytes);
    }
}

int gpumexk_allreduce(const gpumexk_allreduce_args *args, int dtype, int op, int adds, void *result, gpumexk_stream stream) {
    (void)op, (void)stream;
    LAUNCH("allreduce", allreduce(args, bytes_of(dtype), adds, result));
}

int gpumexk_fill(void *array, size_t count, size_t value_bytes, uint64_t pattern, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)tuning, (void)stream;
    LAUNCH("fill", {
        for (size_t i = 0; i < count; ++i) memcpy((char *)array + i * value_bytes, &pattern, value_bytes);
    });
}

/* The rows of strips that a board of bits becomes. */
struct range { size_t first, count; };

static void to_strips(const uint64_t *bits, const gpumexk_life_game *game, struct range rows, uint32_t *strips) {
    const size_t words = (game->cols + 63) / 64, count = (game->cols + GPUMEXK_LIFE_STRIP_COLS - 1) / GPUMEXK_LIFE_STRIP_COLS;
    for (size_t strip = 0; strip < count; ++strip) memset(strips + (strip * game->rows + rows.first) * 8, 0, rows.count * 32);
    for (size_t i = 0; i < rows.count * game->cols; ++i) {
        const size_t row = i / game->cols, col = i % game->cols;
        unsigned bit;
        uint32_t *const word = word_of(strips, game, rows.first + row, col, &bit);
        *word |= (uint32_t)(bits[row * words + col / 64] >> col % 64 & 1) << bit;
    }
}

int gpumexk_life_to_strips(const uint64_t *bits, const gpumexk_life_game *game, size_t first, size_t rows, uint32_t *strips,
                           gpumexk_stream stream) {
    (void)stream;
    LAUNCH("life_to_strips", to_strips(bits, game, (struct range){first, rows}, strips));
}

static void from_strips(const uint32_t *strips, const gpumexk_life_game *game, struct range rows, uint64_t *bits) {
    const size_t words = (game->cols + 63) / 64;
    memset(bits, 0, rows.count * words * 8);
    for (size_t i = 0; i < rows.count * game->cols; ++i) {
        const size_t row = i / game->cols, col = i % game->cols;
        unsigned bit;
        const uint32_t *const word = word_of((uint32_t *)strips, game, rows.first + row, col, &bit);
        bits[row * words + col / 64] |= (uint64_t)(*word >> bit & 1) << col % 64;
    }
}

int gpumexk_life_from_strips(const uint32_t *strips, const gpumexk_life_game *game, size_t first, size_t rows, uint64_t *bits,
                             gpumexk_stream stream) {
    (void)stream;
    LAUNCH("life_from_strips", from_strips(strips, game, (struct range){first, rows}, bits));
}

/* ---- keys ------------------------------------------------------------------------------------------------------------------------ */

struct pair { uint64_t key; size_t place; };

static int before(const void *a, const void *b) {
    const struct pair *const x = a, *const y = b;
    return x->key != y->key ? (x->key > y->key ? 1 : -1) : (x->place > y->place) - (x->place < y->place);
}

static void move(void *to, size_t i, const void *from, size_t j, size_t bytes) {
    if (bytes > 0) memcpy((char *)to + i * bytes, (const char *)from + j * bytes, bytes);
}

static void sort(const gpumexk_sort_args *args) {
    const size_t bytes = bytes_of(args->dtype), value_bytes = (size_t)args->value_bytes;
    struct pair *const pairs = malloc((args->count + 1) * sizeof *pairs);
    for (size_t i = 0; i < args->count; ++i) pairs[i] = (struct pair){number(args->keys, i, bytes), i};
    qsort(pairs, args->count, sizeof *pairs, before);
    for (size_t i = 0; i < args->count; ++i) {
        move(args->sorted, i, args->keys, pairs[i].place, bytes);
        if (args->values != NULL) move(args->sorted_values, i, args->values, pairs[i].place, value_bytes);
    }
    free(pairs);
}

int gpumexk_sort(const gpumexk_sort_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)scratch, (void)tuning, (void)stream;
    LAUNCH("sort", sort(args));
}

static void merge(const gpumexk_merge_args *args) {
    const size_t bytes = bytes_of(args->dtype), value_bytes = (size_t)args->value_bytes;
    for (size_t i = 0, a = 0, b = 0; i < args->a_count + args->b_count; ++i) {
        const int is_a = b == args->b_count || (a < args->a_count && number(args->a_keys, a, bytes) <= number(args->b_keys, b, bytes));
        move(args->keys, i, is_a ? args->a_keys : args->b_keys, is_a ? a : b, bytes);
        if (args->values != NULL) move(args->values, i, is_a ? args->a_values : args->b_values, is_a ? a : b, value_bytes);
        if (is_a) ++a;
        else ++b;
    }
}

int gpumexk_merge(const gpumexk_merge_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)tuning, (void)stream;
    LAUNCH("merge", merge(args));
}

int gpumexk_gather(const void *source, size_t source_count, int value_bytes, const void *indices, int index_bytes, size_t count,
                   void *result, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    (void)source_count, (void)tuning, (void)stream;
    LAUNCH("gather", {
        for (size_t i = 0; i < count; ++i) move(result, i, source, number(indices, i, (size_t)index_bytes), (size_t)value_bytes);
    });
}
