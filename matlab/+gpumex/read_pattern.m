function [board, info] = read_pattern(file)
%READ_PATTERN  Read a pattern of Life from a file.
%   BOARD = gpumex.read_pattern(FILE) returns the pattern in FILE as a logical
%   matrix, as it looks on the screen: BOARD(i, j) is row i, column j. FILE is
%   RLE (run-length encoded, as Golly and the collections on the Web have it) or
%   Life 1.06; which of the two, its first line says. A pattern of RLE is as
%   large as its header says, one of Life 1.06 as its live cells are.
%
%   [BOARD, INFO] = gpumex.read_pattern(FILE) also returns what the file says:
%      Format      'rle' or 'life106'
%      Rule        in B/S notation; 'B3/S23' where it states none
%      Boundary    'torus' where the rule ends with :T, 'dead' where it ends with
%                  :P, 'clamp' (the default of gpumex.life) where it states none
%      Name        of its line #N, else ''
%      Population  how many cells are alive
%      BoardSize   rows and columns after :T or :P, [0 0] where it states none
%      Origin      row and column of the upper left cell where it states them,
%                  else [0 0]
%
%   Example:
%      pattern = gpumex.read_pattern('gosper.rle');
%      board = false(200);
%      board(51:50 + size(pattern, 1), 51:50 + size(pattern, 2)) = pattern;
%      imagesc(gpumex.life(board, 300))
%
%   Errors: gpumex:read_pattern:badFile (what is wrong, with line and column),
%   noFile (it cannot be opened), invalidFile (no file name), argumentCount,
%   outOfMemory.
%
%   See also gpumex.write_pattern, gpumex.life.

if nargin ~= 1
    error('gpumex:read_pattern:argumentCount', 'gpumex.read_pattern: needs the name of a file');
end
if isa(file, 'string') && isscalar(file)
    file = char(file);
end
if ~ischar(file) || size(file, 1) ~= 1
    error('gpumex:read_pattern:invalidFile', 'gpumex.read_pattern: the name of a file is a char row');
end
text = bytes_of(file);
try
    [board, info] = gpumex_call('read_pattern', {text}, {}, {});
catch problem
    name = 'gpumex.read_pattern: ';
    error(problem.identifier, '%s', strrep(problem.message, name, [name file ': ']));
end
board = board.';
end

function bytes = bytes_of(file)
[id, message] = fopen(file, 'r');
if id < 0
    error('gpumex:read_pattern:noFile', 'gpumex.read_pattern: %s: %s', file, message);
end
bytes = fread(id, Inf, '*uint8');
fclose(id);
end
