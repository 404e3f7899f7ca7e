classdef array
%ARRAY  An array that stays on the device between calls.
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
%   gpumex.life, gpumex.matmul, gpumex.histogram, gpumex.raytrace and the
%   parallel primitives, gpumex.reduce to gpumex.spmv, take A where they take X,
%   and then their results are gpumex.arrays, too: nothing goes through the host
%   in between. Positions and counts alone are arrays of the host. Arrays of both
%   kinds may be mixed. A call with arrays on the device alone may return before
%   it is done; gather waits, and so does gpumex.device('wait').
%
%   X = gather(A) copies A back. size, numel, ndims, isempty, classUnderlying and
%   underlyingType (the class of the elements) tell what A is without a copy.
%   There is no arithmetic and no indexing.
%
%   The memory is freed with the last copy of A: when it is cleared, assigned to,
%   or goes out of scope. A lives on after gpumex.reset_default. Loaded from a
%   file, or sent to another process, it holds nothing, and its use is the error
%   gpumex:array:stale.
%
%   Example:
%      board = gpumex.array(rand(500) > 0.75);
%      for k = 1:10
%          board = gpumex.life(board, 100);
%      end
%      imagesc(gather(board))
%
%   Errors: gpumex:array:argumentCount, invalidData, invalidOption,
%   invalidBackend, stale, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.allocator, gpumex.device, gpumex.life.

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

    function varargout = size(A, dim)
        handle = gateway_handle(A);
        extent = handle.Size;
        if nargin > 1
            extent = [extent ones(1, max(dim) - numel(extent))];
            varargout = {extent(dim)};
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
