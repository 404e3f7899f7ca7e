function positions = search(haystack, needles, varargin)
%SEARCH  Where elements would go into a sorted vector.
%   IDX = gpumex.search(HAYSTACK, NEEDLES) finds for each element of NEEDLES the
%   first place of HAYSTACK whose element is not less: 1 to numel(HAYSTACK) + 1.
%   HAYSTACK is a vector in ascending order, NEEDLES an array of any size and in
%   any order, which is sorted first where it is in none; both have one class:
%   logical, char, an integer class, single or double. IDX is double and of the size of
%   NEEDLES.
%
%   IDX = gpumex.search(HAYSTACK, NEEDLES, 'upper') finds the first place whose
%   element is greater; 'lower' is the default. HAYSTACK has upper - lower
%   elements that equal the needle.
%
%   A HAYSTACK that is not in order is refused (invalidArgument). Here NaN equals
%   NaN and is greater than every number; -0 equals 0.
%
%   Both may be gpumex.arrays; IDX is an array of the host.
%
%   IDX = gpumex.search(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   IDX = gpumex.search(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one, else
%   the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.search([10 20 20 30], [5 20 31])                 % 1 2 5
%      gpumex.search([10 20 20 30], [5 20 31], 'upper')        % 1 4 5
%
%   Errors: gpumex:search:argumentCount, invalidHaystack, invalidNeedles,
%   mixedClasses, invalidBound, invalidOption, invalidVariant, invalidBackend,
%   and the states of the library: noDevice, invalidArgument, unsupported,
%   outOfMemory, cuda, busy, internal.
%
%   See also gpumex.ismember, gpumex.sort_keys, gpumex.merge_keys, lookup,
%   discretize.

persistent gateway raise
try
    positions = gateway('.search', haystack, needles, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('search');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('search', problem);
    end
end
if nargin < 2
    error('gpumex:search:argumentCount', 'gpumex.search: needs a sorted vector and needles');
end
positions = gpumex_call('search', {haystack, needles}, {'Variant', 'Backend'}, varargin, 'lower');
