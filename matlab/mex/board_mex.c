/* board_mex.c - the gateways behind gpumex.pack_board and gpumex.unpack_board, boards of Life with a bit a cell:
 *
 *   words = pack_board(board)            board: logical or uint8, any cell that is not 0 is alive
 *   board = unpack_board(words, rows)    board: logical
 *
 * Bit b of words(w, j), from 0, is board(64*(w - 1) + b + 1, j); bits beyond the last row are 0. Eight cells at a time, as bytes of a word. */

#include <string.h>

#include "gateway.h"

enum { WORD_BITS = 64 };

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Bit k <- whether byte k is not 0: the product moves bit 8k to bit 56 + k. */
static uint64_t pack_eight(uint64_t cells)
{
    uint64_t alive = (((cells & EACH_BYTE(0x7F)) + EACH_BYTE(0x7F)) | cells) >> 7 & EACH_BYTE(1);
    return alive * UINT64_C(0x0102040810204080) >> 56;
}

/* Byte k <- bit k: it is alone in its byte, and the sum carries it to the top. */
static uint64_t unpack_eight(uint64_t bits)
{
    uint64_t alone = EACH_BYTE(bits) & UINT64_C(0x8040201008040201);
    return (alone + EACH_BYTE(0x7F)) >> 7 & EACH_BYTE(1);
}

static void pack_column(const uint8_t *cells, size_t rows, uint64_t *words)
{
    for (size_t row = 0; row < rows; row += 8) {
        uint64_t eight = 0;
        memcpy(&eight, cells + row, rows - row < 8 ? rows - row : 8);
        uint64_t bits = pack_eight(eight) << row % WORD_BITS;
        words[row / WORD_BITS] = row % WORD_BITS == 0 ? bits : words[row / WORD_BITS] | bits;
    }
}

static void unpack_column(const uint64_t *words, size_t rows, uint8_t *cells)
{
    for (size_t row = 0; row < rows; row += 8) {
        uint64_t eight = unpack_eight(words[row / WORD_BITS] >> row % WORD_BITS & 0xFF);
        memcpy(cells + row, &eight, rows - row < 8 ? rows - row : 8);
    }
}

void pack_board_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 1, "words = pack_board(board)");
    operand board = read_operand(prhs[0]);
    int is_board = board.location == ON_HOST && is_full_matrix(board) && element_bytes(board.class_id) == 1;
    require(is_board, "invalidBoard", "board", board, "it is a full real matrix of the host, logical or numeric");
    const mwSize dims[2] = {(mwSize)((rows(board) + WORD_BITS - 1) / WORD_BITS), (mwSize)cols(board)};
    plhs[0] = new_unset_array(mxUINT64_CLASS, 2, dims);
    for (size_t j = 0; j < cols(board); j++)
        pack_column((const uint8_t *)board.data + j * rows(board), rows(board), (uint64_t *)mxGetData(plhs[0]) + j * (size_t)dims[0]);
}

void unpack_board_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 2, "board = unpack_board(words, rows)");
    operand words = read_operand(prhs[0]);
    int is_packed = words.location == ON_HOST && is_full_matrix(words) && words.class_id == mxUINT64_CLASS;
    require(is_packed, "invalidWords", "words", words, "it is a matrix of uint64 of the host");
    uint64_t height = read_integer(prhs[1], "invalidRows", "rows");
    if (height > UINT64_MAX - WORD_BITS || (height + WORD_BITS - 1) / WORD_BITS != rows(words))
        fail("invalidRows", "rows is %.0f; it fits %zu words for each column", (double)height, rows(words));
    const mwSize dims[2] = {(mwSize)height, (mwSize)cols(words)};
    plhs[0] = new_unset_array(mxLOGICAL_CLASS, 2, dims);
    for (size_t j = 0; j < cols(words); j++)
        unpack_column((const uint64_t *)words.data + j * rows(words), (size_t)height, (uint8_t *)mxGetData(plhs[0]) + j * (size_t)height);
}
