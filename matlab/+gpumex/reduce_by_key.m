function varargout = reduce_by_key(keys, x, op, varargin)
%REDUCE_BY_KEY  The elements that belong to each key in one.
%   [K, Y] = gpumex.reduce_by_key(KEYS, X, OP) applies the operator OP to the
%   elements of X beside each run of equal KEYS: K is the key of each run, Y the
%   result. Where KEYS are sorted, each has one run, and with 'sum' Y is what
%   accumarray adds up. KEYS and X are vectors of one length: logical, of an integer
%   class, single or double, KEYS char, too. Y has the class of X, double for sums and
%   products of logicals. OP is 'sum', 'prod', 'min' or 'max', and of integers 'and',
%   'or' or 'xor'. K and Y are rows where KEYS are one, else columns.
%
%   Here NaN equals NaN, and -0 equals 0. Integers of 4 and 8 bytes wrap around, as
%   they do in C, those of 1 and 2 saturate at last; 'min' and 'max' pass over NaN.
%
%   With a gpumex.array as KEYS or X, K and Y are gpumex.arrays.
%
%   [K, Y] = gpumex.reduce_by_key(..., 'Variant', VARIANT) chooses how it is
%   computed: 'auto' (default), or 'sequential', a plain loop on one core, CPU
%   backend only.
%
%   [K, Y] = gpumex.reduce_by_key(..., 'Backend', BACKEND) chooses where: 'auto'
%   (default; the environment variable GPUMEX_BACKEND, else a GPU where there is
%   one, else the CPU), 'cpu', or 'cuda'.
%
%   Examples:
%      [k, y] = gpumex.reduce_by_key([1 1 4 4 4 9], [10 20 1 2 3 7], 'sum')    % 1 4 9 and 30 6 7
%
%      % Keys in any order:
%      [k, x] = gpumex.sort_by_key([4 1 4 9 1], single(1:5));
%      [k, y] = gpumex.reduce_by_key(k, x, 'max')                              % 1 4 9 and 5 3 4
%
%   Errors: gpumex:reduce_by_key:argumentCount, invalidKeys, invalidData,
%   invalidOperator, sizeMismatch, invalidOption, invalidVariant,
%   invalidBackend, and the states of the library: noDevice, invalidArgument,
%   unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.sort_by_key, gpumex.segreduce, gpumex.unique, accumarray.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.reduce_by_key', keys, x, op, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.reduce_by_key', keys, x, op, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('reduce_by_key');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('reduce_by_key', problem);
    end
end
if nargin < 3
    error('gpumex:reduce_by_key:argumentCount', 'gpumex.reduce_by_key: needs keys, a vector and an operator');
end
call = @(x) gpumex_call('reduce_by_key', {keys, x, op}, {'Variant', 'Backend'}, varargin);
[varargout{1:max(nargout, 1)}] = gpumex_narrow_call(x, op, 2, call);
