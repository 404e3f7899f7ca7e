function [Y, state] = filter(b, a, X, state, dim)
%FILTER  Finite impulse response filter, on gpuArrays.
%   Y = filter(B, A, X, [], DIM) filters along DIM, by default the first dimension
%   that is not 1. A is one number: a filter with feedback computes an element from
%   the one before, and is not served.

if nargin < 3
    error('Invalid call to filter');
end
if nargin < 4
    state = [];
end
if numel(a) ~= 1
    error('gpumex:gpuArray:notServed', 'filter: not served for gpuArrays with feedback: A has %d elements', numel(a));
end
if nargout > 1 || ~isempty(state)
    error('gpumex:gpuArray:notServed', 'filter: initial and final conditions are not served for gpuArrays');
end
if ~isvector(b)
    error('filter: A and B must be vectors');
end
if nargin < 5
    dim = find(size(X) ~= 1, 1);
    if isempty(dim)
        dim = 1;
    end
end
dim = gather(dim);
b = reshape(b, [], 1) / a;
order = [dim, 1:dim-1, dim+1:ndims(X)];
columns = permute(X, order);
sizes = size(columns);
columns = reshape(columns, sizes(1), []);
Y = conv2(columns, b);
Y = ipermute(reshape(Y(1:sizes(1), :), sizes), order);
end
