classdef array < gpumex_elementwise & gpumex_along & gpumex_shapes & gpumex_refused
%ARRAY  An array on the device, with operators and indexing.
%   A = gpumex.array(X) copies X to the memory of the device that gpumex
%   computes on. X is a full, real array of any size: logical, char, single,
%   double or an integer class; char becomes uint8, with codes up to 255. A has
%   the size of X. A gpuArray of MATLAB and another gpumex.array are copied on
%   the device.
%
%   A = gpumex.array(X, 'Backend', BACKEND) chooses the device: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one, else
%   the CPU), 'cpu', or 'cuda'. On the CPU backend the array lies in ordinary
%   memory.
%
%   X = gather(A) copies A back. size, numel, ndims, length, isempty,
%   classUnderlying and underlyingType (the class of the elements) tell what A is
%   without a copy.
%
%   A has what gpuArray of MATLAB has of
%      operators     + - .* ./ .\ .^ == ~= < <= > >= & | ~ ' .' [ ] *, sizes that
%                    broadcast, and / \ ^ by a number
%      indexing      A(i,j), A(:), A(end), ranges, vectors, masks, of the host or
%                    on the device; A(i,j) = B, which keeps the class of A and
%                    lets it grow, and A(i,:) = []
%      functions     abs sign floor ceil round fix sqrt cbrt exp expm1 log log2
%                    log10 log1p, the trigonometric and hyperbolic ones, erf erfc
%                    gamma gammaln isnan isinf isfinite mod rem atan2 hypot bitand
%                    bitor bitxor bitshift xor isequal isequaln, and the classes
%      along a dimension   sum prod mean any all max min cumsum cumprod cummax
%                    cummin sort, dot nnz find unique
%      shapes        reshape permute ipermute squeeze cat repmat flip fliplr
%                    flipud circshift
%   with its classes and sizes; every other function is an error. What differs:
%
%   A result that is one logical is a logical of the host, so that `if`, `while`
%   and && take it: `if all(A(:) > 0)`. Octave takes no `if A`, whatever A holds.
%   Results are real: sqrt of a negative number is an error. Each operator is a
%   pass over memory; gpumex.map computes a whole expression in one.
%
%   gpumex.life, gpumex.matmul, gpumex.histogram, gpumex.raytrace and the
%   parallel primitives, gpumex.reduce to gpumex.spmv, take A where they take X,
%   and then their results are gpumex.arrays, too: nothing goes through the host
%   in between. Positions and counts alone are arrays of the host. Arrays of both
%   kinds may be mixed. A call with arrays on the device alone may return before
%   it is done; gather waits, and so does gpumex.device('wait').
%
%   The memory is freed with the last copy of A: when it is cleared, assigned to,
%   or goes out of scope. A lives on after gpumex.reset_default. Loaded from a
%   file, or sent to another process, it holds nothing, and its use is the error
%   gpumex:array:stale.
%
%   Examples:
%      board = gpumex.array(rand(500) > 0.75);
%      for k = 1:10
%          board = gpumex.life(board, 100);
%      end
%      imagesc(gather(board))
%
%      x = gpumex.array(rand(1000, 1));
%      x(x > 0.5) = 0;
%      gather(sum(x .^ 2)) < 100
%
%   Errors: gpumex:array:argumentCount, invalidData, invalidOption,
%   invalidBackend, sizeMismatch, outOfRange, invalidSubscript, invalidDimension,
%   invalidOrder, invalidSize, invalidExpression, mixedClasses, invalidClass, nan,
%   complex, notServed, stale, and the states of the library: noDevice,
%   invalidArgument, unsupported, outOfMemory, cuda, busy, cancelled, internal.
%
%   See also gpumex.map, gpumex.allocator, gpumex.device, gpumex.life.

properties (Access = private, Transient = true)
    handle      % the gateway's handle of the array, a structure
    cleanup     % frees the memory with the last copy of the array
end

methods
    function A = array(X, varargin)
        if nargin < 1
            error('gpumex:array:argumentCount', 'gpumex.array: needs an array');
        end
        if ~is_handle(X)
            X = gpumex_call('array', {'upload', as_numbers(X)}, {'Backend'}, varargin);
        end
        A.handle = X;
        A.cleanup = onCleanup(@() gpumex_call('array', {'free', X}, {}, {}));
    end

    function X = gather(A)
        X = gpumex_call('array', {'gather', A}, {}, {});
    end

    function varargout = size(A, varargin)
        handle = gateway_handle(A);
        extent = handle.Size;
        if nargin > 1
            dims = double([varargin{:}]);
            extent = [extent ones(1, max(dims) - numel(extent))];
            extent = extent(dims);
            varargout = {extent};
            if nargout > 1
                varargout = num2cell(extent);
            end
        elseif nargout > 1
            extent = [extent ones(1, nargout - numel(extent))];
            varargout = num2cell([extent(1:nargout - 1) prod(extent(nargout:end))]);
        else
            varargout = {extent};
        end
    end

    function count = numel(A, varargin)
        count = prod(size(A));
    end

    function count = ndims(A)
        count = numel(size(A));
    end

    function count = length(A)
        count = max(size(A)) * (numel(A) > 0);
    end

    function tf = isempty(A)
        tf = numel(A) == 0;
    end

    function name = classUnderlying(A)
        handle = gateway_handle(A);
        name = handle.Class;
    end

    function name = underlyingType(A)
        name = classUnderlying(A);
    end

    function disp(A)
        handle = gateway_handle(A);
        dims = sprintf('x%d', handle.Size);
        fprintf('  %s gpumex.array, %s, on %s\n', dims(2:end), handle.Class, handle.Backend);
        if ~isempty(A)
            disp(gather(A));
        end
    end

    function varargout = subsref(A, S)
        switch S(1).type
        case '()'
            B = gpumex_index('index', A, S(1).subs);
            if numel(S) > 1
                B = subsref(B, S(2:end));
            end
            varargout = {B};
        case '.'
            [varargout{1:max(nargout, 1)}] = builtin('subsref', A, S);
        otherwise
            gpumex_array_error('index', 'notServed', 'A{i} is of cells; A(i) is an element of an array');
        end
    end

    function A = subsasgn(A, S, B)
        if numel(S) > 1 || ~strcmp(S(1).type, '()')
            gpumex_array_error('assignment', 'notServed', 'elements are assigned to as A(i, j) = B');
        end
        if ~isa(A, 'gpumex.array')
            A = gpumex.array(A);
        end
        A = gpumex_assign(A, S(1).subs, B);
    end

    function last = end(A, k, n)
        extent = [size(A), ones(1, n - ndims(A))];
        if k < n
            last = extent(k);
        else
            last = prod(extent(k:end));
        end
    end

    function range = colon(first, varargin)
        ends = [{first}, varargin];
        for k = 1:numel(ends)
            if isa(ends{k}, 'gpumex.array')
                ends{k} = gather(ends{k});
            end
        end
        range = colon(ends{:});
    end

    function positions = subsindex(A)
        % A as a subscript of an array of the host, in MATLAB: positions from 0.
        positions = gather(A);
        if islogical(positions)
            positions = find(positions);
        end
        positions = double(positions) - 1;
    end
end

methods (Hidden = true)
    function handle = gateway_handle(A)
        % What gpumex_call hands to the gateway.
        handle = A.handle;
        if isempty(handle)
            error('gpumex:array:stale', ...
                'gpumex.array: the array holds no memory: it was loaded, or is of another process');
        end
    end

    function count = numArgumentsFromSubscript(varargin)
        % In MATLAB A.property is one value, whatever numel says.
        count = 1;
    end
end
end

function tf = is_handle(X)
tf = isstruct(X) && isscalar(X) && all(isfield(X, {'gpumexArray', 'Size', 'Class', 'Backend'}));
end

function X = as_numbers(X)
% Characters as bytes; the gateway refuses what is neither a number nor a logical.
if ischar(X)
    if any(X(:) > 255)
        error('gpumex:array:invalidData', ...
            'gpumex.array: data holds the character code %d; codes go up to 255', max(double(X(:))));
    end
    X = uint8(X);
end
end
