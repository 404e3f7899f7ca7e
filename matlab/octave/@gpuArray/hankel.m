function H = hankel(c, r)
%HANKEL  Matrix with constant anti-diagonals, on gpuArrays.
%   hankel(C, R) has the first column C and the last row R; hankel(C) has zeros below
%   its anti-diagonal.

if nargin < 2
    r = zeros(size(c), 'like', c);
elseif r(1) ~= c(end)
    warning('hankel: column wins anti-diagonal conflict');
end
if ~(isvector(c) && isvector(r))
    error('hankel: C and R must be vectors');
end
m = numel(c);
n = numel(r);
data = [reshape(c, [], 1); reshape(r(2:n), [], 1)];
H = reshape(data((1:m)' + (0:n-1)), m, n);
end
