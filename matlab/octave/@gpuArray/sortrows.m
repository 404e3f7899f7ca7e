function [S, i] = sortrows(A, c)
%SORTROWS  Rows of a matrix in order, on gpuArrays.
%   [S, I] = sortrows(A, C) sorts by the columns C, the first one first, descending
%   where C is negative; without C by all of them. S is A(I,:); equal rows stay in
%   their order.

if nargin < 2
    c = 1:size(A, 2);
end
c = double(gather(c));
if ~(isnumeric(c) && (isempty(c) || isvector(c)))
    error('sortrows: C must be a numeric vector');
end
if any(c == 0) || any(abs(c) > size(A, 2))
    error('sortrows: all elements of C must be in the range [1, columns (A)]');
end
if ~isa(A, 'gpuArray')
    A = gpuArray(A);
end
if ndims(A) > 2
    error('sortrows: A must be a 2-D matrix');
end
i = gpuArray((1:size(A, 1))');
modes = {'descend', 'ascend'};
for k = numel(c):-1:1
    [~, order] = sort(A(i, abs(c(k))), modes{1 + (c(k) > 0)});
    i = i(order);
end
S = A(i, :);
end
