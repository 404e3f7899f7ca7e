function tests = test_scan
%TEST_SCAN  gpumex.scan against cumsum, cumprod, cummin and cummax.
tests = localfunctions();
end

function test_running_sums(backend)
for class = number_classes()
    for n = [0 1 2 1000 4097 100003]
        x = cast(mod(1:n, 7), class{1});
        check(backend, x, 'sum', cast(cumsum(double(x)), class{1}), zeros(1, class{1}));
    end
end
end

function test_running_products(backend)
for class = number_classes()
    x = cast([2 1 3 1 1 2 0 5], class{1});
    check(backend, x, 'prod', cast(cumprod(double(x)), class{1}), ones(1, class{1}));
end
end

function test_running_extremes(backend)
for class = {'int32', 'uint32', 'int64', 'uint64'}
    for n = [1 2 5000]
        x = sample_of_class(class{1}, n, 1000);
        check(backend, x, 'min', cummin(x), intmax(class{1}));
        check(backend, x, 'max', cummax(x), intmin(class{1}));
    end
end
for class = {'single', 'double'}
    for n = [1 2 5000]
        x = sample_of_class(class{1}, n, 1000);
        check(backend, x, 'min', cummin(x), nan(class{1}));
        check(backend, x, 'max', cummax(x), nan(class{1}));
    end
end
end

function test_nan_in_front_stays_until_a_number_comes(backend)
check(backend, [NaN NaN 2 NaN 1 3], 'max', [NaN NaN 2 2 2 3], NaN);
check(backend, [1 NaN 2], 'sum', [1 NaN NaN], 0);
end

function test_bits_and_wrapping(backend)
check(backend, int32([12 10 7]), 'and', int32([12 8 0]), int32(-1));
check(backend, uint32([1 2 4]), 'or', uint32([1 3 7]), uint32(0));
check(backend, uint64([1 3 7]), 'xor', uint64([1 2 5]), uint64(0));
check(backend, [intmax('int32') 1], 'sum', [intmax('int32') intmax('int32')], int32(0));
check(backend, uint8([200 100 1]), 'sum', uint8([200 255 255]), uint8(0));
check_same(gpumex.scan([intmax('int32') 1], 'sum', 'Overflow', 'wrap', 'Backend', backend), [intmax('int32') intmin('int32')]);
end

function test_along_a_dimension(backend)
for x = {mod(reshape(1:60, 5, 3, 4), 11), single(magic(4)), zeros(0, 3), zeros(3, 0), logical(magic(3) > 4), 7, ones(1, 1, 5)}
    check_same(gpumex.scan(x{1}, 'sum', 'Backend', backend), reshape(cumsum(x{1}), size(x{1})));
    for dim = 1:4
        check_same(gpumex.scan(x{1}, 'sum', dim, 'Backend', backend), cumsum(x{1}, dim));
        check_same(gpumex.scan(x{1}, 'prod', dim, 'Backend', backend), cumprod(x{1}, dim));
        if ~islogical(x{1})
            check_same(gpumex.scan(x{1}, 'max', dim, 'inclusive', 'Backend', backend), cummax(x{1}, dim));
        end
    end
end
check_same(gpumex.scan([1 2; 3 4], 'sum', 2, 'exclusive', 'Backend', backend), [0 1; 0 3]);
check_same(gpumex.scan(int8([100 100; 1 2]), 'sum', 2, 'Backend', backend), int8([100 127; 1 3]));
check_same(gather(gpumex.scan(gpumex.array(magic(4), 'Backend', backend), 'sum', 1)), cumsum(magic(4)));
check_refused('gpumex:scan:invalidData', @() two_results(ones(2), backend));
check_refused('gpumex:scan:invalidDimension', @() gpumex.scan(1:3, 'sum', 0, 'Backend', backend));
end

function two_results(x, backend)
[y, total] = gpumex.scan(x, 'sum', 'Backend', backend); %#ok<ASGLU>
end

function test_columns_and_empty_arrays_keep_their_size(backend)
for x = {(1:5).', zeros(0, 1), zeros(1, 0), [], zeros(0, 3), 7}
    check_same(gpumex.scan(x{1}, 'sum', 'Backend', backend), reshape(cumsum(x{1}(:)), size(x{1})));
end
end

function test_sums_of_fractions_stay_within_the_bound(backend)
x = sin(1:20011);
error = abs(gpumex.scan(x, 'sum', 'Backend', backend) - cumsum(x));
assert(all(error <= (1:numel(x)) * eps .* cumsum(abs(x))));
end

function test_nan_flags(backend)
x = [NaN 2 NaN 1; 3 NaN 4 5];
for dim = 1:2
    zeroed = x;
    zeroed(isnan(x)) = 0;
    check_same(gpumex.scan(x, 'sum', dim, 'omitnan', 'Backend', backend), cumsum(zeroed, dim));
    check_same(gpumex.scan(x, 'sum', dim, 'includenan', 'Backend', backend), cumsum(x, dim));
    check_same(gpumex.scan(x, 'max', dim, 'omitnan', 'Backend', backend), cummax(x, dim));
    check_same(gather(cumsum(gpumex.array(x, 'Backend', backend), dim, 'omitnan')), cumsum(zeroed, dim));
end
check_same(gpumex.scan([3 NaN 1], 'max', 'includenan', 'Backend', backend), [3 NaN NaN]);
check_same(gpumex.scan(single([3 NaN 1]), 'min', 'includemissing', 'Backend', backend), single([3 NaN NaN]));
check_same(gather(cummin(gpumex.array([3 NaN 1], 'Backend', backend), 'includenan')), [3 NaN NaN]);
[y, total] = gpumex.scan([1 NaN 2], 'sum', 'exclusive', 'omitnan', 'Backend', backend);
check_same(y, [0 1 1]);
check_same(total, 3);
check_same(gpumex.scan([1 NaN 2], 'sum', 'omitnan', 'exclusive', 'Backend', backend), y);
check_same(gpumex.scan(int32([1 2]), 'sum', 'omitnan', 'Backend', backend), int32([1 3]));
end

function test_from_the_last_element(backend)
x = mod(reshape(1:24, 4, 3, 2) * 7, 11);
for dim = 1:4
    check_same(gpumex.scan(x, 'sum', dim, 'reverse', 'Backend', backend), flip(cumsum(flip(x, dim), dim), dim));
    check_same(gather(cumprod(gpumex.array(x, 'Backend', backend), dim, 'reverse')), flip(cumprod(flip(x, dim), dim), dim));
end
check_same(gpumex.scan([1 NaN 2], 'sum', 'reverse', 'omitnan', 'exclusive', 'Backend', backend), [2 2 0]);
check_same(gpumex.scan(1:3, 'sum', 'forward', 'Backend', backend), [1 3 6]);
end

function test_bad_input_is_refused(backend)
check_refused('gpumex:scan:invalidKind', @() gpumex.scan(1:3, 'sum', 'omitnan', 'reverse', 'backwards', 'Backend', backend));
check_refused('gpumex:scan:invalidKind', @() gpumex.scan(1:3, 'sum', 'reverse', 'inclusive', 'forward', 'Backend', backend));
check_no_keys('gpumex:scan:invalidData', @(x) gpumex.scan(x, 'sum', 'Backend', backend));
check_refused('gpumex:scan:invalidOperator', @() gpumex.scan(1:3, 'mean', 'Backend', backend));
for kind = {'both', '', {}}
    check_refused('gpumex:scan:invalidKind', @() gpumex.scan(1:3, 'sum', kind{1}, 'Backend', backend));
end
check_refused('gpumex:scan:unsupported', @() gpumex.scan(1:3, 'and', 'Backend', backend));
check_refused('gpumex:scan:argumentCount', @() gpumex.scan(1:3));
end

function check(backend, x, op, want, identity)
% The inclusive scan, and the exclusive one that it makes.
variants = variants_on(backend, {});
before = [identity want];
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    check_same(gpumex.scan(x, op, options{:}), want);
    [y, total] = gpumex.scan(x, op, 'exclusive', options{:});
    check_same(y, before(1:end - 1));
    check_same(total, before(end));
end
[y, total] = gpumex.scan(gpumex.array(x, 'Backend', backend), op, 'inclusive', 'Backend', backend);
assert(isa(y, 'gpumex.array') && isa(total, 'gpumex.array'));
check_same(gather(y), want);
check_same(gather(total), before(end));
end
