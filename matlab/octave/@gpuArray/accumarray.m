function A = accumarray(subs, vals, sz, func, fillval, is_sparse)
%ACCUMARRAY  Sums of the values of equal subscripts, on gpuArrays.
%   A = accumarray(SUBS, VALS, SZ, [], FILLVAL): FUN is @sum or @plus; others, and
%   sparse results, are not served. Sums of doubles are accurate to rounding, their
%   order is not fixed.

if nargin < 2
    error('Invalid call to accumarray');
end
if nargin < 3
    sz = [];
end
if nargin >= 4 && ~isempty(func) && ~any(strcmp(func2str(func), {'sum', 'plus'}))
    error('gpumex:gpuArray:notServed', 'accumarray: the function %s is not served for gpuArrays; @sum is', func2str(func));
end
if nargin < 5 || isempty(fillval)
    fillval = 0;
end
if nargin == 6 && ~isempty(is_sparse) && is_sparse
    error('gpumex:gpuArray:notServed', 'accumarray: sparse results are not served for gpuArrays');
end
if iscomplex(vals)
    A = complex(accumarray(subs, real(vals), sz, [], real(fillval)), accumarray(subs, imag(vals), sz, [], imag(fillval)));
    return
end
if iscell(subs)
    subs = cellfun(@(s) reshape(s, [], 1), subs, 'UniformOutput', false);
    subs = cat(2, subs{:});
end
subs = double(gpuArray(subs));
are_good = subs >= 1 & subs == fix(subs);
largest = gather(max(merge(are_good, subs, Inf), [], 1));      % one pass for both
sz = double(gather(sz));
is_given = ~isempty(sz);
if ~is_given
    sz = largest;
end
if isempty(sz)
    sz = 0;
end
columns = size(subs, 2);
if columns > 1 && columns ~= numel(sz)
    error('accumarray: dimensions mismatch');
end
if columns == 1
    limits = prod(sz);
else
    limits = sz;
end
if any(largest == Inf)
    error('accumarray: indices must be positive integers');
elseif is_given && any(largest > limits)
    error('accumarray: index out of range');
end
place = subs;                                   % one column is not copied
if columns > 1
    place = subs(:, 1);
end
for k = 2:columns
    place = place + (subs(:, k) - 1) * prod(sz(1:k-1));
end
if numel(vals) == 1
    A = __accumulate__(place, gpuArray([]), prod(sz)) * double(vals);
    if isa(gather(vals), 'single')
        A = single(A);
    end
elseif numel(vals) ~= numel(place)
    error('accumarray: dimension mismatch');
elseif isinteger(vals)
    error('gpumex:gpuArray:notServed', 'accumarray: sums of integers are not served for gpuArrays');
else
    A = __accumulate__(place, reshape(vals, [], 1), prod(sz));
    if isfloat(vals)
        A = cast(A, underlyingType(vals));
    end
end
if ~isequal(fillval, 0)
    A(__accumulate__(place, gpuArray([]), prod(sz)) == 0) = fillval;
end
if numel(sz) > 1
    A = reshape(A, sz);
end
end
