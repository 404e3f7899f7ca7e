function tests = test_histcounts
%TEST_HISTCOUNTS  gpumex.histcounts: bins that it chooses, counts, numbers of bins, normalizations.
tests = localfunctions;
end

function test_published_example(backend)
[N, edges] = gpumex.histcounts([2 3 5 7 11 13 17 19 23 29], 6, 'Backend', backend);
assert(isequal(N, [2 2 2 2 1 1]) && max(abs(edges - 4.9 * (0:6))) < 1e-12);
end

function test_integers_have_a_bin_each(backend)
[N, edges, bin] = gpumex.histcounts([1 2 2 3 5], 'Backend', backend);
assert(isequal(N, [1 2 1 0 1]) && isequal(edges, 0.5:5.5) && isequal(bin, [1 2 2 3 5]));
[N, edges] = gpumex.histcounts(logical([1 0 1]), 'Backend', backend);
assert(isequal(N, [1 2]) && isequal(edges, [-0.5 0.5 1.5]));
[~, edges] = gpumex.histcounts([0 1e6], 'BinMethod', 'integers', 'Backend', backend);
assert(numel(edges) <= 65537);
end

function test_counts_are_those_of_loops(backend)
restore = seed_random(5);
for name = [number_classes(), {'int8', 'uint8', 'int16', 'uint16', 'logical'}]
    for method = {'auto', 'scott', 'fd', 'integers', 'sturges', 'sqrt'}
        X = cast(200 * rand(7, 5) - 60, name{1});
        [N, edges, bin] = gpumex.histcounts(X, 'BinMethod', method{1}, 'Backend', backend);
        check_bins(X, N, edges, bin);
        assert(sum(N) == numel(X), 'the bins cover all');
    end
    X = cast(9 * randn(1, 40), name{1});
    [N, edges, bin] = gpumex.histcounts(X, 'BinLimits', [-3 11], 'Backend', backend);
    assert(isequal(edges([1 end]), [-3 11]));
    check_bins(X, N, edges, bin);
    [N, edges, bin] = gpumex.histcounts(X, 'BinLimits', [-3 11], 'BinWidth', 4, 'Backend', backend);
    assert(isequal(edges, [-3 1 5 9 11]));
    check_bins(X, N, edges, bin);
    [N, edges] = gpumex.histcounts(X, 'NumBins', 5, 'BinLimits', [0 10], 'Backend', backend);
    assert(numel(N) == 5 && isequal(edges, 0:2:10));
    [N, edges, bin] = gpumex.histcounts(X, [0 1 1 4], 'Backend', backend);
    check_bins(X, N, edges, bin);
end
end

function check_bins(X, N, edges, bin)
want = zeros(size(X));
for k = 1:numel(X)
    x = double(X(k));
    at = find(edges(1:end - 1) <= x & x < edges(2:end), 1);
    if isempty(at) && x == edges(end)
        at = numel(edges) - 1;
    end
    if ~isempty(at)
        want(k) = at;
    end
end
assert(isequal(bin, want), 'bin');
assert(isequal(N, accumarray(reshape(want(want > 0), [], 1), 1, [numel(edges) - 1, 1]).'), 'N');
assert(isrow(N) && isrow(edges) && all(diff(edges) >= 0));
end

function test_rules_within_limits(backend)
X = [0:0.25:10, -50, NaN, 90];
for method = {'auto', 'scott', 'fd', 'integers', 'sturges', 'sqrt'}
    [N, edges] = gpumex.histcounts(X, 'BinLimits', [0 10], 'BinMethod', method{1}, 'Backend', backend);
    assert(isequal(edges([1 end]), [0 10]) && sum(N) == 41 && max(abs(diff(edges) - 10 / numel(N))) < 1e-12);
end
N = gpumex.histcounts(X, 'BinLimits', [200 300], 'BinMethod', 'fd', 'Backend', backend);
assert(~any(N), 'nothing lies within these limits');
[N, edges] = gpumex.histcounts(single([]), 'NumBins', uint8(3), 'BinWidth', [], 'Backend', backend);
assert(isequal(N, [0 0 0]) && isequal(edges, 0:3));
[~, edges] = gpumex.histcounts(int16([1 2 30]), int32([0; 2; 40]), 'Backend', backend);
assert(isa(edges, 'double') && isequal(edges, [0 2 40]));
check_refused('gpumex:histcounts:invalidBins', @() gpumex.histcounts([0 1e300], 'BinWidth', 1e-300, 'Backend', backend));
end

function test_what_is_not_finite_is_in_no_chosen_bin(backend)
[N, edges, bin] = gpumex.histcounts([NaN 0.5 Inf 1.5 -Inf], 'Backend', backend);
assert(sum(N) == 2 && all(isfinite(edges)) && isequal(bin == 0, logical([1 0 1 0 1])));
[N, edges] = gpumex.histcounts([], 'Backend', backend);
assert(isequal(N, 0) && isequal(edges, [0 1]));
[N, edges] = gpumex.histcounts([2.5 2.5], 'Backend', backend);
assert(isequal(N, 2) && isequal(edges, [2 3]));
end

function test_normalizations(backend)
X = [0.5 1.5 1.7 2.5 9 NaN];
edges = [0 1 3 4];
of = @(what) gpumex.histcounts(X, edges, 'Normalization', what, 'Backend', backend);
c = [1 3 0];
w = [1 2 1];
assert(isequal(of('count'), c) && isequal(of('probability'), c / 6) && isequal(of('countdensity'), c ./ w));
assert(isequal(of('pdf'), c / 6 ./ w) && isequal(of('cumcount'), [1 4 4]) && isequal(of('cdf'), cumsum(c / 6)));
end

function test_arrays_on_the_device(backend)
x = rand(100, 1);
[N, edges] = gpumex.histcounts(gpumex.array(x, 'Backend', backend), 'Backend', backend);
[want, want_edges] = gpumex.histcounts(x, 'Backend', backend);
assert(isequal(N, want) && isequal(edges, want_edges));
[~, ~, bin] = gpumex.histcounts(gpumex.array(x, 'Backend', backend), [0 0.5 1], 'Backend', backend);
assert(isequal(bin, 1 + (x >= 0.5)));
assert(isequal(gpumex.histcounts(gpumex.array(x, 'Backend', backend), [0 0.5 1], 'Backend', backend), [sum(x < 0.5), sum(x >= 0.5)]));
end

function test_bad_input(backend)
bad = {{}, 'argumentCount'; {'text'}, 'invalidData'; {1i}, 'invalidData'; {1, 0}, 'invalidBins'; {1, 2.5}, 'invalidBins'; ...
    {1, [2 1]}, 'invalidBins'; {1, 'BinWidth', -1}, 'invalidBins'; {1, 'BinLimits', [1 NaN]}, 'invalidBins'; ...
    {1, 'NumBins', 2, 'BinWidth', 1}, 'invalidBins'; {1, 'BinEdges', [0 1], 'NumBins', 2}, 'invalidBins'; ...
    {1, 'BinMethod', 'best'}, 'invalidBins'; {1, 'Normalization', 'all'}, 'invalidNormalization'; ...
    {1, 'Colour', 3}, 'invalidOption'; {1, 'NumBins'}, 'invalidOption'; {1, 3, 'Backend', 'tpu'}, 'invalidBackend'};
for k = 1:size(bad, 1)
    check_refused(['gpumex:histcounts:' bad{k, 2}], @() gpumex.histcounts(bad{k, 1}{:}));
end
end
