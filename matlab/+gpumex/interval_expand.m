function varargout = interval_expand(values, counts, varargin)
%INTERVAL_EXPAND  Each element of a vector several times.
%   Y = gpumex.interval_expand(VALUES, COUNTS) has VALUES(i) COUNTS(i) times,
%   one behind the other, as repelem has. VALUES is a vector, int32, uint32,
%   int64, uint64, single or double; COUNTS are as many whole numbers of any
%   class, 0 too. Y is a row where VALUES is one, else a column. The work is
%   shared evenly, however different the counts.
%
%   A gpumex.array as VALUES gives Y as a gpumex.array.
%
%   Y = gpumex.interval_expand(..., 'Variant', VARIANT) chooses how it is
%   computed: 'auto' (default), or 'sequential', a plain loop on one core, CPU
%   backend only.
%
%   Y = gpumex.interval_expand(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.interval_expand([7 8 9], [2 0 3])        % 7 7 9 9 9
%
%   Errors: gpumex:interval_expand:argumentCount, invalidData, invalidCounts,
%   sizeMismatch, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.load_balance_search, gpumex.segreduce, gpumex.scan, repelem.

if nargin < 2
    error('gpumex:interval_expand:argumentCount', 'gpumex.interval_expand: needs values and counts');
end
persistent gateway
if isempty(gateway)
    gateway = gpumex_gateway('interval_expand');
end
try
    [varargout{1:max(nargout, 1)}] = gateway('.interval_expand', values, counts, varargin{:});
    return
catch                                           % a gpumex.array, or an error, which the way below raises
end
[varargout{1:max(nargout, 1)}] = gpumex_call('interval_expand', {values, counts}, {'Variant', 'Backend'}, varargin);
