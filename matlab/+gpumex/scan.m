function varargout = scan(x, op, varargin)
%SCAN  Running results of an operator along a vector.
%   Y = gpumex.scan(X, OP) is as long as the vector X: Y(i) is what the operator
%   OP makes of X(1:i), as cumsum, cumprod, cummin and cummax have it. X is
%   int32, uint32, int64, uint64, single or double; Y has its class and size. OP
%   is 'sum', 'prod', 'min' or 'max', and of integers 'and', 'or' or 'xor'.
%
%   Y = gpumex.scan(X, OP, 'exclusive') leaves out X(i): Y(i) is made of X(1:i -
%   1), and Y(1) is what leaves any number as it is: 0 for 'sum', 1 for 'prod',
%   for 'min' and 'max' the largest and the smallest integer, or NaN.
%   'inclusive' is the default.
%
%   [Y, TOTAL] = gpumex.scan(...) also returns what gpumex.reduce(X, OP) does.
%
%   Integers wrap around, as they do in C. 'min' and 'max' pass over NaN. Sums
%   of floating-point numbers differ by rounding from those of cumsum.
%
%   A gpumex.array as X gives Y and TOTAL as gpumex.arrays.
%
%   Y = gpumex.scan(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   Y = gpumex.scan(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Examples:
%      gpumex.scan([3 1 4 1 5], 'sum')                 % 3 4 8 9 14
%      gpumex.scan([3 1 4 1 5], 'max')                 % 3 3 4 4 5
%
%      % Where runs begin whose lengths are known:
%      [before, total] = gpumex.scan([2 5 3], 'sum', 'exclusive');     % 0 2 7 and 10
%
%   Errors: gpumex:scan:argumentCount, invalidData, invalidOperator,
%   invalidKind, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.reduce, gpumex.interval_expand, cumsum, cumprod, cummin,
%   cummax.

if nargin < 2
    error('gpumex:scan:argumentCount', 'gpumex.scan: needs a vector and an operator');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('scan', {x, op}, {'Variant', 'Backend'}, varargin, 'inclusive');
