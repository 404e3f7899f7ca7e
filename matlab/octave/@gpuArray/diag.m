function D = diag(A, varargin)
%DIAG  Diagonal of a matrix, or matrix with a diagonal, on gpuArrays.
%   diag(V, K) has the vector V on its diagonal K (0), diag(A, K) is the column of
%   the elements of a matrix there, diag(V, M, N) has M rows and N columns.

numbers = cellfun(@(x) double(gather(x)), varargin, 'UniformOutput', false);
if ~isa(A, 'gpuArray')
    A = gpuArray(A);
end
if ndims(A) > 2 || numel(varargin) > 2
    error('Invalid call to diag');
end
if numel(varargin) == 2
    if ~isvector(A)
        error('diag: V must be a vector');
    end
    D = zeros(numbers{:}, 'like', A);
    n = min([numel(A), size(D)]);
    D((0:n-1) * (size(D, 1) + 1) + 1) = A(1:n);
    return
end
k = 0;
if ~isempty(varargin)
    k = numbers{1};
end
if ~isscalar(k) || k ~= fix(k)
    error('diag: invalid argument K: must be a scalar integer');
end
if any(size(A) == 1)
    n = numel(A) + abs(k);
    D = zeros(n, 'like', A);
    if ~isempty(A)
        D(max(-k, 0) + max(k, 0) * n + (0:numel(A)-1) * (n + 1) + 1) = A;
    end
    return
end
[rows, columns] = size(A);
n = max(min(rows - max(-k, 0), columns - max(k, 0)), 0);
D = reshape(A(max(-k, 0) + max(k, 0) * rows + (0:n-1) * (rows + 1) + 1), n, rows + columns > 0);
end
