function varargout = matmul(A, B, varargin)
%MATMUL  Matrix product.
%   C = gpumex.matmul(A, B) is the product A*B of two real, full matrices of
%   one class, single or double; C has that class. A has as many columns as B
%   has rows: a scalar is a 1-by-1 matrix and is not expanded. When that number
%   is 0, C is zeros. No copy of A or B is made on the way.
%
%   C = gpumex.matmul(..., 'Variant', VARIANT) chooses how it is computed:
%      'auto'        the best one (default)
%      'sequential'  the plain triple loop on one core, CPU backend only
%      'naive'       a thread for each element of C, from global memory
%      'blocked'     square tiles in the GPU's shared memory
%   On the CPU backend the last two are computed as 'auto' is.
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
%   Accuracy: with k columns in A and u = eps(class(A))/2, each element differs
%   from the exact product by at most k*u/(1 - k*u) * abs(A)*abs(B).
%
%   Example:
%      A = rand(300, 200, 'single');
%      B = rand(200, 100, 'single');
%      C = gpumex.matmul(A, B, 'Variant', 'blocked');
%      norm(C - A*B, 'fro') / norm(C, 'fro')      % about 1e-7
%
%   Errors: gpumex:matmul:argumentCount, invalidMatrix, mixedClasses,
%   sizeMismatch, invalidOption, invalidVariant, invalidBackend, and the states
%   of the library: noDevice, invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also mtimes, gpumex.info.

if nargin < 2
    error('gpumex:matmul:argumentCount', 'gpumex.matmul: needs two matrices');
end
% MS is fetched when it is asked for: it waits for the device.
[varargout{1:max(nargout, 1)}] = gpumex_call('matmul', {A, B}, {'Variant', 'Backend'}, varargin);
end
