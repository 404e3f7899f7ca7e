/* gateway.h - what the gateways of gpumex share: contexts, arrays wherever they lie, and arguments; errors.h has the errors.
 *
 * One MEX file, gpumex_mex, holds them all, since they share the contexts and the arrays that stay on the device. gpumex_mex.c calls
 * <operation>_mex with the arguments of its operation. What they share lies in these files, each of which calls those before it alone:
 * errors.c, classes.c, fields.c, messages.c, interrupts.c, contexts.c, comms.c, arrays.c, gpuarrays.c, operands.c, arguments.c, calls.c, for the
 * primitives vectors.c and keys.c, for gpumex.histcounts bins.c, for gpumex.array nd.c, and for gpumex.comm mpi.c.
 *
 * One source for MATLAB and GNU Octave: C99, "mex.h" with separate complex parts, and of the data accessors mxGetData alone
 * (Octave's typed ones abort on 1:3 and eye(3)). Errors are raised here only, before or after a call of the library and never
 * inside one; MATLAB and Octave free what the gateway has created of theirs by then, and `fail` frees what it has of ours. */

#ifndef GATEWAY_H
#define GATEWAY_H

#include <stddef.h>
#include <stdint.h>

#include "mex.h"

#define GPUMEX_NO_PLAIN_NAMES
#include "gpumex.h"

#include "errors.h"

#pragma GCC visibility push(hidden) /* what follows is this MEX file's own, whatever else the process has by these names */

/* What runs an operation: mexFunction without the name of the operation. */
typedef void gateway(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);

gateway add_mex, allocator_mex, array_mex, bulk_insert_mex, bulk_remove_mex, c_call_mex, cat_mex, comm_mex, compact_mex,
    convolve_mex, copy_mex, device_mex, dot_product_mex, fill_mex, find_mex, gather_mex, gather_nd_mex, histcounts_mex, histogram_mex,
    info_mex, interval_expand_mex, interval_move_mex, ismember_mex, join_mex, life_mex, load_balance_search_mex, map_mex, matmul_mex,
    medfilt2_mex, merge_mex, pack_board_mex, permute_mex, random_mex, raytrace_mex, read_pattern_mex, reduce_by_key_mex, reduce_dim_mex,
    reduce_mex, reset_default_mex, reshape_mex, resize_mex, scan_dim_mex, scan_mex, scatter_mex, scatter_nd_mex, search_mex,
    segreduce_mex, segsort_mex, set_operation_mex, sort_by_key_mex, sort_mex, sorted_equality_count_mex, sortrows_mex, spmv_mex,
    threads_mex, timer_mex, tuning_mex, unique_mex, unpack_board_mex, version_mex, words_mex, write_pattern_mex;

/* -------------------------------------------------------------------------------------------------- classes and fields */

/* The bytes of an element; 0 for what is no array of numbers or a text. */
size_t element_bytes(mxClassID class_id);
const char *class_name(mxClassID class_id);

/* The gpumex_dtype of a class: BOOL for logical, an integer for char, NONE for what has no elements of a class. */
int32_t dtype_of(mxClassID class_id);
size_t count_elements(mwSize ndims, const mwSize *dims);

/* The rank of a size without ones at its end. */
mwSize shown_rank(size_t rank, const mwSize *dims);

/* The class of a gpumex_dtype; mxUNKNOWN_CLASS for those that MATLAB does not have. */
mxClassID class_of_dtype(int32_t dtype);

void set(mxArray *target, const char *field, mxArray *value);
void set_number(mxArray *target, const char *field, double value);
void set_text(mxArray *target, const char *field, const char *value);

/* gpumex_last_error in MATLAB's terms; overwritten by the next call. */
const char *library_message(void);

/* -------------------------------------------------------------------------------------------------------- contexts */

/* The context of one call. */
typedef struct session {
    int32_t backend; /* as asked for */
    gpumex_context *ctx;
    struct group *group; /* the communicator that it is in; NULL: this process computes alone */
    int is_on_host;      /* the library computes on the host */
} session;

/* The context of a gpumex_backend. */
session session_on(int32_t backend);

/* Raises what a call of the library reports. After a CUDA fault a kept context is given up: the next call makes its own. */
void check(session s, int32_t status);

/* How long the kernels of the last call ran, as a MATLAB number. */
mxArray *kernel_ms(session s);

/* From here on AUTO and CUDA are a new context on this device. */
void choose_device(int32_t device);

int is_device_chosen(void);

/* Whether GPUMEX_BACKEND says another backend than auto. */
int is_backend_set(void);

/* Drops the default context, and the one on a device that was chosen. */
void reset_default(void);

/* Notes what the environment says before the library reads it, which it does once; warns where it says something else now. */
void note_settings(void);
void warn_of_settings(void);

/* From now on Ctrl-C cancels what runs in a context; NULL: nothing. */
void cancel_on_interrupt(gpumex_context *ctx);
void renew_interrupts(void); /* after a call of M code that has failed */

/* Raises the interrupt, which no `catch` in M takes; returns where there is none. */
void raise_interrupt(void);

/* Ends the contexts that are kept. */
void close_contexts(void);

/* --------------------------------------------------------------------------------------------------- communicators */

/* A communicator that M code holds in a gpumex.comm. A handle of one that is gone raises gpumex:comm:stale. */
int is_group(const mxArray *argument);
struct group *group_of(const mxArray *handle);

/* Takes a communicator, which `close` destroys; gives its handle. There has to be room. */
void require_room_for_group(void);
mxArray *new_group(session s, gpumex_comm *comm, int32_t (*close)(gpumex_comm *comm));
void free_group(const mxArray *handle); /* one that is gone is no error */
void close_groups(void);

/* The session of an operation on several ranks; others are refused. */
session session_of_ranks(const mxArray *handle);
int is_of_ranks(session s);

/* A collective call is next: from here until ranks_of the other ranks wait for this one, and settle_call tells them that it has failed. */
void expect_call(struct group *of);
void settle_call(struct group *of);

/* The communicator of a session, for the call of the library that follows. */
gpumex_comm *ranks_of(session s);

/* As check; where ranks differ in what is called in_c in C, the error says in_m. */
void check_ranks(session s, int32_t status, const char *in_c, const char *in_m);

/* The library that connects to MPI: packaging/mpi/gpumex_mpi.c. One that is not there raises noMpi. */
typedef struct mpi_library {
    int32_t (*place)(int32_t *rank, int32_t *ranks, int32_t *local_rank);
    int32_t (*open)(gpumex_context *ctx, const gpumex_comm_options *options, gpumex_comm **comm);
    int32_t (*close)(gpumex_comm *comm);
} mpi_library;

const mpi_library *load_mpi(void);
int is_launched_by_mpi(void);
int32_t launched_ranks(void); /* as the launcher says; 0 where it does not */

/* ---------------------------------------------------------------------------------------------------------- arrays */

/* An array on a device that outlives the call. M code holds its handle, a structure, in a gpumex.array. */
typedef struct array {
    size_t slot;
    uint64_t serial; /* unique, across sessions too; 0: the slot is free */
    int32_t backend; /* of the session that made it, as asked for */
    const char *backend_name;
    mxClassID class_id;
    mwSize ndims, *dims;
    void *data;
    struct array *next; /* of the temporaries */
} array;

/* The array that a handle names; NULL when the argument is no handle. A handle whose array is gone raises gpumex:array:stale. */
const array *array_of(const mxArray *argument);

/* A new array with undefined elements: a temporary, freed at the end of the call, until make_handle. */
array *new_array(session s, mxClassID class_id, mwSize ndims, const mwSize *dims);

/* Temporary memory of the device, freed at the end of the call. */
void *scratch(session s, size_t bytes);

/* The same of the host: where the library computes there, memory that it has kept, whose pages are there already. */
void *host_scratch(session s, size_t bytes);

/* So many keys or rows of the host are few: the gateway goes through them in less time than a call of the library takes. */
enum { FEW = 1024 };

/* to <- some bytes of the memory that a session computes in. */
void copy_bytes(session s, void *to, const void *from, size_t bytes);

/* The handle of a new array, which is no temporary from here on: the user frees it. */
mxArray *make_handle(const array *made);

/* Frees the array that a handle names; one that is gone already is no error. */
void free_array(const mxArray *handle);

/* Frees what the call allocated and gave no handle to: its scratch, and after an error its results. */
void free_temporaries(void);
void free_all_arrays(void);

/* -------------------------------------------------------------------------------------------------------- operands */

/* The memory of an array, as its user sees it. A result gets the greatest of its inputs' locations. */
typedef enum location { ON_HOST, IN_GPU_ARRAY, ON_DEVICE } location;

/* An input. `dims` and `data` belong to what it was read from. */
typedef struct operand {
    const char *name; /* of the argument, for errors; set by the functions of vectors.c */
    location location;
    int32_t backend; /* of a gpumex.array: as asked for when it was made; else AUTO */
    const char *parts; /* "sparse ", "complex ", or both; "" when every element is there and real */
    mxClassID class_id;
    const char *class_name;
    mwSize ndims;
    const mwSize *dims;
    const void *data;
} operand;

operand read_operand(const mxArray *argument);

int is_sparse(operand x);
int is_complex(operand x);
int is_full_real(operand x); /* an array of numbers, no text */
int is_text(operand x);
int is_full_matrix(operand x);
int is_vector(operand x); /* empty ones have any size */
int is_0x0(operand x);
size_t rows(operand x);
size_t cols(operand x);
size_t length(operand x); /* how many elements */

/* A result while it is made: the library writes to `data`. */
typedef struct result {
    location location;
    void *data;
    void *owner;
} result;

location result_location(operand a, operand b);
result new_result(session s, location where, mxClassID class_id, mwSize ndims, const mwSize *dims);
mxArray *to_mxarray(result made);

/* An array of MATLAB or Octave, zeros; one whose elements are all to be written, which is faster where it is large. */
mxArray *new_host_array(mxClassID class_id, mwSize ndims, const mwSize *dims);
mxArray *new_unset_array(mxClassID class_id, mwSize ndims, const mwSize *dims);

/* MATLAB's gpuArrays, used where they lie. Without GPUMEX_MXGPU there are none. */
int is_gpu_array(const mxArray *argument);
operand read_gpu_array(const mxArray *argument);
result new_gpu_array(mxClassID class_id, mwSize ndims, const mwSize *dims);
mxArray *gpu_to_mxarray(result made);
void release_gpu_arrays(void);

/* ----------------------------------------------------------------------------------------------------------- arguments */

/* Checks how many inputs and outputs a call has. */
void check_argument_count(int nlhs, int most_outputs, int nrhs, int inputs, const char *usage);

/* 2^53, flintmax: doubles are all whole numbers up to here. */
#define MOST_WHOLE 9007199254740992

/* A scalar whole number from 0 to 2^53; of the 64-bit classes up to their intmax. */
uint64_t read_integer(const mxArray *argument, const char *reason, const char *name);
int is_whole(double value);

/* An argument that is true or false, or 1 or 0; 0 where it is NULL. */
int32_t read_logical(const mxArray *argument, const char *reason, const char *name);

/* Whether an argument is a text of less than `capacity` bytes, which `word` then holds. */
int read_word(const mxArray *argument, char *word, size_t capacity);

/* Whether an argument is 'auto', which gpumex_call passes for an option that is not given. */
int is_auto(const mxArray *argument);

/* values[k] <- what is given as option names[k] among pairs of names and values; the others stay. `names` ends with NULL. */
void read_options(int nrhs, const mxArray *prhs[], const char *const *names, const mxArray **values);

/* Runs an operation whose inputs are written as its users do: options as names and values. */
void run_call(const char *name, gateway *run, int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);

/* A word of M code and its enumerator in C; a list of them ends with {NULL, 0}. */
typedef struct enumerator {
    const char *word;
    int32_t number;
} enumerator;

/* The number of a word, which is compared without case; the first one of the list where the argument is NULL. */
int32_t read_enum(const mxArray *argument, const char *reason, const char *name, const enumerator *enumerators);

/* The size of `x` as it is read: 2x3. */
void write_size(operand x, char *text, size_t capacity);

/* Refuses `x` unless it is good, saying what it is and what it should be. */
void require(int good, const char *reason, const char *name, operand x, const char *rule);

/* A class by its name. */
mxClassID read_class(const mxArray *argument, const char *reason, const char *name);

/* The context of a word: 'auto', 'cpu' or 'cuda'; NULL is 'auto'. Or the handle of a communicator, where the operation knows of ranks. */
session open_session(const mxArray *argument);

/* The same for a call that has temporaries: 'auto' is the CPU where a and b are few elements of the host, which some copies to a device and
 * back, and launches, take longer for; unless a variant, a device or the setting GPUMEX_BACKEND was chosen. */
session session_of_few(const mxArray *argument, int32_t variant, operand a, operand b);

/* The same, but 'auto' and NULL are where the first gpumex.array of the operands lies, if one is there. */
session session_beside(const mxArray *argument, const operand *operands, size_t count);

/* --------------------------------------------------------------------------------------------------------- vectors */

/* Of the parallel primitives: data are in any memory, and a result is where the data are; indices are one-based doubles, and they,
 * counts and lengths are on the host. */

/* An array of a class that the primitives compute with, of 4 or 8 bytes. */
operand read_numbers(const mxArray *argument, const char *reason, const char *name);

/* The same of any number of bytes, and logical. */
operand read_values(const mxArray *argument, const char *reason, const char *name);

/* An array of a class that they compare, or move as it is: text, too. */
operand read_keys(const mxArray *argument, const char *reason, const char *name);

/* A vector of such classes; empty ones have any size. */
operand read_vector(const mxArray *argument, const char *reason, const char *name);
operand read_key_vector(const mxArray *argument, const char *reason, const char *name);

/* The options that every primitive has. */
int32_t read_variant(const mxArray *argument);
int32_t read_operator(const mxArray *argument, operand x); /* one that x's class has */
int32_t read_order(const mxArray *argument);
int32_t read_overflow(const mxArray *argument); /* of integers, a gpumex_rules: 'saturate', also 'auto', or 'wrap' */

/* An option that is true or false; 'auto' is false. */
int read_logical_option(const mxArray *argument, const char *reason, const char *name);

/* Raises mixedClasses unless both have one class. */
void require_one_class(operand a, operand b);

/* Whether two arrays of one class have elements of 1 or 2 bytes, which the library does not move; those are on the host. */
int are_narrow(operand x, operand a);

/* A new array with the elements of y, on a device where x or y is. */
result copy_beside(session s, operand y, operand x);

/* to(k) <- from(positions(k)), zero-based positions in the memory of the session, of elements of a class. */
void gather_values(session s, mxClassID class_id, const void *from, size_t elements, const uint64_t *positions, size_t count, void *to);

int is_row(operand x);
int are_rows(operand a, operand b); /* both, or one and the other is empty */

/* Whether one dimension alone is not 1; so many elements that lie as x does, or in a column where it is no line. */
int is_line(operand x);
result new_line(session s, operand x, location where, size_t count);

/* A vector, and room for at most `count` elements, of which `shrink` makes a vector of the first ones. */
result new_vector(session s, location where, mxClassID class_id, size_t count, int as_row);
result new_room(session s, location where, mxClassID class_id, size_t count);
result shrink(session s, result room, mxClassID class_id, size_t count, int as_row);

/* Whole numbers of any class and location, as uint64 of the host, less `base`: 1 makes one-based indices zero-based. */
uint64_t *read_integers(session s, const mxArray *argument, uint64_t base, const char *reason, const char *name);

/* A vector of the host for zero-based positions from the library, and their conversion in place to one-based doubles. */
mxArray *new_positions(size_t count, int as_row);
void make_one_based(mxArray *positions);

/* Temporary memory of the host, freed at the end of the call. */
uint64_t *new_uint64s(session s, size_t count);

/* ------------------------------------------------------------------------------------------------------------ keys */

/* How the steps of an operation on keys are computed. */
typedef struct method {
    session s;
    int32_t variant, dtype;
} method;

/* Keys in ascending order, NaN last, and the zero-based position that each had, in the memory of the keys; NULL if not asked for. */
typedef struct sorted_keys {
    const void *keys;
    uint64_t *positions;
    size_t count, nans; /* all, and those that are NaN */
} sorted_keys;

/* Raises mixedClasses unless both have one class. */
method read_method(operand a, operand b, const mxArray *variant, const mxArray *backend);

/* Sorts keys, or checks that they are sorted; counts the NaN, which equal nothing in MATLAB and each other in the library. */
sorted_keys sort_keys(method how, operand x, int are_sorted, int wants_positions);

/* Some of the positions on the host: where they are, or a copy. */
const uint64_t *positions_on_host(session s, const uint64_t *positions, size_t first, size_t count);

int are_ascending(method how, operand x);

/* Raises invalidArgument unless keys are sorted; names the first element that is not by its one-based index. */
void check_sorted(method how, operand x, int32_t order);

/* ------------------------------------------------------------------------------------------------------------ bins */

/* Samples are read in parts of so many. */
enum { SAMPLES_AT_ONCE = 1024 };

/* part <- elements of an array of the host from `first` on, as double; how many. */
size_t convert_samples(operand x, size_t first, double *part);

/* All of them; in temporary memory of the host. */
void convert_all_samples(operand x, double *numbers);
double *samples_as_doubles(session s, operand x);

/* A rule for the width of bins. */
enum { BINS_BY_DEFAULT, BINS_BY_SCOTT, BINS_BY_FREEDMAN, BINS_BY_INTEGERS, BINS_BY_STURGES, BINS_BY_ROOT };

/* What is asked of bins: how many, or how wide, 0 where it is left open; the first edge and the last one. */
typedef struct bins_wanted {
    double number, width;
    int has_limits;
    double limits[2];
    int32_t method;
} bins_wanted;

/* bins + 1 edges, a row of doubles. */
typedef struct edges_of_bins {
    size_t bins;
    double *edges;
    mxArray *owner;
} edges_of_bins;

edges_of_bins choose_edges(session s, operand x, bins_wanted how);

/* Refuses edges that do not ascend, and names the first one. */
void check_edges(const double *edges, size_t count);

#pragma GCC visibility pop

#endif /* GATEWAY_H */
