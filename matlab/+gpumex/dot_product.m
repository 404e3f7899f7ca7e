function varargout = dot_product(X, Y, varargin)
%DOT_PRODUCT  Scalar product of two vectors.
%   D = gpumex.dot_product(X, Y) is the sum of X .* Y for full real arrays with as many
%   elements, both single or both double. D is a scalar of their class. Sums are added
%   in another order than MATLAB's and differ by rounding.
%
%   A gpumex.array as X or Y gives D as a gpumex.array.
%
%   [D, MS] = gpumex.dot_product(...) also returns how many milliseconds the computation
%   itself took, without the transfers to and from the GPU.
%
%   D = gpumex.dot_product(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default); 'atomic', 'two_pass' and 'shared', as textbooks add up what the blocks
%   found; 'sequential', a plain loop on one core, CPU backend only.
%
%   D = gpumex.dot_product(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.dot_product([1 2 3], [4 5 6])                    % 32
%
%   Errors: gpumex:dot_product:argumentCount, invalidData, mixedClasses, sizeMismatch,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.add, gpumex.matmul, gpumex.reduce, dot.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.dot_product', X, Y, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.dot_product', X, Y, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('dot_product');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('dot_product', problem);
    end
end
if nargin < 2
    error('gpumex:dot_product:argumentCount', 'gpumex.dot_product: needs two arrays');
end
[varargout{1:max(nargout, 1)}] = gpumex_call('.dot_product', {X, Y}, {}, varargin);   % {'Variant', 'Backend'}
