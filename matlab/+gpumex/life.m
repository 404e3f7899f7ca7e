function varargout = life(board, generations, varargin)
%LIFE  Conway's Game of Life.
%   NEXT = gpumex.life(BOARD, GENERATIONS) returns BOARD after GENERATIONS
%   steps. BOARD is a real, full matrix of any size, logical or numeric; every
%   cell that is not 0 is alive, and NaN is an error. NEXT has the size and the
%   class of BOARD, and its cells are 0 or 1. Logical and uint8 boards are used
%   as they are; other classes are converted, which takes a copy each way.
%   GENERATIONS is a whole number; 0 returns the board,
%   with cells other than 0 as 1.
%
%   The edges are clamped, as in the published example: the neighbour of an
%   edge cell outside the board is the edge cell nearest to it. An edge cell
%   thus counts itself once and a corner three times.
%
%   NEXT = gpumex.life(..., 'Variant', VARIANT) chooses how it is computed; the
%   cells are the same:
%      'auto'        the best one (default)
%      'sequential'  a plain loop over the cells on one core, CPU backend only
%      'arrays'      array at a time, as MATLAB adds shifted boards
%      'shmem'       tiles with a halo in the GPU's shared memory
%      'texture'     the board fetched through the GPU's texture memory
%   On the CPU backend the last three are computed as 'auto' is.
%
%   NEXT = gpumex.life(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one,
%   else the CPU), 'cpu', or 'cuda'.
%
%   A gpumex.array as BOARD, logical or uint8, gives NEXT as a gpumex.array.
%
%   [NEXT, MS] = gpumex.life(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Example:
%      board = false(5);
%      board(3, 2:4) = true;          % three in a row ...
%      gpumex.life(board, 1)          % ... become a column
%
%   Errors: gpumex:life:argumentCount, invalidBoard, invalidGenerations,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.read_pattern, gpumex.write_pattern, pctdemo_life_mex_shmem,
%   pctdemo_life_mex_texture, paralleldemo_gpumex, gpumex.info.

if nargin < 2
    error('gpumex:life:argumentCount', 'gpumex.life: needs a board and a number of generations');
end
% MS is fetched when it is asked for: it waits for the device.
[varargout{1:max(nargout, 1)}] = gpumex_call('life', {as_cells(board), generations}, {'Variant', 'Backend'}, varargin);
if isa(board, 'gpuArray')
    varargout{1} = cast(varargout{1}, 'like', board);
elseif ~isa(varargout{1}, class(board))
    varargout{1} = cast(varargout{1}, class(board));
end
end

function board = as_cells(board)
% Numbers that the gateway does not take as logicals; the gateway refuses the rest.
if isnumeric(board) && isreal(board) && ~issparse(board) && ndims(board) == 2 && ~holds_bytes(board)
    if any(isnan(board(:)))
        error('gpumex:life:invalidBoard', 'gpumex.life: board holds NaN; a cell is 0 or another number');
    end
    board = board ~= 0;
end
end

function tf = holds_bytes(board)
tf = isa(board, 'uint8') || (isa(board, 'gpuArray') && strcmp(classUnderlying(board), 'uint8'));
end
