function y = bulk_remove(x, indices, varargin)
%BULK_REMOVE  Remove the elements at some indices.
%   Y = gpumex.bulk_remove(X, INDICES) is X after X(INDICES) = []. X is a vector:
%   logical, char, an integer class, single or double; INDICES are whole numbers
%   from 1 to numel(X) of any class, ascending and each of them once.
%
%   A gpumex.array as X gives Y as a gpumex.array.
%
%   Y = gpumex.bulk_remove(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   Y = gpumex.bulk_remove(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.bulk_remove(10:19, [2 4 5 6 8 9])        % 10 12 16 19
%
%   Errors: gpumex:bulk_remove:argumentCount, invalidData, invalidIndices,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.bulk_insert, gpumex.compact, colon.

persistent gateway raise
try
    y = gateway('.bulk_remove', x, indices, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('bulk_remove');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('bulk_remove', problem);
    end
end
if nargin < 2
    error('gpumex:bulk_remove:argumentCount', 'gpumex.bulk_remove: needs a vector and indices');
end
if ischar(x)
    y = char(gpumex.bulk_remove(uint16(x), indices, varargin{:}));
    return
end
y = gpumex_call('bulk_remove', {x, indices}, {'Variant', 'Backend'}, varargin);
