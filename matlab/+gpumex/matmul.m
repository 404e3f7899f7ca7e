function varargout = matmul(A, B, varargin)
%MATMUL  Matrix product, of pages too.
%   C = gpumex.matmul(A, B) is the product A*B of two real, full matrices of
%   one class, single or double; C has that class. A has as many columns as B
%   has rows: a scalar is a 1-by-1 matrix and is not expanded. When that number
%   is 0, C is zeros. No copy of A or B is made on the way.
%
%   C = gpumex.matmul(..., 'TransA', true) multiplies A.', which is not formed;
%   'TransB' is the same for B. Both are false by default.
%
%   A and B with more than two dimensions are pages of matrices, as pagemtimes
%   has them: C(:,:,i) is A(:,:,i)*B(:,:,i), and 'TransA' transposes each page.
%   Both have the same pages, or one of them is a single matrix, which then
%   multiplies every page of the other. For A of m-by-k-by-p and B of k-by-n, C
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
%   'tensor' k + 10, each element differs from the exact product by at most
%   j*u/(1 - j*u) * abs(A)*abs(B), with 'tf32' by 2^-10 * abs(A)*abs(B) more.
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
%   sparseMatrix, mixedClasses, sizeMismatch, invalidTransA, invalidTransB,
%   invalidOption, invalidVariant, invalidBackend, and the states of the
%   library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also mtimes, pagemtimes, gpumex.array, gpumex.info.

if nargin < 2
    error('gpumex:matmul:argumentCount', 'gpumex.matmul: needs two matrices');
end
persistent gateway
if isempty(gateway)
    gateway = gpumex_gateway('matmul');
end
try
    [varargout{1:max(nargout, 1)}] = gateway('matmul', A, B, varargin{:});
    return
catch                                           % a gpumex.array, or an error, which the way below raises
end
% MS is fetched when it is asked for: it waits for the device.
[varargout{1:max(nargout, 1)}] = gpumex_call('matmul', [{A, B}, varargin], {}, {});
end
