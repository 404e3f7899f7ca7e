function bench_functions(sizes, names)
%BENCH_FUNCTIONS  What the functions of gpumex cost on arrays of the host, beside the built-in ones.
%   bench_functions prints a table of medians in one process: the time of the built-in
%   function over that of gpumex with 10, 10^6 and 10^7 elements, and what a call of
%   gpumex on 10 elements takes.
%
%   bench_functions(SIZES) takes other numbers of elements, and
%   bench_functions(SIZES, NAMES) those rows alone whose names contain the text NAMES.
%
%   Example:
%      bench_functions(1000, 'sort')
%
%   See also bench_life, gpumex.info.

if nargin < 1
    sizes = [10 1e6 1e7];
end
device = gpumex.info;
fprintf('%s, %s, %s\n', device.Name, version(), datestr(now(), 'yyyy-mm-dd'));
fprintf('%-34s', 'built-in time / that of gpumex');
texts = arrayfun(@(n) sprintf('%g', n), sizes, 'UniformOutput', false);
fprintf('%22s', texts{:});
fprintf('\n');
rows = all_rows();
for k = 1:size(rows, 1)
    if nargin > 1 && isempty(strfind(rows{k, 1}, names))
        continue
    end
    fprintf('%-34s', rows{k, 1});
    for n = sizes
        report(rows{k, 2}(n));
    end
    fprintf('\n');
end
end

function report(pair)
% PAIR: the built-in call and that of gpumex; both are called in turn. A third function makes an argument, anew
% for each call, that is not of its time.
[theirs, ours] = times(pair{:});
fprintf('%7.2f (%10.1f us)', theirs / ours, ours * 1e6);
end

function [theirs, ours] = times(built_in, of_gpumex, make)
if nargin < 3
    make = @() {};
end
repetitions = 1;
for warm_up = 1:2                               % the first calls read the functions
    begin = tic;
    timed(of_gpumex, 1, make);
    timed(built_in, 1, make);
end
while repetitions < 200 && toc(begin) * repetitions < 0.02
    repetitions = 2 * repetitions;
end
[theirs, ours] = deal([]);
begin = tic;
while numel(ours) < 5 || (toc(begin) < 1 && numel(ours) < 25)
    theirs(end + 1) = timed(built_in, repetitions, make);
    ours(end + 1) = timed(of_gpumex, repetitions, make);
end
[theirs, ours] = deal(median(theirs), median(ours));
end

function seconds = timed(f, repetitions, make)
given = arrayfun(@(k) make(), 1:repetitions, 'UniformOutput', false);
start = tic;
for k = 1:repetitions
    f(given{k}{:});
end
seconds = toc(start) / repetitions;
end

function rows = all_rows()
rows = {
    'sort, double', @(n) pair_of(rand(n, 1), @sort, @gpumex.sort_keys)
    'sort, int32', @(n) pair_of(int32(1e6 * rand(n, 1)), @sort, @gpumex.sort_keys)
    'unique, double', @(n) pair_of(floor(n / 2 * rand(n, 1)), @unique, @gpumex.unique)
    'unique, int32', @(n) pair_of(int32(1e4 * rand(n, 1)), @unique, @gpumex.unique)
    'ismember, equal sizes', @(n) of_two(floor(n * rand(n, 1)), floor(n * rand(n, 1)), @ismember, @gpumex.ismember)
    'ismember, in 10', @(n) of_two(floor(100 * rand(n, 1)), (1:10).', @ismember, @gpumex.ismember)
    'union', @(n) of_two(floor(n * rand(n, 1)), floor(n * rand(n, 1)), @union, @gpumex.union)
    'intersect', @(n) of_two(floor(n * rand(n, 1)), floor(n * rand(n, 1)), @intersect, @gpumex.intersect)
    'setdiff', @(n) of_two(floor(n * rand(n, 1)), floor(n * rand(n, 1)), @setdiff, @gpumex.setdiff)
    'sortrows, 4 columns', @(n) pair_of(floor(10 * rand(ceil(n / 4), 4)), @sortrows, @gpumex.sortrows)
    'sum', @(n) pair_of(rand(n, 1), @sum, @(x) gpumex.reduce(x, 'sum'))
    'max', @(n) pair_of(rand(n, 1), @max, @(x) gpumex.reduce(x, 'max'))
    'sum of int32', @(n) pair_of(int32(9 * rand(n, 1)), @(x) sum(x, 'native'), @(x) gpumex.reduce(x, 'sum'))
    'cumsum', @(n) pair_of(rand(n, 1), @cumsum, @(x) gpumex.scan(x, 'sum'))
    'x(mask)', @(n) of_two(rand(n, 1), rand(n, 1) > 0.5, @(x, k) x(k), @gpumex.compact)
    'histc, 100 edges', @(n) of_two(rand(n, 1), linspace(0, 1, 101), @histc, @gpumex.histogram)
    'accumarray (bytes)', @(n) pair_of(uint8(255 * rand(n, 1)), @(x) accumarray(double(x) + 1, 1, [256 1]), @gpumex.histogram)
    'accumarray, sorted keys', @(n) of_two(sort(floor(n / 10 * rand(n, 1))) + 1, rand(n, 1), @(k, x) accumarray(k, x), ...
        @(k, x) gpumex.reduce_by_key(k, x, 'sum'))
    'accumarray, new sorted keys', @new_sorted_keys
    'lookup, sorted', @(n) of_two(sort(rand(n, 1)), sort(rand(n, 1)), @lookup, @gpumex.search)
    'lookup', @(n) of_two(sort(rand(n, 1)), rand(n, 1), @lookup, @gpumex.search)
    'x(p) = []', @(n) of_two(rand(n, 1), sort(randperm(n, ceil(n / 10))), @removed, @gpumex.bulk_remove)
    'repelems', @(n) of_two(rand(1, n), [1:n; floor(4 * rand(1, n))], @repelems, @(x, r) gpumex.interval_expand(x, r(2, :)))
    'x(indices)', @(n) of_two(rand(n, 1), ceil(n * rand(n, 1)), @(x, k) x(k), @gpumex.gather)
    'A*x, sparse, 10 a row', @(n) of_two(sprand(ceil(n / 10), ceil(n / 10), min(1, 100 / n)), rand(ceil(n / 10), 1), @(A, x) A * x, ...
        @gpumex.spmv)
    'A.''*x, sparse, 10 a row', @(n) of_two(sprand(ceil(n / 10), ceil(n / 10), min(1, 100 / n)), rand(ceil(n / 10), 1), ...
        @(A, x) A.' * x, @(A, x) gpumex.spmv(A, x, 'Transpose', true))
    'A*B, double, sqrt(n) x sqrt(n)', @(n) of_two(rand(ceil(sqrt(n))), rand(ceil(sqrt(n))), @(A, B) A * B, @gpumex.matmul)
    'conv2, 5 x 5', @(n) of_two(rand(ceil(sqrt(n))), rand(5), @conv2, @gpumex.convolve)
    'dot', @(n) of_two(rand(n, 1), rand(n, 1), @dot, @gpumex.dot_product)
    'x + y', @(n) of_two(rand(n, 1), rand(n, 1), @plus, @gpumex.add)
    'rand', @(n) pair_of([n 1], @rand, @gpumex.random)
};
end

function pair = pair_of(x, built_in, of_gpumex)
pair = {@() built_in(x), @() of_gpumex(x)};
end

function pair = of_two(x, y, built_in, of_gpumex)
pair = {@() built_in(x, y), @() of_gpumex(x, y)};
end

function pair = new_sorted_keys(n)
% Octave keeps, with an array of subscripts, what it has made of them at the first call.
[keys, x] = deal(sort(floor(n / 10 * rand(n, 1))) + 1, rand(n, 1));
pair = {@(k) accumarray(k, x), @(k) gpumex.reduce_by_key(k, x, 'sum'), @() {keys + 0}};
end

function x = removed(x, at)
x(at) = [];
end
