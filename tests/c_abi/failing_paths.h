/* failing_paths.h - the calls of failing_ranks.h: each way by which parts cross. */
#ifndef FAILING_PATHS_H
#define FAILING_PATHS_H

enum { KEYS = 3000, MANY_KEYS = 1 << 16, ROWS = 20, COLS = 250, WORDS = (COLS + 63) / 64, TALL_ROWS = 520, NARROW_COLS = 20 };

/* Uneven parts. */
static size_t keys_of(const rank *r) { return (size_t)(KEYS - 100 * r->rank); }

static int32_t sort_on_host(rank *r) {
    const gpumex_sort_options *const how = GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U64, .payload = GPUMEX_PAYLOAD_VALUES,
                                                          .value_dtype = GPUMEX_DTYPE_U64);
    char *const values = in[r->rank] + ARRAY / 2, *const sorted_values = out[r->rank] + ARRAY / 2;
    return gpumex_comm_sort(r->comm, how, in[r->rank], values, keys_of(r), out[r->rank], sorted_values);
}

static int32_t sort_on_device(rank *r) {
    return gpumex_comm_sort(r->comm, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U64), r->block, NULL, keys_of(r), r->block + BLOCK / 2, NULL);
}

static int32_t sort_of_two(rank *r) {
    return gpumex_comm_sort(r->comm, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U32), in[r->rank], NULL, MANY_KEYS, out[r->rank], NULL);
}

/* Halos of 5 rows, exchanged three times. */
static int32_t life_on_host(rank *r) {
    const gpumex_life_options *const how = GPUMEX_OPTIONS(life, .variant = GPUMEX_LIFE_VARIANT_REGISTERS);
    return gpumex_comm_life(r->comm, how, in[r->rank], ROWS, COLS, 12, out[r->rank]);
}

static int32_t life_on_device(rank *r) {
    const gpumex_life_options *const how = GPUMEX_OPTIONS(life, .variant = GPUMEX_LIFE_VARIANT_REGISTERS, .cells = GPUMEX_LIFE_CELLS_BITS,
                                                          .boundary = GPUMEX_LIFE_BOUNDARY_TORUS);
    return gpumex_comm_life(r->comm, how, r->block, ROWS, COLS, 12, r->block + BLOCK / 2);
}

/* Kernels that write each other's halos: two steps of 8 generations at most. */
static int32_t life_joined(rank *r) {
    const gpumex_life_options *const how = GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS);
    return gpumex_comm_life(r->comm, how, in[r->rank], TALL_ROWS, NARROW_COLS, 9, out[r->rank]);
}

static int32_t life_joined_torus(rank *r) {
    const gpumex_life_options *const how = GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS);
    return gpumex_comm_life(r->comm, how, r->block, TALL_ROWS, NARROW_COLS, 3, r->block + BLOCK / 2);
}

/* Another variant: halos cross in memory of the host. */
static int32_t life_of_bytes(rank *r) {
    return gpumex_comm_life(r->comm, GPUMEX_OPTIONS(life, .variant = GPUMEX_LIFE_VARIANT_SHMEM), in[r->rank], ROWS, COLS, 12, out[r->rank]);
}

#define NUMBERS .dtype = GPUMEX_DTYPE_F32

static int32_t comm_dot(rank *r) { return gpumex_comm_dot(r->comm, GPUMEX_OPTIONS(dot, NUMBERS), in[r->rank], in[r->rank], KEYS, out[r->rank]); }
static int32_t comm_reduce(rank *r) { return gpumex_comm_reduce(r->comm, GPUMEX_OPTIONS(reduce, NUMBERS), r->block, KEYS, out[r->rank]); }
static int32_t comm_scan(rank *r) { return gpumex_comm_scan(r->comm, GPUMEX_OPTIONS(scan, NUMBERS), in[r->rank], KEYS, out[r->rank], NULL); }

static int32_t comm_histogram(rank *r) {
    return gpumex_comm_histogram(r->comm, GPUMEX_OPTIONS(histogram, NUMBERS, .lo = 0, .hi = 10), r->block, KEYS, out[r->rank], 100);
}

static int32_t comm_matmul(rank *r) {
    return gpumex_comm_matmul(r->comm, GPUMEX_OPTIONS(matmul, NUMBERS), 8, 64, 32, in[r->rank], r->block, out[r->rank]);
}

static int32_t comm_words(rank *r) {
    struct gpumex_words_summary summary = {.size = sizeof summary};
    char *const to = out[r->rank];
    return gpumex_comm_words(r->comm, GPUMEX_OPTIONS(words, .fold = 0), in[r->rank], KEYS, 10, (void *)to, (void *)(to + 4096),
                             (void *)(to + 8192), &summary);
}

static const path paths[] = {
    {"sort", LOCAL, 3, 0, sort_on_host, 1},
    {"sort on devices", LOCAL, 3, 0, sort_on_device, 1},
    {"sort of two", LOCAL, 2, 0, sort_of_two, 1},
    {"life", LOCAL, 3, 5, life_on_host, 0},
    {"life on devices", LOCAL, 3, 5, life_on_device, 1},
    {"life joined", LOCAL, 3, 8, life_joined, 1},
    {"life joined torus", LOCAL, 2, 8, life_joined_torus, 1},
    {"life of bytes", LOCAL, 2, 0, life_of_bytes, 0},
    {"dot", LOCAL, 2, 0, comm_dot, 0},
    {"reduce", LOCAL, 2, 0, comm_reduce, 0},
    {"scan", LOCAL, 2, 0, comm_scan, 0},
    {"histogram", LOCAL, 2, 0, comm_histogram, 0},
    {"matmul", LOCAL, 3, 0, comm_matmul, 0},
    {"words", LOCAL, 2, 0, comm_words, 0},
    {"sort by NCCL", NCCL, 3, 0, sort_on_host, 1},
    {"life by NCCL", NCCL, 3, 5, life_on_device, 1},
    {"matmul by NCCL", NCCL, 2, 0, comm_matmul, 0},
    {"scan by NCCL", NCCL, 2, 0, comm_scan, 0},
    {"sort by functions", CALLBACKS, 2, 0, sort_on_device, 1},
    {"life by functions", CALLBACKS, 2, 5, life_on_device, 1}};

enum { PATHS = sizeof paths / sizeof *paths };

/* The same in every process. */
static void fill_in(void) {
    uint64_t state = 1;
    for (int i = 0; i < MOST_RANKS; ++i) {
        for (size_t j = 0; j < ARRAY / 8; ++j) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const uint64_t word = state >> 4;
            memcpy(in[i] + 8 * j, &word, 8);
        }
    }
}

static void fill_blocks(void) {
    for (int i = 0; i < ranks; ++i) memcpy(all[i].block, in[i], BLOCK / 2);
}

#endif
