function varargout = setdiff(A, B, varargin)
%SETDIFF  Elements of one array that another one lacks.
%   [C, IA] = gpumex.setdiff(A, B) returns what is in A and not in B. C is
%   A(IA), the first of equal elements.
%
%   A and B are full and real, of any size: logical, char, an integer class,
%   single or double. Of two classes an integer class wins over single, single
%   over double, double over logical; two integer classes are an error. C is ascending and has no duplicates. It is a row
%   where A is one, else a column. IA and IB are columns of doubles.
%
%   C = gpumex.setdiff(A, B, 'stable') keeps the order of A and then of B, and with
%   'rows' whole rows of matrices are compared, which are sorted on the host.
%   'sorted' is the default.
%
%   -0 equals 0. No NaN equals another: C has all of A.
%
%   C = gpumex.setdiff(..., 'Sorted', true) says that A and B are in ascending
%   order already, which saves sorting them; where they are not, it is an error
%   (invalidArgument). The default is false.
%
%   With a gpumex.array as A or B, C is a gpumex.array; IA and IB are arrays of
%   the host.
%
%   C = gpumex.setdiff(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   C = gpumex.setdiff(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one, else
%   the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [C, IA] = gpumex.setdiff([5 1 1 7], [2 5])      % 1 7 and [2; 4]
%
%   Errors: gpumex:setdiff:argumentCount, sizeMismatch, invalidSet, mixedClasses,
%   invalidSorted, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.union, gpumex.intersect, gpumex.setxor, gpumex.ismember,
%   setdiff.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.setdiff', A, B, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.setdiff', A, B, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('setdiff');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('setdiff', problem);
    end
end
if nargin < 2
    error('gpumex:setdiff:argumentCount', 'gpumex.setdiff: needs two arrays');
end
[varargout{1:max(nargout, 1)}] = gpumex_set_call('setdiff', {A, B}, varargin);   % {'Sorted', 'Variant', 'Backend'}
