function words = pack_board(board)
%PACK_BOARD  A board of Life with 64 cells in each word.
%   WORDS = gpumex.pack_board(BOARD) returns a logical or numeric matrix as the
%   packed board that gpumex.life takes with 'Cells', 'bits':
%   ceil(size(BOARD, 1)/64)-by-size(BOARD, 2) of uint64. Bit b of WORDS(w, j),
%   from 0, is 1 where BOARD(64*(w - 1) + b + 1, j) is not 0.
%
%   Example:
%      board = rand(1000) > 0.75;
%      words = gpumex.array(gpumex.pack_board(board));
%      words = gpumex.life(words, 1e4, 'Cells', 'bits', 'Size', size(board));
%      board = gpumex.unpack_board(gather(words), size(board, 1));
%
%   Errors: gpumex:pack_board:invalidBoard.
%
%   See also gpumex.unpack_board, gpumex.life.

if nargin ~= 1 || isa(board, 'gpumex.array') || ~(islogical(board) || isnumeric(board)) || ndims(board) ~= 2
    error('gpumex:pack_board:invalidBoard', 'gpumex.pack_board: board is a logical or numeric matrix');
end
if ~islogical(board) || issparse(board)
    board = full(board ~= 0);
end
words = gpumex_call('pack_board', {board}, {}, {});
end
