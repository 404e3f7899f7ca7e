classdef comm
%COMM  A communicator: this process among several, each of which has a part of the data.
%   C = gpumex.comm makes this process, a rank, one of a group, and all processes
%   of the group call it. A program that `mpirun -n 4 octave-cli program.m` starts
%   has four ranks, a block spmd of MATLAB as many as there are workers, and any
%   other program one. C.rank is the number of this rank, from 0, and C.ranks how
%   many there are; C.transport is 'mpi', 'spmd' or 'alone'.
%
%   The methods compute what the function gpumex.NAME does with all the data, of
%   which each rank gives its part, and take the options of that function but
%   'Backend'. All ranks call the same methods in the same order. The parts of a
%   vector are vectors after one another, those of a matrix are columns: the
%   whole is [A0 A1 A2 ...]. They may have different sizes, and be empty.
%
%      NEXT = C.life(BOARD, GENERATIONS)  the columns of this rank
%      COUNTS = C.histogram(DATA, ...)    on all ranks
%      Y = C.reduce(X, OP)                on all ranks
%      D = C.dot_product(X, Y)            on all ranks
%      [Y, TOTAL] = C.scan(X, OP, ...)    the running results of this part, and on
%                                         all ranks all elements in one
%      [B, I] = C.sort_keys(A, ...)       as many of all elements as A has; I says
%                                         where they were in the whole
%      [K, V] = C.sort_by_key(KEYS, VALUES, ...)
%      [WORDS, COUNTS, SUMMARY] = C.words(TEXT, K)    on all ranks; a part may end
%                                         within a word
%      C3 = C.matmul(C1, C2)              the columns of C1*C2 of this rank, from
%                                         its columns of C1 and of C2
%
%   Boards, counts, sorted elements, words and results of integers have the bits
%   that one rank gives; sums of floating-point numbers differ by rounding. What
%   one rank alone has is an error here: 'Progress', a dimension, NaN flags,
%   'reverse', and sums and products of integers that saturate: of several ranks
%   they wrap around, and 'Overflow', 'wrap' has to say so. 'min' and 'max' of no
%   element are the largest and the smallest integer, or NaN.
%
%   C = gpumex.comm(TRANSPORT) is
%      'auto'   'spmd' in a block spmd, 'mpi' where a launcher of MPI started the
%               process, else 'alone' (default)
%      'mpi'    all processes of MPI. Needed is a library of gpumex for the MPI
%               whose launcher it is, which build_gpumex_mpi builds; the
%               environment variable GPUMEX_MPI has its path, or 'openmpi' or
%               'mpich', where another one is wanted. MPI is initialised here
%               unless it is already, and finalised when the process ends. Each
%               rank takes another GPU of its machine, unless one was chosen.
%      'spmd'   the workers of MATLAB's spmd, each on a GPU of its own. NCCL
%               connects them; libnccl.so.2 has to be there.
%      'alone'  this process, as the only rank
%
%   C = gpumex.comm(..., 'Timeout', SECONDS) sets how long a call waits for the
%   other ranks in one step; 300 is the default. 'Halo', COLUMNS sets how many
%   columns C.life exchanges at once, which else follows from the cost.
%
%   C = gpumex.comm(..., 'Backend', BACKEND) chooses where this rank computes:
%   'auto' (default; the environment variable GPUMEX_BACKEND, else a GPU where
%   there is one, else the CPU), 'cpu', or 'cuda'.
%
%   An error on one rank is one on all of them: the others have the id
%   gpumex:NAME:peer, and a message with the number of that rank and its reason.
%   Ranks that differ in an option or a size that has to be the same have
%   gpumex:NAME:invalidArgument. C can be used further. Where a rank does not
%   come, the others have gpumex:NAME:timeout or peer, and C is of no more use,
%   but the process is. Ctrl-C ends the call of this rank.
%
%   The communicator ends with the last copy of C: when it is cleared, assigned
%   to, or goes out of scope; one of 'auto' is of no more use after
%   gpumex.reset_default. A program that ends with an error ends all ranks of
%   mpirun. Loaded from a file, or sent to another process, C is no communicator,
%   and its use is the error gpumex:comm:stale.
%
%   Examples:
%      c = gpumex.comm;
%      x = c.rank + (1:3);                % the part of this rank
%      c.reduce(x, 'sum')                 % 9 on one rank
%      [sorted, from] = c.sort_keys([3 1 2]);
%
%      % The columns of this rank, of 100:
%      last = round(100 * (c.rank + 1) / c.ranks);
%      first = round(100 * c.rank / c.ranks) + 1;
%      board = rand(100, last - first + 1) > 0.5;
%      board = c.life(board, 50, 'Boundary', 'torus');
%      alive = c.reduce(double(board), 'sum');
%
%   Errors: gpumex:comm:invalidTransport, invalidOption, invalidBackend,
%   invalidTimeout, invalidHalo, noMpi, noId, stale, tooMany, and the states of the
%   library: noDevice, unsupported, outOfMemory, cuda, busy, cancelled, peer,
%   timeout, internal; of the methods those of their functions.
%
%   See also gpumex.array, gpumex.device, build_gpumex_mpi, spmd.

properties (SetAccess = private)
    rank        % the number of this rank, from 0
    ranks       % how many there are
    transport   % 'mpi', 'spmd' or 'alone'
end

properties (Access = private, Transient = true)
    handle      % the gateway's handle of the communicator, a structure
    cleanup     % ends it with the last copy of the object
end

methods
    function c = comm(varargin)
        [c.transport, options] = take_transport(varargin);
        names = {'Backend', 'Timeout', 'Halo'};
        if strcmp(c.transport, 'spmd')
            made = connect_workers(names, options);
        else
            made = gpumex_call('comm', {c.transport}, names, options);
        end
        c.rank = made.Rank;
        c.ranks = made.Ranks;
        c.handle = made;
        c.cleanup = onCleanup(@() gpumex_call('comm', {'free', made}, {}, {}));
    end

    function next = life(c, varargin)
        next = call_on_ranks(c, @life_on_ranks, 'life', 2, varargin);
    end

    function counts = histogram(c, varargin)
        counts = call_on_ranks(c, @gpumex.histogram, 'histogram', 1, varargin);
    end

    function y = reduce(c, varargin)
        y = call_on_ranks(c, @gpumex.reduce, 'reduce', 2, varargin);
    end

    function d = dot_product(c, varargin)
        d = call_on_ranks(c, @gpumex.dot_product, 'dot_product', 2, varargin);
    end

    function varargout = scan(c, varargin)
        [varargout{1:max(nargout, 1)}] = call_on_ranks(c, @gpumex.scan, 'scan', 2, varargin);
    end

    function varargout = sort_keys(c, varargin)
        [varargout{1:max(nargout, 1)}] = call_on_ranks(c, @sort_on_ranks, 'sort_keys', 1, varargin);
    end

    function [keys, values] = sort_by_key(c, varargin)
        [keys, values] = call_on_ranks(c, @gpumex.sort_by_key, 'sort_by_key', 2, varargin);
    end

    function varargout = words(c, varargin)
        [varargout{1:max(nargout, 1)}] = call_on_ranks(c, @gpumex.words, 'words', 1, varargin);
    end

    function product = matmul(c, varargin)
        product = call_on_ranks(c, @multiply_on_ranks, 'matmul', 2, varargin);
    end

    function disp(c)
        fprintf('  gpumex.comm, rank %d of %d, %s\n', c.rank, c.ranks, c.transport);
    end
end

methods (Hidden = true)
    function handle = gateway_handle(c)
        % What gpumex_call hands to the gateway.
        handle = c.handle;
        if isempty(handle)
            error('gpumex:comm:stale', ...
                'gpumex.comm: the object is no communicator: it was loaded, or is of another process');
        end
    end
end
end

function varargout = call_on_ranks(c, action, name, needed, inputs)
% A call that all ranks make. Where this one fails before it came to the library the others are told.
handle = gateway_handle(c);
gpumex_call('comm', {'begin', handle}, {}, {});
try
    if numel(inputs) < needed
        error(['gpumex:' name ':argumentCount'], 'gpumex.%s: needs %d inputs beside the communicator', name, needed);
    end
    [varargout{1:nargout}] = action(inputs{:}, 'Backend', c);
catch problem
    gpumex_call('comm', {'settle', handle}, {}, {});
    rethrow(problem);
end
end

function next = life_on_ranks(varargin)
for k = 3:2:numel(varargin)
    if ischar(varargin{k}) && strcmpi(varargin{k}, 'Progress')
        error('gpumex:life:invalidProgress', 'gpumex.life: Progress is of one rank; several play without');
    end
end
next = gpumex.life(varargin{:});
end

function varargout = sort_on_ranks(varargin)
% Without what gpumex.sort_keys does to whole arrays: another dimension, places of NaN.
[varargout{1:nargout}] = gpumex_call('.sort_keys', varargin(1), {}, varargin(2:end));
end

function product = multiply_on_ranks(varargin)
product = gpumex_call('matmul', varargin, {}, {});
end

function [transport, options] = take_transport(options)
% What stands before the pairs of options: there is one more then.
transport = 'auto';
if mod(numel(options), 2) == 1
    transport = options{1};
    options(1) = [];
end
known = {'auto', 'mpi', 'spmd', 'alone'};
is_text = ischar(transport) || isa(transport, 'string');
if ~is_text || ~any(strcmpi(char(transport), known))
    error('gpumex:comm:invalidTransport', 'gpumex.comm: the transport is one of %s', strjoin(known, ', '));
end
transport = lower(char(transport));
if strcmp(transport, 'auto')
    transport = transport_here();
end
end

function transport = transport_here()
[~, workers] = worker();
if workers > 1
    transport = 'spmd';
elseif gpumex_call('comm', {'launched'}, {}, {})
    transport = 'mpi';
else
    transport = 'alone';
end
end

function [index, count, broadcast] = worker()
% This worker of MATLAB's spmd, from 1; there is one elsewhere. The names before R2022b began with lab.
[index, count, broadcast] = deal(1, 1, []);
if exist('spmdSize') > 0
    [index, count, broadcast] = deal(spmdIndex, spmdSize, @spmdBroadcast);
elseif exist('numlabs') > 0
    [index, count, broadcast] = deal(labindex, numlabs, @labBroadcast);
end
end

function made = connect_workers(names, options)
% The first worker makes the id of the group, or says why it cannot.
[index, count, broadcast] = worker();
if count == 1
    made = gpumex_call('comm', {'alone'}, names, options);
    return
end
if index == 1
    told = broadcast(1, new_id());
else
    told = broadcast(1);
end
if ischar(told)
    error('gpumex:comm:noId', 'gpumex.comm: worker 1 has no id for NCCL: %s', told);
end
made = gpumex_call('comm', {'nccl', told, index - 1, count}, names, options);
end

function id = new_id()
try
    id = gpumex_call('comm', {'id'}, {}, {});
catch problem
    id = problem.message;
end
end
