function X = fill(value, extents, varargin)
%FILL  An array of one value, or of ascending ones.
%   X = gpumex.fill(VALUE, [M N P ...]) is an array of that size whose elements all are
%   VALUE, and gpumex.fill(VALUE, N) one of N-by-N.
%
%   X = gpumex.fill(FIRST, SIZE, 'Step', STEP) has FIRST, FIRST + STEP, FIRST + 2*STEP
%   and so on, column by column.
%
%   X = gpumex.fill(..., 'Class', CLASS) has another class than double: logical, single,
%   or an integer class, which holds all the values.
%
%   X = gpumex.fill(..., 'Place', 'device') is a gpumex.array; 'host' is the default.
%
%   X = gpumex.fill(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.fill(1, [1 4], 'Step', 2, 'Class', 'int32')    % 1 3 5 7
%
%   Errors: gpumex:fill:argumentCount, invalidSize, invalidValue, invalidStep,
%   invalidClass, invalidPlace, invalidOption, invalidBackend, and the states of
%   the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.random, gpumex.array, repmat, colon.

persistent gateway raise
try
    X = gateway('.fill', extents, value, varargin{:});
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('fill');
    else                                        % what the way below serves, or refuses
        raise('fill', problem);
    end
    if nargin < 2
        error('gpumex:fill:argumentCount', 'gpumex.fill: needs a value and a size');
    end
    if ~isnumeric(extents) || isempty(extents)
        error('gpumex:fill:invalidSize', 'gpumex.fill: the size is a %s; it is one whole number, or one for each dimension', class(extents));
    end
    if isscalar(extents)
        extents = [extents extents];
    end
    X = gpumex_call('.fill', {double(extents), value}, {}, varargin);   % {'Step', 'Class', 'Place', 'Backend'}
end
if isstruct(X)
    X = gpumex.array(X);
end
