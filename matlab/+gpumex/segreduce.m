function varargout = segreduce(x, segments, op, varargin)
%SEGREDUCE  The elements of each segment of a vector in one.
%   Y = gpumex.segreduce(X, LENGTHS, OP) cuts the vector X into segments and
%   applies the operator OP to each: LENGTHS are whole numbers that add up to
%   numel(X), and Y(i) is segment i combined by OP. X is logical, of an
%   integer class, single or double; Y has its class, double for sums and products
%   of logicals, and the size of LENGTHS. OP is
%   'sum', 'prod', 'min' or 'max', and of integers 'and', 'or' or 'xor'.
%
%   Y = gpumex.segreduce(X, STARTS, OP, 'Segments', 'starts') takes the first
%   element of each segment instead: STARTS ascend from 1, and the last segment
%   ends with X. 'lengths' is the default.
%
%   A segment may be empty. Its result is what leaves any number as it is: 0 for
%   'sum', 1 for 'prod', for 'min' and 'max' the largest and the smallest
%   integer, or NaN. Integers of 4 and 8 bytes wrap
%   around, as they do in C, those of 1 and 2 saturate at last; 'min' and 'max' pass
%   over NaN.
%
%   A gpumex.array as X gives Y as a gpumex.array.
%
%   [Y, MS] = gpumex.segreduce(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Y = gpumex.segreduce(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   Y = gpumex.segreduce(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.segreduce([1 2 3 4 5 6], [3 0 1 2], 'sum')                       % 6 0 4 11
%      gpumex.segreduce([1 2 3 4 5 6], [1 4 5], 'max', 'Segments', 'starts')   % 3 4 6
%
%   Errors: gpumex:segreduce:argumentCount, invalidData, invalidSegments,
%   invalidOperator, invalidOption, invalidVariant, invalidBackend, and the
%   states of the library: noDevice, invalidArgument, unsupported, outOfMemory,
%   cuda, busy, internal.
%
%   See also gpumex.reduce_by_key, gpumex.reduce, gpumex.interval_expand,
%   accumarray, splitapply.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.segreduce', x, segments, op, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.segreduce', x, segments, op, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('segreduce');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('segreduce', problem);
    end
end
if nargin < 3
    error('gpumex:segreduce:argumentCount', 'gpumex.segreduce: needs a vector, its segments and an operator');
end
call = @(x) gpumex_call('segreduce', {x, segments, op}, {'Segments', 'Variant', 'Backend'}, varargin);
[varargout{1:max(nargout, 1)}] = gpumex_narrow_call(x, op, 1, call);
