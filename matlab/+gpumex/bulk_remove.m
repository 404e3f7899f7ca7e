function varargout = bulk_remove(x, indices, varargin)
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

if nargin < 2
    error('gpumex:bulk_remove:argumentCount', 'gpumex.bulk_remove: needs a vector and indices');
end
persistent gateway
if isempty(gateway)
    gateway = gpumex_gateway('bulk_remove');
end
try
    [varargout{1:max(nargout, 1)}] = gateway('.bulk_remove', x, indices, varargin{:});
    return
catch                                           % a gpumex.array, or an error, which the way below raises
end
wide = 'int32';
is_narrow = (islogical(x) && ~issparse(x)) || ischar(x) || any(strcmp(class(x), {'int8', 'uint8', 'int16', 'uint16'}));
if is_narrow
    varargout = {back(gpumex.bulk_remove(cast(x, wide), indices, varargin{:}), x)};
    return
end
[varargout{1:max(nargout, 1)}] = gpumex_call('bulk_remove', {x, indices}, {'Variant', 'Backend'}, varargin);
end

function y = back(y, x)
% The class of x: elements of 1 and 2 bytes are moved as int32.
if islogical(x)
    y = logical(y);
elseif ischar(x)
    y = char(y);
else
    y = cast(y, class(x));
end
end
