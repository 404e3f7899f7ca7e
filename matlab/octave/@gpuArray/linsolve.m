function X = linsolve(A, B, options)
%LINSOLVE  Solve A*X = B for a square matrix, on gpuArrays: A\B.
%   Gaussian elimination with partial pivoting (see lu) and one step of iterative
%   refinement. A that is singular to working precision is warned of, as by A\B on
%   the host; where a pivot is 0, X is Inf. Least squares (A is not square) are not
%   served.

if nargin < 2
    error('Invalid call to linsolve');
end
if nargin > 2
    error('gpumex:gpuArray:notServed', 'linsolve: options are not served for gpuArrays');
end
if islogical(A), A = double(A); end
if islogical(B), B = double(B); end
if ndims(A) > 2 || ndims(B) > 2 || size(A, 1) ~= size(B, 1)
    error('Octave:nonconformant-args', 'operator \\: nonconformant arguments (op1 is %dx%d, op2 is %dx%d)', size(A, 1), size(A, 2), size(B, 1), size(B, 2));
elseif size(A, 1) ~= size(A, 2)
    error('gpumex:gpuArray:notServed', 'operator \\ (mldivide), linsolve: gpuArrays are served where the matrix is square; it is %dx%d', size(A));
elseif ~isfloat(A) || ~isfloat(B)
    error('operator \\ (mldivide), linsolve: matrices are single or double');
end
A = gpuArray(A);
B = gpuArray(B);
[L, U, p] = lu(A, 'vector');
pivots = abs(gather(diag(U)));
if any(pivots == 0)
    warning('Octave:singular-matrix', 'matrix singular to machine precision');
    X = Inf(size(A, 2), size(B, 2), 'like', A(1:0, :) * B(:, 1:0));
    return
elseif any(pivots < eps(class(pivots)) * max(pivots))
    warning('Octave:nearly-singular-matrix', 'matrix singular to machine precision');
end
X = solve_factored(L, U, p, B);
X = X + solve_factored(L, U, p, B - A * X);
end

function X = solve_factored(L, U, p, X)
% Forward and back substitution, with the inverses of blocks on the diagonal.
X = X(p, :);
n = numel(p);
for first = 1:64:n
    j = first:min(first + 63, n);
    X(j, :) = block_inverse(L, j) * X(j, :);
    below = j(end) + 1:n;
    if ~isempty(below)
        X(below, :) = X(below, :) - L(below, j) * X(j, :);
    end
end
for first = fliplr(1:64:n)
    j = first:min(first + 63, n);
    X(j, :) = block_inverse(U, j) * X(j, :);
    above = 1:first - 1;
    if ~isempty(above)
        X(above, :) = X(above, :) - U(above, j) * X(j, :);
    end
end
end

function inverse = block_inverse(T, j)
warning('off', 'Octave:nearly-singular-matrix', 'local');   % said once, of the whole matrix
block = gather(T(j, j));
inverse = gpuArray(block \ eye(numel(j), class(block)));
end
