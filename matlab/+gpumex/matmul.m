function varargout = matmul(A, B, varargin)
%MATMUL  Matrix product, of pages too.
%   C = gpumex.matmul(A, B) is the product A*B of two real, full matrices of
%   one class, single or double; C has that class. A has as many columns as B
%   has rows; where one of them is a scalar, C is A.*B. When that number of columns
%   is 0, C is zeros. No copy of A or B is made on the way.
%
%   C = gpumex.matmul(..., 'TransA', true) multiplies A.', which is not formed;
%   'TransB' is the same for B. Both are false by default.
%
%   C = gpumex.matmul(..., 'Alpha', ALPHA) is ALPHA*A*B, and gpumex.matmul(...,
%   'Alpha', ALPHA, 'Beta', BETA, 'C', C0) is ALPHA*A*B + BETA*C0 for C0 of the class
%   and the size of the product.
%
%   A and B with more than two dimensions are pages of matrices, as pagemtimes
%   has them: C(:,:,i) is A(:,:,i)*B(:,:,i), and 'TransA' transposes each page.
%   Both have the same pages, or one of them is a single matrix, which then
%   multiplies every page of the other; a dimension of pages that is 1 in one of
%   them is repeated, which copies. For A of m-by-k-by-p and B of k-by-n, C
%   is m-by-n-by-p.
%
%   C = gpumex.matmul(..., 'Variant', VARIANT) chooses how it is computed:
%      'auto'        the best one of those as exact as a plain product (default)
%      'sequential'  the plain triple loop on one core, CPU backend only
%      'naive'       a thread for each element of C, from global memory
%      'blocked'     square tiles in the GPU's shared memory
%      'tiled'       tiles in registers; double on tensor cores
%      'tensor'      single on tensor cores, each number in three parts; double as
%                    'tiled'
%      'tf32'        single rounded to 11 bits, on tensor cores: the fastest,
%                    with an error a thousand times as large
%      'cublas'      NVIDIA's cuBLAS, where it can be loaded, CUDA backend only
%   'tensor' and 'tf32' need compute capability 8.0. On the CPU backend all from
%   'naive' to 'tf32' are computed as 'auto' is.
%
%   C = gpumex.matmul(..., 'Backend', BACKEND) chooses where: 'auto' (default;
%   the environment variable GPUMEX_BACKEND, else a GPU where there is one,
%   else the CPU), 'cpu', or 'cuda'.
%
%   With a gpumex.array as A or B, C is a gpumex.array.
%
%   [C, MS] = gpumex.matmul(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Accuracy: with k terms in each sum, u = eps(class(A))/2 and j = k + 2, with
%   'tensor', which 'auto' may take, k + 10, each element differs from the exact
%   product by at most j*u/(1 - j*u) * abs(A)*abs(B), with 'tf32' by
%   2^-10 * abs(A)*abs(B) more.
%   Two variants, two backends, and A*B agree within that, and not to the last
%   bit: where one of them fuses a multiplication with an addition it rounds
%   once instead of twice, and they add in different orders. So compare with a
%   bound, not with isequal.
%
%   Examples:
%      A = rand(300, 200, 'single');
%      B = rand(200, 100, 'single');
%      C = gpumex.matmul(A, B, 'Variant', 'tiled');
%      norm(C - A*B, 'fro') / norm(C, 'fro')      % about 1e-7
%
%      G = gpumex.matmul(A, A, 'TransA', true);   % A.'*A
%      turn = [0 -1; 1 0];
%      D = gpumex.matmul(turn, rand(2, 50, 8));   % turns the points of 8 pages
%
%   Errors: gpumex:matmul:argumentCount, invalidMatrix, complexMatrix,
%   sparseMatrix, mixedClasses, sizeMismatch, invalidTransA, invalidTransB, invalidAlpha,
%   invalidBeta, invalidC,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also mtimes, pagemtimes, gpumex.array, gpumex.info.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('matmul', A, B, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('matmul', A, B, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('matmul');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('matmul', problem);
    end
end
if nargin < 2
    error('gpumex:matmul:argumentCount', 'gpumex.matmul: needs two matrices');
end
% MS is fetched when it is asked for: it waits for the device.
[A, B, is_scalar] = in_one_shape(A, B);
if is_scalar
    [varargout{1:max(nargout, 1)}] = scaled(A, B, varargin);
else
    [varargout{1:max(nargout, 1)}] = gpumex_call('matmul', [{A, B}, varargin], {}, {});
end
end

function varargout = scaled(A, B, options)
% One of them is a scalar: the other is one row, or one column.
[options, is_turned] = take_transposes(options);
M = B;
if numel(B) == 1
    M = A;
end
if is_turned(1 + (numel(A) == 1))
    M = permute(M, [2, 1, 3:ndims(M)]);
end
extent = size(M);
inputs = {A, reshape(M, 1, [])};
if numel(B) == 1
    inputs = {reshape(M, [], 1), B};
end
at = find(cellfun(@(x) is_word(x, 'C'), options(1:2:end)), 1);
if ~isempty(at) && 2 * at <= numel(options) && isequal(size(options{2 * at}), extent)
    options{2 * at} = reshape(options{2 * at}, size(inputs{1 + (numel(A) == 1)}));
end
[varargout{1:nargout}] = gpumex_call('matmul', [inputs, options], {}, {});
varargout{1} = reshape(varargout{1}, extent);
end

function [options, is_turned] = take_transposes(options)
% What is neither true nor false is left for the gateway to refuse.
is_turned = [false false];
for k = numel(options) - 1:-1:1
    which = find([is_word(options{k}, 'TransA'), is_word(options{k}, 'TransB')]);
    if ~isempty(which) && mod(k, 2) == 1 && isscalar(options{k + 1}) && any(options{k + 1} == [0 1])
        is_turned(which) = options{k + 1} == 1;
        options(k:k + 1) = [];
    end
end
end

function tf = is_word(x, word)
tf = (ischar(x) || isa(x, 'string')) && strcmpi(char(x), word);
end

function [A, B, is_scalar] = in_one_shape(A, B)
% Pages with the same dimensions.
is_scalar = false;
if ~is_product(A) || ~is_product(B) || ~strcmp(underlying_class(A), underlying_class(B))
    return                                      % the gateway says what is wrong
end
is_scalar = (numel(A) == 1) ~= (numel(B) == 1);
n = max([ndims(A), ndims(B), 3]);
of_A = extents(A, n);
of_B = extents(B, n);
fits = of_A == of_B | of_A == 1 | of_B == 1;
if prod(of_A) ~= 1 && prod(of_B) ~= 1 && all(fits)
    A = repeat(A, [1 1 1 + (of_A == 1 & of_B ~= 1) .* (of_B - 1)]);
    B = repeat(B, [1 1 1 + (of_B == 1 & of_A ~= 1) .* (of_A - 1)]);
end
end

function tf = is_product(A)
tf = isa(A, 'gpumex.array') || (isfloat(A) && isreal(A) && ~issparse(A));
end

function name = underlying_class(A)
if isa(A, 'gpumex.array') || isa(A, 'gpuArray')
    name = classUnderlying(A);
else
    name = class(A);
end
end

function extent = extents(A, n)
extent = size(A);
extent = [extent, ones(1, n - numel(extent))];
extent = extent(3:n);
end

function A = repeat(A, times)
if any(times ~= 1)
    A = repmat(A, times);
end
end
