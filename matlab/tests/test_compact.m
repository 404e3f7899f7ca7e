function tests = test_compact
%TEST_COMPACT  gpumex.compact against logical indexing and find.
tests = localfunctions();
end

function test_rows_of_every_class(backend)
for class = key_classes()
    for n = [0 1 2 1000 4097 100003]
        x = sample_of_class(class{1}, n, 50);
        for mask = {mod(1:n, 3) == 0, true(1, n), false(1, n), (1:n) > n / 2}
            if n == 1
                check(backend, x, mask{1}, x(mask{1}), find(mask{1}));
            else
                check(backend, x, mask{1}, reshape(x(mask{1}), 1, []), reshape(find(mask{1}), 1, []));
            end
        end
    end
end
end

function test_columns_and_matrices(backend)
x = magic(6);
check(backend, x, x > 9, x(x > 9), find(x > 9));
check(backend, x(:), x(:) > 9, x(x > 9), find(x > 9));
check(backend, ones(2, 3, 4), true(2, 3, 4), ones(24, 1), (1:24).');
check(backend, 5, true, 5, 1);
check(backend, zeros(0, 1), true(0, 1), zeros(0, 1), zeros(0, 1));
end

function test_bits_are_kept(backend)
kept = gpumex.compact([NaN -0 3], [true true false], 'Backend', backend);
assert(isnan(kept(1)) && 1 / kept(2) == -Inf);
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:compact:invalidData', @(x) gpumex.compact(x, true, 'Backend', backend));
for mask = {1, 'a', {}, sparse(true), int8(1)}
    check_refused('gpumex:compact:invalidMask', @() gpumex.compact(1, mask{1}, 'Backend', backend));
end
check_refused('gpumex:compact:sizeMismatch', @() gpumex.compact(1:3, true(1, 2), 'Backend', backend));
check_refused('gpumex:compact:argumentCount', @() gpumex.compact(1:3));
end

function check(backend, x, mask, want, places)
variants = variants_on(backend, {});
for k = 1:numel(variants)
    [kept, positions] = gpumex.compact(x, mask, 'Variant', variants{k}, 'Backend', backend);
    check_same(kept, want);
    check_same(positions, places);
    check_same(gpumex.compact(x, mask, 'Variant', variants{k}, 'Backend', backend), want);
end
[kept, positions] = gpumex.compact(gpumex.array(x, 'Backend', backend), gpumex.array(mask, 'Backend', backend), 'Backend', backend);
assert(isa(kept, 'gpumex.array') && isequal(size(kept), size(want)));
check_same(gather(kept), want);
check_same(positions, places);
end

function test_nothing_of_one_element(backend)
check_same(gpumex.compact(5, false, 'Backend', backend), zeros(0, 0));
check_same(gpumex.compact(5, true, 'Backend', backend), 5);
end
