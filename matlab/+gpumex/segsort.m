function varargout = segsort(x, segments, varargin)
%SEGSORT  Each segment of a vector in order.
%   Y = gpumex.segsort(X, LENGTHS) cuts the vector X into segments and sorts each:
%   LENGTHS are whole numbers that add up to numel(X). X is full and real: logical, char,
%   an integer class, single or double. Y has its class and size.
%
%   Y = gpumex.segsort(X, STARTS, 'Segments', 'starts') takes the first element of
%   each segment instead: STARTS ascend from 1, and the last segment ends with X.
%   'lengths' is the default.
%
%   Y = gpumex.segsort(X, SEGMENTS, 'descend') sorts in descending order; 'ascend' is
%   the default.
%
%   [Y, I] = gpumex.segsort(...) also returns where the elements were: Y is X(I). Equal
%   elements keep their order. NaN is greater than every number.
%
%   A gpumex.array as X gives Y as a gpumex.array; I is an array of the host.
%
%   Y = gpumex.segsort(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   Y = gpumex.segsort(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.segsort([3 1 2 9 8], [3 2])               % 1 2 3 8 9
%
%   Errors: gpumex:segsort:argumentCount, invalidData, invalidSegments,
%   invalidDirection, invalidOption, invalidVariant, invalidBackend, and the
%   states of the library: noDevice, invalidArgument, unsupported, outOfMemory,
%   cuda, busy, internal.
%
%   See also gpumex.segreduce, gpumex.sort_keys, sort.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.segsort', x, segments, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.segsort', x, segments, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('segsort');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('segsort', problem);
    end
end
if nargin < 2
    error('gpumex:segsort:argumentCount', 'gpumex.segsort: needs a vector and its segments');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.segsort', {x, segments}, {}, varargin);   % {'Segments', 'Variant', 'Backend'}
