function X = diff(X, order, dim)
%DIFF  Differences of neighbouring elements, on gpuArrays.
%   Y = diff(X, ORDER, DIM) takes ORDER (1) times the differences along DIM, by
%   default the first dimension that is not 1; without DIM the next one follows
%   where that is used up, as in MATLAB.

if nargin < 2 || isempty(order)
    order = 1;
end
order = double(gather(order));
if ~isscalar(order) || ~(order >= 0) || order ~= fix(order)
    error('diff: order K must be a scalar or []');
end
if ~isa(X, 'gpuArray')
    X = gpuArray(X);
end
is_given = nargin == 3;
if is_given
    dim = double(gather(dim));
    if ~isscalar(dim) || ~(dim >= 1 && dim <= ndims(X)) || dim ~= fix(dim)
        error('diff: DIM must be a valid dimension');
    end
    order = min(order, size(X, dim));
else
    dim = first_dimension(X);
end
if isscalar(X) && ~is_given && order > 0
    X = zeros(0, 0, 'like', X);
    return
end
if islogical(X)
    X = double(X);
end
for k = 1:order
    if ~is_given && size(X, dim) == 1
        dim = first_dimension(X);
    end
    n = size(X, dim);
    index = repmat({':'}, 1, ndims(X));
    behind = index;
    behind{dim} = 2:n;
    index{dim} = 1:max(n - 1, 0);
    X = X(behind{:}) - X(index{:});
end
end

function dim = first_dimension(X)
dim = find(size(X) ~= 1, 1);
if isempty(dim)
    dim = 1;
end
end
