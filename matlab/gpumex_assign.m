function A = gpumex_assign(A, subscripts, B)
%GPUMEX_ASSIGN  Assign to elements of a gpumex.array.
%   A = gpumex_assign(A, {I, J, ...}, B) is A after A(I, J, ...) = B, which has the
%   class of A before; A grows where a subscript is behind its end, and loses
%   elements where B is [].
%
%   See also gpumex.array, gpumex_index.

method = 'assignment';
if isempty(subscripts)
    gpumex_array_error(method, 'invalidSubscript', 'there is no subscript');
end
if isa(B, 'double') && isequal(size(B), [0 0])
    A = without(A, subscripts);
    return
end
if ischar(B)
    B = double(B);
elseif ~(isa(B, 'gpumex.array') || isnumeric(B) || islogical(B)) || ~isreal(B)
    gpumex_array_error(method, 'invalidData', 'what is assigned is a %s; it is an array of real numbers', class(B));
end
if ~strcmp(underlying(B), classUnderlying(A))
    B = converted(B, classUnderlying(A));
end
[at, counts, ~, reach] = read_subscripts(method, size(A), subscripts);
if all(size(A) == 0) && ndims(A) == ndims(B) && numel(at) == ndims(B)
    for k = find(cellfun(@ischar, at))               % a colon of nothing asks the right-hand side
        [counts(k), reach(k)] = deal(size(B, k));
    end
end
if ~fits(counts, size(B))
    gpumex_array_error(method, 'sizeMismatch', 'what is assigned is %s, and its place is %s', shown(size(B)), shown([counts, ones(1, numel(counts) == 1)]));
end
extents = grown(size(A), reach);
if ~isequal(extents, size(A))
    A = kept(gpumex_array_call(method, 'resize', A, extents), A);
end
if all(counts > 0)
    A = kept(gpumex_array_call(method, 'scatter_nd', A, B, at{:}), A);
end
end

function B = kept(B, A)
% One logical comes back as that of the host.
if ~isa(B, 'gpumex.array')
    handle = gateway_handle(A);
    B = gpumex.array(B, 'Backend', handle.Backend);
end
end

function x = converted(x, name)
if isa(x, 'gpumex.array') || ~strcmp(name, 'logical')
    x = cast(x, name);
else
    x = logical(x);
end
end

function tf = fits(counts, given)
% One element, or the same extents, dimensions of one element apart.
tf = prod(given) == 1 || (isscalar(counts) && prod(given) == counts) || isequal(counts(counts ~= 1), given(given ~= 1)) ...
    || (any(counts == 0) && prod(given) == 0);
end

function extents = grown(extents, reach)
n = numel(reach);
if n == 1
    if reach <= prod(extents)
        return
    elseif numel(extents) == 2 && extents(1) <= 1
        extents = [1, reach];
    elseif numel(extents) == 2 && extents(2) == 1
        extents = [reach, 1];
    else
        gpumex_array_error('assignment', 'outOfRange', 'one subscript reaches to %d, and A is %s', reach, shown(extents));
    end
    return
end
extents = [extents, ones(1, n - numel(extents))];
folded = [extents(1:n - 1), prod(extents(n:end))];
if any(reach > folded)
    if numel(extents) > n
        gpumex_array_error('assignment', 'outOfRange', '%d subscripts reach behind the end, and A is %s', n, shown(extents));
    end
    extents = max(extents, reach);
end
last = find([1, 1, extents(3:end) ~= 1], 1, 'last');
extents = extents(1:max([last, 2]));
end

function A = without(A, subscripts)
method = 'deletion';
[at, ~, ~, reach] = read_subscripts(method, size(A), subscripts);
n = numel(at);
extents = [size(A), ones(1, n - ndims(A))];
k = find(~cellfun(@ischar, at));
if isempty(k)
    if n == 1
        A = reshape(gpumex_index(method, A, {zeros(1, 0)}), [0 0]);
        return
    end
    k = 1;
    at{1} = 1:extents(1);
elseif numel(k) > 1
    gpumex_array_error(method, 'invalidSubscript', 'all subscripts but one are '':''');
elseif n == 1
    extents = numel(A);
end
positions = at{k};
if isa(positions, 'gpumex.array')
    positions = gather(positions);
    reach(k) = max([0; positions(:)]);
end
if reach(k) > extents(k)
    gpumex_array_error(method, 'outOfRange', 'subscript %d reaches to %d, and there are %d; A is %s', k, reach(k), extents(k), shown(size(A)));
end
left = true(1, extents(k));
left(positions) = false;
if n == 1 && ~isempty(positions)
    is_column = ndims(A) == 2 && size(A, 2) == 1 && size(A, 1) ~= 1;
    A = gpumex_index(method, reshape(A, [numel(A), 1]), {find(left).'});
    if ~is_column
        A = reshape(A, [1, numel(A)]);
    end
elseif n > 1 && ~isempty(positions)
    at(:) = {':'};
    at{k} = find(left);
    if n < ndims(A)
        gpumex_array_error(method, 'invalidSubscript', 'there are %d subscripts, and A has %d dimensions', n, ndims(A));
    end
    A = gpumex_index(method, A, at);
end
end

function text = shown(extents)
text = sprintf('x%d', extents);
text = text(2:end);
end
