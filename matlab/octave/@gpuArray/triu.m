function A = triu(A, k)
%TRIU  Upper triangle of a matrix, on gpuArrays.
%   triu(A, K) is A with zeros below the diagonal K (0).

if nargin < 2
    k = 0;
end
k = double(gather(k));
if ~isa(A, 'gpuArray')
    A = gpuArray(A);
end
if ~isnumeric(k) || ~isscalar(k) || ndims(A) > 2
    error('triu: need a 2-D matrix and a diagonal''s number');
end
[rows, columns] = size(A);
A(gpuArray(1:columns) - gpuArray((1:rows)') < k) = 0;
end
