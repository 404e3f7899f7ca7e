function [counts, edges] = histcounts(X, edges)
%HISTCOUNTS  How many elements lie in each bin, on gpuArrays.
%   N = histcounts(X, EDGES) counts the elements of X with EDGES(k) <= x < EDGES(k+1),
%   and those equal to the last edge in the last bin. EDGES is ascending; a number
%   of bins in place of them is not served.

if nargin < 2 || numel(edges) < 2
    error('gpumex:gpuArray:notServed', 'histcounts: not served for gpuArrays but with the edges of the bins');
end
bins = numel(edges) - 1;
x = reshape(gpuArray(X), [], 1);
place = lookup(edges, x);
place(x == edges(end)) = bins;
place(~(x >= edges(1) & x <= edges(end))) = 0;
counts = reshape(accumarray(place + 1, 1, [bins + 1, 1]), 1, []);
counts = counts(2:end);
end
