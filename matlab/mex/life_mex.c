/* life_mex.c - [next, ms] = life(board, generations, name, value, ...), the gateway behind gpumex.life.
 *
 * board: matrix of logical or uint8, a cell each; with 'Cells', 'bits' of uint64, 64 cells of a column in each word. next has its
 * class and lies where it does. The library takes MATLAB's columns for rows, so it plays on the transposed board; Life is its own
 * transpose with every rule and boundary. */

#include "gateway.h"

static const enumerator variants[] = {{"auto", GPUMEX_LIFE_VARIANT_AUTO},
                                      {"sequential", GPUMEX_LIFE_VARIANT_SEQUENTIAL},
                                      {"arrays", GPUMEX_LIFE_VARIANT_ARRAYS},
                                      {"shmem", GPUMEX_LIFE_VARIANT_SHMEM},
                                      {"texture", GPUMEX_LIFE_VARIANT_TEXTURE},
                                      {"shmem_bytes", GPUMEX_LIFE_VARIANT_SHMEM_BYTES},
                                      {"texture_bytes", GPUMEX_LIFE_VARIANT_TEXTURE_BYTES},
                                      {"registers", GPUMEX_LIFE_VARIANT_REGISTERS},
                                      {"cluster", GPUMEX_LIFE_VARIANT_CLUSTER},
                                      {NULL, 0}};

static const enumerator boundaries[] = {{"clamp", GPUMEX_LIFE_BOUNDARY_CLAMP},
                                        {"dead", GPUMEX_LIFE_BOUNDARY_DEAD},
                                        {"torus", GPUMEX_LIFE_BOUNDARY_TORUS},
                                        {NULL, 0}};

static const enumerator cells_of[] = {{"bytes", GPUMEX_LIFE_CELLS_BYTES}, {"bits", GPUMEX_LIFE_CELLS_BITS}, {NULL, 0}};

static const char *const names[] = {"Variant", "Backend", "Boundary", "Rule", "Cells", "Size", "Progress", NULL};
enum { VARIANT, BACKEND, BOUNDARY, RULE, CELLS, SIZE, PROGRESS, OPTIONS };

enum { WORD_BITS = 64 };

/* Rows and columns of cells. */
typedef struct extent {
    size_t rows, cols;
} extent;

static void require_board(operand board, int32_t cells)
{
    int is_bits = cells == GPUMEX_LIFE_CELLS_BITS;
    int is_cells = is_bits ? board.class_id == mxUINT64_CLASS
                           : board.class_id == mxLOGICAL_CLASS || board.class_id == mxUINT8_CLASS;
    const char *rule = is_bits                     ? "a board of bits is a full real matrix of uint64"
                       : board.location == ON_DEVICE ? "on the device it is a full real matrix, logical or uint8"
                                                  : "it is a full real matrix, logical or numeric";
    require(is_full_matrix(board) && is_cells, "invalidBoard", "board", board, rule);
}

/* [rows, cols], which is only given for a board of bits: its last words may have room for more. */
static extent read_size(const mxArray *argument, operand board, int32_t cells)
{
    operand x = read_operand(argument);
    int is_pair = x.location == ON_HOST && x.class_id == mxDOUBLE_CLASS && is_full_real(x) && count_elements(x.ndims, x.dims) == 2;
    require(is_pair, "invalidSize", "Size", x, "it is [rows, columns] of a board of bits");
    const double *given = x.data;
    size_t words = rows(board);
    int fits = cells == GPUMEX_LIFE_CELLS_BITS && is_whole(given[0]) && given[1] == (double)cols(board) &&
               ((size_t)given[0] + WORD_BITS - 1) / WORD_BITS == words;
    if (!fits)
        fail("invalidSize", "Size is [%.17g, %.17g], and board has %zux%zu elements; with 'Cells', 'bits' these are %s", given[0],
             given[1], words, cols(board), "ceil(rows/64) words of uint64 for each column");
    const extent read = {(size_t)given[0], cols(board)};
    return read;
}

static extent extent_of(operand board, int32_t cells, const mxArray *size)
{
    if (size != NULL)
        return read_size(size, board, cells);
    const extent whole = {cells == GPUMEX_LIFE_CELLS_BITS ? rows(board) * WORD_BITS : rows(board), cols(board)};
    return whole;
}

static void read_rule(const mxArray *argument, char *rule, size_t capacity)
{
    int is_word = read_word(argument, rule, capacity);
    require(is_word, "invalidRule", "Rule", read_operand(argument), "it is a word such as B3/S23");
}

/* Raises what gpumex_life reports. The options are at fault where they fail without a board, too. */
static void check_life(session s, const gpumex_life_options *options, int32_t status)
{
    int may_be_rule = status == GPUMEX_STATUS_INVALID_ARGUMENT && options->rule != NULL;
    if (may_be_rule && gpumex_life(s.ctx, options, NULL, 0, 0, 0, NULL) == status)
        fail("invalidRule", "%s", library_message());
    check(s, status);
}

void life_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs < 2 ? nrhs : 2, 2, "[next, ms] = life(board, generations, name, value, ...)");
    const mxArray *values[OPTIONS] = {NULL};
    char rule[64];
    read_options(nrhs - 2, prhs + 2, names, values);
    if (values[PROGRESS] != NULL) /* gpumex.life takes it out */
        fail("invalidProgress", "Progress is for gpumex.life, not for its gateway");
    gpumex_life_options options = GPUMEX_LIFE_OPTIONS_INIT;
    options.cells = read_enum(values[CELLS], "invalidCells", "Cells", cells_of);

    operand board = read_operand(prhs[0]);
    require_board(board, options.cells);
    uint64_t generations = read_integer(prhs[1], "invalidGenerations", "generations");
    options.variant = read_enum(values[VARIANT], "invalidVariant", "variant", variants);
    options.boundary = read_enum(values[BOUNDARY], "invalidBoundary", "boundary", boundaries);
    extent size = extent_of(board, options.cells, values[SIZE]);
    if (values[RULE] != NULL) {
        read_rule(values[RULE], rule, sizeof rule);
        options.rule = rule;
    }
    session s = open_session(values[BACKEND]);

    result next = new_result(s, board.location, board.class_id, board.ndims, board.dims);
    if (is_of_ranks(s)) {
        int32_t status = gpumex_comm_life(ranks_of(s), &options, board.data, size.cols, size.rows, generations, next.data);
        check_ranks(s, status, "cols is", "the number of rows is");
    } else {
        check_life(s, &options, gpumex_life(s.ctx, &options, board.data, size.cols, size.rows, generations, next.data));
    }
    plhs[0] = to_mxarray(next);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
