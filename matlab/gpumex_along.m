classdef gpumex_along
%GPUMEX_ALONG  What gpumex.array computes along a dimension: sums, extrema, prefixes, orders.
%   Sums and products of integers have the class of the array and saturate, as in
%   MATLAB.
%
%   See also gpumex.array.

methods
    function B = sum(A, varargin), B = total('sum', A, varargin); end
    function B = prod(A, varargin), B = total('prod', A, varargin); end

    function B = mean(A, varargin)
        how = read_request('mean', A, varargin, {'omitnan', 'includenan'}, [find(size(A) > 1, 1), 1]);
        name = 'double';
        if strcmp(classUnderlying(A), 'single')
            name = 'single';
        end
        B = gpumex_array_call('mean', 'reduce_dim', how.A, 'mean', how.dim, name, how.nan);
    end

    function B = any(A, varargin), B = decision('any', A, varargin); end
    function B = all(A, varargin), B = decision('all', A, varargin); end

    function varargout = max(A, varargin), [varargout{1:1 + (nargout > 1)}] = extremum('max', A, varargin); end
    function varargout = min(A, varargin), [varargout{1:1 + (nargout > 1)}] = extremum('min', A, varargin); end

    function B = cumsum(A, varargin), B = prefix('cumsum', 'sum', A, varargin); end
    function B = cumprod(A, varargin), B = prefix('cumprod', 'prod', A, varargin); end
    function B = cummax(A, varargin), B = prefix('cummax', 'max', A, varargin); end
    function B = cummin(A, varargin), B = prefix('cummin', 'min', A, varargin); end

    function C = dot(A, B, varargin)
        if isvector(A) && isvector(B) && numel(A) == numel(B)
            A = reshape(A, [numel(A), 1]);
            B = reshape(B, [numel(B), 1]);
        end
        if ~isequal(size(A), size(B))
            gpumex_array_error('dot', 'sizeMismatch', 'A is %s and B is %s; both have the same size', mat2str(size(A)), mat2str(size(B)));
        end
        C = sum(A .* B, varargin{:});
    end

    function n = nnz(A)
        n = double(gpumex_array_call('nnz', 'map', 'a ~= 0', reshape(A, [numel(A), 1]), 'auto', 'auto', 'auto', 'auto'));
        if isa(n, 'gpumex.array')
            n = gather(sum(n));
        end
    end

    function varargout = find(A, varargin), [varargout{1:max([nargout, 1])}] = positions(A, varargin{:}); end
    function varargout = sort(A, varargin), [varargout{1:1 + (nargout > 1)}] = sorted(A, varargin); end

    function varargout = unique(A, varargin)
        if ~isempty(varargin) || nargout > 1
            gpumex_array_error('unique', 'notServed', 'options and positions are not served; gpumex.unique has positions');
        end
        varargout = {gpumex.unique(A)};
    end
end
end

function how = read_request(method, A, options, words, dims)
% The dimension and the words of sum(A, dim, word, ...).
how = struct('A', {A}, 'dim', dims(1), 'nan', 'auto', 'words', {{}});
for k = 1:numel(options)
    option = options{k};
    if isa(option, 'string')
        option = char(option);
    end
    if ischar(option) && strcmp(option, 'all')
        how.A = reshape(A, [numel(A), 1]);
        how.dim = 1;
    elseif ischar(option) && any(strcmp(option, words))
        how.words{end + 1} = option;
        if any(strcmp(option, {'omitnan', 'includenan'}))
            how.nan = option;
        end
    elseif is_dimension(option)
        how.dim = double(option);
    else
        gpumex_array_error(method, 'invalidOption', 'what follows the array is a dimension, or one of %s', strjoin([{'all'}, words], ', '));
    end
end
end

function tf = is_dimension(x)
tf = isnumeric(x) && isscalar(x) && isreal(x) && x >= 1 && x == fix(x);
end

function dims = first_dimension(A)
dims = [find(size(A) ~= 1, 1), 1];
end

function B = total(method, A, options)
how = read_request(method, A, options, {'omitnan', 'includenan', 'default', 'native', 'double'}, first_dimension(A));
name = classUnderlying(A);
if strcmp(name, 'logical') && any(strcmp(how.words, 'native'))
    gpumex_array_error(method, 'notServed', '"native" is not served for logical arrays; any and all are');
elseif strcmp(name, 'logical') || any(strcmp(how.words, 'double'))
    if ~strcmp(name, 'logical')
        how.A = double(how.A);
    end
    name = 'double';
end
B = gpumex_array_call(method, 'reduce_dim', how.A, method, how.dim, name, how.nan);
end

function B = decision(method, A, options)
how = read_request(method, A, options, {}, first_dimension(A));
B = gpumex_array_call(method, 'reduce_dim', how.A, method, how.dim, 'logical', 'auto');
end

function varargout = extremum(method, A, options)
is_of_two = ~isempty(options) && ~(isnumeric(options{1}) && isempty(options{1}) && numel(options) > 1);
if is_of_two
    if nargout > 1 || numel(options) > 1
        gpumex_array_error(method, 'argumentCount', 'of two arrays there is one result, and there are no options');
    end
    varargout = {gpumex_array_call(method, 'map', [method '(a, b)'], A, options{1}, 'auto', 'auto', 'auto', 'auto')};
    return
end
how = read_request(method, A, options(2:end), {'omitnan', 'includenan'}, first_dimension(A));
[varargout{1:nargout}] = gpumex_array_call(method, 'reduce_dim', how.A, method, how.dim, classUnderlying(A), how.nan);
if nargout > 1
    varargout{2} = one_based(method, varargout{2});
end
end

function places = one_based(method, places)
places = gpumex_array_call(method, 'map', 'double(a) + 1', places, 'auto', 'auto', 'auto', 'auto');
end

function B = prefix(method, op, A, options)
how = read_request(method, A, options, {'omitnan', 'includenan', 'forward', 'reverse'}, first_dimension(A));
name = classUnderlying(A);
if strcmp(name, 'logical') && any(strcmp(op, {'sum', 'prod'}))
    name = 'double';
end
direction = 'forward';
if any(strcmp('reverse', how.words))
    direction = 'reverse';
end
B = gpumex_array_call(method, 'scan_dim', how.A, op, how.dim, name, direction, how.nan);
end

function varargout = positions(A, count, direction)
mask = A ~= 0;
if ~isa(mask, 'gpumex.array')                  % a logical of the host, where A has one element
    mask = gpumex.array(mask, 'Backend', backend_of(A));
end
places = one_based('find', gpumex_array_call('find', 'find', mask));
found = numel(places);
if nargin > 1 && count < found
    range = 1:count;
    if nargin > 2 && strcmp(direction, 'last')
        range = found - count + 1:found;
    end
    places = gpumex_index('find', places, {range});
end
if numel(places) == 0 && (numel(A) == 1 || all(size(A) == 0))
    places = reshape(places, [0 0]);
end
varargout = {places};
if nargout > 1
    rows = max([size(A, 1), 1]);
    varargout = {mod(places - 1, rows) + 1, floor((places - 1) ./ rows) + 1};
end
if nargout > 2
    varargout{3} = gpumex_index('find', A, {places});
end
end

function varargout = sorted(A, options)
dim = first_dimension(A);
dim = dim(1);
direction = 'ascend';
for k = 1:numel(options)
    if is_dimension(options{k})
        dim = double(options{k});
    elseif any(strcmpi(options{k}, {'ascend', 'descend'}))
        direction = lower(char(options{k}));
    else
        gpumex_array_error('sort', 'invalidOption', 'what follows the array is a dimension, "ascend" or "descend"');
    end
end
rank = max([ndims(A), dim]);
order = [dim, 1:dim - 1, dim + 1:rank];
columns = permute(A, order);
if size(columns, 1) == 1
    varargout = {A, gpumex.array(ones(size(A)), 'Backend', backend_of(A))};
    return
end
[values{1:nargout}] = gpumex_array_call('sort', 'sort_keys', columns, direction, 'auto', backend_of(A));
varargout = {ipermute(values{1}, order)};
if nargout > 1
    varargout{2} = ipermute(gpumex.array(values{2}, 'Backend', backend_of(A)), order);
end
end

function word = backend_of(A)
handle = gateway_handle(A);
word = handle.Backend;
end
