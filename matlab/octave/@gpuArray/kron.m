function K = kron(A, B, varargin)
%KRON  Kronecker product of matrices, on gpuArrays.

if nargin < 2
    error('Invalid call to kron');
end
if ndims(A) > 2 || ndims(B) > 2
    error('kron: A and B must be 2-D matrices');
end
if ~isfloat(A)
    A = double(A);
end
if ~isfloat(B)
    B = double(B);
end
[ra, ca] = size(A);
[rb, cb] = size(B);
K = reshape(reshape(A, 1, ra, 1, ca) .* reshape(B, rb, 1, cb, 1), ra * rb, ca * cb);
if ~isempty(varargin)
    K = kron(K, varargin{:});
end
end
