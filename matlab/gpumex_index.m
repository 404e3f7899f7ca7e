function B = gpumex_index(method, A, subscripts)
%GPUMEX_INDEX  Elements of a gpumex.array.
%   B = gpumex_index(METHOD, A, {I, J, ...}) is A(I, J, ...). A subscript is ':',
%   a vector of positions or a mask, of the host or a gpumex.array.
%
%   See also gpumex.array, gpumex_assign.

if isempty(subscripts)
    B = A;
    return
end
if isscalar(subscripts) && isa(subscripts{1}, 'gpumex.array') && islogical(subscripts{1}) && numel(subscripts{1}) == numel(A)
    B = masked(method, A, subscripts{1});
    return
end
[at, counts, originals, reach] = read_subscripts(method, size(A), subscripts);
n = numel(at);
extents = [size(A), ones(1, n - ndims(A))];
extents = [extents(1:n - 1), prod(extents(n:end))];
k = find(reach > extents, 1);
if ~isempty(k)
    gpumex_array_error(method, 'outOfRange', 'subscript %d reaches to %d, and there are %d; A is %s', k, reach(k), extents(k), shown(size(A)));
end
if n == 1 && ischar(at{1})
    counts = [counts, 1];
elseif n == 1
    counts = size_of_linear(size(A), originals{1}, counts);
end
B = gpumex_array_call(method, 'gather_nd', A, counts, at{:});
end

function B = masked(method, A, mask)
handle = gateway_handle(A);
B = gpumex_array_call(method, 'compact', A, mask, 'auto', handle.Backend);
original = [numel(B), 1];
if numel(mask) == 1
    original = numel(B) * [1, 1];
elseif size(mask, 1) == 1 && ndims(mask) == 2
    original = [1, numel(B)];
end
extents = size_of_linear(size(A), original, numel(B));
if ~isequal(size(B), extents)
    B = reshape(B, extents);
end
end

function extents = size_of_linear(extents, original, count)
% The size of A(i), where i has a size of its own: of two vectors A has the say.
if prod(extents) == 1 || count == 1 || sum(extents ~= 1) ~= 1 || sum(original ~= 1) ~= 1
    extents = original;
else
    extents(extents ~= 1) = count;
end
end

function text = shown(extents)
text = sprintf('x%d', extents);
text = text(2:end);
end
