function varargout = unique(A, varargin)
%UNIQUE  The different elements of an array.
%   C = gpumex.unique(A) returns the elements of A in ascending order and each
%   of them once. A is full and real, of any size, logical, char, of an integer
%   class, single or double. C has its class; it is a row where A is one, else a
%   column.
%
%   [C, IA, IC] = gpumex.unique(A) also returns where they are: C is A(IA), the
%   first of equal elements, and A(:) is C(IC). IA and IC are columns of
%   doubles.
%
%   -0 equals 0. No NaN equals another: C has all of them, at its end.
%
%   C = gpumex.unique(A, 'stable') keeps the order of A. gpumex.unique(A, 'last')
%   has in IA the last of equal elements. gpumex.unique(A, 'rows') compares whole
%   rows of a matrix, which it sorts on the host. 'sorted' and 'first' are the
%   defaults.
%
%   C = gpumex.unique(..., 'Sorted', true) says that A is in ascending order
%   already, which saves sorting it; where it is not, it is an error
%   (invalidArgument). The default is false.
%
%   A gpumex.array as A gives C as a gpumex.array; IA and IC are arrays of the
%   host.
%
%   C = gpumex.unique(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   C = gpumex.unique(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one, else
%   the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [C, IA, IC] = gpumex.unique([30 10 30 20])      % 10 20 30, [2; 4; 1] and [3; 1; 3; 2]
%      counts = accumarray(IC, 1);                     % how often each occurs
%
%   Errors: gpumex:unique:argumentCount, sizeMismatch, invalidSet, invalidSorted,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.union, gpumex.reduce_by_key, gpumex.sort_keys,
%   gpumex.histogram, unique.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.unique', A, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.unique', A, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('unique');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('unique', problem);
    end
end
if nargin < 1
    error('gpumex:unique:argumentCount', 'gpumex.unique: needs an array');
end
[varargout{1:max(nargout, 1)}] = gpumex_set_call('unique', {A}, varargin);   % {'Sorted', 'Variant', 'Backend'}
