function A = triu(A, k)
%TRIU  Upper triangle of a matrix, on gpuArrays.
%   triu(A, K) is A with zeros below the diagonal K (0).

if nargin < 2
    k = 0;
end
if ndims(A) > 2 || ~isscalar(k)
    error('triu: need a 2-D matrix and a diagonal''s number');
end
A = tril(A.', -k).';
end
