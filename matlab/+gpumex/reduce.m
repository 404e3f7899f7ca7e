function varargout = reduce(x, op, varargin)
%REDUCE  All elements of an array in one, or those along a dimension.
%   Y = gpumex.reduce(X, OP) applies the operator OP to all elements of X, a
%   full real array of any size, logical, char, of an integer class, single or
%   double. Y is a scalar of the class of X, double for char and for sums and products
%   of logicals:
%
%      'sum'   their sum
%      'prod'  their product
%      'min'   the smallest one, NaN passed over
%      'max'   the largest one, NaN passed over
%      'and', 'or', 'xor'   of the bits of integers of 4 and 8 bytes
%
%   Y = gpumex.reduce(X, OP, DIM) applies it along dimension DIM, as sum(X, DIM)
%   has it; 'and', 'or' and 'xor' are of all elements only.
%
%   Y = gpumex.reduce(..., 'omitnan') leaves out NaN, and gpumex.reduce(...,
%   'includenan') has NaN of what holds one. 'includenan' is the default of sums and
%   products, 'omitnan' that of 'min' and 'max'. 'omitmissing' and 'includemissing'
%   are the same.
%
%   Sums and products of integers saturate, as those of MATLAB; with
%   gpumex.reduce(..., 'Overflow', 'wrap') they wrap around as they do in C, which
%   uses all cores. With no element Y is what leaves any number as it is, 0 for
%   'sum', 1 for 'prod', and [] for 'min' and 'max'. Of -0 and 0, -0 is the smaller
%   one. Sums of floating-point numbers are added in another order than MATLAB's
%   and differ by rounding; each backend gives the same bits each time.
%
%   A gpumex.array as X gives Y as a gpumex.array.
%
%   [Y, MS] = gpumex.reduce(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Y = gpumex.reduce(..., 'Variant', VARIANT) chooses how it is computed:
%   'auto' (default), or 'sequential', a plain loop on one core, CPU backend
%   only.
%
%   Y = gpumex.reduce(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one, else
%   the CPU), 'cpu', or 'cuda'.
%
%   Example:
%      x = rand(1000);
%      gpumex.reduce(x, 'max') == max(x(:))
%      gpumex.reduce(int32([12 10]), 'and')            % 8, as bitand(12, 10)
%      gpumex.reduce(magic(3), 'sum', 2)               % [15; 15; 15]
%
%   Errors: gpumex:reduce:argumentCount, invalidData, invalidOperator,
%   invalidDimension, invalidOverflow,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.scan, gpumex.segreduce, sum, prod, min, max, bitand.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.reduce', x, op, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.reduce', x, op, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('reduce');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('reduce', problem);
    end
end
if nargin < 2
    error('gpumex:reduce:argumentCount', 'gpumex.reduce: needs an array and an operator');
end
if ischar(x)
    x = double(x);
end
dim = 0;                                        % of all elements
if ~isempty(varargin) && isnumeric(varargin{1})
    dim = varargin{1};
    varargin(1) = [];
    if ~(isscalar(dim) && isreal(dim) && dim >= 1 && dim == fix(dim))
        error('gpumex:reduce:invalidDimension', 'gpumex.reduce: DIM is %s; it is a whole number from 1', mat2str(dim));
    end
end
% MS is fetched when it is asked for: it waits for the device.
[varargout{1:max(nargout, 1)}] = gpumex_call('reduce', {x, op, dim}, {'Overflow', 'Variant', 'Backend'}, varargin, 'auto');
