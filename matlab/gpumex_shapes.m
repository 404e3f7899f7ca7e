classdef gpumex_shapes
%GPUMEX_SHAPES  Sizes, shapes, joining and products of gpumex.array.
%
%   See also gpumex.array.

methods
    function B = transpose(A)
        if ndims(A) > 2
            gpumex_array_error('transpose', 'invalidData', 'A has %d dimensions; a transpose is of two', ndims(A));
        end
        B = permute(A, [2 1]);
    end

    function B = ctranspose(A), B = transpose(A); end

    function B = permute(A, order), B = gpumex_array_call('permute', 'permute', A, double(order)); end

    function B = ipermute(A, order)
        inverse(order) = 1:numel(order);
        B = permute(A, inverse);
    end

    function B = reshape(A, varargin)
        B = gpumex_array_call('reshape', 'reshape', A, read_size(numel(A), varargin));
    end

    function B = squeeze(A)
        extents = size(A);
        B = A;
        if numel(extents) > 2
            extents = extents(extents ~= 1);
            B = reshape(A, [extents, ones(1, 2 - numel(extents))]);
        end
    end

    function C = cat(dim, varargin), C = joined('cat', dim, varargin); end
    function C = horzcat(varargin), C = joined('horzcat', 2, varargin); end
    function C = vertcat(varargin), C = joined('vertcat', 1, varargin); end

    function B = repmat(A, varargin)
        if isempty(varargin) || any(cellfun(@isempty, varargin))
            gpumex_array_error('repmat', 'invalidSize', 'it is told how often along each dimension');
        end
        counts = double([varargin{:}]);
        if isscalar(counts)
            counts = [counts counts];
        end
        counts = max(counts, 0);
        rank = max([ndims(A), numel(counts)]);
        extents = [size(A), ones(1, rank - ndims(A))];
        counts = [counts, ones(1, rank - numel(counts))];
        B = gpumex_index('repmat', A, arrayfun(@(n, r) repmat(1:n, 1, r), extents, counts, 'UniformOutput', false));
    end

    function B = flip(A, dim)
        if nargin < 2
            dim = first_dimension(A);
        end
        B = taken('flip', A, dim, @(n) n:-1:1);
    end

    function B = fliplr(A), B = flip(A, 2); end
    function B = flipud(A), B = flip(A, 1); end

    function B = circshift(A, shifts, dim)
        if nargin < 3 && isscalar(shifts)
            dim = first_dimension(A);
        elseif nargin < 3
            dim = 1:numel(shifts);
        end
        B = A;
        for k = 1:numel(dim)
            B = taken('circshift', B, dim(k), @(n) mod((0:n - 1) - shifts(k), max([n, 1])) + 1);
        end
    end

    function C = mtimes(A, B)
        if numel(A) == 1 || numel(B) == 1
            C = times(A, B);
            return
        end
        names = {underlying(A), underlying(B)};
        if any(strncmp(names, 'int', 3) | strncmp(names, 'uint', 4))
            gpumex_array_error('mtimes', 'notServed', 'matrices of %s and %s are not multiplied; double(A)*double(B) is', names{:});
        end
        name = 'double';
        if any(strcmp(names, 'single'))
            name = 'single';
        end
        C = gpumex_array_call('mtimes', 'matmul', cast(A, name), cast(B, name), 'Backend', backend_of(A, B));
    end

    % Questions.
    function tf = isscalar(A), tf = numel(A) == 1; end
    function tf = isvector(A), tf = ndims(A) == 2 && any(size(A) == 1); end
    function tf = isrow(A), tf = ndims(A) == 2 && size(A, 1) == 1; end
    function tf = iscolumn(A), tf = ndims(A) == 2 && size(A, 2) == 1; end
    function tf = ismatrix(A), tf = ndims(A) == 2; end
    function tf = issquare(A), tf = ndims(A) == 2 && size(A, 1) == size(A, 2); end
    function n = rows(A), n = size(A, 1); end
    function n = columns(A), n = size(A, 2); end
    function tf = isreal(A), tf = numel(A) >= 0; end
    function tf = issparse(A), tf = numel(A) < 0; end
    function tf = isnumeric(A), tf = ~strcmp(classUnderlying(A), 'logical'); end
    function tf = islogical(A), tf = strcmp(classUnderlying(A), 'logical'); end
    function tf = isbool(A), tf = islogical(A); end
    function tf = size_equal(A, varargin), tf = all(cellfun(@(B) isequal(size(A), size(B)), varargin)); end
    function tf = isfloat(A), tf = any(strcmp(classUnderlying(A), {'single', 'double'})); end
    function tf = isinteger(A), tf = isnumeric(A) && ~isfloat(A); end
    function tf = isUnderlyingType(A, name), tf = strcmp(classUnderlying(A), name); end
end
end

function extents = read_size(count, sizes)
% Of reshape(A, [m n]) and reshape(A, m, [], n).
if isscalar(sizes)
    extents = double(sizes{1});
    return
end
is_open = cellfun(@isempty, sizes);
if any(is_open)
    known = prod([sizes{~is_open}]);
    if sum(is_open) > 1 || known == 0 || mod(count, known) ~= 0
        gpumex_array_error('reshape', 'sizeMismatch', 'one extent may be [], and %d elements are a multiple of the others', count);
    end
    sizes{is_open} = count / known;
end
extents = double([sizes{:}]);
end

function dim = first_dimension(A)
dim = [find(size(A) ~= 1, 1), 1];
dim = dim(1);
end

function B = taken(method, A, dim, order)
% A with another order along a dimension.
subscripts = repmat({':'}, 1, max([ndims(A), dim]));
subscripts{dim} = order(size(A, dim));
B = gpumex_index(method, A, subscripts);
end

function tf = is_dimension(dim)
tf = ~isa(dim, 'gpumex.array') && isnumeric(dim) && isscalar(dim) && dim >= 1 && dim == fix(dim);
end

function C = joined(method, dim, parts)
% Parts of one class: an integer class wins over single, single over double, double over logical.
if isempty(parts) || ~is_dimension(dim)
    gpumex_array_error(method, 'invalidDimension', 'a dimension and arrays are joined');
end
names = cellfun(@underlying, parts, 'UniformOutput', false);
is_known = ismember(names, {'logical', 'double', 'single', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'});
if ~all(is_known)
    gpumex_array_error(method, 'invalidData', 'a part is a %s; parts are arrays of numbers', names{find(~is_known, 1)});
end
name = names{1};
integers = names(strncmp(names, 'int', 3) | strncmp(names, 'uint', 4));
if ~isempty(integers)
    name = integers{1};
elseif any(strcmp(names, 'single'))
    name = 'single';
elseif ~all(strcmp(names, 'logical'))
    name = 'double';
end
if ~strcmp(method, 'cat')
    parts = parts(~are_left_out(parts, dim));
    names = cellfun(@underlying, parts, 'UniformOutput', false);
end
for k = 1:numel(parts)
    if ~strcmp(names{k}, name)
        parts{k} = converted(parts{k}, name);
    end
end
C = gpumex_array_call(method, 'cat', double(dim), parts{:});
end

function tf = are_left_out(parts, dim)
% Those of 1x0 or 0x1, beside parts that they do not fit to.
others = cellfun(@(x) size(x, 3 - dim), parts);
are_slim = cellfun(@(x) ndims(x) == 2 && sum(size(x)) == 1, parts);
are_others = ~are_slim & cellfun(@(x) sum(size(x)) > 0, parts);
are_flat = all(cellfun(@(x) ndims(x) == 2, parts));
tf = are_slim & are_flat & any(are_others) & others ~= max([others(are_others), -1]);
end

function x = converted(x, name)
x = cast(x, name);
if islogical(x) && ~strcmp(name, 'logical')
    x = cast(double(x), name);
end
end

function word = backend_of(varargin)
device = varargin{find(cellfun(@(x) isa(x, 'gpumex.array'), varargin), 1)};
handle = gateway_handle(device);
word = handle.Backend;
end
