function tests = test_sort
%TEST_SORT  gpumex.sort_keys, sort_by_key and sortrows against sort and sortrows.
tests = localfunctions();
end

function test_where_nan_is(backend)
x = [3 NaN 1 NaN 2];
sorted = @(varargin) gpumex.sort_keys(x, varargin{:}, 'Backend', backend);
assert(isequaln(sorted('MissingPlacement', 'first'), [NaN NaN 1 2 3]));
assert(isequaln(sorted('descend', 'MissingPlacement', 'last'), [3 2 1 NaN NaN]));
assert(isequaln(sorted('descend', 'MissingPlacement', 'first'), sort(x, 'descend')));
[B, I] = sorted(2, 'ascend', 'MissingPlacement', 'first');
assert(isequaln(B, x(I)) && isequal(I, [2 4 3 5 1]));
A = [4 NaN; NaN NaN; 1 7];
assert(isequaln(gpumex.sort_keys(A, 1, 'MissingPlacement', 'first', 'Backend', backend), [NaN NaN; 1 NaN; 4 7]));
assert(isequaln(gpumex.sort_keys(A, 2, 'descend', 'MissingPlacement', 'last', 'Backend', backend), [4 NaN; NaN NaN; 7 1]));
check_refused('gpumex:sort_keys:invalidMissingPlacement', @() sorted('MissingPlacement', 'middle'));
end

function test_arrays_of_the_device_along_other_dimensions(backend)
A = reshape(magic(4), 2, 4, 2);
for dim = 1:3
    [B, I] = gpumex.sort_keys(gpumex.array(A, 'Backend', backend), dim, 'descend', 'Backend', backend);
    [want, place] = sort(A, dim, 'descend');
    assert(isa(B, 'gpumex.array') && isequal(gather(B), want) && isequal(I, place));
end
end

function test_rows_of_every_class(backend)
for class = key_classes()
    for n = [0 1 2 3 100 4097 20011]
        for values = [3 2^30]
            check(backend, sample_of_class(class{1}, n, values));
        end
    end
end
end

function test_what_is_in_order_already(backend)
for x = {1:5000, 5000:-1:1, ones(1, 5000), [1:2500 2500:-1:1], mod(1:5000, 2)}
    check(backend, x{1});
    check(backend, int32(x{1}));
end
end

function test_nan_and_zeros_go_where_matlab_has_them(backend)
for class = {'single', 'double'}
    check(backend, cast([NaN 0 -0 Inf NaN -Inf -0 0 1], class{1}));
    B = gpumex.sort_keys(cast([0 -0 NaN], class{1}), 'Backend', backend);
    assert(isequal(1 ./ B(1:2), [Inf -Inf]), 'zeros keep their order');
end
end

function test_columns_of_matrices_and_pages(backend)
for shape = {[5 1], [1 5], [4 6], [1 4 6], [3 4 5], [1 1 7], [0 3], [3 0], [1 0 4], [0 0], [2 1000], [1000 2], [1 1]}
    check(backend, reshape(sample_of_class('double', prod(shape{1}), 9), shape{1}));
    check(backend, reshape(sample_of_class('int32', prod(shape{1}), 9), shape{1}));
end
end

function test_along_a_dimension(backend)
for shape = {[5 1], [1 5], [4 6], [1 4 6], [3 4 5], [0 3], [3 0], [2 1000], [1 1]}
    A = reshape(sample_of_class('single', prod(shape{1}), 9), shape{1});
    for dim = 1:ndims(A)
        for direction = {'ascend', 'descend'}
            [B, I] = gpumex.sort_keys(A, dim, direction{1}, 'Backend', backend);
            [want, at] = sort(A, dim, direction{1});
            assert(isequaln(B, want) && isequal(I, at) && isa(I, 'double'));
        end
    end
    [B, I] = gpumex.sort_keys(A, 4, 'Backend', backend);
    assert(isequaln(B, A) && isequal(I, ones(size(A))));
end
for bad = {0, 1.5, [1 2], -1, NaN}
    check_refused('gpumex:sort_keys:invalidDimension', @() gpumex.sort_keys([3 1 2], bad{1}));
end
check_refused('gpumex:sort_keys:invalidDirection', @() gpumex.sort_keys([3 1 2], 1, 'up'));
end

function test_values_follow_their_keys(backend)
for class = key_classes()
    for of_values = number_classes()
        keys = sample_of_class(class{1}, 2000, 30);
        check_pairs(backend, keys, cast(mod(1:2000, 1000), of_values{1}));
    end
end
end

function test_values_of_matrices(backend)
keys = reshape(sample_of_class('int32', 600, 5), 20, 30);
check_pairs(backend, keys, reshape(1:600, 20, 30));
check_pairs(backend, zeros(0, 4), zeros(0, 4));
end

function test_values_keep_their_shape(backend)
[K, V] = gpumex.sort_by_key([3 1 2], [30; 10; 20], 'Backend', backend);
check_same(K, [1 2 3]);
check_same(V, [10; 20; 30]);
end

function test_rows_of_matrices(backend)
A = [sample_of_class('double', 300, 4); sample_of_class('double', 300, 3); mod(1:300, 7)].';
A(isnan(A)) = 5;
for columns = {1, -1, [1 2], [2 -3], [-1 -2 -3], [3 1 2]}
    [B, I] = gpumex.sortrows(A, columns{1}, 'Backend', backend);
    [want, places] = sortrows(A, columns{1});
    check_same(B, want);
    check_same(I, places);
end
check_same(gpumex.sortrows(A, 'Backend', backend), sortrows(A));
check_same(gpumex.sortrows(int32([3; 1; 2]), 'Backend', backend), int32([1; 2; 3]));
check_same(gpumex.sortrows(int8([2 7; 1 9; 2 -3]), 'Backend', backend), int8([1 9; 2 -3; 2 7]));
check_same(gpumex.sortrows([true false; false true; false false], 'Backend', backend), [false false; false true; true false]);
for class_name = {'single', 'int16', 'uint32', 'int64', 'logical'}
    X = cast(A(:, [3 1 2]) > 2, class_name{1});
    [B, I] = gpumex.sortrows(X, int8([2; -3]), 'Backend', backend);
    [want, places] = sortrows(double(X), [2 -3]);
    check_same(B, cast(want, class_name{1}));
    check_same(I, places);
end
check_same(gpumex.sortrows(A, [3 1], 'descend', 'Backend', backend), sortrows(A, [-3 -1]));
for class = key_classes()
    for rows = [1023 1024 1025]                 % few rows are gathered by the gateway
        X = reshape(sample_of_class(class{1}, 2 * rows, 5), rows, 2);
        X(isnan(X)) = 0;
        [~, places] = gpumex.sortrows(X, 'Backend', backend);
        [~, want] = sortrows(double(X));
        check_same(places, want);
        check_same(gpumex.sortrows(X, 'Backend', backend), X(want, :));
    end
end
check_same(gpumex.sortrows(A, [3 1], {'descend', 'ascend'}, 'Backend', backend), sortrows(A, [-3 1]));
check_same(gpumex.sortrows(A, [], 'Backend', backend), A);
[B, I] = gpumex.sortrows(zeros(0, 3), 'Backend', backend);
check_same(B, zeros(0, 3));
check_same(I, zeros(0, 1));
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:sort_keys:invalidData', @(x) gpumex.sort_keys(x, 'Backend', backend));
check_no_keys('gpumex:sort_by_key:invalidKeys', @(x) gpumex.sort_by_key(x, 1, 'Backend', backend));
check_no_keys('gpumex:sort_by_key:invalidValues', @(x) gpumex.sort_by_key(1, x, 'Backend', backend));
for direction = {'up', '', {}}
    check_refused('gpumex:sort_keys:invalidDirection', @() gpumex.sort_keys(1:3, direction{1}, 'Backend', backend));
end
for direction = {'up', '', 1, {}}
    check_refused('gpumex:sort_by_key:invalidDirection', @() gpumex.sort_by_key(1:3, 1:3, direction{1}, 'Backend', backend));
end
check_refused('gpumex:sort_by_key:sizeMismatch', @() gpumex.sort_by_key(1:3, 1:2, 'Backend', backend));
check_refused('gpumex:sort_keys:argumentCount', @() gpumex.sort_keys());
check_refused('gpumex:sort_by_key:argumentCount', @() gpumex.sort_by_key(1));
for A = {{1}, ones(2, 2, 2), sparse(1), gpumex.array(1, 'Backend', backend)}
    check_refused('gpumex:sortrows:invalidData', @() gpumex.sortrows(A{1}, 1, 'Backend', backend));
end
for columns = {0, 3, -3, 1.5, NaN, true, {1}}
    check_refused('gpumex:sortrows:invalidColumns', @() gpumex.sortrows(ones(2), columns{1}, 'Backend', backend));
end
check_refused('gpumex:sortrows:invalidBackend', @() gpumex.sortrows(ones(2), 1, 'Backend', 'abacus'));
end

function check(backend, A)
variants = variants_on(backend, {});
for direction = {'ascend', 'descend'}
    [want, places] = sort(A, direction{1});
    for k = 1:numel(variants)
        options = {direction{1}, 'Variant', variants{k}, 'Backend', backend};
        [B, I] = gpumex.sort_keys(A, options{:});
        check_same(B, want);
        check_same(I, places);
        check_same(gpumex.sort_keys(A, options{:}), want);
    end
    [B, I] = gpumex.sort_keys(gpumex.array(A, 'Backend', backend), direction{1}, 'Backend', backend);
    assert(isa(B, 'gpumex.array'));
    check_same(gather(B), want);
    check_same(I, places);
end
end

function check_pairs(backend, keys, values)
variants = variants_on(backend, {});
for direction = {'ascend', 'descend'}
    [want, places] = sort(keys, direction{1});
    moved = values;
    for j = 1:size(keys, 2) * (size(keys, 1) > 1)
        moved(:, j) = values(places(:, j), j);
    end
    if isrow(keys)
        moved = values(places);
    end
    for k = 1:numel(variants)
        [K, V] = gpumex.sort_by_key(keys, values, direction{1}, 'Variant', variants{k}, 'Backend', backend);
        check_same(K, want);
        check_same(V, moved);
    end
    [K, V] = gpumex.sort_by_key(gpumex.array(keys, 'Backend', backend), values, direction{1}, 'Backend', backend);
    check_same(gather(K), want);
    check_same(gather(V), moved);
end
end
