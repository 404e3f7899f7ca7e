function tests = test_differential
%TEST_DIFFERENTIAL  Random calls against the built-in functions: classes, sizes, dimensions, options, special values.
%   GPUMEX_DIFFERENTIAL in the environment is how many calls there are (20000), GPUMEX_DIFFERENTIAL_SEED another seed than 1.
%   What differs from the built-in functions, and is not compared here, is listed in matlab/README.md.
tests = localfunctions;
end

function test_random_calls(backend)
if ~exist('OCTAVE_VERSION', 'builtin')
    return                                      % the index outputs of Octave's functions are what is compared with
end
count = setting('GPUMEX_DIFFERENTIAL', 20000);
restore = seed_random(setting('GPUMEX_DIFFERENTIAL_SEED', 1));
calls = all_calls();
on = {'Backend', backend};
differences = {};
for k = 1:count
    call = calls{ceil(numel(calls) * rand())};
    try
        [got, want, input] = call(on);
    catch problem
        differences{end + 1} = sprintf('%s: %s %s', func2str(call), problem.message, where_of(problem));
        continue
    end
    if ~is_same(got, want)
        differences{end + 1} = sprintf('%s of %s\n got %s\nwant %s', func2str(call), shown(input), shown(got), shown(want));
    end
    if numel(differences) >= 10
        break
    end
end
assert(isempty(differences), '%d of %d calls differ: %s', numel(differences), k, strjoin(differences, sprintf('\n')));
end

function text = where_of(problem)
text = problem.identifier;
if ~isempty(problem.stack)
    text = sprintf('%s, line %d', problem.stack(1).name, problem.stack(1).line);
end
end

function number = setting(name, number)
if ~isempty(getenv(name))
    number = str2double(getenv(name));
end
end

function calls = all_calls()
calls = {@of_sort, @of_sort, @of_sortrows, @of_unique, @of_unique, @of_sets, @of_sets, @of_sets, @of_ismember, @of_rows, @of_stable, ...
    @of_reduce, @of_reduce, @of_scan, @of_scan, @of_compact, @of_search, @of_repelem, @of_product, @of_histogram, @of_histcounts, ...
    @of_gather, @of_scatter, @of_removal, @of_insertion, @of_segments, @of_segsort, @of_runs, @of_merge, @of_join, @of_spmv, ...
    @of_convolution, @of_sums, @of_map, @of_fill, @of_life, @of_equality_count, @of_owners, @of_interval_move, @of_sort_by_key};
end

% ---------------------------------------------------------------------------------------------------------- inputs

function name = some_class(varargin)
names = {'double', 'single', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'logical'};
names = [names, varargin];
name = names{ceil(numel(names) * rand())};
end

function extent = some_size(most)
% Vectors above all, and what is empty, has one element, or three dimensions.
n = floor(most * rand() ^ 2);
kinds = {[1 n], [n 1], [n 1], [1 1], [0 0], [0 n], [n 0], [n 3], [2 n], [4 3], [2 n 3], [3 1 2], [0 2 3]};
extent = kinds{ceil(numel(kinds) * rand())};
end

function extent = some_vector(most)
n = floor(most * rand());
kinds = {[1 n], [n 1], [1 n], [n 1], [1 1], [0 0]};
extent = kinds{ceil(numel(kinds) * rand())};
end

function x = some_array(name, extent, is_finite)
% Few different values, so that many are equal, and special ones in between.
x = floor(9 * rand(extent)) - 3;
switch name
case {'double', 'single'}
    specials = {[0.5 -1.5 2.25], [NaN -0 0 NaN 0.5], [Inf -Inf 1], 2 .^ [-40 30]};
    if nargin > 2
        specials = {[0.5 -1.5 2.25]};
    end
case 'logical'
    x = x > 0;
    return
case 'char'
    x = char(x + 68);
    return
otherwise
    specials = {double(intmax(name)), double(intmin(name)), 100};
    if nargin > 2
        specials = {100};
    end
end
if rand() < 0.5 && ~isempty(x)
    values = specials{ceil(numel(specials) * rand())};
    at = rand(extent) < 0.2;
    x(at) = values(ceil(numel(values) * rand(nnz(at), 1)));
end
x = cast(x, name);
end

function word = one_of(varargin)
word = varargin{ceil(nargin * rand())};
end

% ------------------------------------------------------------------------------------------------------ comparison

function tf = is_same(got, want)
tf = iscell(got) == iscell(want) && strcmp(class(got), class(want)) && isequal(size(got), size(want));
if tf && iscell(got)
    tf = all(cellfun(@is_same, got(:), want(:)));
elseif tf
    tf = isequaln_of(got, want);
end
end

function tf = isequaln_of(a, b)
tf = all(a(:) == b(:) | (a(:) ~= a(:) & b(:) ~= b(:)));
end

function text = shown(x)
if iscell(x)
    text = ['{' strjoin(cellfun(@shown, x, 'UniformOutput', false), ', ') '}'];
elseif isa(x, 'function_handle')
    text = func2str(x);
elseif ischar(x)
    text = ['''' x(:).' ''''];
else
    text = [class(x) ' ' mat2str(size(x)) ': ' disp_of(x)];
end
end

function text = disp_of(x)
text = mat2str(double(x(1:min(numel(x), 12))), 5);
end

% ----------------------------------------------------------------------------------------------------------- calls

function [got, want, input] = of_sort(on)
x = some_array(some_class('char'), some_size(40));
direction = one_of('ascend', 'descend');
dim = ceil(ndims(x) * rand());                  % Octave's sort has no further ones
got = cell(1, 2);
want = cell(1, 2);
if rand() < 0.5
    [got{:}] = gpumex.sort_keys(x, direction, on{:});
    [want{:}] = sort(x, direction);
else
    [got{:}] = gpumex.sort_keys(x, dim, direction, on{:});
    [want{:}] = sort(x, dim, direction);
end
input = {x, dim, direction};
end

function [got, want, input] = of_sortrows(on)
x = some_array(some_class('char'), [floor(20 * rand()), ceil(3 * rand())], true);
columns = ceil(size(x, 2) * rand(1, ceil(2 * rand())));
columns = columns .* (1 - 2 * (rand(size(columns)) < 0.5));
[b, i] = gpumex.sortrows(x, columns, on{:});
order = (1:size(x, 1)).';
for c = columns(end:-1:1)
    [~, at] = sort(x(order, abs(c)), one_of_sign(c));
    order = order(at);
end
got = {b, i};
want = {x(order, :), order};
input = {x, columns};
end

function word = one_of_sign(c)
words = {'descend', 'ascend'};
word = words{1 + (c > 0)};
end

function [got, want, input] = of_unique(on)
x = some_array(some_class('char'), some_size(40));
got = cell(1, 3);
word = one_of('first', 'last');
[got{:}] = gpumex.unique(x, word, on{:});
[c, i, j] = unique(double(x), word);           % which fails on an empty char
c = cast_to(c, class(x));
if ischar(x)
    c = char(c);
end
want = {as_set(c, x), i(:), j(:)};
input = {x, word};
end

function c = as_set(c, x)
% The shape is MATLAB's: a row of a row, [] of [], else a column.
if isequal(size(x), [0 0])
    c = reshape(c, [0 0]);
elseif size(x, 1) == 1 && ndims(x) == 2
    c = reshape(c, 1, []);
else
    c = reshape(c, [], 1);
end
end

function [a, b] = two_sets()
name = some_class('char');
other = name;
if rand() < 0.3 && ~any(strcmp(name, {'char', 'logical'}))
    other = one_of(name, 'double');
end
a = some_array(name, some_size(30));
b = some_array(other, some_size(30));
end

function [got, want, input] = of_sets(on)
[a, b] = two_sets();
name = one_of('union', 'intersect', 'setdiff', 'setxor');
of = str2func(['gpumex.' name]);
got = of(a, b, on{:});
class_of = class([a(:); b(:)]);
if strcmp(name, 'setdiff')
    class_of = class(a);
end
if strcmp(name, 'setdiff')                      % that of Octave fails on some NaN
    as_one = @(x) double(cast_to(x(:), class([a(:); b(:)])));
    [different, first] = unique(as_one(a), 'first');
    want = a(first(~ismember(different, as_one(b))));
else                                            % in one class first
    want = feval(name, double(cast_to(a(:), class_of)), double(cast_to(b(:), class_of)));
end
want = cast_to(want, class_of);
if ischar(got)
    want = char(want);
end
want = want(:);
if strcmp(class(a), class(b)) && ~ischar(a) && ~isempty(a) && ~isempty(b)
    want = reshape(want, size(feval(name, a, b)));
else                                            % of no elements Octave has other sizes, and of two classes it warns
    got = got(:);
end
input = {name, a, b};
end

function x = cast_to(x, name)
if ~strcmp(name, 'char')
    x = cast(x, name);
end
end

function [got, want, input] = of_ismember(on)
[a, b] = two_sets();
[tf, at] = gpumex.ismember(a, b, on{:});
want_at = zeros(size(a));
for k = 1:numel(a)
    found = find(double(b(:)) == double(a(k)) & b(:) == a(k), 1);
    if ~isempty(found)
        want_at(k) = found;
    end
end
got = {tf, at};
want = {want_at > 0, want_at};
input = {a, b};
end

function [got, want, input] = of_rows(on)
name = some_class();
a = some_array(name, [floor(12 * rand()), 2], true);
b = some_array(name, [floor(12 * rand()), 2], true);
a = a - a .* (a > 1);
b = b - b .* (b > 1);
if islogical(a) ~= strcmp(name, 'logical')
    a = logical(a);
    b = logical(b);
end
word = one_of('unique', 'union', 'intersect', 'setdiff');
input = {word, a, b};
if strcmp(word, 'unique')
    [c, i, j] = gpumex.unique(a, 'rows', on{:});
    got = {c, numel(i), isequal(a(i, :), c), isequal(c(j, :), a)};
    want = {rows_of(unique(double(a), 'rows'), a), size(unique(double(a), 'rows'), 1), true, true};
else
    of = str2func(['gpumex.' word]);
    got = {of(a, b, 'rows', on{:})};
    want = {rows_of(feval(word, double(a), double(b), 'rows'), a)};
end
end

function c = rows_of(c, a)
if islogical(a)
    c = logical(c);
else
    c = cast(c, class(a));
end
c = reshape(c, [], size(a, 2));
end

function [got, want, input] = of_stable(on)
x = some_array(some_class(), some_vector(30));
[c, i] = gpumex.unique(x, 'stable', on{:});
first = [];
for k = 1:numel(x)
    if ~any(x(1:k - 1) == x(k))
        first(end + 1, 1) = k;
    end
end
got = {c(:), i};
want = {reshape(x(first), [], 1), reshape(first, [], 1)};
input = {x};
end

function [got, want, input] = of_reduce(on)
x = some_array(some_class(), some_size(30), true);
op = one_of('sum', 'prod', 'min', 'max');
dim = ceil(3 * rand());
if isempty(x)
    op = one_of('sum', 'prod');                 % Octave's min of 0x2x3 along the third dimension is 0x2x3
end
got = gpumex.reduce(x, op, dim, on{:});
switch op
case {'min', 'max'}
    want = feval(op, x, [], dim);
    if islogical(x)
        want = logical(want);
    end
otherwise
    want = feval(op, x, dim, 'native');         % integers saturate step by step
    if islogical(x)
        want = feval(op, double(x), dim);
    end
end
input = {op, x, dim};
end

function [got, want, input] = of_scan(on)
x = some_array(some_class(), some_size(20), true);
op = one_of('sum', 'prod', 'min', 'max');
dim = ceil(3 * rand());
got = gpumex.scan(x, op, dim, on{:});
if strcmp(op, 'sum') || isfloat(x)
    want = feval(['cum' op], x, dim);
else                                            % Octave has no cumprod of integers
    want = feval(['cum' op], double(x), dim);
end
if islogical(x) && any(strcmp(op, {'min', 'max'}))
    want = logical(want);
elseif ~islogical(x)
    want = cast(want, class(x));
end
if isinteger(x) && (any(abs(double(want(:))) > 2^53) || any(double(want(:)) == double(intmax(class(x))) | double(want(:)) == double(intmin(class(x)))))
    got = want;                                 % a saturated prefix stays so in integers, and goes on in double
end
input = {op, x, dim};
end

function [got, want, input] = of_compact(on)
x = some_array(some_class('char'), some_size(40));
mask = rand(size(x)) < rand();
[kept, at] = gpumex.compact(x, mask, on{:});
got = {kept, at};
want = {x(mask), find(mask)};
if isempty(x) && ~isvector(x)                   % 0x0 where Octave has 0x0 or 0x1
    got = cellfun(@(x) x(:), got, 'UniformOutput', false);
    want = cellfun(@(x) reshape(x, 0, 1), want, 'UniformOutput', false);
end
input = {x, mask};
end

function [got, want, input] = of_search(on)
name = some_class();
x = sort(some_array(name, some_vector(40), true));
y = some_array(name, some_size(30), true);
bound = one_of('lower', 'upper');
got = gpumex.search(x, y, bound, on{:});
if strcmp(bound, 'lower')
    want = arrayfun(@(v) sum(x(:) < v), y) + 1;
else
    want = arrayfun(@(v) sum(x(:) <= v), y) + 1;
end
want = reshape(want, size(y));
input = {x, y, bound};
end

function [got, want, input] = of_repelem(on)
x = some_array(some_class('char'), some_vector(20));
counts = floor(4 * rand(size(x)));
at = repelems(1:numel(x), [1:numel(x); reshape(counts, 1, [])]);
if isempty(x)
    at = [];
end
got = gpumex.interval_expand(x, counts, on{:});
want = reshape(x(at), [], 1);
got = got(:);
input = {x, counts};
end

function [got, want, input] = of_owners(on)
counts = floor(4 * rand(some_vector(20)));
got = gpumex.load_balance_search(counts, on{:});
want = zeros(0, 1);
for k = 1:numel(counts)
    want = [want; repmat(k, counts(k), 1)];
end
got = got(:);
input = {counts};
end

function [got, want, input] = of_product(on)
name = one_of('single', 'double');
n = floor(6 * rand(1, 3));
a = some_array(name, n(1:2), true);
b = some_array(name, n(2:3), true);
if rand() < 0.2
    b = some_array(name, [1 1], true);
end
got = gpumex.matmul(a, b, on{:});
want = a * b;
input = {a, b};
end

function [got, want, input] = of_histogram(on)
x = some_array(one_of('double', 'single', 'uint8', 'int8', 'int16', 'uint16', 'int32', 'uint32', 'logical'), some_size(60));
edges = unique(floor(10 * rand(1, 2 + ceil(5 * rand()))) - 3);
if numel(edges) < 2
    edges = [0 1];
end
got = gpumex.histogram(x, edges, on{:});
want = counts_of(x, edges);
input = {x, edges};
end

function N = counts_of(x, edges)
y = double(x(:));
N = zeros(numel(edges) - 1, 1);
for k = 1:numel(N)
    N(k) = sum(y >= edges(k) & (y < edges(k + 1) | (k == numel(N) & y == edges(k + 1))));
end
end

function [got, want, input] = of_histcounts(on)
x = some_array(some_class(), some_size(60));
options = {one_of('auto', 'scott', 'fd', 'sturges', 'sqrt', 'integers')};
if max([0; reshape(abs(double(x(isfinite(x)))), [], 1)]) > 1e4
    options = {'sqrt'};
end
[N, edges, bin] = gpumex.histcounts(x, 'BinMethod', options{1}, on{:});
want_bin = zeros(size(x));
for k = 1:numel(N)
    y = double(x);
    want_bin(y >= edges(k) & (y < edges(k + 1) | (k == numel(N) & y == edges(k + 1)))) = k;
end
got = {N, bin, all(diff(edges) > 0)};
want = {counts_of(x, edges).', want_bin, true};
input = {x, options};
end

function [got, want, input] = of_gather(on)
x = some_array(some_class('char'), some_size(30));
at = ceil(numel(x) * rand(some_size(10)));
if isempty(x)
    at = zeros(0, 0);
end
got = gpumex.gather(x, at, on{:});
want = x(at);
input = {x, at};
end

function [got, want, input] = of_scatter(on)
x = some_array(some_class('char'), some_size(30));
at = randperm(numel(x), floor(numel(x) / 2));
y = some_array(class(x), size(at));
got = gpumex.scatter(x, at, y, on{:});
want = x;
want(at) = y;
input = {x, at, y};
end

function [got, want, input] = of_removal(on)
x = some_array(some_class('char'), [1, floor(30 * rand())]);
at = sort(randperm(numel(x), floor(numel(x) * rand())));
got = gpumex.bulk_remove(x, at, on{:});
want = x;
want(at) = [];
want = reshape(want, 1, []);
input = {x, at};
end

function [got, want, input] = of_insertion(on)
x = some_array(some_class('char'), [1, floor(20 * rand())]);
at = sort(ceil((numel(x) + 1) * rand(1, floor(8 * rand()))));
a = some_array(class(x), size(at));
got = gpumex.bulk_insert(x, at, a, on{:});
[~, order] = sort([(1:numel(x)) + 0.5, at]);
all_of = [x, a];
want = reshape(all_of(order), 1, []);
got = reshape(got, 1, []);
input = {x, at, a};
end

function [got, want, input] = of_segments(on)
lengths = floor(5 * rand(1, floor(8 * rand())));
x = some_array(one_of('double', 'single', 'int32', 'int64', 'uint8', 'int16'), [1, sum(lengths)], true);
op = one_of('sum', 'prod', 'min', 'max');
lengths = lengths + 0;
got = gpumex.segreduce(x, lengths, op, on{:});
ends = cumsum(lengths);
want = zeros(size(lengths));
of_none = struct('sum', 0, 'prod', 1, 'min', NaN, 'max', NaN);
for k = 1:numel(lengths)
    part = double(x(ends(k) - lengths(k) + 1:ends(k)));
    want(k) = of_none.(op);
    if ~isempty(part)
        want(k) = feval(op, part);
    end
end
if isinteger(x)
    is_none = isnan(want);
    want(is_none & strcmp(op, 'min')) = Inf;
    want(is_none & strcmp(op, 'max')) = -Inf;
end
is_wrapped = any(strcmp(class(x), {'int32', 'int64'})) && any(abs(want(isfinite(want))) >= 2^31 - 1);
want = cast(want, class(x));
if is_wrapped
    got = want;                                 % integers of 4 and 8 bytes wrap around, as the help says
end
input = {x, lengths, op};
end

function [got, want, input] = of_segsort(on)
lengths = floor(6 * rand(1, floor(8 * rand())));
x = some_array(some_class(), [1, sum(lengths)]);
direction = one_of('ascend', 'descend');
[y, at] = gpumex.segsort(x, lengths, direction, on{:});
ends = cumsum(lengths);
want_at = zeros(1, numel(x));
for k = 1:numel(lengths)
    first = ends(k) - lengths(k);
    [~, order] = sort(x(first + 1:ends(k)), direction);
    want_at(first + 1:ends(k)) = first + order;
end
got = {y, at};
want = {x(want_at), want_at};
input = {x, lengths, direction};
end

function [got, want, input] = of_runs(on)
keys = sort(floor(6 * rand(1, floor(30 * rand()))));
x = some_array('double', size(keys), true);
[k, y] = gpumex.reduce_by_key(keys, x, 'sum', on{:});
[u, ~, at] = unique(keys);
sums = zeros(1, numel(u));
for i = 1:numel(at)
    sums(at(i)) = sums(at(i)) + x(i);
end
got = {k(:), y(:)};
want = {u(:), sums(:)};
input = {keys, x};
end

function [got, want, input] = of_merge(on)
name = some_class();
a = sort(some_array(name, [1, floor(20 * rand())], true));
b = sort(some_array(name, [1, floor(20 * rand())], true));
[c, at] = gpumex.merge_keys(a, b, on{:});
[want_c, want_at] = sort([a, b]);
got = {c(:), at(:)};
want = {want_c(:), want_at(:)};
input = {a, b};
end

function [got, want, input] = of_join(on)
a = some_array('double', [1, floor(12 * rand())]);
b = some_array('double', [1, floor(12 * rand())]);
[ia, ib] = gpumex.join(a, b, on{:});
[j, i] = find(bsxfun(@eq, b(:), a(:).'));
got = {sortrows([ia, ib])};
want = {sortrows([reshape(i, [], 1), reshape(j, [], 1)])};
if isempty(ia) && isempty(i)
    want = got;
end
input = {a, b};
end

function [got, want, input] = of_spmv(on)
n = ceil(8 * rand(1, 2));
a = sparse(round(3 * rand(n)) .* (rand(n) < 0.4));
x = some_array('double', [n(2), 1], true);
got = gpumex.spmv(a, x, on{:});
want = full(a * x);
input = {full(a), x};
end

function [got, want, input] = of_convolution(on)
name = one_of('single', 'double');
a = some_array(name, ceil(6 * rand(1, 2)), true);
b = some_array(name, ceil(4 * rand(1, 2)), true);
shape = one_of('full', 'same', 'valid');
got = gpumex.convolve(a, b, shape, on{:});
want = conv2(a, b, shape);
input = {a, b, shape};
end

function [got, want, input] = of_sums(on)
name = one_of('single', 'double');
x = some_array(name, some_size(20), true);
y = some_array(name, size(x), true);
got = {gpumex.add(x, y, on{:}), gpumex.dot_product(x, y, on{:})};
want = {x + y, cast(sum(double(x(:)) .* double(y(:))), name)};
input = {x, y};
end

function [got, want, input] = of_map(on)
a = some_array(some_class(), [3 4]);
b = some_array(one_of(class(a), 'double'), one_of([3 4], [1 4], [1 1]));
if isinteger(a) && isfloat(b)
    b = some_array('double', size(b), true);    % Octave takes NaN for 0 before it compares
    if any(strcmp(class(a), {'int64', 'uint64'}))
        b = cast(b, class(a));                  % of which it rounds products twice
    end
end
text = one_of('a + b', 'a - b', 'a .* b', 'a > b', 'max(a, b)', 'a == b');
if islogical(a) && islogical(b) && strcmp(text, 'max(a, b)')
    text = 'a + b';
end
got = gpumex.map(text, a, b, on{:});
want = feval(eval(['@(a, b) ' text]), a, b);
input = {text, a, b};
end

function [got, want, input] = of_fill(on)
name = some_class();
extent = some_size(10);
got = gpumex.fill(1, extent, 'Class', name, on{:});
want = cast(ones(extent), name);
input = {name, extent};
end

function [got, want, input] = of_life(on)
board = rand(ceil(8 * rand(1, 2))) < 0.4;
n = floor(4 * rand());
got = gpumex.life(board, n, on{:});
want = board;
for k = 1:n
    rows = min(max(0:size(board, 1) + 1, 1), size(board, 1));
    columns = min(max(0:size(board, 2) + 1, 1), size(board, 2));
    count = conv2(double(want(rows, columns)), [1 1 1; 1 0 1; 1 1 1], 'valid');
    want = count == 3 | (want & count == 2);
end
input = {board, n};
end

function [got, want, input] = of_equality_count(on)
name = some_class();
a = sort(some_array(name, [1, floor(20 * rand())], true));
b = sort(some_array(name, [1, floor(20 * rand())], true));
got = gpumex.sorted_equality_count(a, b, on{:});
want = reshape(arrayfun(@(v) sum(b == v), a), size(a));
input = {a, b};
end

function [got, want, input] = of_interval_move(on)
x = some_array('int32', [1 20]);
y = some_array('int32', [1 30]);
to = [1 11 21];
from = ceil(15 * rand(1, 3));
counts = min(floor(8 * rand(1, 3)), 21 - from);
got = gpumex.interval_move(y, to, x, from, counts, on{:});
want = y;
for k = 1:3
    want(to(k) + (0:counts(k) - 1)) = x(from(k) + (0:counts(k) - 1));
end
input = {y, to, x, from, counts};
end

function [got, want, input] = of_sort_by_key(on)
keys = some_array(some_class(), some_vector(30));
values = reshape(1:numel(keys), size(keys));
direction = one_of('ascend', 'descend');
[k, v] = gpumex.sort_by_key(keys, values, direction, on{:});
[want_k, at] = sort(keys, direction);
got = {k, v};
want = {want_k, reshape(values(at), size(keys))};
input = {keys, direction};
end
