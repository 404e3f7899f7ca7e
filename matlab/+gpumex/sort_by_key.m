function varargout = sort_by_key(keys, values, varargin)
%SORT_BY_KEY  Keys in order, and a value beside each.
%   [K, V] = gpumex.sort_by_key(KEYS, VALUES) sorts KEYS in ascending order and
%   moves VALUES along: with [K, I] = sort(KEYS), V is VALUES(I). Both are full
%   and real: logical, char, of an integer class, single or double; VALUES has as
%   many elements as KEYS. Matrices are sorted column by column, as gpumex.sort_keys does; then
%   VALUES has the size of KEYS.
%
%   [K, V] = gpumex.sort_by_key(KEYS, VALUES, 'descend') sorts in descending
%   order. 'ascend' is the default.
%
%   Equal keys keep their order; -0 equals 0, and NaN is greater than every
%   number.
%
%   With a gpumex.array as KEYS or VALUES, K and V are gpumex.arrays.
%
%   [K, V] = gpumex.sort_by_key(..., 'Variant', VARIANT) chooses how it is
%   computed: 'auto' (default), or 'sequential', a plain loop on one core, CPU
%   backend only.
%
%   [K, V] = gpumex.sort_by_key(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [K, V] = gpumex.sort_by_key([3 1 2 1], int32([30 10 20 11]))    % 1 1 2 3 and 10 11 20 30
%
%   Errors: gpumex:sort_by_key:argumentCount, invalidKeys, invalidValues,
%   sizeMismatch, invalidDirection, invalidOption, invalidVariant,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.sort_keys, gpumex.reduce_by_key, sort.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.sort_by_key', keys, values, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.sort_by_key', keys, values, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('sort_by_key');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('sort_by_key', problem);
    end
end
if nargin < 2
    error('gpumex:sort_by_key:argumentCount', 'gpumex.sort_by_key: needs keys and values');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('sort_by_key', {keys, values}, {'Variant', 'Backend'}, varargin, 'ascend');
