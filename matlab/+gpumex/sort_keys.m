function varargout = sort_keys(A, varargin)
%SORT_KEYS  Elements in order.
%   B = gpumex.sort_keys(A) sorts A in ascending order: a vector, the columns of
%   a matrix, an array along its first dimension that is not 1. A is full and
%   real, logical, char, of an integer class, single or double; B has its class and
%   size.
%
%   B = gpumex.sort_keys(A, DIM) sorts along dimension DIM.
%
%   B = gpumex.sort_keys(A, 'descend') and gpumex.sort_keys(A, DIM, 'descend')
%   sort in descending order. 'ascend' is the default.
%
%   [B, I] = gpumex.sort_keys(...) also returns where the elements were: B =
%   A(I) for a vector, B(:,j) = A(I(:,j),j) for a matrix. I is double.
%
%   Equal elements keep their order, in descending order too. -0 equals 0. NaN
%   is greater than every number: last in ascending, first in descending order.
%   All this is as sort of MATLAB has it.
%
%   B = gpumex.sort_keys(..., 'MissingPlacement', WHERE) puts NaN 'first' or 'last'
%   in either order; 'auto' is the default.
%
%   B = gpumex.sort_keys(..., 'ComparisonMethod', 'abs') compares abs(A); elements
%   with the same one keep their order. 'auto' (default) and 'real' compare A.
%
%   A gpumex.array as A gives B as a gpumex.array; I is an array of the host.
%
%   B = gpumex.sort_keys(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   B = gpumex.sort_keys(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Examples:
%      [B, I] = gpumex.sort_keys([3 1 2], 'descend')        % 3 2 1 and 1 3 2
%
%      A = rand(1e4, 100);
%      isequal(gpumex.sort_keys(A), sort(A))
%
%   Errors: gpumex:sort_keys:argumentCount, invalidData, invalidDimension,
%   invalidDirection, invalidMissingPlacement, invalidComparisonMethod, invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.sort_by_key, gpumex.sortrows, gpumex.merge_keys,
%   gpumex.unique, sort.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.sort_keys', A, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.sort_keys', A, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('sort_keys');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('sort_keys', problem);
    end
end
if nargin < 1
    error('gpumex:sort_keys:argumentCount', 'gpumex.sort_keys: needs an array');
end
first = find([size(A), 2] ~= 1, 1);
dim = first;
if ~isempty(varargin) && isnumeric(varargin{1})
    dim = varargin{1};
    varargin(1) = [];
    if ~(isscalar(dim) && isreal(dim) && dim >= 1 && dim == fix(dim) && isfinite(dim))
        error('gpumex:sort_keys:invalidDimension', 'gpumex.sort_keys: DIM is a positive whole number');
    end
end
% {'MissingPlacement', 'ComparisonMethod', 'Variant', 'Backend'}
[where, method, varargin] = gpumex_order_options('sort_keys', varargin);
if strcmp(method, 'abs')
    [~, I] = gpumex.sort_keys(abs(A), dim, varargin{:}, 'MissingPlacement', where);
    varargout = {take_along(A, I, dim), I};
    return
end
if dim == first
    [varargout{1:max(nargout, 1)}] = in_columns(A, where, varargin);
elseif size(A, dim) == 1
    gpumex_call('sort_keys', {A([])}, {'Variant', 'Backend'}, varargin, 'ascend'); % the arguments are checked
    varargout = {A, ones(size(A))};
else
    order = [dim, setdiff(1:ndims(A), dim)];
    [varargout{1:max(nargout, 1)}] = in_columns(permute(A, order), where, varargin);
    varargout = cellfun(@(x) ipermute(x, order), varargout, 'UniformOutput', false);
end
end

function B = take_along(A, I, dim)
% B(i,j,...) is A(I(i,j,...),j,...), with the positions in dimension DIM.
extent = size(A);
before = prod(extent(1:min(dim - 1, ndims(A))));
inner = mod((0:numel(I) - 1).', before);
outer = floor((0:numel(I) - 1).' / (before * size(A, dim)));
at = inner + before * (double(I(:)) - 1) + before * size(A, dim) * outer + 1;
B = reshape(A(at), size(A));
end

function varargout = in_columns(A, where, options)
% Along the first dimension that is not 1.
[varargout{1:nargout}] = gpumex_call('sort_keys', {A}, {'Variant', 'Backend'}, options, 'ascend');
descends = mod(numel(options), 2) == 1 && strcmpi(char(options{1}), 'descend');
is_there = strcmp(where, 'auto') || (descends && strcmp(where, 'first')) || (~descends && strcmp(where, 'last'));
if is_there || ~isfloat(A) || isempty(A)
    return
end
rows = size(A, find([size(A), 2] ~= 1, 1));
missing = sum(isnan(reshape(varargout{1}, rows, [])), 1);
if isa(missing, 'gpumex.array')
    missing = gather(missing);
end
shift = missing * (1 - 2 * descends);           % those behind go to the front, or the other way round
columns = numel(missing);
place = mod(repmat((0:rows - 1)', 1, columns) - repmat(shift, rows, 1), rows) + 1 + repmat((0:columns - 1) * rows, rows, 1);
varargout = cellfun(@(x) x(reshape(place, size(A))), varargout, 'UniformOutput', false);
end
