function [rank, order] = gpuarray_pagerank(pages, damping)
%GPUARRAY_PAGERANK  Which pages of a network are important, by the power method.
%   [RANK, ORDER] = gpuarray_pagerank(PAGES, DAMPING) makes a network of PAGES pages
%   and ranks them on gpuArrays: RANK(k) is the probability that somebody who
%   follows links at random, and jumps anywhere with the probability 1 - DAMPING,
%   is on page k; ORDER has the most important page first. Both are checked against
%   the same program on ordinary arrays.
%
%   After Cleve Moler, Experiments with MATLAB (MathWorks 2011), chapter "Google
%   PageRank"; full matrices.

if nargin < 1
    pages = 300;
end
if nargin < 2
    damping = 0.85;
end
[i, j] = ndgrid(1:pages);
links = mod(i .* j + 3 * i + j.^2, 17) < 2 & i ~= j;
links(:, 7:40:end) = false;                 % pages without links

[rank, order] = power_method(gpuArray(links), damping);
[expected, expectedOrder] = power_method(links, damping);
rank = gather(rank);
order = gather(order);
assert(max(abs(rank - expected)) < 1e-12 && abs(sum(rank) - 1) < 1e-12);
assert(issorted(expected(order(end:-1:1))) || max(abs(expected(order) - expected(expectedOrder))) < 1e-12);
end

function [x, order] = power_method(links, damping)
n = size(links, 1);
out = sum(links, 1);
G = double(links);
G(:, out > 0) = G(:, out > 0) ./ out(out > 0);
jump = (1 - damping) * (out > 0) + (out == 0);      % from a page without links anywhere
x = ones(n, 1, 'like', G) / n;
change = 1;
while change > 1e-13
    before = x;
    x = damping * (G * x) + (jump * x) / n;
    x = x / sum(x);
    change = norm(x - before, 1);
end
[~, order] = sort(x, 'descend');
end
