function tests = test_intervals
%TEST_INTERVALS  gpumex.interval_expand and gpumex.load_balance_search against repelem.
tests = localfunctions();
end

function test_values_of_every_class(backend)
for class = number_classes()
    for counts = {[], zeros(1, 0), 0, [0 0], 5, [2 0 3], mod(1:2000, 5), [0 30000 0 1], (mod(1:300, 97) == 0) * 500}
        check(backend, sample_of_class(class{1}, numel(counts{1}), 100), counts{1});
    end
end
end

function test_the_examples_of_the_help(backend)
check_same(gpumex.interval_expand([7 8 9], [2 0 3], 'Backend', backend), [7 7 9 9 9]);
check_same(gpumex.load_balance_search([2 5 3 0 1], 'Backend', backend), [1 1 2 2 2 2 2 3 3 3 5]);
end

function test_columns_stay_columns(backend)
check_same(gpumex.interval_expand([7; 8], [2 1], 'Backend', backend), [7; 7; 8]);
check_same(gpumex.load_balance_search([2; 1], 'Backend', backend), [1; 1; 2]);
end

function test_counts_of_any_class(backend)
for class = {'uint8', 'int16', 'uint32', 'int64', 'single', 'double'}
    check_same(gpumex.interval_expand([7 8], cast([2 1], class{1}), 'Backend', backend), [7 7 8]);
end
check_same(gpumex.load_balance_search(gpumex.array(uint32([2 1]), 'Backend', backend), 'Backend', backend), [1 1 2]);
end

function test_counts_that_are_none_are_refused(backend)
for count = {-1, 1.5, NaN, Inf, 'a', true, {1}, sparse(1), 1i}
    check_refused('gpumex:interval_expand:invalidCounts', @() gpumex.interval_expand(7, count{1}, 'Backend', backend));
    check_refused('gpumex:load_balance_search:invalidCounts', @() gpumex.load_balance_search(count{1}, 'Backend', backend));
end
check_refused('gpumex:interval_expand:outOfMemory', @() gpumex.interval_expand(1:2, 2 ^ 53 * [1 1], 'Backend', backend));
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:interval_expand:invalidData', @(x) gpumex.interval_expand(x, 1, 'Backend', backend));
check_refused('gpumex:interval_expand:sizeMismatch', @() gpumex.interval_expand(1:2, 1:3, 'Backend', backend));
check_refused('gpumex:interval_expand:argumentCount', @() gpumex.interval_expand(1));
check_refused('gpumex:load_balance_search:argumentCount', @() gpumex.load_balance_search());
end

function check(backend, values, counts)
owners = zeros(1, sum(counts));
first = 0;
for k = 1:numel(counts)
    owners(first + (1:counts(k))) = k;
    first = first + counts(k);
end
variants = variants_on(backend, {});
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    check_same(reshape(gpumex.interval_expand(values, counts, options{:}), 1, []), reshape(values(owners), 1, []));
    check_same(reshape(gpumex.load_balance_search(counts, options{:}), 1, []), owners);
end
y = gpumex.interval_expand(gpumex.array(values, 'Backend', backend), counts, 'Backend', backend);
check_same(reshape(gather(y), 1, []), reshape(values(owners), 1, []));
end
