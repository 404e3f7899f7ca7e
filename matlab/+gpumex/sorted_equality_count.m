function varargout = sorted_equality_count(A, B, varargin)
%SORTED_EQUALITY_COUNT  How many elements of a sorted vector equal each of another.
%   N = gpumex.sorted_equality_count(A, B): N(i) elements of B equal A(i). A and B are
%   vectors in ascending order and of one class: logical, char, an integer class,
%   single or double. N is double and has the size of A. Here NaN equals NaN; -0 equals 0.
%
%   [N, I] = gpumex.sorted_equality_count(A, B) also returns the first place of B whose
%   element is not less than A(i), as gpumex.search finds it.
%
%   A vector that is not in order is refused (invalidArgument). Both may be
%   gpumex.arrays; N and I are arrays of the host.
%
%   N = gpumex.sorted_equality_count(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   N = gpumex.sorted_equality_count(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.sorted_equality_count([1 2 3], [2 2 3 5])  % 0 2 1
%
%   Errors: gpumex:sorted_equality_count:argumentCount, invalidKeys,
%   mixedClasses, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.search, gpumex.join, gpumex.ismember.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.sorted_equality_count', A, B, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.sorted_equality_count', A, B, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('sorted_equality_count');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('sorted_equality_count', problem);
    end
end
if nargin < 2
    error('gpumex:sorted_equality_count:argumentCount', 'gpumex.sorted_equality_count: needs two sorted vectors');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.sorted_equality_count', {A, B}, {}, varargin);   % {'Variant', 'Backend'}
