function board = unpack_board(words, rows)
%UNPACK_BOARD  The cells of a packed board of Life.
%   BOARD = gpumex.unpack_board(WORDS, ROWS) returns the logical matrix with ROWS
%   rows of which gpumex.pack_board makes WORDS. Without ROWS every bit of the
%   words is a cell.
%
%   Example:
%      board = logical([0 1 0; 0 1 0; 0 1 0]);
%      words = gpumex.pack_board(board);               % [0 7 0], a word for each column
%      isequal(gpumex.unpack_board(words, 3), board)   % true
%
%   Errors: gpumex:unpack_board:invalidWords, invalidRows.
%
%   See also gpumex.pack_board, gpumex.life.

if nargin < 1 || ~isa(words, 'uint64') || ndims(words) ~= 2
    error('gpumex:unpack_board:invalidWords', 'gpumex.unpack_board: words is a uint64 matrix');
end
height = size(words, 1);
if nargin < 2
    rows = 64 * height;
end
if ~isnumeric(rows) || ~isscalar(rows) || rows < 0 || rows ~= fix(rows) || ceil(rows / 64) ~= height
    error('gpumex:unpack_board:invalidRows', ...
        'gpumex.unpack_board: rows is a whole number that fits %d words for each column', height);
end
board = gpumex_call('unpack_board', {words, double(rows)}, {}, {});
end
