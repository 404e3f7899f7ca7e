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
counts = zeros(256, 1);
for value = 0:255
    counts(value + 1) = sum(data(:) == value);
end
end
