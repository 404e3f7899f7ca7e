function T = toeplitz(c, r)
%TOEPLITZ  Matrix with constant diagonals, on gpuArrays.
%   toeplitz(C, R) has the first column C and the first row R; toeplitz(C) is
%   symmetric, and Hermitian where C is complex.

if nargin < 2
    r = c;
    if iscomplex(c)
        c = conj(c);
        c(1) = r(1);
    end
elseif r(1) ~= c(1)
    warning('toeplitz: column wins diagonal conflict');
end
if ~(isvector(c) && isvector(r) || isempty(c) || isempty(r))
    error('toeplitz: C and R must be vectors');
end
m = numel(c);
n = numel(r);
data = [reshape(r(n:-1:2), [], 1); reshape(c, [], 1)];
T = reshape(data((1:m)' - (1:n) + n), m, n);
end
