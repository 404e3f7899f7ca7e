function [R, p] = chol(A, form)
%CHOL  Cholesky factor of a symmetric positive definite matrix, on gpuArrays.
%   R = chol(A) is upper triangular with R'*R = A; chol(A, 'lower') is its transpose.
%   [R, P] = chol(A) raises no error: P is 0, or the number of the row in which A is
%   not positive definite, and R the factor of the rows in front of it. Of A the
%   upper triangle is read, with 'lower' the lower one.
%
%   Blocks of 64 rows on the diagonal are gathered, Octave factors them on the host,
%   and products of gpuArrays update the rest.
%
%   Source: G. Golub, C. Van Loan, "Matrix Computations", 4.2.9 (block outer product).

is_lower = nargin > 1 && strcmp(form, 'lower');
if nargin > 1 && ~any(strcmp(form, {'lower', 'upper'}))
    error('gpumex:gpuArray:notServed', 'chol: the option ''%s'' is not served for gpuArrays', form);
elseif ndims(A) > 2 || size(A, 1) ~= size(A, 2)
    error('chol: A must be a square matrix');
elseif ~isfloat(A)
    error('chol: A must be single or double');
end
if is_lower
    A = A';
end
n = size(A, 1);
p = 0;
for first = 1:64:n
    j = first:min(first + 63, n);
    [block, failed] = chol(gather(A(j, j)));
    if failed > 0
        p = first - 1 + failed;
        A(j(1:failed - 1), j(1:failed - 1)) = block;
        break
    end
    A(j, j) = block;
    rest = j(end) + 1:n;
    if ~isempty(rest)
        A(j, rest) = gpuArray(block' \ eye(numel(j), class(block))) * A(j, rest);
        A(rest, rest) = A(rest, rest) - A(j, rest)' * A(j, rest);
    end
end
if p > 0 && nargout < 2
    error('chol: input matrix must be positive definite');
elseif p > 0
    A = A(1:p - 1, 1:p - 1);
end
R = triu(A);
if is_lower
    R = R';
end
end
