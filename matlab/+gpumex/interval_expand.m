function y = interval_expand(values, counts, varargin)
%INTERVAL_EXPAND  Each element of a vector several times.
%   Y = gpumex.interval_expand(VALUES, COUNTS) has VALUES(i) COUNTS(i) times,
%   one after the other, as repelem has. VALUES is a vector: logical, char, an
%   integer class, single or double; COUNTS are as many whole numbers of any class,
%   0 too, or one for all. Y is a row where VALUES is one, else a column. The work is
%   shared evenly, however different the counts.
%
%   Y = gpumex.interval_expand(A, M, N) has each row of the matrix A M times and each
%   column N times; M and N are one number, or one for each row and column.
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

persistent gateway raise
try
    y = gateway('.interval_expand', values, counts, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('interval_expand');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('interval_expand', problem);
    end
end
if nargin < 2
    error('gpumex:interval_expand:argumentCount', 'gpumex.interval_expand: needs values and counts');
end
if ~isempty(varargin) && isnumeric(varargin{1})
    if ndims(values) > 2
        error('gpumex:interval_expand:invalidData', 'gpumex.interval_expand: A has %d dimensions; it is a matrix', ndims(values));
    end
    row = expanded(1:size(values, 1), counts, 'M', varargin(2:end));
    column = expanded(1:size(values, 2), varargin{1}, 'N', varargin(2:end));
    y = values(row, column);
else
    y = expanded(values, counts, 'COUNTS', varargin);
end
end

function y = expanded(values, counts, name, options)
if isscalar(counts) && numel(values) ~= 1
    counts = repmat(counts, size(values));
elseif numel(counts) ~= numel(values)
    error('gpumex:interval_expand:sizeMismatch', 'gpumex.interval_expand: %s has %d elements; it is one number, or one for each of %d', ...
        name, numel(counts), numel(values));
end
y = gpumex_call('interval_expand', {values, counts}, {'Variant', 'Backend'}, options);
end
