/* life_mex.c - [next, ms] = life(board, generations, variant, backend), the gateway behind gpumex.life.
 *
 * board: logical or uint8 matrix; next has its class and lies where it does. The library takes MATLAB's columns for rows, so it
 * plays on the transposed board; Life is its own transpose. */

#include "gateway.h"

static const choice variants[] = {{"auto", GPUMEX_LIFE_VARIANT_AUTO},
                                  {"sequential", GPUMEX_LIFE_VARIANT_SEQUENTIAL},
                                  {"arrays", GPUMEX_LIFE_VARIANT_ARRAYS},
                                  {"shmem", GPUMEX_LIFE_VARIANT_SHMEM},
                                  {"texture", GPUMEX_LIFE_VARIANT_TEXTURE},
                                  {NULL, 0}};

void life_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    expect(nlhs, 2, nrhs, 4, "[next, ms] = life(board, generations, variant, backend)");
    operand board = read_operand(prhs[0]);
    int is_cells = board.class_id == mxLOGICAL_CLASS || board.class_id == mxUINT8_CLASS;
    const char *rule = board.place == ON_DEVICE ? "on the device it is a full real matrix, logical or uint8"
                                                : "it is a full real matrix, logical or numeric";
    require(is_full_matrix(board) && is_cells, "invalidBoard", "board", board, rule);
    uint64_t generations = whole_number(prhs[1], "invalidGenerations", "generations");
    gpumex_life_options options = {.size = sizeof options};
    options.variant = choose(prhs[2], "invalidVariant", "variant", variants);
    session s = open_session(prhs[3]);

    result next = new_result(s, board.place, board.class_id, board.ndims, board.dims);
    check(s, gpumex_life(s.ctx, &options, board.data, cols(board), rows(board), generations, next.data));
    plhs[0] = deliver(next);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
