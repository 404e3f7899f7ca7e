function Y = nth_element(X, n, dim)
%NTH_ELEMENT  The N-th smallest elements of vectors, on gpuArrays; by sorting.

n = double(gather(n));
if nargin < 3
    dim = find(size(X) ~= 1, 1);
    if isempty(dim)
        dim = 1;
    end
end
if any(n ~= fix(n)) || any(n < 1) || any(n > size(X, dim))
    error('nth_element: n must be valid index');
end
X = sort(X, dim);
index = repmat({':'}, 1, ndims(X));
index{dim} = n;
Y = X(index{:});
end
