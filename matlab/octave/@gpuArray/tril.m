function A = tril(A, k)
%TRIL  Lower triangle of a matrix, on gpuArrays.
%   tril(A, K) is A with zeros above the diagonal K (0).

if nargin < 2
    k = 0;
end
k = double(gather(k));
if ~isa(A, 'gpuArray')
    A = gpuArray(A);
end
if ~isnumeric(k) || ~isscalar(k) || ndims(A) > 2
    error('tril: need a 2-D matrix and a diagonal''s number');
end
[rows, columns] = size(A);
A(gpuArray(1:columns) - gpuArray((1:rows)') > k) = 0;
end
