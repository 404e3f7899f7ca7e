function X = inv(A)
%INV  Inverse of a square matrix, on gpuArrays: A\eye(n), as linsolve computes it.

if ndims(A) > 2 || size(A, 1) ~= size(A, 2)
    error('inverse: A must be a square matrix');
elseif ~isfloat(A)
    error('inverse: argument must be a square matrix, single or double');
end
X = linsolve(A, eye(size(A, 1), 'like', A));
end
