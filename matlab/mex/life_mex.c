/* life_mex.c - [next, ms] = life_mex(board, generations, variant, backend), the gateway behind gpumex.life.
 *
 * board: logical or uint8 matrix; next has its class. The library takes MATLAB's columns for rows, so it plays on the
 * transposed board; Life is its own transpose. */

#define FUNCTION "life"
#include "gateway.h"

static const choice variants[] = {{"auto", GPUMEX_LIFE_VARIANT_AUTO},
                                  {"sequential", GPUMEX_LIFE_VARIANT_SEQUENTIAL},
                                  {"arrays", GPUMEX_LIFE_VARIANT_ARRAYS},
                                  {"shmem", GPUMEX_LIFE_VARIANT_SHMEM},
                                  {"texture", GPUMEX_LIFE_VARIANT_TEXTURE},
                                  {NULL, 0}};

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    begin(nlhs, 2, nrhs, 4, "[next, ms] = life_mex(board, generations, variant, backend)");
    const mxArray *board = prhs[0];
    int is_board = is_matrix(board) && (mxIsLogical(board) || mxIsUint8(board));
    require(is_board, "invalidBoard", "board", board, "it is a full real matrix, logical or numeric");
    uint64_t generations = whole_number(prhs[1], "invalidGenerations", "generations");
    gpumex_life_options options = {.size = sizeof options};
    options.variant = choose(prhs[2], "invalidVariant", "variant", variants);
    session s = open_session(prhs[3]);

    size_t rows = mxGetM(board), cols = mxGetN(board);
    plhs[0] = mxIsLogical(board) ? mxCreateLogicalMatrix((mwSize)rows, (mwSize)cols)
                                 : mxCreateNumericMatrix((mwSize)rows, (mwSize)cols, mxUINT8_CLASS, mxREAL);
    check(s, gpumex_life(s.ctx, &options, mxGetData(board), cols, rows, generations, mxGetData(plhs[0])));
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
