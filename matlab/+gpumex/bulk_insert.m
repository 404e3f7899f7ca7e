function y = bulk_insert(x, indices, a, varargin)
%BULK_INSERT  Insert elements at some indices.
%   Y = gpumex.bulk_insert(X, INDICES, A) puts A(i) in front of X(INDICES(i)), for
%   all i at once. X and A are vectors of one class: logical, char, an
%   integer class, single or double. INDICES are whole numbers of any class, one for
%   each element of A, ascending from 1 to numel(X) + 1, which is after the
%   last element; they may repeat. Y is a row where X and A are, else a column.
%
%   With a gpumex.array as X or A, Y is a gpumex.array.
%
%   Y = gpumex.bulk_insert(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   Y = gpumex.bulk_insert(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.bulk_insert([100 200 300], [2 2 3 4 4], 1:5)     % 100 1 2 200 3 300 4 5
%
%   Errors: gpumex:bulk_insert:argumentCount, invalidData, invalidIndices,
%   mixedClasses, sizeMismatch, invalidOption, invalidVariant, invalidBackend,
%   and the states of the library: noDevice, invalidArgument, unsupported,
%   outOfMemory, cuda, busy, internal.
%
%   See also gpumex.bulk_remove, gpumex.merge_keys.

persistent gateway raise
try
    y = gateway('.bulk_insert', x, indices, a, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('bulk_insert');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('bulk_insert', problem);
    end
end
if nargin < 3
    error('gpumex:bulk_insert:argumentCount', 'gpumex.bulk_insert: needs a vector, indices and the elements to insert');
end
if ischar(x) && ischar(a)
    y = char(gpumex.bulk_insert(uint16(x), indices, uint16(a), varargin{:}));
    return
end
y = gpumex_call('bulk_insert', {x, indices, a}, {'Variant', 'Backend'}, varargin);
