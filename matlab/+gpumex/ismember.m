function varargout = ismember(A, B, varargin)
%ISMEMBER  Which elements of an array another one has.
%   TF = gpumex.ismember(A, B) is true where the element of A is in B as well. A
%   and B are full and real, of any size: logical, char, an integer class,
%   single or double; of two classes the values are compared, but two integer
%   classes are an error. TF is logical and of the size of A.
%
%   TF = gpumex.ismember(A, B, 'rows') compares whole rows of matrices with as
%   many columns, which it sorts on the host; TF has an element for each row of A.
%
%   [TF, LOC] = gpumex.ismember(A, B) also returns where in B it is, the first
%   one of equal elements, and 0 where there is none. LOC is double and of the
%   size of A.
%
%   -0 equals 0. No NaN equals another: NaN is never a member.
%
%   TF = gpumex.ismember(..., 'Sorted', true) says that A and B are in ascending
%   order already, which saves sorting them; where they are not, it is an error
%   (invalidArgument). The default is false.
%
%   A and B may be gpumex.arrays; TF and LOC are arrays of the host.
%
%   TF = gpumex.ismember(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   TF = gpumex.ismember(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      [tf, loc] = gpumex.ismember([5 2 9], [2 7 5 5])         % 1 1 0 and 3 1 0
%
%   Errors: gpumex:ismember:argumentCount, sizeMismatch, invalidSet, mixedClasses,
%   invalidSorted, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.search, gpumex.intersect, gpumex.join, ismember.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.ismember', A, B, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.ismember', A, B, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('ismember');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('ismember', problem);
    end
end
if nargin < 2
    error('gpumex:ismember:argumentCount', 'gpumex.ismember: needs two arrays');
end
[varargout{1:max(nargout, 1)}] = gpumex_set_call('ismember', {A, B}, varargin);   % {'Sorted', 'Variant', 'Backend'}
