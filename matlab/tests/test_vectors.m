function tests = test_vectors
%TEST_VECTORS  gpumex.add, dot_product, gather, scatter, segsort, interval_move, sorted_equality_count, fill, random, convolve, medfilt2.
tests = localfunctions;
end

function test_add_and_dot_product(backend)
for name = {'single', 'double'}
    x = cast(rand(4, 3), name{1});
    y = cast(rand(4, 3), name{1});
    z = gpumex.add(x, y, 'Backend', backend);
    assert(isequal(z, x + y) && isa(z, name{1}));
    d = gpumex.dot_product(x, y, 'Backend', backend);
    assert(isa(d, name{1}) && isequal(size(d), [1 1]) && abs(d - sum(x(:) .* y(:))) < 1e-5);
end
for variant = {'on_demand', 'prefetch'}
    assert(isequal(gpumex.add(1:3, 4:6, 'Variant', variant{1}, 'Backend', backend), [5 7 9]));
end
for variant = {'atomic', 'two_pass', 'shared'}
    assert(gpumex.dot_product(1:3, 4:6, 'Variant', variant{1}, 'Backend', backend) == 32);
end
assert(gpumex.dot_product([], [], 'Backend', backend) == 0);
A = gpumex.add(gpumex.array([1 2], 'Backend', backend), [3 4], 'Backend', backend);
assert(isa(A, 'gpumex.array') && isequal(gather(A), [4 6]));
[~, ms] = gpumex.add(1, 2, 'Backend', backend);
assert(ms >= 0);
[x, y] = deal(randn(100003, 1), randn(100003, 1));   % as many are added another way
[x(1:4), y(1:4)] = deal([NaN; Inf; -0; -0], [1; -Inf; -0; 0]);
for of_class = {@double, @single}
    [x, y] = deal(of_class{1}(x), of_class{1}(y));
    z = gpumex.add(x.', y, 'Backend', backend);
    assert(isequaln(z, x + y) && strcmp(class(z), class(x)));
    assert(isequal(1 ./ z(3:4), of_class{1}([-Inf; Inf])));
end
check_refused('gpumex:add:mixedClasses', @() gpumex.add(1, single(1)));
check_refused('gpumex:add:sizeMismatch', @() gpumex.add(1, 1:2));
check_refused('gpumex:add:invalidData', @() gpumex.add(int8(1), int8(1)));
check_refused('gpumex:dot_product:invalidVariant', @() gpumex.dot_product(1, 1, 'Variant', 'best'));
end

function test_gather_and_scatter(backend)
for name = [number_classes(), {'int8', 'uint16', 'logical'}]
    x = cast(100 * rand(3, 4), name{1});
    at = ceil(12 * rand(2, 3, 2));
    y = gpumex.gather(x, at, 'Backend', backend);
    assert(isequal(y, x(at)) && isa(y, name{1}));
    z = gpumex.scatter(x, [7 2 9], x([1 1 4]), 'Backend', backend);
    x([7 2 9]) = x([1 1 4]);
    assert(isequal(z, x) && isa(z, name{1}));
end
assert(isequal(gpumex.gather(1:3, uint8([]), 'Backend', backend), zeros(0, 0)));
A = gpumex.gather(gpumex.array(1:3, 'Backend', backend), [3 1], 'Backend', backend);
assert(isa(A, 'gpumex.array') && isequal(gather(A), [3 1]));
message = check_refused('gpumex:gather:invalidIndices', @() gpumex.gather(1:3, [1 4]));
assert(~isempty(strfind(message, 'indices(2) is 4; the last index is 3')), message);
check_refused('gpumex:gather:invalidIndices', @() gpumex.gather(1:3, 0));
check_refused('gpumex:gather:invalidIndices', @() gpumex.gather(1:3, 1.5));
check_refused('gpumex:scatter:sizeMismatch', @() gpumex.scatter(1:3, [1 2], 1));
check_refused('gpumex:scatter:mixedClasses', @() gpumex.scatter(1:3, 1, single(1)));
end

function test_segsort(backend)
for name = [number_classes(), {'int8', 'uint16', 'logical'}]
    x = cast(100 * rand(1, 50), name{1});
    lengths = [10 0 5 35];
    for direction = {'ascend', 'descend'}
        [y, at] = gpumex.segsort(x, lengths, direction{1}, 'Backend', backend);
        assert(isequal(y, x(at)) && isa(y, name{1}) && isa(at, 'double'));
        want = [sort(x(1:10), direction{1}), sort(x(11:15), direction{1}), sort(x(16:50), direction{1})];
        assert(isequal(y, want));
        assert(isequal(gpumex.segsort(x.', [1 11 11 16], direction{1}, 'Segments', 'starts', 'Backend', backend), want.'));
    end
end
check_refused('gpumex:segsort:invalidSegments', @() gpumex.segsort(1:3, [1 1]));
check_refused('gpumex:segsort:invalidDirection', @() gpumex.segsort(1:3, 3, 'up'));
end

function test_interval_move(backend)
for name = number_classes()
    y = cast(zeros(1, 9), name{1});
    z = gpumex.interval_move(y, [1 5 9], cast(11:19, name{1}), [4 1 9], uint8([3 2 0]), 'Backend', backend);
    assert(isequal(z, cast([14 15 16 0 11 12 0 0 0], name{1})) && isa(z, name{1}));
end
message = check_refused('gpumex:interval_move:invalidIndices', @() gpumex.interval_move(1:3, 3, 1:3, 1, 2));
assert(~isempty(strfind(message, 'interval 1 has 2 elements from TO(1) = 3 on; the last index is 3')), message);
check_refused('gpumex:interval_move:invalidIndices', @() gpumex.interval_move(1:3, 1, 1:3, 3, 2));
check_refused('gpumex:interval_move:sizeMismatch', @() gpumex.interval_move(1:3, [1 2], 1:3, 1, 1));
end

function test_sorted_equality_count(backend)
for name = [number_classes(), {'int8', 'uint16', 'logical'}]
    a = sort(cast(10 * rand(1, 20), name{1}));
    b = sort(cast(10 * rand(30, 1), name{1}));
    [n, at] = gpumex.sorted_equality_count(a, b, 'Backend', backend);
    assert(isequal(n, arrayfun(@(x) sum(b == x), a)));
    assert(isequal(at, arrayfun(@(x) sum(b < x) + 1, a)));
end
check_refused('gpumex:sorted_equality_count:invalidArgument', @() gpumex.sorted_equality_count([2 1], 1));
end

function test_fill(backend)
for name = [number_classes(), {'int8', 'uint16', 'logical'}]
    x = gpumex.fill(1, [2 3 2], 'Class', name{1}, 'Backend', backend);
    assert(isequal(x, cast(ones(2, 3, 2), name{1})) && isa(x, name{1}));
end
assert(isequal(gpumex.fill(0.5, 2, 'Backend', backend), [0.5 0.5; 0.5 0.5]));
assert(all(isnan(gpumex.fill(NaN, [1 4], 'Class', 'single', 'Backend', backend))));
assert(isequal(gpumex.fill(5, [2 2], 'Step', -1, 'Backend', backend), [5 3; 4 2]));
A = gpumex.fill(7, [2 1], 'Place', 'device', 'Backend', backend);
assert(isa(A, 'gpumex.array') && isequal(gather(A), [7; 7]));
check_refused('gpumex:fill:invalidArgument', @() gpumex.fill(300, 1, 'Class', 'uint8'));
check_refused('gpumex:fill:invalidPlace', @() gpumex.fill(1, 1, 'Place', 'cloud'));
check_refused('gpumex:fill:invalidSize', @() gpumex.fill(1, [2.5 1]));
end

function test_random(backend)
x = gpumex.random([500 4], 'Backend', backend);
assert(isequal(size(x), [500 4]) && all(x(:) >= 0 & x(:) < 1) && abs(mean(x(:)) - 0.5) < 0.05);
assert(isequal(x, gpumex.random([500 4], 'Backend', backend)) && ~isequal(x, gpumex.random([500 4], 'Seed', 1, 'Backend', backend)));
assert(isequal(x(1:10), reshape(gpumex.random([10 1], 'Backend', backend), 1, [])), 'numbers depend on their place alone');
dice = gpumex.random([1 200], 'Limits', [1 6], 'Class', 'uint8', 'Backend', backend);
assert(isa(dice, 'uint8') && isequal(unique(dice), uint8(1:6)));
x = gpumex.random([2000 1], 'normal', 'Limits', [10 2], 'Backend', backend);
assert(abs(mean(x) - 10) < 0.3 && abs(std(x) - 2) < 0.3);
assert(issorted(gpumex.random([100 1], 'sorted', 'Backend', backend)));
assert(isa(gpumex.random(3, 'Place', 'device', 'Backend', backend), 'gpumex.array'));
check_refused('gpumex:random:invalidDistribution', @() gpumex.random(3, 'cauchy'));
check_refused('gpumex:random:invalidSeed', @() gpumex.random(3, 'Seed', -1));
end

function test_convolve(backend)
for name = {'single', 'double'}
    for shape = {'full', 'same', 'valid'}
        A = cast(rand(7, 6), name{1});
        for B = {rand(3, 2), rand(1, 6), rand(9, 9)}
            C = gpumex.convolve(A, B{1}, shape{1}, 'Backend', backend);
            want = conv2(A, B{1}, shape{1});
            assert(isequal(size(C), size(want)) && isa(C, name{1}) && all(abs(C(:) - want(:)) < 1e-4), shape{1});
        end
    end
end
C = gpumex.convolve([1 2 3], [1; 2], magic(4), 'same', 'Backend', backend);
assert(isequal(C, conv2([1 2 3], [1; 2], magic(4), 'same')));
assert(isequal(gpumex.convolve(uint8([1 2]), true, 'Backend', backend), [1 2]));
assert(isempty(gpumex.convolve([], 1, 'Backend', backend)));
A = gpumex.convolve(gpumex.array(magic(3), 'Backend', backend), 2, 'Backend', backend);
assert(isa(A, 'gpumex.array') && isequal(gather(A), 2 * magic(3)));
check_refused('gpumex:convolve:invalidShape', @() gpumex.convolve(1, 1, 'round'));
check_refused('gpumex:convolve:unsupported', @() gpumex.convolve(magic(3), [1 Inf]));
end

function test_medfilt2(backend)
for name = [number_classes(), {'int8', 'uint16', 'logical'}]
    A = cast(100 * rand(8, 6), name{1});
    for window = {[3 3], [1 5], [5 3]}
        half = (window{1} - 1) / 2;
        around = zeros(size(A) + 2 * half);
        around(half(1) + (1:8), half(2) + (1:6)) = A;
        want = zeros(size(A));
        for j = 1:6
            for i = 1:8
                part = around(i + (0:2 * half(1)), j + (0:2 * half(2)));
                want(i, j) = median(part(:));
            end
        end
        B = gpumex.medfilt2(A, window{1}, 'Backend', backend);
        assert(isequal(double(B), want) && isa(B, name{1}), name{1});
    end
    assert(isequal(gpumex.medfilt2(A, 'Backend', backend), gpumex.medfilt2(A, [3 3], 'zeros', 'Backend', backend)));
end
assert(isequal(gpumex.medfilt2([1 1 1; 1 9 1; 1 1 1], 'symmetric', 'Backend', backend), ones(3)));
check_refused('gpumex:medfilt2:invalidWindow', @() gpumex.medfilt2(1, [0 3]));
check_refused('gpumex:medfilt2:invalidPadding', @() gpumex.medfilt2(1, [3 3], 'round'));
end

function test_settings(backend)
assert(~isempty(regexp(gpumex.version, '^\d+\.\d+\.\d+', 'once')));
device = gpumex.info('Backend', backend);
assert(strcmp(device.Version, gpumex.version));
if strcmp(backend, 'cpu')
    before = gpumex.threads(1, 'Backend', 'cpu');
    device = gpumex.info('Backend', 'cpu');
    assert(device.MultiprocessorCount == 1 && isequal(gpumex.sort_keys(1e5:-1:1, 'Backend', 'cpu'), 1:1e5));
    gpumex.threads(0, 'Backend', 'cpu');
    assert(before >= 1);
    check_refused('gpumex:tuning:unsupported', @() gpumex.tuning('Backend', 'cpu'));
else
    values = gpumex.tuning('histogram_shared', 'Backend', backend);
    changed = gpumex.tuning('histogram_shared', struct('Threads', 128), 'Backend', backend);
    assert(changed.Threads == 128 && changed.Values == values.Values);
    gpumex.tuning('histogram_shared', values, 'Backend', backend);
    assert(~isempty(strfind(gpumex.tuning('Backend', backend), 'histogram_shared')));
end
check_refused('gpumex:threads:invalidCount', @() gpumex.threads(-1));
gpumex.timer('start', 'Backend', backend);
assert(gpumex.timer('stop', 'Backend', backend) >= 0);
check_refused('gpumex:timer:invalidAction', @() gpumex.timer('pause'));
end
