function varargout = scan(x, op, varargin)
%SCAN  Running results of an operator along a dimension.
%   Y = gpumex.scan(X, OP) has the size of X: Y(i) is X(1:i) combined by the
%   operator OP, as by cumsum, cumprod, cummin and cummax, along the first
%   dimension of X that is not 1. X is full and real, logical, char, of an integer
%   class, single or double; Y has its class, double for char and for sums and products
%   of logicals. OP is 'sum', 'prod', 'min' or 'max', and of vectors of integers of 4
%   and 8 bytes, from the first element on, 'and', 'or' or 'xor'.
%
%   Y = gpumex.scan(X, OP, DIM) goes along dimension DIM.
%
%   Y = gpumex.scan(X, OP, 'exclusive') and gpumex.scan(X, OP, DIM, 'exclusive')
%   leave out X(i): Y(i) is X(1:i - 1) combined, and Y(1) is what leaves any number
%   as it is: 0 for 'sum', 1 for 'prod', for 'min' and 'max' the largest and the
%   smallest integer, or NaN. 'inclusive' is the default.
%
%   gpumex.scan(..., 'reverse') begins at the last element, as cumsum of MATLAB has it;
%   'forward' is the default. With 'omitnan' the operator passes over NaN, with
%   'includenan' all from a NaN on is NaN. As in MATLAB 'includenan' is the default of
%   'sum' and 'prod', 'omitnan' that of 'min' and 'max'. These words stand before the
%   options, in any order.
%
%   [Y, TOTAL] = gpumex.scan(...) of a vector also returns what
%   gpumex.reduce(X, OP) does.
%
%   Sums and products of integers saturate, as those of MATLAB; with
%   gpumex.scan(..., 'Overflow', 'wrap') they wrap around as they do in C. Sums of
%   floating-point numbers differ by rounding from those of cumsum.
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
%   invalidDimension, invalidOverflow,
%   invalidKind, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda,
%   busy, internal.
%
%   See also gpumex.reduce, gpumex.interval_expand, cumsum, cumprod, cummin,
%   cummax.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.scan', x, op, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.scan', x, op, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('scan');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('scan', problem);
    end
end
if nargin < 2
    error('gpumex:scan:argumentCount', 'gpumex.scan: needs an array and an operator');
end
if ischar(x)
    x = double(x);
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.scan', {x, op}, {}, varargin);     % {'Overflow', 'Variant', 'Backend'}
