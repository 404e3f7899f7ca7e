/* pattern_mex.c - [board, info] = read_pattern(text) and text = write_pattern(board, rule, format, boundary), the gateways
 * behind gpumex.read_pattern and gpumex.write_pattern.
 *
 * text: uint8 row. board: logical, a column for each row of the pattern; the functions in M transpose it. */

#include <string.h>

#include "gateway.h"

static const enumerator boundaries[] = {{"auto", GPUMEX_LIFE_BOUNDARY_CLAMP},
                                        {"clamp", GPUMEX_LIFE_BOUNDARY_CLAMP},
                                        {"dead", GPUMEX_LIFE_BOUNDARY_DEAD},
                                        {"torus", GPUMEX_LIFE_BOUNDARY_TORUS},
                                        {NULL, 0}};

static const enumerator formats[] = {{"auto", GPUMEX_PATTERN_FORMAT_RLE},
                                     {"rle", GPUMEX_PATTERN_FORMAT_RLE},
                                     {"life106", GPUMEX_PATTERN_FORMAT_LIFE106},
                                     {NULL, 0}};

static const session no_session;

/* The last word of this number: 'auto' is the first one of its own. */
static const char *word_of(int32_t number, const enumerator *enumerators)
{
    const char *word = "";
    for (; enumerators->word != NULL; enumerators++)
        if (enumerators->number == number)
            word = enumerators->word;
    return word;
}

/* Raises what is wrong with a text, by line and column. */
static void check_text(int32_t status)
{
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT)
        fail("badFile", "%s", library_message());
    check(no_session, status);
}

static void set_pair(mxArray *target, const char *field, double first, double second)
{
    mxArray *pair = mxCreateDoubleMatrix(1, 2, mxREAL);
    double *numbers = mxGetData(pair);
    numbers[0] = first;
    numbers[1] = second;
    set(target, field, pair);
}

static mxArray *structure_of(const gpumex_pattern_info *info)
{
    mxArray *made = mxCreateStructMatrix(1, 1, 0, NULL);
    set_text(made, "Format", word_of(info->format, formats));
    set_text(made, "Rule", info->rule);
    set_text(made, "Boundary", word_of(info->boundary, boundaries));
    set_text(made, "Name", info->name);
    set_number(made, "Population", (double)info->population);
    set_pair(made, "BoardSize", (double)info->board_rows, (double)info->board_cols);
    set_pair(made, "Origin", (double)info->row, (double)info->col);
    return made;
}

void read_pattern_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 1, "[board, info] = read_pattern(text)");
    operand text = read_operand(prhs[0]);
    int is_text = text.location == ON_HOST && text.class_id == mxUINT8_CLASS && is_full_real(text);
    require(is_text, "invalidText", "text", text, "it is a full array of uint8 on the host");
    size_t length = count_elements(text.ndims, text.dims);
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    check_text(gpumex_pattern_inspect(text.data, length, &info));
    const size_t most = (size_t)1 << 47; /* as far as addresses reach */
    if (info.rows > most || info.cols > most || (info.rows > 0 && info.cols > most / info.rows))
        fail("outOfMemory", "no memory for a board of %zu x %zu cells", info.rows, info.cols);

    const mwSize dims[] = {(mwSize)info.cols, (mwSize)info.rows};
    plhs[0] = new_host_array(mxLOGICAL_CLASS, 2, dims);
    check_text(gpumex_pattern_read(text.data, length, GPUMEX_LIFE_CELLS_BYTES, 0, 0, mxGetData(plhs[0]), info.rows, info.cols));
    if (nlhs > 1)
        plhs[1] = structure_of(&info);
}

void write_pattern_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "text = write_pattern(board, rule, format, boundary)");
    operand board = read_operand(prhs[0]);
    int is_board = board.location == ON_HOST && board.class_id == mxLOGICAL_CLASS && is_full_matrix(board);
    require(is_board, "invalidBoard", "board", board, "it is a full real matrix, logical or numeric");
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    int is_word = mxIsChar(prhs[1]) && mxGetM(prhs[1]) == 1 && mxGetString(prhs[1], info.rule, sizeof info.rule) == 0;
    require(is_word, "invalidRule", "rule", read_operand(prhs[1]), "it is a word such as B3/S23");
    if (strcmp(info.rule, "auto") == 0)
        info.rule[0] = '\0';
    info.format = read_enum(prhs[2], "invalidFormat", "format", formats);
    info.boundary = read_enum(prhs[3], "invalidBoundary", "boundary", boundaries);

    const int32_t bytes = GPUMEX_LIFE_CELLS_BYTES;
    uint64_t needed = 0;
    int32_t status = gpumex_pattern_write(&info, bytes, board.data, cols(board), rows(board), NULL, 0, &needed);
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT)
        fail("invalidRule", "%s", library_message());
    check(no_session, status);
    plhs[0] = mxCreateNumericMatrix(1, (mwSize)needed, mxUINT8_CLASS, mxREAL);
    char *text = mxGetData(plhs[0]);
    check(no_session, gpumex_pattern_write(&info, bytes, board.data, cols(board), rows(board), text, (size_t)needed, &needed));
    mxSetN(plhs[0], (mwSize)(needed - 1)); /* without the NUL */
}
