function tests = test_histogram
%TEST_HISTOGRAM  gpumex.histogram against a plain count.
tests = localfunctions();
end

function test_every_variant_counts_every_length(backend)
for n = [0 1 2 255 256 257 1000 65537]
    check_variants(backend, bytes(n));
end
end

function test_every_variant_counts_a_million(backend)
check_variants(backend, bytes(1e6));
end

function test_one_value_alone(backend)
for value = uint8([0 7 255])
    check_variants(backend, repmat(value, 1, 70001));
end
end

function test_the_shape_does_not_matter(backend)
data = bytes(720);
want = count(data);
for shape = {[720 1], [1 720], [24 30], [8 9 10], [2 3 4 5 6]}
    assert(isequal(gpumex.histogram(reshape(data, shape{1}), 'Backend', backend), want), mat2str(shape{1}));
end
end

function test_empty_data_count_to_zeros(backend)
for data = {uint8([]), uint8(zeros(0, 3)), uint8(zeros(3, 0, 2)), ''}
    assert(isequal(gpumex.histogram(data{1}, 'Backend', backend), zeros(256, 1)));
end
end

function test_characters_count_by_their_codes(backend)
text = ['to be or not to be', char([0 127 200 255])];
counts = gpumex.histogram(text, 'Backend', backend);
assert(isequal(counts, count(uint8(text))) && counts('o' + 1) == 4 && counts(256) == 1);
end

function test_the_counts_are_a_column_of_doubles(backend)
counts = gpumex.histogram(uint8(1:3), 'Backend', backend);
assert(isa(counts, 'double') && isequal(size(counts), [256 1]) && sum(counts) == 3);
end

function test_the_time_is_a_number_of_milliseconds(backend)
[~, ms] = gpumex.histogram(bytes(1e5), 'Backend', backend);
assert(isa(ms, 'double') && isscalar(ms) && ms > 0 && ms < 1e4, 'ms is %g', ms);
end

function test_edges_count_as_histc_does(backend)
values = numbers(5000);
for edges = {[0 1], [-5.5 0 0 2 2 100], linspace(-60, 60, 50)', 0:255, [-Inf 0 Inf], single([0.25 7])}
    for class = {'uint8', 'uint16', 'uint32', 'int32', 'single', 'double', 'int8', 'int16'}
        data = cast(values, class{1});
        counts = gpumex.histogram(data, edges{1}, 'Backend', backend);
        assert(isequal(counts, by_histc(data, edges{1})), '%s, %s', class{1}, mat2str(double(edges{1})));
    end
end
end

function test_limits_are_edges_of_one_width(backend)
data = [numbers(5000), -2, 3, 0.1 * (0:50), NaN, Inf, -Inf];
for n = [1 2 7 100]
    edges = -2 + (0:n) * ((3 - -2) / n);
    counts = gpumex.histogram(data, n, [-2 3], 'Backend', backend);
    assert(isequal(size(counts), [n 1]) && isequal(counts, by_histc(data, edges)), '%d bins', n);
end
end

function test_logicals_and_characters_fall_into_bins(backend)
assert(isequal(gpumex.histogram([true false true], [0 1 2], 'Backend', backend), [1; 2]));
assert(isequal(gpumex.histogram('hello', double('a':'z' + 1), 'Backend', backend), by_histc(double('hello'), double('a':'z' + 1))));
end

function test_what_lies_outside_is_ignored_or_clamped(backend)
data = [-1 0 0.5 1 2 NaN Inf -Inf];
assert(isequal(gpumex.histogram(data, 2, [0 1], 'Backend', backend), [1; 2]));
assert(isequal(gpumex.histogram(data, [0 0.5 1], 'Outliers', 'clamp', 'Backend', backend), [3; 4]));
end

function test_weights_are_added_up(backend)
data = numbers(3000);
weights = mod(1:3000, 7) - 2;
edges = linspace(-50, 50, 21);
for class = {'double', 'single'}
    sums = gpumex.histogram(data, edges, 'Weights', cast(weights, class{1}), 'Backend', backend);
    want = zeros(20, 1);
    for k = 1:20
        inside = data >= edges(k) & (data < edges(k + 1) | (k == 20 & data == edges(21)));
        want(k) = sum(weights(inside));
    end
    assert(isequal(sums, want), class{1});
end
sums = gpumex.histogram(uint8([1 1 2]), 'Weights', [0.5 0.25 4], 'Backend', backend);
assert(sums(2) == 0.75 && sums(3) == 4 && sum(sums) == 4.75);
end

function test_channels_have_columns_of_their_own(backend)
picture = reshape(bytes(3 * 2000), 3, 2000);
counts = gpumex.histogram(picture, 'Channels', 3, 'Backend', backend);
assert(isequal(size(counts), [256 3]));
for c = 1:3
    assert(isequal(counts(:, c), count(picture(c, :))));
end
counts = gpumex.histogram(single(picture), 10, [0 256], 'Channels', 3, 'Weights', 2 * ones(1, 2000), 'Backend', backend);
assert(isequal(counts(:, 2), 2 * by_histc(picture(2, :), (0:10) * 25.6)));
end

function test_arrays_on_the_device_are_counted_there(backend)
data = single(numbers(4000));
counts = gpumex.histogram(gpumex.array(data, 'Backend', backend), 30, [-40 40], 'Backend', backend);
assert(isa(counts, 'gpumex.array') && isa(gather(counts), 'uint64'));
assert(isequal(double(gather(counts)), gpumex.histogram(data, 30, [-40 40], 'Backend', backend)));
weights = gpumex.array(ones(1, 4000), 'Backend', backend);
sums = gpumex.histogram(data, 30, [-40 40], 'Weights', weights, 'Backend', backend);
assert(isa(gather(sums), 'double') && isequal(gather(sums), double(gather(counts))));
end

function test_bins_that_are_none_are_refused(backend)
for bins = {{5}, {5, 'auto'}, {5, 3}, {[]}, {[3 1]}, {[0 NaN 1]}, {magic(3)}, {[0 1i]}, {0.5, [0 1]}, {-1, [0 1]}, {5, [1 1]}, ...
        {5, [2 1]}, {5, [NaN 1]}, {5, [0 0]}}
    given = bins{1};
    check_refused(backend, 'invalidBins', @() gpumex.histogram(1:3, given{:}, 'Backend', backend));
end
check_refused(backend, 'invalidArgument', @() gpumex.histogram(1:3, 0, [0 1], 'Backend', backend));
check_refused(backend, 'invalidArgument', @() gpumex.histogram(1:3, 5, [0 Inf], 'Backend', backend));
end

function test_edges_out_of_order_are_named_from_one(backend)
message = check_refused(backend, 'invalidBins', @() gpumex.histogram(1:3, [0 2 1 5], 'Backend', backend));
assert(~isempty(strfind(message, 'edges(2) is 2 and edges(3) is 1')), message);
message = check_refused(backend, 'invalidBins', @() gpumex.histogram(1:3, [0 NaN 1], 'Backend', backend));
assert(~isempty(strfind(message, 'edges(2) is NaN')), message);
end

function test_options_that_do_not_fit_are_refused(backend)
check_refused(backend, 'invalidWeights', @() gpumex.histogram(1:3, [0 9], 'Weights', 1:2, 'Backend', backend));
check_refused(backend, 'invalidWeights', @() gpumex.histogram(1:3, [0 9], 'Weights', uint8(1:3), 'Backend', backend));
check_refused(backend, 'invalidChannels', @() gpumex.histogram(uint8(1:3), 'Channels', 2, 'Backend', backend));
check_refused(backend, 'invalidChannels', @() gpumex.histogram(uint8(1:5), 'Channels', 5, 'Backend', backend));
check_refused(backend, 'invalidOutliers', @() gpumex.histogram(1:3, [0 9], 'Outliers', 'both', 'Backend', backend));
check_refused(backend, 'invalidData', @() gpumex.histogram(int64(1:3), [0 9], 'Backend', backend));
check_refused(backend, 'invalidData', @() gpumex.histogram(sparse(1:3), [0 9], 'Backend', backend));
check_refused(backend, 'unsupported', @() gpumex.histogram(1:3, [0 9], 'Variant', 'shared', 'Backend', backend));
end

function check_variants(backend, data)
want = count(data);
variants = variants_on(backend, {'global', 'strided', 'shared'});
for k = 1:numel(variants)
    counts = gpumex.histogram(data, 'Variant', variants{k}, 'Backend', backend);
    assert(isequal(counts, want), '%s, %d bytes', variants{k}, numel(data));
end
end

function data = bytes(n)
% Every value, not equally often.
k = 0:n - 1;
data = uint8(mod(k .* k + 3 * k, 251) + mod(k, 5));
end

function counts = count(data)
counts = accumarray(double(data(:)) + 1, 1, [256 1]);
end

function values = numbers(n)
% Around 0, many of them whole.
k = 1:n;
values = round(mod(k .* k, 997) - 400) / 4 .* (mod(k, 3) > 0);
end

function counts = by_histc(data, edges)
% histc counts what equals the last edge in a bin of its own.
counts = histc(double(data(:)), double(edges(:)));
counts = counts(:);
counts(end - 1) = counts(end - 1) + counts(end);
counts(end) = [];
end

function message = check_refused(backend, reason, call)
try
    call();
catch problem
    assert(strcmp(problem.identifier, ['gpumex:histogram:' reason]), '%s: %s', problem.identifier, problem.message);
    message = problem.message;
    return
end
error('%s: a call went through that is gpumex:histogram:%s, %s', backend, reason, func2str(call));
end
