function tests = test_reduce
%TEST_REDUCE  gpumex.reduce against sum, prod, min, max and loops of bits.
tests = localfunctions();
end

function test_sums_and_products_of_whole_numbers(backend)
for class = number_classes()
    for n = [0 1 2 100 4097 100003]
        x = cast(mod(1:n, 7), class{1});
        check(backend, x, 'sum', cast(sum(double(x)), class{1}));
        x(:) = 1;
        x(1:min(n, 5)) = 2;
        check(backend, x, 'prod', cast(2 ^ min(n, 5), class{1}));
    end
end
end

function test_integers_saturate_or_wrap(backend)
check(backend, [intmax('int32') 2 -2], 'sum', intmax('int32') - 2);
check(backend, uint8([200 100]), 'sum', uint8(255));
check(backend, [intmax('int64') -2], 'prod', intmin('int64'));
wrap = @(x, op) gpumex.reduce(x, op, 'Overflow', 'wrap', 'Backend', backend);
check_same(wrap([intmax('int32') 2], 'sum'), intmin('int32') + 1);
check_same(wrap([intmax('uint64') 3], 'sum'), uint64(2));
check_same(wrap([intmax('int64') 2], 'prod'), int64(-2));
check_same(wrap(uint8([200 100]), 'sum'), uint8(44));
check_refused('gpumex:reduce:invalidOverflow', @() gpumex.reduce(1:3, 'sum', 'Overflow', 'trap', 'Backend', backend));
end

function test_classes_of_few_bytes(backend)
for class = {'int8', 'uint8', 'int16', 'uint16'}
    x = cast([3 1 4 1 5], class{1});
    check(backend, x, 'sum', cast(14, class{1}));
    check(backend, x, 'max', cast(5, class{1}));
end
check(backend, [true true false], 'sum', 2);
check(backend, [true true false], 'prod', 0);
check(backend, [true true false], 'min', false);
end

function test_along_a_dimension(backend)
for x = {mod(reshape(1:60, 5, 3, 4), 11), single(magic(4)), zeros(0, 3), zeros(3, 0), int16(magic(5)), logical(magic(3) > 4), 7, [NaN 1; 2 NaN]}
    for dim = 1:4
        a = x{1};
        op = {'sum', 'prod', 'min', 'max'};
        want = {sum(double(a), dim), prod(double(a), dim), min(a, [], dim), max(a, [], dim)};
        for k = 1:4
            if islogical(a) && k > 2
                name = 'logical';
            elseif islogical(a)
                name = 'double';
            else
                name = class(a);
            end
            check_same(gpumex.reduce(a, op{k}, dim, 'Backend', backend), cast_to(want{k}, name));
        end
    end
end
check_same(gather(gpumex.reduce(gpumex.array(magic(4), 'Backend', backend), 'sum', 2)), sum(magic(4), 2));
for dim = {0, 1.5, -1, [1 2], 'x', 1i}
    try
        gpumex.reduce(1:3, 'sum', dim{1}, 'Backend', backend);
        error('not refused');
    catch problem
        assert(strncmp(problem.identifier, 'gpumex:reduce:invalid', 21), problem.message);
    end
end
check_refused('gpumex:reduce:invalidDimension', @() gpumex.reduce(int32(1:3), 'and', 1, 'Backend', backend));
end

function x = cast_to(x, name)
if strcmp(name, 'logical')
    x = logical(x);
else
    x = cast(x, name);
end
end

function test_extremes(backend)
for class = number_classes()
    for n = [1 2 1000 70001]
        x = sample_of_class(class{1}, n, 1000);
        check(backend, x, 'min', min(x));
        check(backend, x, 'max', max(x));
    end
end
end

function test_nan_is_passed_over(backend)
for class = {'single', 'double'}
    check(backend, cast([NaN 3 NaN -1], class{1}), 'min', cast(-1, class{1}));
    check(backend, cast([NaN 3 NaN -1], class{1}), 'max', cast(3, class{1}));
    check(backend, nan(1, 5, class{1}), 'max', nan(class{1}));
    check(backend, cast([1 NaN], class{1}), 'sum', nan(class{1}));
end
end

function test_minus_zero_is_the_smaller_zero(backend)
assert(1 / gpumex.reduce([0 -0 0], 'min', 'Backend', backend) == -Inf);
assert(1 / gpumex.reduce([-0 0 -0], 'max', 'Backend', backend) == Inf);
end

function test_bits(backend)
for class = {'int32', 'uint32', 'int64', 'uint64'}
    x = cast([12 10 14], class{1});
    check(backend, x, 'and', cast(8, class{1}));
    check(backend, x, 'or', cast(14, class{1}));
    check(backend, x, 'xor', cast(8, class{1}));
end
end

function test_the_size_does_not_matter(backend)
x = mod(1:720, 11);
for shape = {[720 1], [1 720], [24 30], [8 9 10]}
    check(backend, reshape(x, shape{1}), 'sum', sum(x));
end
end

function test_no_elements(backend)
for x = {[], zeros(0, 3), zeros(1, 0, 'single'), zeros(3, 0, 'int32')}
    class = feval('class', x{1});
    check(backend, x{1}, 'sum', zeros(1, class));
    check(backend, x{1}, 'prod', ones(1, class));
    check(backend, x{1}, 'min', zeros(0, 0, class));
    check(backend, x{1}, 'max', zeros(0, 0, class));
end
end

function test_sums_of_fractions_stay_within_the_bound(backend)
x = sin(1:100003);
for class = {'single', 'double'}
    y = cast(x, class{1});
    error = abs(double(gpumex.reduce(y, 'sum', 'Backend', backend)) - sum(double(y)));
    assert(error <= numel(x) * eps(class{1}) * sum(abs(x)), '%s: %g', class{1}, error);
end
end

function test_a_word_in_any_case_and_as_a_string(backend)
assert(gpumex.reduce(1:4, 'SUM', 'Backend', backend) == 10);
end

function test_the_time_is_a_number_of_milliseconds(backend)
[~, ms] = gpumex.reduce(rand(1e5, 1), 'sum', 'Backend', backend);
assert(isa(ms, 'double') && isscalar(ms) && ms >= 0 && ms < 1e4);
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:reduce:invalidData', @(x) gpumex.reduce(x, 'sum', 'Backend', backend));
for op = {'', 'mean', 1, {}, {'sum'}, []}
    check_refused('gpumex:reduce:invalidOperator', @() gpumex.reduce(1:3, op{1}, 'Backend', backend));
end
check_refused('gpumex:reduce:unsupported', @() gpumex.reduce(1:3, 'xor', 'Backend', backend));
check_refused('gpumex:reduce:argumentCount', @() gpumex.reduce(1:3));
check_refused('gpumex:reduce:invalidOption', @() gpumex.reduce(1:3, 'sum', 'Backend'));
check_refused('gpumex:reduce:invalidOption', @() gpumex.reduce(1:3, 'sum', 'Sorted', true));
check_refused('gpumex:reduce:invalidVariant', @() gpumex.reduce(1:3, 'sum', 'Variant', 'fast', 'Backend', backend));
check_refused('gpumex:reduce:invalidBackend', @() gpumex.reduce(1:3, 'sum', 'Backend', 'abacus'));
end

function check(backend, x, op, want)
variants = variants_on(backend, {});
for k = 1:numel(variants)
    check_same(gpumex.reduce(x, op, 'Variant', variants{k}, 'Backend', backend), want);
end
y = gpumex.reduce(gpumex.array(x, 'Backend', backend), op, 'Backend', backend);
assert(isa(y, 'gpumex.array'));
check_same(gather(y), want);
end
