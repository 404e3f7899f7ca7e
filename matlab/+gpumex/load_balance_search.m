function owners = load_balance_search(counts, varargin)
%LOAD_BALANCE_SEARCH  To which object each item belongs.
%   OWNERS = gpumex.load_balance_search(COUNTS) numbers the items of objects
%   that have COUNTS items each: OWNERS has sum(COUNTS) elements, i of them
%   COUNTS(i) times. It is repelem(1:numel(COUNTS), COUNTS), found by as much
%   work for each item, however different the counts. COUNTS are whole numbers
%   of any class, 0 too. OWNERS is double, a row where COUNTS is one, else a
%   column, and always of the host.
%
%   OWNERS = gpumex.load_balance_search(..., 'Variant', VARIANT) chooses how it
%   is computed: 'auto' (default), or 'sequential', a plain loop on one core,
%   CPU backend only.
%
%   OWNERS = gpumex.load_balance_search(..., 'Backend', BACKEND) chooses where:
%   'auto' (default; the environment variable GPUMEX_BACKEND, else a GPU where
%   there is one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.load_balance_search([2 5 3 0 1])         % 1 1 2 2 2 2 2 3 3 3 5
%
%   Errors: gpumex:load_balance_search:argumentCount, invalidCounts,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.interval_expand, gpumex.scan, repelem.

persistent gateway raise
try
    owners = gateway('.load_balance_search', counts, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('load_balance_search');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('load_balance_search', problem);
    end
end
if nargin < 1
    error('gpumex:load_balance_search:argumentCount', 'gpumex.load_balance_search: needs counts');
end
owners = gpumex_call('load_balance_search', {counts}, {'Variant', 'Backend'}, varargin);
