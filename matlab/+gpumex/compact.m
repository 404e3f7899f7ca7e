function varargout = compact(x, mask, varargin)
%COMPACT  The elements that a mask marks.
%   KEPT = gpumex.compact(X, MASK) is X(MASK): the elements of X where MASK is
%   true, in their order. X is full and real, logical, char, of an integer
%   class, single or double; MASK is logical, with as many elements. KEPT lies as X
%   does where X is a vector, else it is a column.
%
%   [KEPT, POSITIONS] = gpumex.compact(X, MASK) also returns find(MASK), where
%   they were; POSITIONS is double.
%
%   With a gpumex.array as X or MASK, KEPT is a gpumex.array; POSITIONS is an
%   array of the host.
%
%   KEPT = gpumex.compact(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   KEPT = gpumex.compact(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      x = [8 1 6 3 5];
%      [kept, positions] = gpumex.compact(x, x > 4)    % 8 6 5 and 1 3 5
%
%   Errors: gpumex:compact:argumentCount, invalidData, invalidMask,
%   sizeMismatch, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.bulk_remove, gpumex.scan, find, logical.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.compact', x, mask, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.compact', x, mask, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('compact');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('compact', problem);
    end
end
if nargin < 2
    error('gpumex:compact:argumentCount', 'gpumex.compact: needs an array and a mask');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('compact', {x, mask}, {'Variant', 'Backend'}, varargin);
