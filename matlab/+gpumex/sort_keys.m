function varargout = sort_keys(A, varargin)
%SORT_KEYS  Elements in order.
%   B = gpumex.sort_keys(A) sorts A in ascending order: a vector, the columns of
%   a matrix, an array along its first dimension that is not 1. A is full and
%   real, logical, of an integer class, single or double; B has its class and
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
%   A gpumex.array as A gives B as a gpumex.array; I is an array of the host. DIM
%   is then its first dimension that is not 1.
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
%   invalidDirection, invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.sort_by_key, gpumex.sortrows, gpumex.merge_keys,
%   gpumex.unique, sort.

if nargin < 1
    error('gpumex:sort_keys:argumentCount', 'gpumex.sort_keys: needs an array');
end
if isempty(varargin) || ~isnumeric(varargin{1})
    [varargout{1:max(nargout, 1)}] = gpumex_call('sort_keys', {A}, {'Variant', 'Backend'}, varargin, 'ascend');
    return;
end

dim = varargin{1};
if ~(isscalar(dim) && isreal(dim) && dim >= 1 && dim == fix(dim))
    error('gpumex:sort_keys:invalidDimension', 'gpumex.sort_keys: DIM is a positive whole number');
end
first = find([size(A), 2] ~= 1, 1);
if dim == first
    [varargout{1:max(nargout, 1)}] = gpumex.sort_keys(A, varargin{2:end});
elseif isa(A, 'gpumex.array')
    error('gpumex:sort_keys:invalidDimension', ...
        'gpumex.sort_keys: a gpumex.array is sorted along its first dimension that is not 1, %d', first);
elseif size(A, dim) == 1
    gpumex.sort_keys(A([]), varargin{2:end}); % the arguments are checked
    varargout = {A, ones(size(A))};
else
    order = [dim, setdiff(1:ndims(A), dim)];
    [varargout{1:max(nargout, 1)}] = gpumex.sort_keys(permute(A, order), varargin{2:end});
    varargout = cellfun(@(x) ipermute(x, order), varargout, 'UniformOutput', false);
end
