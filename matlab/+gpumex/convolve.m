function C = convolve(A, B, varargin)
%CONVOLVE  Convolution in two dimensions.
%   C = gpumex.convolve(A, B) is the convolution of two full real matrices, of
%   (ma + mb - 1)-by-(na + nb - 1). C is single where one of them is, else double;
%   logicals and integers are converted to double.
%
%   C = gpumex.convolve(A, B, SHAPE): 'full' (default); 'same', the middle of it, of the
%   size of A; 'valid', what no element outside A is needed for.
%
%   C = gpumex.convolve(U, V, A) and gpumex.convolve(U, V, A, SHAPE) convolve A by the column
%   U(:) and then by the row V(:).'.
%
%   That is conv2 of MATLAB; a function of this name in a package has Octave warn of it.
%   Outside A are zeros. But with 'valid' the elements of the smaller matrix are finite
%   (else unsupported). Sums are added in another order than MATLAB's and differ by
%   rounding.
%
%   A gpumex.array as A or B gives C as a gpumex.array.
%
%   C = gpumex.convolve(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   C = gpumex.convolve(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Example:
%      gpumex.convolve([1 2; 3 4], [1 1])                   % [1 3 2; 3 7 4]
%
%   Errors: gpumex:convolve:argumentCount, invalidData, invalidShape,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy,
%   internal.
%
%   See also gpumex.medfilt2, conv2, filter2.

persistent gateway raise
try
    C = gateway('.convolve', A, B, varargin{:});
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('convolve');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('convolve', problem);
    end
end
if nargin < 2
    error('gpumex:convolve:argumentCount', 'gpumex.convolve: needs two matrices');
end
if ~isempty(varargin) && is_matrix(varargin{1})
    C = convolved(convolved(varargin{1}, reshape(A, [], 1), varargin(2:end)), reshape(B, 1, []), varargin(2:end));
else
    C = convolved(A, B, varargin);
end
end

function tf = is_matrix(x)
tf = isnumeric(x) || islogical(x) || isa(x, 'gpumex.array');
end

function C = convolved(A, B, options)
A = as_matrix(A);
B = as_matrix(B);
if strcmp(underlying_class(A), 'single') || strcmp(underlying_class(B), 'single')
    A = single(A);
    B = single(B);
end
C = gpumex_call('.convolve', {A, B}, {}, options);    % {'Variant', 'Backend'}
end

function A = as_matrix(A)
% Integers and logicals as double; the gateway refuses the rest.
if islogical(A) || (isnumeric(A) && ~isfloat(A))
    A = double(A);
end
end

function name = underlying_class(A)
if isa(A, 'gpumex.array') || isa(A, 'gpuArray')
    name = classUnderlying(A);
else
    name = class(A);
end
end
