function [L, U, p] = lu(A, option)
%LU  LU factors with partial pivoting, on gpuArrays.
%   [L, U, P] = lu(A) gives L*U = P*A with L unit lower and U upper triangular;
%   with lu(A, 'vector') it is L*U = A(P,:). [L, U] = lu(A) has the rows of L in
%   the order of A, and Y = lu(A) is U + L - I. P is of the host as a vector.
%
%   Columns are factored 64 at a time: they are gathered, Octave factors them on
%   the host, and products of gpuArrays update the rest of A. So A goes to the
%   host and back once, as in hybrid solvers.
%
%   Source: S. Tomov, J. Dongarra, M. Baboulin, "Towards dense linear algebra for
%   hybrid GPU accelerated manycore systems", Parallel Computing 36, 2010.

if islogical(A)
    A = double(A);
end
if nargin > 1 && ~strcmp(option, 'vector')
    error('lu: unrecognized option: %s', option);
elseif ndims(A) > 2 || ~isfloat(A)
    error('lu: argument must be a matrix, single or double');
end
[m, n] = size(A);
p = (1:m)';
for first = 1:64:min(m, n)
    j = first:min([first + 63, m, n]);
    [L, U, q] = lu(gather(A(first:m, j)), 'vector');
    A(first:m, :) = A(first - 1 + q, :);
    p(first:m) = p(first - 1 + q);
    panel = tril(L, -1);
    panel(1:numel(j), :) = panel(1:numel(j), :) + U;
    A(first:m, j) = panel;
    rest = j(end) + 1:n;
    below = j(end) + 1:m;
    if ~isempty(rest)
        A(j, rest) = gpuArray(L(1:numel(j), :) \ eye(numel(j), class(L))) * A(j, rest);
    end
    if ~isempty(rest) && ~isempty(below)
        A(below, rest) = A(below, rest) - A(below, j) * A(j, rest);
    end
end
if nargout < 2
    L = A;
    return
end
k = min(m, n);
U = triu(A(1:k, :));
L = tril(A(:, 1:k), -1);
L((0:k - 1) * (m + 1) + 1) = 1;
if nargout == 2
    L(p, :) = L;
elseif nargin < 2
    P = zeros(m, 'like', A);
    P((p - 1) * m + (1:m)') = 1;
    p = P;
end
end
