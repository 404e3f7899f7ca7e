function [next, ms] = life(board, generations, varargin)
%LIFE  Conway's Game of Life, and its relatives.
%   NEXT = gpumex.life(BOARD, GENERATIONS) returns BOARD after GENERATIONS
%   steps. BOARD is a real, full matrix of any size, logical or numeric; every
%   cell that is not 0 is alive, and NaN is an error. NEXT has the size and the
%   class of BOARD, and its cells are 0 or 1. Logical and uint8 boards are used
%   as they are; other classes are converted, which takes a copy each way.
%   GENERATIONS is a whole number, up to 2^53, as a uint64 scalar up to 2^64 - 1;
%   0 returns the board, with cells other than 0 as 1.
%
%   NEXT = gpumex.life(..., 'Boundary', BOUNDARY) chooses what is around the board:
%      'clamp'  the neighbour of an edge cell outside is the edge cell nearest to
%               it, as in the published example (default): an edge cell counts
%               itself once and a corner three times
%      'dead'   dead cells, which stay dead whatever the rule
%      'torus'  the opposite edge
%
%   NEXT = gpumex.life(..., 'Rule', RULE) plays by another rule in B/S notation:
%   'B36/S23' has cells born with 3 or 6 live neighbours, and alive with 2 or 3.
%   The default is 'B3/S23'.
%
%   NEXT = gpumex.life(..., 'Variant', VARIANT) chooses how it is computed; the
%   cells are the same:
%      'auto'           the best one (default)
%      'registers'      64-bit words of cells in the GPU's registers, many
%                       generations at a time
%      'cluster'        a small board on a cluster of multiprocessors, all
%                       generations in one launch
%      'shmem'          tiles of bits in shared memory, many generations at a time
%      'texture'        boards of bits through texture memory
%      'shmem_bytes'    as textbooks have it: tiles of bytes with a halo in shared
%                       memory, a launch for each generation
%      'texture_bytes'  as textbooks have it: bytes through texture memory
%      'arrays'         array at a time, as MATLAB adds shifted boards
%      'sequential'     a plain loop over the cells on one core, CPU backend only
%   The textbooks' and 'arrays' know the default rule and boundary only. On the CPU
%   backend all but 'sequential' are computed as 'auto' is.
%
%   NEXT = gpumex.life(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one,
%   else the CPU), 'cpu', or 'cuda'.
%
%   NEXT = gpumex.life(..., 'Progress', PROGRESS) calls PROGRESS(DONE, TOTAL), a
%   function handle, about 20 times a second with numbers of generations. Where it
%   returns true, or a number other than 0, the run ends with the error
%   gpumex:life:cancelled; it need not return anything. It may use gpumex itself.
%   Its errors end the run, and so does Ctrl-C. Between the calls the board stays
%   on the device, where it takes two boards.
%
%   NEXT = gpumex.life(WORDS, ..., 'Cells', 'bits', 'Size', [ROWS COLS]) plays on a
%   packed board, an eighth of the size: WORDS is ceil(ROWS/64)-by-COLS of uint64,
%   and bit b of WORDS(w, j), from 0, is the cell (64*(w - 1) + b + 1, j). So is
%   NEXT, and bits beyond ROWS are ignored in WORDS and 0 in NEXT. Without 'Size'
%   there are none. gpumex.pack_board and gpumex.unpack_board convert.
%
%   A gpumex.array as BOARD, logical or uint8 or such words, gives NEXT as a
%   gpumex.array.
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
%   invalidOption, invalidVariant, invalidBackend, invalidBoundary, invalidRule,
%   invalidProgress, invalidCells, invalidSize, cancelled, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.read_pattern, gpumex.write_pattern, gpumex.pack_board,
%   pctdemo_life_mex_shmem, pctdemo_life_mex_texture, paralleldemo_gpumex, gpumex.info.

persistent gateway raise
try
    if nargout < 2
        next = gateway('life', board, generations, varargin{:});
        return
    end
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('life');
    else                                        % what the way below serves, or refuses
        raise('life', problem);
    end
end
if nargin < 2
    error('gpumex:life:argumentCount', 'gpumex.life: needs a board and a number of generations');
end
cells = as_cells(board, varargin);
if place_of('Progress', varargin) > 0
    [next, ms] = play_in_parts(cells, generations, varargin);
elseif nargout < 2
    next = play(cells, generations, varargin);
else
    [next, ms] = play(cells, generations, varargin);    % MS waits for the device
end
if isa(board, 'gpuArray')
    next = cast(next, 'like', board);
elseif ~isa(next, class(board))
    next = cast(next, class(board));
end
end

function varargout = play(board, generations, options)
[varargout{1:nargout}] = gpumex_call('life', [{board, generations}, options], {}, {});
end

function board = as_cells(board, options)
% Numbers that the gateway does not take as logicals; the gateway refuses the rest.
is_of_host = ~isa(board, 'gpumex.array');
if is_of_host && isnumeric(board) && isreal(board) && ~issparse(board) && ndims(board) == 2 && ~holds_cells(board, options)
    if any(isnan(board(:)))
        error('gpumex:life:invalidBoard', 'gpumex.life: board holds NaN; a cell is 0 or another number');
    end
    board = board ~= 0;
end
end

function tf = holds_cells(board, options)
at = place_of('Cells', options);
is_packed = at > 0 && at < numel(options) && is_word('bits', options{at + 1});
tf = is_packed || isa(board, 'uint8') || (isa(board, 'gpuArray') && strcmp(classUnderlying(board), 'uint8'));
end

function [next, ms] = play_in_parts(board, generations, options)
% Parts of about 50 ms, with nothing of the library at work while PROGRESS is: it may end with an error or by Ctrl-C.
[progress, options] = take_progress(options);
play(false(0), generations, {});                 % refuses a bad number
next = play(board, 0, options);                 % refuses all else
is_on_host = ~isa(next, 'gpumex.array') && ~isa(next, 'gpuArray');
if is_on_host
    next = on_device(next, options);
end

[done, total, part, ms] = deal(uint64(0), uint64(generations), uint64(1), 0);
while done < total
    part = min(part, total - done);
    start = tic;
    [next, took] = play(next, part, options);
    ms = ms + took;
    done = done + part;
    if is_over(progress, double(done), double(total))
        error('gpumex:life:cancelled', 'gpumex.life: Progress ended it after %.0f of %.0f generations', done, total);
    end
    part = next_part(part, toc(start));
end
if is_on_host
    next = gather(next);
end
end

function at = place_of(name, options)
% Where the name of an option is; 0 where it is not given.
at = 0;
for k = numel(options) - 1 + mod(numel(options), 2):-2:1
    if is_word(name, options{k})
        at = k;
    end
end
end

function tf = is_word(word, x)
tf = (ischar(x) || isa(x, 'string') && isscalar(x)) && strcmpi(word, char(x));
end

function [progress, options] = take_progress(options)
at = place_of('Progress', options);
if at == numel(options) || ~isa(options{at + 1}, 'function_handle')
    error('gpumex:life:invalidProgress', 'gpumex.life: Progress is a function handle');
end
progress = options{at + 1};
options(at:at + 1) = [];
end

function part = next_part(part, seconds)
if seconds < 0.025
    part = 2 * part;
elseif seconds > 0.1
    part = max(part / 2, 1);
end
end

function A = on_device(board, options)
at = place_of('Backend', options);
where = options([]);
if at > 0
    where = options(at:at + 1);
end
A = gpumex.array(board, where{:});
end

function stop = is_over(progress, done, total)
% A function that returns nothing leaves ans as it is.
ans = false; %#ok<NOANS>
progress(done, total);
stop = (islogical(ans) || isnumeric(ans)) && any(ans(:) ~= 0);
end
