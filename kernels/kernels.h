/* kernels.h — every launcher of the CUDA side, on one page. `make abi` writes its declarations for Rust, src/gpu/runtime/kernels.rs.
 *
 * All pointers are device memory of the current context, aligned to their elements; all sizes are checked by the caller,
 * nothing here allocates device memory. A launcher enqueues on `stream` (life_texture waits for it as well) and returns a
 * cudaError_t as int: 0, or the first call that failed. The number of blocks is chosen from the current device and the tuning,
 * which is never NULL; src/gpu/runtime/tuning/table.rs says what each kernel serves, anything else is
 * cudaErrorInvalidValue. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The bytes of a struct, for which src/gpu/runtime/kernels.rs checks the same. */
#ifdef __cplusplus
#define GPUMEXK_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "the size of " #type)
#else
#define GPUMEXK_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "the size of " #type)
#endif

typedef struct CUstream_st *gpumexk_stream;

/* How a kernel is launched. */
typedef struct gpumexk_tuning {
    int threads; /* of a block; 0: by the types, or the size, of what is computed */
    int values;  /* that a thread holds at once, or blocks of a multiprocessor: the unit is the kernel's */
    int cache;   /* L1 and shared memory: 0 the driver's choice, 1 prefer shared memory, 2 prefer L1, 3 equal */
} gpumexk_tuning;
GPUMEXK_SIZE(gpumexk_tuning, 12);

/* A game of Life: its board and its rule. */
typedef struct gpumexk_life_game {
    size_t rows, cols;
    int boundary;             /* outside the board: 0 the nearest edge cell, 1 dead cells, 2 the opposite edge (torus) */
    unsigned birth, survival; /* bit k: a cell with k live neighbours is born, stays alive */
} gpumexk_life_game;
GPUMEXK_SIZE(gpumexk_life_game, 32);

/* Samples of a histogram: len of them, of `channels` interleaved channels, len a multiple of it, the first one of channel 0. Without
 * weights a sample adds 1 to its bin, with them its pixel's weight: one for `channels` samples. */
typedef struct gpumexk_samples {
    const void *data;
    size_t len;
    int dtype;           /* 0 u8, 1 u16, 2 u32, 3 i32, 4 f32, 5 f64 */
    int channels;        /* 1 to 4 */
    const void *weights; /* len / channels of them, or NULL */
    int weights_dtype;   /* 4 f32, 5 f64 */
} gpumexk_samples;
GPUMEXK_SIZE(gpumexk_samples, 40);

/* Bins of a histogram: a sample x, compared as double, falls into bin k with e(k) <= x < e(k + 1), the last such k where edges are
 * equal; NaN into none. */
typedef struct gpumexk_bins {
    size_t count;        /* of a channel, 1 to 2^31 */
    int rule;            /* 0: e(k) = k; 1: e(k) = lo + k·width, each operation rounded, but e(count) = hi; 2: e(k) = edges[k] */
    int outliers;        /* x below e(0) or not below e(count) falls 0: into no bin; 1: into the first or the last one */
    int right_edge;      /* 1: x = e(count) falls into the last bin, whatever `outliers` says (rule 0 has none: 0) */
    double lo, hi, width; /* width = (hi - lo) / count is at least 4 ulp of lo and of hi: an estimated k is wrong by at most one */
    const double *edges; /* count + 1 of them, ascending, never NaN; where they are not, a sample falls into some bin or none */
} gpumexk_bins;
GPUMEXK_SIZE(gpumexk_bins, 56);

/* The form of a picture of bytes. */
typedef struct gpumexk_picture {
    size_t width, height;
    int channels; /* 3: red, green, blue; 4: and alpha */
    int layout;   /* channel c of column i, row j is at 0: (j·width + i)·channels + c; 1: (c·height + j)·width + i;
                   * 2: (c·width + i)·height + j */
} gpumexk_picture;
GPUMEXK_SIZE(gpumexk_picture, 24);

/* A part of a text, and which of its words are counted. letters, a table of two stages: 4352 entries, for 256 characters each, whose
 * low half is the block of their classes, the high half that of their case folds; then the blocks of classes, 8 words of bits each;
 * from `folds` on the blocks of folds, 256 differences each. */
typedef struct gpumexk_words_text {
    const uint8_t *text;
    size_t len;
    size_t begin, end; /* words that begin in [begin, end) are counted */
    uint64_t offset;   /* of text[0] in the whole text */
    int utf8;          /* 0: only ASCII has letters */
    int fold;          /* 1: letters that differ by case alone are equal */
    const uint32_t *letters;
    size_t folds;
} gpumexk_words_text;
GPUMEXK_SIZE(gpumexk_words_text, 64);

/* A hash table of words and their counts. */
typedef struct gpumexk_words_table {
    void *slots;     /* (2^bits, 4), aligned to 32: key, 0 where the slot is empty; count; ~first position; address of the bytes */
    unsigned bits;
    uint64_t *state; /* (4) slots used; words; long words; 1 once more than half of the slots are used: all else is then invalid */
} gpumexk_words_table;
GPUMEXK_SIZE(gpumexk_words_table, 24);

/* Two sorted arrays of keys. */
typedef struct gpumexk_sorted_arrays {
    const void *a;
    size_t a_count;
    const void *b;
    size_t b_count;
    int key_bytes;  /* 4 or 8 */
    int dtype;      /* a gpumex_dtype */
    int descending; /* 1: the order is descending */
} gpumexk_sorted_arrays;
GPUMEXK_SIZE(gpumexk_sorted_arrays, 48);

/* Intervals that are moved. */
typedef struct gpumexk_interval_move_args {
    size_t count;        /* elements of all intervals */
    size_t intervals;
    int index_bytes;     /* 4 or 8 */
    const void *gather;  /* (intervals) where each begins in the input, or NULL: at scan[j] */
    const void *scatter; /* (intervals) where each begins in the output, or NULL: at scan[j] */
    const void *scan;    /* (intervals) where each begins among the count elements */
} gpumexk_interval_move_args;
GPUMEXK_SIZE(gpumexk_interval_move_args, 48);

/* A set operation on two sorted arrays. */
typedef struct gpumexk_set_operation_args {
    const void *a_keys, *a_values; /* a_count of each */
    size_t a_count;
    const void *b_keys, *b_values; /* b_count of each */
    size_t b_count;
    int dtype;                     /* of the keys, a gpumex_dtype of 4 or 8 bytes */
    int descending;                /* 1: the order is descending */
    int op;                        /* 0 intersection, 1 union, 2 difference, 3 symmetric difference */
    int payload;                   /* 0 none, 1 values, 2 indices */
    int value_bytes;               /* 4 or 8: of a value or an index */
    void *keys;                    /* (capacity), or NULL */
    void *values;                  /* (capacity) */
    size_t capacity;
    uint64_t *needed;              /* (1) the length of the result */
} gpumexk_set_operation_args;
GPUMEXK_SIZE(gpumexk_set_operation_args, 104);

/* A join of two sorted arrays: pairs of positions of equal keys. */
typedef struct gpumexk_join_args {
    const void *a;               /* a_count */
    size_t a_count;
    const void *b;               /* b_count */
    size_t b_count;
    int dtype;                   /* of the keys, a gpumex_dtype of 4 or 8 bytes */
    int descending;              /* 1: the order is descending */
    int keeps_a;                 /* 1: a's without a partner are there, in their places (left outer join) */
    int keeps_b;                 /* 1: b's without a partner are there, behind all pairs (right outer join) */
    int index_bytes;             /* 4 or 8 */
    void *a_indices, *b_indices; /* capacity of each */
    size_t capacity;
    uint64_t *needed;            /* (1) the number of pairs */
} gpumexk_join_args;
GPUMEXK_SIZE(gpumexk_join_args, 88);

/* Where the elements of two sorted arrays lie in one another; outputs may be NULL. */
typedef struct gpumexk_sorted_search_args {
    int upper;                   /* 1: places of a in b are upper bounds and those of b in a lower ones; 0: the other way round */
    int index_bytes;             /* 4 or 8 */
    void *a_indices, *b_indices; /* (a_count), (b_count) */
    uint8_t *a_flags, *b_flags;  /* (a_count), (b_count) */
    uint64_t *matches;           /* (2) */
} gpumexk_sorted_search_args;
GPUMEXK_SIZE(gpumexk_sorted_search_args, 48);

/* The elements whose flags are not 0. */
typedef struct gpumexk_compact_args {
    const void *data;      /* (count), or NULL where kept is */
    const uint8_t *flags;  /* (count) */
    size_t count;
    void *kept;            /* (capacity), or NULL */
    void *positions;       /* (capacity), or NULL */
    size_t capacity;
    uint64_t *needed;      /* (1) how many there are */
    int value_bytes;       /* 4 or 8: of an element */
    int position_bytes;    /* 4 or 8 */
} gpumexk_compact_args;
GPUMEXK_SIZE(gpumexk_compact_args, 64);

/* A dimension of a walk over a dense array and an indexed one: element i of the first is at i·dense; of the second at i·stride (places
 * 0), ((start + step·i) mod extent)·stride with start + step·i >= 0 (1), or (start + indices[i])·stride if that is below extent (2). */
typedef struct gpumexk_dimension {
    size_t count;
    int64_t stride;
    size_t dense;
    int64_t start;
    int64_t step;
    size_t extent;
    const void *indices;   /* (count), or NULL */
    int index_dtype;       /* U32, U64, I32, I64 or F64 */
    int places;
} gpumexk_dimension;
GPUMEXK_SIZE(gpumexk_dimension, 64);

typedef struct gpumexk_walk {
    const gpumexk_dimension *dimensions; /* from the fastest of the dense array on */
    int rank;              /* 0 to 8, no count is 0 */
    int value_bytes;       /* 1, 2, 4, 8 or 16 */
} gpumexk_walk;
GPUMEXK_SIZE(gpumexk_walk, 16);

/* The prefixes of an array under an operator. */
typedef struct gpumexk_scan_args {
    const void *data;      /* (count) */
    size_t count;
    int dtype;             /* of 4 or 8 bytes */
    int op;                /* a gpumex_operator but DEFAULT */
    int inclusive;         /* 1: with an element's own */
    void *result;          /* (count), may be data */
    void *total;           /* (1) what the operator makes of all elements, or NULL */
} gpumexk_scan_args;
GPUMEXK_SIZE(gpumexk_scan_args, 48);

/* A reduction or a scan along a dimension of data (inner, count, outer), no extent 0, the first index fastest. */
typedef struct gpumexk_dim_args {
    const void *data;
    size_t inner, count, outer;
    int dtype;           /* a gpumex_dtype but F16 and BF16 */
    int op;              /* a gpumex_dim_reduction; of a scan SUM, PRODUCT, MIN or MAX */
    int result_dtype;    /* one that the operation serves */
    int result_bytes;    /* of an element of it */
    int omits;           /* 1: NaN is left out */
    int saturates;       /* 1: sums and products of integers saturate after each element; result_dtype holds every element */
    int position_bytes;  /* 4 or 8 */
    int inclusive;       /* of a scan, 1: with an element's own */
    int reversed;        /* of a scan, 1: from the last element to the first */
    int reserved;
    void *result;        /* (inner, outer); of a scan (inner, count, outer), which may be data if it has its dtype */
    void *positions;     /* (inner, outer), or NULL */
} gpumexk_dim_args;
GPUMEXK_SIZE(gpumexk_dim_args, 88);

#define GPUMEXK_MAP_RANK 8 /* dimensions of an element-wise expression's arrays */

/* A step of an element-wise program; src/model/expression/program.rs says what the numbers are. */
typedef struct gpumexk_map_step {
    uint8_t op, ty, operand, reverse;
    uint16_t index, other;
} gpumexk_map_step;
GPUMEXK_SIZE(gpumexk_map_step, 8);

/* An input of an element-wise program, or its result. */
typedef struct gpumexk_map_array {
    const void *data;
    int dtype;                         /* a real gpumex_dtype; of 8 bytes and U32 only in wide programs. Inputs that are the real or
                                          the imaginary part of a C64 or C128 have 14, 15, 16, 17; data is the first number */
    int64_t strides[GPUMEXK_MAP_RANK]; /* in elements, not negative; 0: the same element along that dimension */
} gpumexk_map_array;
GPUMEXK_SIZE(gpumexk_map_array, 80);

/* An element-wise program and its arrays. */
typedef struct gpumexk_map_args {
    const gpumexk_map_step *steps;    /* at most 160; operands lie within the arrays below */
    size_t step_count;
    const uint64_t *literals;         /* at most 64; a 32-bit type in the low half */
    size_t literal_count;
    const gpumexk_map_array *inputs;  /* at most 16 */
    size_t input_count;
    int slots;                        /* at most 8 */
    int wide;                         /* 1: a step's type has 64 bits */
    int elementary;                   /* 1: a step is a function of the mathematical library, or rem or mod of floats */
    int rank;                         /* 1 to 8 */
    size_t extents[GPUMEXK_MAP_RANK]; /* of all arrays */
    const gpumexk_map_array *result;  /* each element has a place of its own, none in an input */
    int real_slot;                    /* -1; or result is complex, its dtype that of a part, and this slot has the real parts at the end */
    int reserved;
} gpumexk_map_args;
GPUMEXK_SIZE(gpumexk_map_args, 144);

/* An associative expression of two variables, the inputs 0 and 1 of its program, whose elements lie densely. */
typedef struct gpumexk_functor {
    const gpumexk_map_step *steps; /* at most 160; begins with a move */
    size_t step_count;
    const uint64_t *literals;      /* at most 64; a 32-bit type in the low half */
    size_t literal_count;
    int slots;                     /* at most 8 */
    int wide;                      /* 1: a step's type has 64 bits */
    int elementary;                /* 1: a step is a function of the mathematical library, or rem or mod of floats */
    int bytes;                     /* of an element, 4 or 8; integers of 4 are I32, and in wide programs U32 as well */
} gpumexk_functor;
GPUMEXK_SIZE(gpumexk_functor, 48);

/* Segments of the elements that an expression joins. */
typedef struct gpumexk_functor_segments {
    const void *offsets;   /* segments + 1 of them */
    const void *sources;   /* segments of them, or NULL */
    const uint64_t *limit; /* on the device: segments from *limit on are left alone; or NULL */
    size_t segments, count;
    int index_bytes;       /* of offsets and sources, 4 or 8 */
    int bytes;             /* of an element, 4 or 8 */
} gpumexk_functor_segments;
GPUMEXK_SIZE(gpumexk_functor_segments, 48);

/* Keys that are looked for among others, which are sorted by an expression, and what is made of where they are; NULL where it is not wanted. */
typedef struct gpumexk_functor_search {
    const void *keys, *others;
    size_t count, other_count;
    void *indices;         /* count of them */
    uint8_t *flags;        /* count of them: 1 where another one is equal */
    uint64_t *matches;     /* 1: how many flags are */
    void *merged;          /* count + other_count keys, of which each goes behind those that its index counts */
    const void *values;    /* count of them; NULL: first_position and the numbers behind it */
    void *merged_values;   /* as merged */
    size_t first_position;
    int upper;             /* 0: an index counts those that precede the key; 1: those that it does not precede */
    int index_bytes, value_bytes;
    int reserved;
} gpumexk_functor_search;
GPUMEXK_SIZE(gpumexk_functor_search, 104);

/* An input of an expression of neighbours, at an offset from the place of the result. */
typedef struct gpumexk_stencil_tap {
    int input, rows, cols; /* rows and cols from -7 to 7 */
} gpumexk_stencil_tap;
GPUMEXK_SIZE(gpumexk_stencil_tap, 12);

/* An input of an expression of neighbours, dense. */
typedef struct gpumexk_stencil_array {
    const void *data;
    uint64_t outside; /* what lies outside it, as a literal of the type in which it is computed */
    int dtype;        /* a gpumex_dtype; of 8 bytes and U32 only in wide programs, in bytes BOOL and U8 */
    int reserved;
} gpumexk_stencil_array;
GPUMEXK_SIZE(gpumexk_stencil_array, 24);

/* An expression of neighbours and its arrays (rows, cols), row-major. */
typedef struct gpumexk_stencil_args {
    const gpumexk_map_step *steps;      /* at most 160; an operand that is an input is the number of a tap */
    size_t step_count;
    const uint64_t *literals;           /* at most 64; a 32-bit type in the low half */
    size_t literal_count;
    const gpumexk_stencil_tap *taps;
    size_t tap_count;
    const gpumexk_stencil_array *inputs; /* at most 16 */
    size_t input_count;
    int slots;                          /* at most 8 */
    int wide;                           /* 1: a step's type has 64 bits */
    int elementary;                     /* 1: a step is a function of the mathematical library, or rem or mod of floats */
    int boundary;                       /* a gpumex_boundary */
    size_t rows, cols;
    void *result;                       /* overlaps no input */
    int dtype;                          /* of the result, as those of the inputs; of a program in bytes any */
    int reserved;
} gpumexk_stencil_args;
GPUMEXK_SIZE(gpumexk_stencil_args, 112);

/* Windows of an array (rows, cols), row-major, one for each element of a result (result_rows, result_cols): that of (y, x) begins at
 * (y + first_row, x + first_col) and is not empty. */
typedef struct gpumexk_windows {
    const void *data;
    size_t rows, cols; /* not 0 */
    size_t result_rows, result_cols;
    size_t window_rows, window_cols;
    int64_t first_row, first_col;
    uint64_t outside; /* the bits of an element that lies outside, for GPUMEX_BOUNDARY_DEAD and CONSTANT */
    int dtype;        /* a gpumex_dtype, not F16 or BF16 */
    int boundary;     /* a gpumex_boundary */
} gpumexk_windows;
GPUMEXK_SIZE(gpumexk_windows, 88);

/* A number of a vector's dtype: *at on the device, or where at is NULL `value`, which the dtype represents. */
typedef struct gpumexk_scalar {
    const void *at;
    double value;
} gpumexk_scalar;
GPUMEXK_SIZE(gpumexk_scalar, 16);

/* C ← alpha·op(A)·op(B) + beta·C for each of `batch` products; op(A) (m, k), op(B) (k, n), C (m, n), all row-major. With beta = 0 C is
 * not read; with alpha = 0 or k = 0 A and B are not. What lies between the rows of C is neither read nor written. */
typedef struct gpumexk_matmul_args {
    size_t m, n, k, batch;
    int trans_a, trans_b;                /* 1: A is stored (k, m), B is stored (n, k) */
    const void *a, *b;
    void *c;
    size_t lda, ldb, ldc;                /* leading dimensions: elements from one row as stored to the next, at least its columns */
    size_t stride_a, stride_b, stride_c; /* elements from one matrix of a batch to the next; 0: the same A, or B, for all */
    double alpha, beta;                  /* rounded to the type of C */
} gpumexk_matmul_args;
GPUMEXK_SIZE(gpumexk_matmul_args, 128);

/* Segments of an array of `count` elements: segment s has offsets[s + 1] - offsets[s] elements. */
typedef struct gpumexk_segments {
    const void *offsets;  /* (segments + 1), ascending; cut at count */
    const void *sources;  /* (segments) where each segment begins, or NULL: at its offset */
    size_t segments, count;
    int index_dtype;      /* of both: 0 u64, 1 u32 */
    const void *geometry; /* from gpumexk_segments_prepare for the same segments on the same device, or NULL */
} gpumexk_segments;
GPUMEXK_SIZE(gpumexk_segments, 48);

/* A reduction of each run of equal neighbouring keys. */
typedef struct gpumexk_reduce_by_key_args {
    const void *keys, *data; /* (count) */
    size_t count;
    int key_dtype, dtype; /* each a gpumex_dtype of 4 or 8 bytes */
    int op;               /* a gpumex_operator */
    int offset_bytes;     /* of an offset: 4 or 8 */
    void *unique_keys;    /* (capacity), or NULL */
    void *results;        /* (capacity), or NULL: data is then not read */
    void *offsets;        /* (capacity + 1), or NULL; not written for capacity 0 */
    size_t capacity;
    uint64_t *needed;     /* (1) the number of runs */
} gpumexk_reduce_by_key_args;
GPUMEXK_SIZE(gpumexk_reduce_by_key_args, 80);

/* A stable sort of keys, with or without values. Inputs stay as they are and overlap no output. */
typedef struct gpumexk_sort_args {
    const void *keys;    /* (count) */
    void *sorted;        /* (count); may be NULL if there are values */
    const void *values;  /* (count), or NULL: the values are the positions of the keys */
    void *sorted_values; /* (count), NULL without values */
    size_t count;
    int dtype;           /* of the keys, a gpumex_dtype of 4 or 8 bytes */
    int descending;      /* 1: the greatest key first */
    int value_bytes;     /* 0: no values; 4 or 8 */
    const int *unless;   /* (1) on the device: if it is not 0 nothing is sorted; or NULL */
} gpumexk_sort_args;
GPUMEXK_SIZE(gpumexk_sort_args, 64);

/* The nonzeros of a sparse matrix, whose rows are segments of them (CSR), and the vector it is multiplied with. */
typedef struct gpumexk_spmv_args {
    const void *values;  /* (nonzeros), or NULL: a product is x alone */
    const void *columns; /* (nonzeros) of the rows' index_dtype; those from cols on add nothing */
    const void *x;       /* (cols) */
    size_t cols;
    int dtype;         /* of values, x and y: a gpumex_dtype of 4 or 8 bytes */
    int add, multiply; /* each a gpumex_operator */
} gpumexk_spmv_args;
GPUMEXK_SIZE(gpumexk_spmv_args, 48);

/* A merge of two sorted arrays; of equal keys those of a come first. */
typedef struct gpumexk_merge_args {
    const void *a_keys, *a_values; /* (a_count) */
    size_t a_count;
    const void *b_keys, *b_values; /* (b_count) */
    size_t b_count;
    int dtype;           /* of the keys, a gpumex_dtype of 4 or 8 bytes */
    int descending;      /* 1: the order is descending */
    int value_bytes;     /* 0: no values; 4 or 8 */
    int positions;       /* 1: the values are the positions of the keys in a, then b */
    void *keys, *values; /* (a_count + b_count) */
} gpumexk_merge_args;
GPUMEXK_SIZE(gpumexk_merge_args, 80);

/* A stable merge sort of keys, with or without values. Inputs overlap no output. */
typedef struct gpumexk_merge_sort_args {
    const void *keys, *values; /* (count) */
    size_t count;
    int dtype;       /* of the keys, a gpumex_dtype of 4 or 8 bytes */
    int descending;  /* 1: the greatest key first */
    int value_bytes; /* 0: no values; 4 or 8 */
    int positions;   /* 1: the values are the positions of the keys */
    void *sorted, *sorted_values; /* (count) */
} gpumexk_merge_sort_args;
GPUMEXK_SIZE(gpumexk_merge_sort_args, 56);

/* Where segments begin; the first element always begins one. Heads that are out of order give some order of the keys, nothing worse. */
typedef struct gpumexk_segment_heads {
    const void *heads; /* (count) */
    size_t count;
    int flags;         /* 0: heads are ascending positions; 1: words of 32 bits, of which bit i % 32 of word i / 32 is set if element i
                        * begins a segment */
    int index_bytes;   /* of a position, 4 or 8 */
} gpumexk_segment_heads;
GPUMEXK_SIZE(gpumexk_segment_heads, 24);

#ifdef __cplusplus
extern "C" {
#endif

/* device.cu */
int gpumexk_device_ready(void); /* 0 when the current device can run this library's machine code */
void gpumexk_clear_error(void); /* forgets the last error of this thread, so that the next launcher does not see it */
const char *gpumexk_error_string(int error); /* static text of a cudaError_t */

/* life/bytes.cu — `generations` steps of Conway's Life, clamped edges. front (rows·cols bytes, any value ≠ 0 is alive) holds the
 * board; both buffers are overwritten. The result, cells 0 or 1, is in front when generations is even, else in back. */
int gpumexk_life_arrays(uint8_t *front, uint8_t *back, uint8_t *neighbours, size_t rows, size_t cols, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream); /* neighbours: rows·cols bytes of scratch */
int gpumexk_life_shmem_bytes(uint8_t *front, uint8_t *back, size_t rows, size_t cols, uint64_t generations,
                             const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_life_texture_bytes(uint8_t *front, uint8_t *back, size_t rows, size_t cols, uint64_t generations,
                         const gpumexk_tuning *tuning, gpumexk_stream stream); /* both buffers aligned to 512 bytes */

/* life/cluster.cu — Life on a small board, all generations in one launch. *fits ← 1 when the current device holds such a board, else 0. */
int gpumexk_life_cluster_fits(size_t rows, size_t cols, int *fits);
/* next ← board after `generations`. bits: 0 bytes, any value ≠ 0 is alive, the result 0 and 1; 1 packed, each row padded to whole
 * 64-bit words, bit b of word w is column 64·w + b, padding ignored in board and 0 in next; 2 the same, and the board, at a multiple of
 * 512 bytes, is read through a texture object: the launcher waits for the stream. next may be board. Either may be mapped memory of the
 * host: each cell is read once and written once. tuning: at most 128, 256 or 512 threads a block. */
int gpumexk_life_cluster(const void *board, void *next, int bits, const gpumexk_life_game *game, uint64_t generations,
                         const gpumexk_tuning *tuning, gpumexk_stream stream);

/* life/pack.cu — boards of bits: each row padded to whole 64-bit words, bit b of word w is column 64·w + b. bits ← cells, where
 * any byte ≠ 0 is alive and padding is 0; cells ← bits as 0 or 1, padding ignored. cells (rows, cols). */
int gpumexk_life_pack(const uint8_t *cells, size_t rows, size_t cols, uint64_t *bits, gpumexk_stream stream);
int gpumexk_life_unpack(const uint64_t *bits, size_t rows, size_t cols, uint8_t *cells, gpumexk_stream stream);

/* life/shmem.cu — `generations` steps of the game on boards of bits, GPUMEXK_LIFE_SHMEM_STEPS a launch. front holds the board,
 * both buffers have rows × ceil(cols / 64) words. The result, its padding 0, is in front when the number of launches is even,
 * else in back; with one launch front is only read, with none it stays as it is. */
#define GPUMEXK_LIFE_SHMEM_STEPS 16 /* generations of a launch */
int gpumexk_life_shmem(uint64_t *front, uint64_t *back, const gpumexk_life_game *game, uint64_t generations,
                       const gpumexk_tuning *tuning, gpumexk_stream stream);

/* life/strips.cu — a board of bits becomes `rows` rows, from `first` on, of one as strips of 240 columns (life/strips.cuh), and back; the
 * game's board has game->rows · strips · 8 words of 32 bits, strips = ceil(cols / GPUMEXK_LIFE_STRIP_COLS), aligned to 512 bytes. */
#define GPUMEXK_LIFE_STRIP_COLS 240 /* columns of a strip */
int gpumexk_life_to_strips(const uint64_t *bits, const gpumexk_life_game *game, size_t first, size_t rows, uint32_t *strips,
                           gpumexk_stream stream);
int gpumexk_life_from_strips(const uint32_t *strips, const gpumexk_life_game *game, size_t first, size_t rows, uint64_t *bits,
                             gpumexk_stream stream);

/* life/registers.cu, life/texture.cu — Life on strips, GPUMEXK_LIFE_STRIP_STEPS generations a step. The board is in front; the result
 * is there when the number of steps is even, else in back. scratch has the bytes that …_scratch says for the game and the tuning on the
 * current device, and starts at a multiple of 16. */
#define GPUMEXK_LIFE_STRIP_STEPS 8 /* generations of a step on strips */
#define GPUMEXK_LIFE_TILE_ROWS_MIN 48 /* rows of the lowest tile of a strip */
int gpumexk_life_registers_scratch(const gpumexk_life_game *game, const gpumexk_tuning *tuning, size_t *bytes);
int gpumexk_life_registers(uint32_t *front, uint32_t *back, void *scratch, const gpumexk_life_game *game, uint64_t generations,
                           const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_life_texture(uint32_t *front, uint32_t *back, const gpumexk_life_game *game, uint64_t generations,
                         const gpumexk_tuning *tuning, gpumexk_stream stream); /* waits for the stream */

/* A slab between those of other ranks. */
typedef struct gpumexk_life_joined_args {
    uint32_t *front, *back; /* game->rows rows: a halo where there is a neighbour above, own rows, a halo where there is one below */
    unsigned *counter;      /* the counter, and behind it flags: (ceil(rows / GPUMEXK_LIFE_TILE_ROWS_MIN) + 2) · strips at most */
    const uint32_t *packets_above, *packets_below; /* of the halos, GPUMEXK_LIFE_JOINED_PACKETS words a strip, which neighbours write */
    uint32_t *to_above, *to_below; /* the packets of the neighbours' halos there; NULL where there is no neighbour */
    int upwards;            /* 1: a step begins with the lowest tile. Of two neighbours one plays so, or waits at the end of each step */
    unsigned *stop;         /* memory of the host that all devices reach: not 0 ends the waits of all ranks, whose boards are undefined */
    uint64_t patience;      /* ns that a halo is waited for; then *stop becomes 1 */
} gpumexk_life_joined_args;
GPUMEXK_SIZE(gpumexk_life_joined_args, 80);

/* life/joined.cu — a rank's slab of a board, whose halos come as packets that the kernels of its neighbours write, on other devices, while it
 * runs: all of them have to be launched, with as many generations. Halos have GPUMEXK_LIFE_STRIP_STEPS rows. Before the first launch they hold
 * the rows of the neighbours, and before each one all packets, which are aligned to 16 bytes, the flags and the word `counter` are 0 on all
 * ranks. With no generations and no neighbours it loads the kernel, changes `counter` alone, and comes before an agreement of the ranks. */
#define GPUMEXK_LIFE_JOINED_ROWS_MIN 512 /* own rows of a rank */
#define GPUMEXK_LIFE_JOINED_PACKETS 256 /* words of packets for each strip of a halo */
int gpumexk_life_joined(const gpumexk_life_joined_args *args, const gpumexk_life_game *game, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream);

/* matmul.cu — the product by the two textbook kernels. */
int gpumexk_matmul_naive_f32(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_matmul_naive_f64(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_matmul_blocked_f32(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_matmul_blocked_f64(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* matmul/tiled.cu — the product by register tiles, strictly IEEE: one fused multiply-add for each of the mnk. Where only_if, a word of the
 * device, is given and holds 0, C stays as it is. tuning: 256 threads; at most 16, 32, 64 or 128 sums a thread. */
int gpumexk_matmul_tiled_f32(const gpumexk_matmul_args *product, const unsigned *only_if, const gpumexk_tuning *tuning,
                             gpumexk_stream stream);

/* matmul/f64.cu — the same in double, on tensor cores where there are some for it. tuning: 256 threads; at most 32 sums a thread,
 * or 64: any tile. */
int gpumexk_matmul_tiled_f64(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* matmul/skinny.cu — the same, strictly IEEE, for products with at most 16 rows or columns of C, and for others with few tiles of C
 * and a long k, which it splits. scratch has the bytes that …_scratch says, perhaps 0, for either type and every tuning, and starts
 * at a multiple of 16. tuning: 256 threads; 1, 2 or 4 blocks a multiprocessor are aimed at. */
int gpumexk_matmul_skinny_scratch(const gpumexk_matmul_args *product, size_t *bytes);
int gpumexk_matmul_skinny_f32(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning,
                              gpumexk_stream stream);
int gpumexk_matmul_skinny_f64(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning,
                              gpumexk_stream stream);

/* matmul/tensor.cu — the product of float32 on tensor cores at float32's accuracy; cudaErrorNotSupported where code or device are older than
 * compute capability 8.0. scratch has the bytes that …_scratch says for the product and the tuning, perhaps 0, and starts at a multiple of 128.
 * tuning: threads 0 the launcher chooses by the size; 256, and all devices but 9.0, one launch; 384 a pass and what follows: values 1 it packs
 * the smaller operand alone, 64, 128 both, for tiles of so many columns; 0 the launcher chooses. Where *flagged becomes 1 the first word of the
 * scratch becomes 0, or, where the operands hold what the split cannot represent, 1: then C is untouched, or where beta is 0 arbitrary, and the
 * caller has it computed in another way, all of the batch. *microseconds ← what the best pass and what follows take of an H200. */
int gpumexk_matmul_tensor_time(const gpumexk_matmul_args *product, double *microseconds);
int gpumexk_matmul_tensor_scratch(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, size_t *bytes);
int gpumexk_matmul_tensor_f32(const gpumexk_matmul_args *product, void *scratch, int *flagged, const gpumexk_tuning *tuning,
                              gpumexk_stream stream);

/* matmul/tf32.cu — the product with operands rounded to the nearest TF32, and sums in the tensor core; cudaErrorNotSupported as above. scratch
 * has the bytes that …_scratch says for the product, perhaps 0, and starts at a multiple of 128.
 * tuning: threads 0 the launcher chooses by the size; 256 tiles; 384, on 9.0, what matmul/f16.cu has, by values of that, elsewhere tiles. */
int gpumexk_matmul_tf32_scratch(const gpumexk_matmul_args *product, size_t *bytes);
int gpumexk_matmul_tf32_f32(const gpumexk_matmul_args *product, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* matmul/f16.cu, bf16.cu — the product of 16-bit floats on Hopper's tensor cores, sums in float32; C of the same type, or where is_float
 * is 1 of float32. *serves ← 1 where the device, this code for it and the product are such that it is computed, whatever the pointers.
 * scratch has the bytes that …_scratch says of a product that is, perhaps 0, and starts at a multiple of 128. tuning: 384 threads; values
 * 1, 2, 4, 8 tiles of 64 columns, so many blocks share k; 128, 256 tiles of so many columns; 0 the launcher chooses. */
int gpumexk_matmul_half_serves(const gpumexk_matmul_args *product, int *serves);
int gpumexk_matmul_half_scratch(const gpumexk_matmul_args *product, size_t *bytes);
int gpumexk_matmul_f16(const gpumexk_matmul_args *product, int is_float, void *scratch, const gpumexk_tuning *tuning,
                       gpumexk_stream stream);
int gpumexk_matmul_bf16(const gpumexk_matmul_args *product, int is_float, void *scratch, const gpumexk_tuning *tuning,
                        gpumexk_stream stream);

/* textbook_bytes.cu — counts[v] ← counts[v] + how many of the len bytes equal v (256 counters), so that data may come in pieces. */
int gpumexk_histogram_clear(void *counts, size_t count, gpumexk_stream stream); /* count counters of 8 bytes ← zeros */
int gpumexk_histogram_global(const uint8_t *data, size_t len, uint64_t *counts, const gpumexk_tuning *tuning,
                             gpumexk_stream stream);
int gpumexk_histogram_strided(const uint8_t *data, size_t len, uint64_t *counts, const gpumexk_tuning *tuning,
                              gpumexk_stream stream);
int gpumexk_histogram_shared(const uint8_t *data, size_t len, uint64_t *counts, const gpumexk_tuning *tuning,
                             gpumexk_stream stream);
/* textbook.cu — counts[v] ← counts[v] + how many samples (u8, u16, u32 or i32, one channel, no weights) equal v, for bins of rule 0; in
 * memory 0: one thread a sample, 1: a grid that strides, 2: shared memory, for as many bins as …_shared_bins_max says. */
int gpumexk_histogram_textbook(const gpumexk_samples *samples, const gpumexk_bins *bins, int memory, uint64_t *counts,
                               const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_histogram_shared_bins_max(size_t *bins);

/* counts ← how many of at most GPUMEXK_HISTOGRAM_SMALL_MAX bytes equal v, overwritten; both may be mapped memory of the host. */
#define GPUMEXK_HISTOGRAM_SMALL_MAX 65536 /* bytes that one block counts */
int gpumexk_histogram_small(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream);

/* histogram/bytes.cu — counts (channels, 256) ← counts + how many of the len bytes equal each value, of each of 1 to 4 interleaved
 * channels; len is a multiple of channels. */
int gpumexk_histogram_bytes(const uint8_t *data, size_t len, int channels, uint64_t *counts, const gpumexk_tuning *tuning,
                            gpumexk_stream stream);

/* histogram/bins.cu — counts (channels, bins), uint64_t, or double with weights, ← counts + those of the samples. */
int gpumexk_histogram_bins(const gpumexk_samples *samples, const gpumexk_bins *bins, void *counts,
                           const gpumexk_tuning *tuning, gpumexk_stream stream);
/* counts (channels, bins) ← counts + those of samples of which `values` (channels, 256 of u8, or 65536 of u16) says how many have
 * each value: bytes and 16-bit numbers are counted by value first. */
int gpumexk_histogram_fold(const uint64_t *values, int dtype, int channels, const gpumexk_bins *bins, uint64_t *counts,
                           gpumexk_stream stream);

/* raytrace.cu — orthographic ray cast of count spheres, 7 floats each (formula in raytrace/formula.cuh). image may start at any
 * byte. */
#define GPUMEXK_RAYTRACE_CONSTANT_SPHERES 2340 /* spheres in 64 KB of constant memory */
int gpumexk_raytrace_global(const float *spheres, size_t count, const gpumexk_picture *picture, uint8_t *image,
                            const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_raytrace_read_only(const float *spheres, size_t count, const gpumexk_picture *picture, uint8_t *image,
                               const gpumexk_tuning *tuning, gpumexk_stream stream);
/* depth: width·height floats of scratch, used when count is above GPUMEXK_RAYTRACE_CONSTANT_SPHERES, else may be NULL.
 * The constant bank is one per device: the caller keeps a second call away until this one's stream has drained. */
int gpumexk_raytrace_constant(const float *spheres, size_t count, const gpumexk_picture *picture, float *depth, uint8_t *image,
                              const gpumexk_tuning *tuning, gpumexk_stream stream);

/* raytrace/binned.cu — the same picture, from the spheres that a tile may show. scratch starts at a multiple of 16 and has the bytes
 * that gpumexk_raytrace_binned_scratch says for count and the picture; more spheres, or a larger picture, than 32-bit numbers of
 * entries and cells can name are 0 in *is_served. */
int gpumexk_raytrace_binned_scratch(size_t count, const gpumexk_picture *picture, size_t *bytes, int *is_served);
int gpumexk_raytrace_binned(const float *spheres, size_t count, const gpumexk_picture *picture, void *scratch, uint8_t *image,
                            const gpumexk_tuning *tuning, gpumexk_stream stream);

/* fill.cu — array[i] ← pattern, or first + i·step. value_bytes is 1, 2, 4 or 8 bytes; the low bytes of pattern, first and step count,
 * and integers wrap. Floating elements are computed in double and rounded to the element. */
int gpumexk_fill(void *array, size_t count, size_t value_bytes, uint64_t pattern, const gpumexk_tuning *tuning,
                 gpumexk_stream stream);
int gpumexk_fill_ascending_int(void *array, size_t count, size_t value_bytes, uint64_t first, uint64_t step,
                               const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_fill_ascending_f32(float *array, size_t count, double first, double step, const gpumexk_tuning *tuning,
                               gpumexk_stream stream);
int gpumexk_fill_ascending_f64(double *array, size_t count, double first, double step, const gpumexk_tuning *tuning,
                               gpumexk_stream stream);

/* random.cu — uniform numbers from Philox4x32-10 under `seed`, an element's own 64-bit key or, where keys is not NULL, keys[i].
 * Integers of value_bytes 1, 2, 4 or 8 bytes in [lo, lo + range], floating numbers in [lo, hi); hi > lo and hi - lo is finite. */
int gpumexk_random_keys(uint64_t *keys, size_t count, uint64_t seed, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_random_int(void *array, size_t count, size_t value_bytes, uint64_t seed, const uint64_t *keys, uint64_t lo,
                       uint64_t range, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_random_f32(float *array, size_t count, uint64_t seed, const uint64_t *keys, float lo, float hi,
                       const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_random_f64(double *array, size_t count, uint64_t seed, const uint64_t *keys, double lo, double hi,
                       const gpumexk_tuning *tuning, gpumexk_stream stream);

/* random_normal.cu — normal numbers from the same keys, two elements a block of Philox; deviation >= 0, |mean| + 9*deviation finite. */
int gpumexk_random_normal_f32(float *array, size_t count, uint64_t seed, float mean, float deviation,
                              const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_random_normal_f64(double *array, size_t count, uint64_t seed, double mean, double deviation,
                              const gpumexk_tuning *tuning, gpumexk_stream stream);

/* sort.cu — sorted, and sorted_values, as gpumexk_sort_args says. scratch is aligned to 256 and has the bytes that
 * gpumexk_sort_scratch says for the same args, perhaps none. tuning: 0 threads, 0 values: by the types. */
int gpumexk_sort_scratch(const gpumexk_sort_args *args, size_t *bytes);
int gpumexk_sort(const gpumexk_sort_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* sorted_search.cu — where the elements of a lie in b (lower bounds, or `upper` ones), and those of b in a. tuning: 256 threads; a
 * block has at most 1, 2 or 4 tiles, 0: 7. */
int gpumexk_sorted_search(const gpumexk_sorted_arrays *arrays, const gpumexk_sorted_search_args *args,
                          const gpumexk_tuning *tuning, gpumexk_stream stream);

/* sorted_equality_count.cu — how many elements of b equal each of a, and their lower bounds, which may be NULL. */
int gpumexk_sorted_equality_count(const gpumexk_sorted_arrays *arrays, int index_bytes, void *counts, void *lower,
                                  gpumexk_stream stream);

/* load_balance_search.cu, interval_expand.cu, interval_move.cu, bulk_remove.cu, bulk_insert.cu — elements of `value_bytes`, indices of
 * `index_bytes`, 4 or 8; at least one object, or interval, where count > 0. */
int gpumexk_load_balance_search(size_t count, const void *scan, size_t objects, int index_bytes, void *indices,
                                gpumexk_stream stream);
int gpumexk_interval_expand(size_t count, const void *scan, size_t intervals, int index_bytes, const void *values, int value_bytes,
                            void *output, gpumexk_stream stream);
int gpumexk_interval_move(const gpumexk_interval_move_args *args, const void *input, size_t input_count, int value_bytes,
                          void *output, size_t output_count, gpumexk_stream stream);
int gpumexk_bulk_remove(const void *source, size_t count, int value_bytes, const void *indices, size_t index_count, int index_bytes,
                        void *result, gpumexk_stream stream);
int gpumexk_bulk_insert(const void *a, const void *indices, size_t a_count, const void *b, size_t b_count, int value_bytes,
                        int index_bytes, void *result, gpumexk_stream stream);

/* merge.cu — keys, values ← those of a and b. tuning: 0 threads: by the types; a block has at most 1, 2 or 4 tiles of keys alone. */
int gpumexk_merge(const gpumexk_merge_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* locality_sort.cu — sorted, sorted_values ← the keys in order, equal ones as they stood, and what moves with them. scratch starts
 * at a multiple of 256 and has the bytes that gpumexk_locality_sort_scratch says, which looks at sizes alone. */
int gpumexk_locality_sort_scratch(const gpumexk_merge_sort_args *args, size_t *bytes);
int gpumexk_locality_sort(const gpumexk_merge_sort_args *args, void *scratch, gpumexk_stream stream);

/* segmented_sort.cu — the same for each segment by itself. */
int gpumexk_segmented_sort_scratch(const gpumexk_merge_sort_args *args, size_t *bytes);
int gpumexk_segmented_sort(const gpumexk_merge_sort_args *args, const gpumexk_segment_heads *segments, void *scratch,
                           gpumexk_stream stream);

/* add.cu — y ← x + y; x may be y. */
int gpumexk_add_f32(const float *x, float *y, size_t count, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_add_f64(const double *x, double *y, size_t count, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* Elements of a rank that are joined with those of all others, which are devices that see each other. */
#define GPUMEXK_ALLREDUCE_RANKS 16 /* ranks at most */
#define GPUMEXK_ALLREDUCE_ELEMENTS 4096 /* elements of a rank at most */
typedef struct gpumexk_allreduce_args {
    const void *own;     /* (pieces, count); not read where has is without this rank */
    size_t pieces;       /* rows of own, which the operator joins before they cross: any number where count is 1, else 1 */
    size_t count;        /* 1 or more, the same on all ranks */
    uint64_t *boxes[GPUMEXK_ALLREDUCE_RANKS]; /* of each rank, on its device, aligned to 16 bytes: 4·ranks·GPUMEXK_ALLREDUCE_ELEMENTS words */
    int rank, ranks;
    unsigned round;      /* by one more than in the launch before with these boxes, from 1 on; the boxes are 0 before the first one */
    unsigned has;        /* bit r: rank r has elements */
    unsigned *stop;      /* memory of the host that all devices reach: not 0 ends the waits of all ranks, whose results are undefined */
    uint64_t patience;   /* ns that packets are waited for; then *stop becomes 1 */
} gpumexk_allreduce_args;
GPUMEXK_SIZE(gpumexk_allreduce_args, 184);

/* allreduce.cu — result (count) ← the elements of those ranks that have some, joined in the order of ranks, behind what is in result where adds
 * is 1. dtype and op as in reduce.cu. The kernels of all ranks have to be launched. */
int gpumexk_allreduce(const gpumexk_allreduce_args *args, int dtype, int op, int adds, void *result, gpumexk_stream stream);
/* Loads the kernel of these on the current device, by a launch for no elements, once. That may wait for kernels that run, on other devices
 * too: it comes before any rank launches it. */
int gpumexk_allreduce_load(int dtype, int op, gpumexk_stream stream);

/* dot.cu — *result ← Σ x[i]·y[i], 0 for count = 0. partials: GPUMEXK_DOT_PARTIALS elements of scratch. */
#define GPUMEXK_DOT_PARTIALS 1024 /* elements of scratch */
int gpumexk_dot_atomic_f32(const float *x, const float *y, size_t count, float *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream);
int gpumexk_dot_atomic_f64(const double *x, const double *y, size_t count, double *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream);
int gpumexk_dot_two_pass_f32(const float *x, const float *y, size_t count, float *partials, float *result,
                             const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_dot_two_pass_f64(const double *x, const double *y, size_t count, double *partials, double *result,
                             const gpumexk_tuning *tuning, gpumexk_stream stream);
/* dot/textbook.cu — the same by a tree in shared memory. */
int gpumexk_dot_shared_f32(const float *x, const float *y, size_t count, float *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream);
int gpumexk_dot_shared_f64(const double *x, const double *y, size_t count, double *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream);

/* axpy.cu — y ← fma (alpha, x, beta·y); where beta is 0 y ← alpha·x, and y is not read. */
int gpumexk_axpy_f32(const gpumexk_scalar *alpha, const gpumexk_scalar *beta, const float *x, float *y, size_t count,
                     const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_axpy_f64(const gpumexk_scalar *alpha, const gpumexk_scalar *beta, const double *x, double *y, size_t count,
                     const gpumexk_tuning *tuning, gpumexk_stream stream);

/* scale.cu — x ← alpha·x, x / alpha or x / √alpha for factor 0, 1 or 2. */
int gpumexk_scale_f32(const gpumexk_scalar *alpha, int factor, float *x, size_t count, const gpumexk_tuning *tuning,
                      gpumexk_stream stream);
int gpumexk_scale_f64(const gpumexk_scalar *alpha, int factor, double *x, size_t count, const gpumexk_tuning *tuning,
                      gpumexk_stream stream);

/* gather.cu — result[i] ← source[indices[i]], zero where that is not below source_count. value_bytes 1, 2, 4, 8, index_bytes 4, 8. */
int gpumexk_gather(const void *source, size_t source_count, int value_bytes, const void *indices, int index_bytes, size_t count,
                   void *result, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* scatter.cu — target[indices[i]] ← source[i] where that is below target_count. */
int gpumexk_scatter(const void *source, int value_bytes, const void *indices, int index_bytes, size_t count, void *target,
                    size_t target_count, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* map.cu — result ← a program of the inputs, element by element. The arrays of args are the host's, and read before the return. */
int gpumexk_map(const gpumexk_map_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* map/map_reduce.cu — result and positions of dim ← the reductions of what a program makes of the inputs. map: its result has the dtype of the
 * program and the strides of dim's result in the extents, 0 along those that are reduced, which are neighbours; its data are not read.
 * dim: inner, count and outer are products of the extents, none 0; the dtype is that of the program; data are not read. bytes, scratch:
 * as for gpumexk_reduce_dim_sum. */
int gpumexk_map_reduce(const gpumexk_map_args *map, const gpumexk_dim_args *dim, void *scratch, size_t *bytes, gpumexk_stream stream);

/* map/map_scan.cu — result of dim ← the prefixes of what a program makes of the inputs, in the order of the extents. map, dim, bytes,
 * scratch: as for gpumexk_map_reduce. */
int gpumexk_map_scan(const gpumexk_map_args *map, const gpumexk_dim_args *dim, void *scratch, size_t *bytes, gpumexk_stream stream);

/* map/functor_reduce.cu — result (1) ← the elements of data (count >= 1) joined in their order. partials: as many bytes as _scratch says,
 * aligned to 8. What the functor points to is the host's, and read before the return. */
int gpumexk_functor_reduce_scratch(const gpumexk_functor *functor, size_t count, size_t *bytes);
int gpumexk_functor_reduce(const gpumexk_functor *functor, const void *data, size_t count, void *partials, void *result,
                           gpumexk_stream stream);

/* map/functor_scan.cu — result (count >= 1) ← the prefixes of data, which may be result; of an exclusive scan without the first one, which
 * is left as it is. total (1), or NULL: the last inclusive prefix. heads, or NULL: bytes, 1 where a prefix begins anew; inclusive scans
 * alone. scratch: as many bytes as _scratch says, aligned to 8. */
int gpumexk_functor_scan_scratch(const gpumexk_functor *functor, size_t count, size_t *bytes);
int gpumexk_functor_scan(const gpumexk_functor *functor, const void *data, const uint8_t *heads, size_t count, int inclusive, void *result,
                         void *total, void *scratch, gpumexk_stream stream);

/* map/functor_segments.cu — heads (count) ← 1 where a segment begins, else 0; with sources gathered (count) ← the segments' elements at
 * their offsets. Then, of inclusive scans of them, result[s] ← the last prefix of segment s, or identity where it is empty. */
int gpumexk_functor_heads(const gpumexk_functor_segments *segments, const void *data, uint8_t *heads, void *gathered,
                          gpumexk_stream stream);
int gpumexk_functor_results(const gpumexk_functor_segments *segments, const void *prefixes, uint64_t identity, void *result,
                            gpumexk_stream stream);

/* map/functor_search.cu — what the search asks for. matches is set, and counted in. What the functor points to is the host's, and read before
 * the return. */
int gpumexk_functor_search_run(const gpumexk_functor *functor, const gpumexk_functor_search *search, gpumexk_stream stream);

/* map/functor_sort.cu — keys, positions (count) ← the keys in the order of a functor that says whether a precedes b, stable, and where they
 * were. positions of 4 bytes hold less than 2^32. What the functor points to is the host's, and read before the return. */
int gpumexk_functor_sort(const gpumexk_functor *functor, void *keys, void *positions, int position_bytes, size_t count,
                         gpumexk_stream stream);
/* result[i] ← values[positions[i]], of 4 or 8 bytes, or positions[i] where values is NULL, or i where both are; count of them. */
int gpumexk_functor_place(const void *positions, int position_bytes, const void *values, void *result, int bytes, size_t count,
                          gpumexk_stream stream);

/* map/stencil.cu, map/stencil_bytes.cu — result ← the program of the neighbours. In bytes all steps have type 5; *enqueued ← 0 where the
 * tiles do not fit into shared memory, and nothing was enqueued, else 1. tuning: at most 256 threads, one value. */
int gpumexk_stencil(const gpumexk_stencil_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream);
int gpumexk_stencil_bytes(const gpumexk_stencil_args *args, const gpumexk_tuning *tuning, int *enqueued, gpumexk_stream stream);

/* convolve.cu — result ← the sums of each window, weighed by the filter, in the order of rows or turned by 180°. accumulator_dtype, of
 * filter: F32, F64, of integers and BOOL I32 and I64 as well; result_dtype is one of the dtypes of windows. */
int gpumexk_convolve(const gpumexk_windows *windows, const void *filter, int accumulator_dtype, int turned, void *result, int result_dtype,
                     const gpumexk_tuning *tuning, gpumexk_stream stream);

/* median_filter.cu — result ← the median of each window, of the dtype of windows, whose extents are at most 31. */
int gpumexk_median_filter(const gpumexk_windows *windows, void *result, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* check_indices.cu — *position ← the first i for which indices[i] is not below limit, else 2^64 - 1. */
int gpumexk_check_indices(const void *indices, int index_bytes, size_t count, size_t limit, uint64_t *position,
                          gpumexk_stream stream);

/* words.cu — table ← table + the words of a text that begin in [begin, end), but for long words, of more than 4096 characters,
 * which are only listed: long_words has end/4096 + 1 elements. The addresses in the table stay those of the text. */
int gpumexk_words_count(const gpumexk_words_text *text, const gpumexk_words_table *table, uint64_t *long_words,
                        const gpumexk_tuning *tuning, gpumexk_stream stream);

/* words/table.cu — table ← no words. */
int gpumexk_words_clear(const gpumexk_words_table *table, gpumexk_stream stream);
/* missing ← how many words of `from` are not in `to`; the bytes that copies of the longer ones take. */
int gpumexk_words_missing(const gpumexk_words_text *text, const gpumexk_words_table *from, const gpumexk_words_table *to,
                          uint64_t *missing, gpumexk_stream stream);
/* to ← to + from. Addresses of new words become those of their copies; with copies NULL they stay. *used ← bytes of copies. */
int gpumexk_words_merge(const gpumexk_words_text *text, const gpumexk_words_table *from, const gpumexk_words_table *to,
                        uint8_t *copies, uint64_t *used, gpumexk_stream stream);
/* ranks (GPUMEXK_WORDS_RANKS) ← how many words have a value in [low + r·2^shift, low + (r + 1)·2^shift): `most` - count; for
 * count ≠ 0 the first position, of the words with this count alone. */
#define GPUMEXK_WORDS_RANKS 2048 /* bins that words are ranked into */
int gpumexk_words_rank(const gpumexk_words_table *table, uint64_t most, uint64_t count, uint64_t low, unsigned shift,
                       uint64_t *ranks, gpumexk_stream stream);
/* picked (most, 2) ← first position and count of the words that occur more often than `count`, and of those that occur as often
 * and begin up to `position`; *number ← how many they are. */
int gpumexk_words_pick(const gpumexk_words_table *table, uint64_t count, uint64_t position, uint64_t most, uint64_t *picked,
                       uint64_t *number, gpumexk_stream stream);
/* lengths (count) ← bytes of the words at positions (count) of the text. */
int gpumexk_words_lengths(const gpumexk_words_text *text, const uint64_t *positions, size_t count, uint64_t *lengths,
                          gpumexk_stream stream);

/* reduce.cu — *result ← what the operator (a gpumex_operator; of floats the first four) makes of the elements of a dtype (a gpumex_dtype
 * of 4 or 8 bytes), its identity for count = 0. partials: GPUMEXK_REDUCE_PARTIALS elements of scratch, aligned to 16 bytes.
 * tuning: 512 threads; 1, 2 or 4 blocks a multiprocessor. */
#define GPUMEXK_REDUCE_PARTIALS 2048 /* elements of scratch */
int gpumexk_reduce(const void *data, size_t count, int dtype, int op, void *partials, void *result, const gpumexk_tuning *tuning,
                   gpumexk_stream stream);
/* Its first kernel alone: partials ← *found elements, 1 or more, from which the operator makes the result. */
int gpumexk_reduce_partials(const void *data, size_t count, int dtype, int op, void *partials, size_t *found, const gpumexk_tuning *tuning,
                            gpumexk_stream stream);

/* reduce_dim/ — the reductions along a dimension: sum.cu sums and means, but those of floats that leave NaN out; extremum.cu minima and
 * maxima, with positions or without; rare.cu counts (ANY, ALL, COUNT) and all others. With bytes not NULL they launch nothing: *bytes ←
 * the scratch, perhaps 0, that the same arguments need; it starts at a multiple of 16. */
int gpumexk_reduce_dim_sum(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);
int gpumexk_reduce_dim_extremum(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);
int gpumexk_reduce_dim_count(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);
int gpumexk_reduce_dim_rare(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);

/* scan_dim/ — the scans along a dimension: sum.cu sums, rare.cu minima and maxima, and products and what saturates. bytes, scratch: as
 * above. */
int gpumexk_scan_dim_sum(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);
int gpumexk_scan_dim_extremum(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);
int gpumexk_scan_dim_rare(const gpumexk_dim_args *args, void *scratch, size_t *bytes, gpumexk_stream stream);

/* segments_prepare.cu — *elements ← how many numbers the geometry of so many segments and elements has on the current device, at least 1.
 * geometry ← where the parts of a walk over these segments begin; their sources do not matter. */
int gpumexk_segments_geometry(size_t segments, size_t count, size_t *elements);
int gpumexk_segments_prepare(const gpumexk_segments *segments, uint64_t *geometry, gpumexk_stream stream);

/* segmented_reduce.cu — result (segments) ← the reduction of each segment of data (count) by a gpumex_operator. scratch:
 * GPUMEXK_SEGMENTS_SCRATCH bytes, aligned to 16; also of spmv. tuning: 256 threads; 1 or 2 blocks a multiprocessor, 0: by the type. */
#define GPUMEXK_SEGMENTS_SCRATCH 32768 /* bytes */
int gpumexk_segmented_reduce(const gpumexk_segments *segments, int dtype, int op, const void *data, void *result, void *scratch,
                             const gpumexk_tuning *tuning, gpumexk_stream stream);

/* reduce_by_key.cu — unique_keys, results, offsets, needed ← the runs of keys. scratch: as many bytes as …_scratch says, aligned to 16. */
int gpumexk_reduce_by_key_scratch(size_t count, size_t key_bytes, size_t data_bytes, size_t *bytes);
int gpumexk_reduce_by_key(const gpumexk_reduce_by_key_args *args, void *scratch, gpumexk_stream stream);

/* spmv.cu — y (rows) ← the matrix times x. scratch: GPUMEXK_SEGMENTS_SCRATCH bytes, aligned to 16. */
int gpumexk_spmv(const gpumexk_segments *rows, const gpumexk_spmv_args *args, void *y, void *scratch, gpumexk_stream stream);

/* scan.cu — result ← the prefixes of data under the operator, as in reduce.cu. scratch has the bytes that …_scratch says for the same
 * tuning, perhaps 0, and starts at a multiple of 16. tuning: 256 or 512 threads, or 0: as many as there is memory for. */
int gpumexk_scan_scratch(size_t count, int dtype, const gpumexk_tuning *tuning, size_t *bytes);
int gpumexk_scan(const gpumexk_scan_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* fill_empty.cu — result[s] ← the low value_bytes (4 or 8) of value, for each empty segment s. */
int gpumexk_segments_fill_empty(const gpumexk_segments *segments, int value_bytes, uint64_t value, void *result,
                                gpumexk_stream stream);

/* convert.cu — target[i] ← source[i] for i < count, and i < *limit where limit is not NULL: integers of 1, 2 or 4 bytes, signed
 * or not, as integers of 8, those of 1 or 2 as integers of 4, and those of 4 as integers of 1 or 2, their low bytes. */
int gpumexk_convert(const void *source, size_t count, int source_bytes, int source_signed, const uint64_t *limit, void *target,
                    int target_bytes, gpumexk_stream stream);

/* set_operation.cu — the first `capacity` elements of the result, and *needed ← how long it is. tuning: 0 threads: by the types; 1 or 2
 * blocks a multiprocessor where there is no payload and keys are integers, 0: by the type. */
int gpumexk_set_operation_scratch(const gpumexk_set_operation_args *args, size_t *bytes);
int gpumexk_set_operation(const gpumexk_set_operation_args *args, void *scratch, const gpumexk_tuning *tuning,
                          gpumexk_stream stream);

/* join.cu — the first `capacity` pairs, and *needed ← how many there are. tuning: 256 threads; 1, 2 or 4 blocks a multiprocessor for
 * tiles of very many pairs. */
int gpumexk_join_scratch(const gpumexk_join_args *args, size_t *bytes);
int gpumexk_join(const gpumexk_join_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* check_sorted.cu — *position ← the first i ≥ 1 for which keys[i] comes before keys[i - 1], or with `strict` is equal to it, else
 * 2^64 - 1. */
int gpumexk_check_sorted(const void *keys, size_t count, int dtype, int descending, int strict, uint64_t *position,
                         gpumexk_stream stream);

/* compact.cu — kept ← the elements of data whose flags are not 0, positions ← where they stand, at most capacity of both; *needed ←
 * how many there are. scratch has the bytes that …_scratch says, perhaps 0, and starts at a multiple of 16. */
int gpumexk_compact_scratch(size_t count, size_t *bytes);
int gpumexk_compact(const gpumexk_compact_args *args, void *scratch, gpumexk_stream stream);

/* gather_nd.cu — result ← the elements of source where the walk, which begins there, finds them; zero where it is out of range. */
int gpumexk_gather_nd(const gpumexk_walk *walk, const void *source, void *result, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* scatter_nd.cu — elements of target where the walk finds them ← values; NULL: the one whose bits are `pattern`. */
int gpumexk_scatter_nd(const gpumexk_walk *walk, const void *values, uint64_t pattern, void *target, const gpumexk_tuning *tuning,
                       gpumexk_stream stream);

/* permute.cu — result ← source in the order of the walk, all of whose places are 0. */
int gpumexk_permute(const gpumexk_walk *walk, const void *source, void *result, const gpumexk_tuning *tuning, gpumexk_stream stream);

/* positions.cu — *first ← the first i for which start + indices[i] is not below extent; 2^64 - 1 for none. */
int gpumexk_first_outside(const void *indices, int index_dtype, size_t count, int64_t start, size_t extent, uint64_t *first,
                          gpumexk_stream stream);

/* positions.cu — positions[i] ← start + indices[i] where that is below extent and no later i has the same; else 2^64 - 1. owners (extent)
 * is scratch. */
int gpumexk_last_positions(const void *indices, int index_dtype, size_t count, int64_t start, size_t extent, uint64_t *owners,
                           uint64_t *positions, gpumexk_stream stream);

#ifdef __cplusplus
}
#endif
