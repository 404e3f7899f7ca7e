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
    y = of_matrix(values, counts, varargin{:});
    return
end
if isscalar(counts) && numel(values) ~= 1
    counts = repmat(counts, size(values));
end
was_char = ischar(values);
if was_char
    values = uint16(values);
end
y = gpumex_call('interval_expand', {values, counts}, {'Variant', 'Backend'}, varargin);
if was_char
    y = char(y);
end
end

function B = of_matrix(A, m, n, varargin)
% Which row and which column each one of the result is.
if ndims(A) > 2
    error('gpumex:interval_expand:invalidData', 'gpumex.interval_expand: A has %d dimensions; it is a matrix', ndims(A));
end
row = gpumex.interval_expand(1:size(A, 1), m, varargin{:});
column = gpumex.interval_expand(1:size(A, 2), n, varargin{:});
B = A(row, column);
end
