function varargout = spmv(A, x, varargin)
%SPMV  Product of a sparse matrix and a vector.
%   Y = gpumex.spmv(A, X) is A*X for a real sparse matrix A of doubles and a
%   vector X of doubles. Y is a column.
%
%   Y = gpumex.spmv(A, X, 'Transpose', true) is A.'*X. MATLAB keeps a matrix
%   column by column, which is its transpose row by row, as products need it:
%   this form takes A as it lies. A*X transposes A first, which takes as much
%   memory as A has and longer than the product. For many products with one A
%   keep At = A.', and multiply by it: gpumex.spmv(At, X, 'Transpose', true) is
%   A*X.
%
%   Y = gpumex.spmv(..., 'Semiring', NAME) takes other operators: Y(i) is the
%   sum by the first of them of the products by the second, over the entries of
%   row i that A stores. A row without one gives 0, NaN where the first is min
%   or max.
%
%      'plus-times'               the usual product (default)
%      'min-plus', 'max-plus'     shortest and longest ways of one more step
%      'min-times', 'max-times'   of probabilities
%      'min-max', 'max-min'       widest ways
%
%   A gpumex.array as X gives Y as a gpumex.array; A is a matrix of the host.
%
%   [Y, MS] = gpumex.spmv(...) also returns how many milliseconds the
%   computation itself took, without the transfers to and from the GPU.
%
%   Sums are added in another order than MATLAB's and differ by rounding.
%
%   Y = gpumex.spmv(..., 'Variant', VARIANT) chooses how it is computed: 'auto'
%   (default), or 'sequential', a plain loop on one core, CPU backend only.
%
%   Y = gpumex.spmv(..., 'Backend', BACKEND) chooses where: 'auto' (default; the
%   environment variable GPUMEX_BACKEND, else a GPU where there is one, else the
%   CPU), 'cpu', or 'cuda'.
%
%   Examples:
%      A = sprand(1e5, 1e5, 1e-4);
%      x = rand(1e5, 1);
%      norm(gpumex.spmv(A, x) - A*x, Inf)              % about 1e-15
%
%      % Lengths of the shortest ways from node 1, by Bellman and Ford:
%      roads = sparse([1 1 2 3], [2 3 4 4], [7 2 1 3], 4, 4);
%      far = [0; Inf; Inf; Inf];
%      for step = 1:3
%          far = min(far, gpumex.spmv(roads, far, 'Transpose', true, 'Semiring', 'min-plus'));
%      end                                             % 0 7 2 5
%
%   Errors: gpumex:spmv:argumentCount, invalidMatrix, invalidVector,
%   sizeMismatch, invalidTranspose, invalidSemiring, invalidOption,
%   invalidVariant, invalidBackend, and the states of the library: noDevice,
%   invalidArgument, unsupported, outOfMemory, cuda, busy, internal.
%
%   See also gpumex.matmul, gpumex.segreduce, mtimes, sparse.

persistent gateway raise
try
    if nargout < 2
        varargout = {gateway('.spmv', A, x, varargin{:})};
    else
        [varargout{1:nargout}] = gateway('.spmv', A, x, varargin{:});
    end
    return
catch problem
    if isempty(gateway)                         % the first call
        [gateway, raise] = gpumex_gateway('spmv');
    else                                        % a gpumex.array, or what the way below serves, or refuses
        raise('spmv', problem);
    end
end
if nargin < 2
    error('gpumex:spmv:argumentCount', 'gpumex.spmv: needs a sparse matrix and a vector');
end
% MS is fetched when it is asked for: it waits for the device.
[varargout{1:max(nargout, 1)}] = gpumex_call('spmv', {A, x}, {'Transpose', 'Semiring', 'Variant', 'Backend'}, varargin);
