function write_pattern(file, board, varargin)
%WRITE_PATTERN  Write a board of Life to a file, as a pattern.
%   gpumex.write_pattern(FILE, BOARD) writes BOARD, a real, full matrix, logical
%   or numeric, whose cells other than 0 are alive; NaN is an error. A
%   gpumex.array or gpuArray is gathered. A file that is there is replaced.
%
%   gpumex.write_pattern(..., 'Format', FORMAT) chooses how it is written:
%      'auto'     'life106' where FILE ends with .lif or .life, else 'rle'
%      'rle'      run-length encoded, with the board's size, rule and boundary
%      'life106'  the coordinates of the live cells alone, from row 0 and column 0 on
%
%   gpumex.write_pattern(..., 'Rule', RULE) states another rule than 'B3/S23',
%   such as 'B36/S23' or '23/36'.
%
%   gpumex.write_pattern(..., 'Boundary', BOUNDARY) states what lies outside the
%   board: 'torus' writes :T after the rule, 'dead' :P, and 'clamp' (default),
%   for which RLE has no sign, nothing.
%
%   Example:
%      gpumex.write_pattern('glider.rle', [0 1 0; 0 0 1; 1 1 1])
%      type glider.rle
%
%   Errors: gpumex:write_pattern:argumentCount, invalidFile, noFile (it cannot
%   be opened or written), invalidBoard, invalidRule, invalidFormat,
%   invalidBoundary, invalidOption, outOfMemory.
%
%   See also gpumex.read_pattern, gpumex.life.

if nargin < 2
    error('gpumex:write_pattern:argumentCount', 'gpumex.write_pattern: needs the name of a file and a board');
end
if isa(file, 'string') && isscalar(file)
    file = char(file);
end
if ~ischar(file) || size(file, 1) ~= 1
    error('gpumex:write_pattern:invalidFile', 'gpumex.write_pattern: the name of a file is a char row');
end
if isa(board, 'gpumex.array') || isa(board, 'gpuArray')
    board = gather(board);
end
if ~isempty(regexpi(file, '\.life?$', 'once'))
    varargin = [{'Format', 'life106'}, varargin];       % the last one of an option counts
end
text = gpumex_call('write_pattern', {as_cells(board)}, {'Rule', 'Format', 'Boundary'}, varargin);
save_bytes(file, text);
end

function board = as_cells(board)
% A matrix of numbers as logicals, and its rows as columns; the gateway refuses the rest.
if ~isa(board, 'gpumex.array') && (isnumeric(board) || islogical(board)) && isreal(board) && ~issparse(board) && ndims(board) == 2
    if any(isnan(board(:)))
        error('gpumex:write_pattern:invalidBoard', ...
            'gpumex.write_pattern: board holds NaN; a cell is 0 or another number');
    end
    board = (board ~= 0).';
end
end

function save_bytes(file, bytes)
[id, message] = fopen(file, 'w');
if id < 0
    error('gpumex:write_pattern:noFile', 'gpumex.write_pattern: %s: %s', file, message);
end
written = fwrite(id, bytes, 'uint8');
closed = fclose(id);
if written ~= numel(bytes) || closed ~= 0
    error('gpumex:write_pattern:noFile', 'gpumex.write_pattern: %s: it cannot be written', file);
end
end
