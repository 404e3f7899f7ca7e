function tests = test_bulk
%TEST_BULK  gpumex.bulk_remove and gpumex.bulk_insert against indexing.
tests = localfunctions();
end

function test_removals_of_every_class(backend)
for class = number_classes()
    for n = [0 1 2 1000 10007]
        x = sample_of_class(class{1}, n, 100);
        for indices = {[], 1:n, 1:2:n, find(mod(1:n, 7) == 3), n * ones(1, n > 0)}
            want = x;
            want(indices{1}) = [];
            check_remove(backend, x, indices{1}, reshape(want, 1, []));
        end
    end
end
end

function test_insertions_of_every_class(backend)
for class = number_classes()
    for n = [0 1 3 1000]
        for indices = {zeros(1, 0), ones(1, 5), (n + 1) * ones(1, 3), 1:n + 1, sort(mod(7 * (1:300), n + 1)) + 1}
            check_insert(backend, sample_of_class(class{1}, n, 100), indices{1}, sample_of_class(class{1}, numel(indices{1}), 50));
        end
    end
end
end

function test_the_examples_of_the_help(backend)
check_same(gpumex.bulk_remove(10:19, [2 4 5 6 8 9], 'Backend', backend), [10 12 16 19]);
check_same(gpumex.bulk_insert([100 200 300], [2 2 3 4 4], 1:5, 'Backend', backend), [100 1 2 200 3 300 4 5]);
end

function test_columns_stay_columns(backend)
check_same(gpumex.bulk_remove((1:4).', 2, 'Backend', backend), [1; 3; 4]);
check_same(gpumex.bulk_insert((1:2).', 2, 7, 'Backend', backend), [1; 7; 2]);
check_same(gpumex.bulk_insert([1 2], [], [], 'Backend', backend), [1 2]);
end

function test_indices_of_any_class(backend)
for class = {'uint8', 'int16', 'uint32', 'int64', 'single', 'double'}
    check_same(gpumex.bulk_remove(1:4, cast([2 4], class{1}), 'Backend', backend), [1 3]);
end
check_same(gpumex.bulk_remove(1:4, gpumex.array(int32([2 4]), 'Backend', backend), 'Backend', backend), [1 3]);
end

function test_indices_that_do_not_fit(backend)
for indices = {0, 4, [2 1], [1 1], 1.5, NaN, -1, 'a', true, {1}, sparse(1), 1i, 2^60}
    check_refused('gpumex:bulk_remove:invalidIndices', @() gpumex.bulk_remove(1:3, indices{1}, 'Backend', backend));
end
for indices = {0, 5, 1.5, NaN, 'a', true}
    check_refused('gpumex:bulk_insert:invalidIndices', @() gpumex.bulk_insert(1:3, indices{1}, 7, 'Backend', backend));
end
check_refused('gpumex:bulk_insert:invalidIndices', @() gpumex.bulk_insert(1:3, [2 1], 7:8, 'Backend', backend));
check_refused('gpumex:bulk_insert:sizeMismatch', @() gpumex.bulk_insert(1:3, 1:2, 7, 'Backend', backend));
end

function test_elements_of_one_and_two_bytes_and_char(backend)
for class = {'logical', 'int8', 'uint8', 'int16', 'uint16'}
    x = cast(mod(1:200, 2), class{1});
    check_same(gpumex.bulk_remove(x, [1 2 100 200], 'Backend', backend), x([3:99 101:199]));
    check_same(gpumex.bulk_remove(x.', [], 'Backend', backend), x.');
    check_same(gpumex.bulk_remove(x(1:2), 1:2, 'Backend', backend), x(1:0));
    y = gpumex.bulk_insert(x(1:3), [1 1 3 4], x(4:7), 'Backend', backend);
    check_same(y, x([4 5 1 2 6 3 7]));
    check_same(gpumex.bulk_insert(x(1:0), [1 1], x(1:2), 'Backend', backend), x(1:2));
end
check_same(gpumex.bulk_remove('abcd', [1 3], 'Backend', backend), 'bd');
check_same(gpumex.bulk_insert('abc', [1 4], 'xy', 'Backend', backend), 'xabcy');
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:bulk_remove:invalidData', @(x) gpumex.bulk_remove(x, 1, 'Backend', backend));
check_no_keys('gpumex:bulk_insert:invalidData', @(x) gpumex.bulk_insert(x, 1, 1, 'Backend', backend));
check_no_keys('gpumex:bulk_insert:invalidData', @(x) gpumex.bulk_insert(1, 1, x, 'Backend', backend));
for x = {true, int8(1), uint16(1), single(1)}
    check_refused('gpumex:bulk_insert:mixedClasses', @() gpumex.bulk_insert(1, 1, x{1}, 'Backend', backend));
    check_refused('gpumex:bulk_insert:mixedClasses', @() gpumex.bulk_insert(x{1}, 1, 1, 'Backend', backend));
end
kept = gpumex.array(int8(1:3), 'Backend', backend);
check_refused('gpumex:bulk_remove:invalidData', @() gpumex.bulk_remove(kept, 1, 'Backend', backend));
check_refused('gpumex:bulk_insert:invalidData', @() gpumex.bulk_insert(int8(1:3), 1:3, kept, 'Backend', backend));
check_refused('gpumex:bulk_remove:argumentCount', @() gpumex.bulk_remove(1));
check_refused('gpumex:bulk_insert:argumentCount', @() gpumex.bulk_insert(1, 1));
end

function check_remove(backend, x, indices, want)
variants = variants_on(backend, {});
for k = 1:numel(variants)
    check_same(gpumex.bulk_remove(x, indices, 'Variant', variants{k}, 'Backend', backend), want);
end
y = gpumex.bulk_remove(gpumex.array(x, 'Backend', backend), indices, 'Backend', backend);
check_same(gather(y), want);
end

function check_insert(backend, x, indices, a)
% In front of x(k) go those with place k: a stable sort of both has them so.
[~, order] = sort([indices, 1:numel(x)]);
both = [a x];
variants = variants_on(backend, {});
for k = 1:numel(variants)
    check_same(gpumex.bulk_insert(x, indices, a, 'Variant', variants{k}, 'Backend', backend), both(order));
end
y = gpumex.bulk_insert(gpumex.array(x, 'Backend', backend), indices, a, 'Backend', backend);
check_same(gather(y), both(order));
end
