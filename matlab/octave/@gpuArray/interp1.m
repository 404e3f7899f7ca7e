function yi = interp1(varargin)
%INTERP1  Interpolation between the elements of a vector, on gpuArrays.
%   YI = interp1(X, Y, XI) and interp1(Y, XI) interpolate linearly between vectors
%   X, ascending, and Y, at XI. Methods: 'linear' (the default), 'nearest',
%   'previous' and 'next'. Outside of X they are NA, or with 'extrap' what the
%   nearest pair gives, or the number given.

words = cellfun(@ischar, varargin);
count = find([words true], 1) - 1;
method = 'linear';
outside = NA;
for k = find(words)
    if strcmp(varargin{k}, 'extrap')
        outside = 'extrap';
    else
        method = lower(varargin{k});
    end
end
last = varargin{end};
if ~ischar(last) && (any(words) || count == 4)
    outside = gather(last);
    count = min(count, 3);
end
switch count
    case 2
        [y, xi] = varargin{1:2};
        x = reshape(1:numel(y), [], 1);
    case 3
        [x, y, xi] = varargin{1:3};
    otherwise
        error('Invalid call to interp1');
end
if ~isvector(x) || ~isvector(y) || numel(x) ~= numel(y) || numel(x) < 2
    error('gpumex:gpuArray:notServed', ...
        'interp1: not served for gpuArrays but with two vectors of the same length, at least 2');
end
x = gpuArray(reshape(x, [], 1));
y = gpuArray(reshape(y, [], 1));
n = numel(x);
if ~all(x(2:n) > x(1:n-1))
    error('gpumex:gpuArray:notServed', 'interp1: not served for gpuArrays but with an ascending X');
end
size_of_result = size(xi);
at = reshape(gpuArray(xi), [], 1);
left = min(max(lookup(x, at), 1), n - 1);
x0 = reshape(x(left), [], 1);
x1 = reshape(x(left + 1), [], 1);
switch method
    case 'linear'
        y0 = reshape(y(left), [], 1);
        slope = (reshape(y(left + 1), [], 1) - y0) ./ (x1 - x0);
        yi = y0 + slope .* (at - x0);
        yi(at == x(n)) = y(n);
    case 'nearest'
        yi = y(left + (at - x0 >= x1 - at));
    case 'previous'
        yi = y(left + (at >= x1));
    case 'next'
        yi = y(left + (at > x0));
    otherwise
        error('gpumex:gpuArray:notServed', ...
            'interp1: the method ''%s'' is not served for gpuArrays; linear, nearest, previous and next are', method);
end
if ~ischar(outside)
    yi(at < x(1) | at > x(n) | isnan(at)) = outside;
end
yi = reshape(yi, size_of_result);
end
