function tests = test_options
%TEST_OPTIONS  Options and classes that the built-in functions have: NaN flags, directions, scalars, factors, pages, small classes.
tests = localfunctions;
end

function test_nan_flags(backend)
x = [1 NaN 3; 4 5 NaN];
for name = {'double', 'single'}
    y = cast(x, name{1});
    assert(isequal(gpumex.reduce(y, 'sum', 'omitnan', 'Backend', backend), cast(13, name{1})));
    assert(isequal(gpumex.reduce(y, 'sum', 2, 'omitnan', 'Backend', backend), cast([4; 9], name{1})));
    assert(isequaln(gpumex.reduce(y, 'max', 1, 'includenan', 'Backend', backend), cast([4 NaN NaN], name{1})));
    assert(isequal(gpumex.reduce(y, 'max', 'omitnan', 'Backend', backend), cast(5, name{1})));
    assert(isnan(gpumex.reduce(y, 'min', 'includenan', 'Backend', backend)) && isnan(gpumex.reduce(y, 'sum', 'Backend', backend)));
end
assert(gpumex.reduce(int8([1 2]), 'sum', 'omitnan', 'Backend', backend) == 3);
check_refused('gpumex:reduce:invalidOption', @() gpumex.reduce(1, 'sum', 'skipnan'));
end

function test_sort_by_magnitude(backend)
x = [3 -1 2 -3 NaN 0];
[B, I] = gpumex.sort_keys(x, 'ComparisonMethod', 'abs', 'Backend', backend);
assert(isequaln(B, [0 -1 2 3 -3 NaN]) && isequal(I, [6 2 3 1 4 5]));
A = 5 * randn(4, 3, 2);
for dim = 1:3
    [B, I] = gpumex.sort_keys(A, dim, 'descend', 'ComparisonMethod', 'abs', 'Backend', backend);
    [want, order] = sort(abs(A), dim, 'descend');
    assert(isequal(abs(B), want) && isequal(I, order));
end
assert(isequal(gpumex.sort_keys([2 1], 'ComparisonMethod', 'real', 'Backend', backend), [1 2]));
check_refused('gpumex:sort_keys:invalidComparisonMethod', @() gpumex.sort_keys(1, 'ComparisonMethod', 'size'));
end

function test_directions_of_rows(backend)
A = [2 7; 1 9; 2 3; 1 NaN];
[B, I] = gpumex.sortrows(A, [1 2], {'descend', 'ascend'}, 'Backend', backend);
assert(isequal(I, [3; 1; 2; 4]) && isequaln(B, A(I, :)));
[~, I] = gpumex.sortrows(A, 2, 'descend', 'Backend', backend);
assert(isequal(I, [4; 2; 1; 3]));
[~, I] = gpumex.sortrows(A, 2, 'MissingPlacement', 'first', 'Backend', backend);
assert(isequal(I, [4; 3; 1; 2]));
[~, I] = gpumex.sortrows([1; -3; 2], 1, 'ComparisonMethod', 'abs', 'Backend', backend);
assert(isequal(I, [1; 3; 2]));
check_refused('gpumex:sortrows:invalidDirection', @() gpumex.sortrows(A, 1, {'up'}));
check_refused('gpumex:sortrows:invalidDirection', @() gpumex.sortrows(A, [1 2], {'ascend', 'ascend', 'ascend'}));
end

function test_expand(backend)
for name = [number_classes(), {'int8', 'uint8', 'int16', 'uint16', 'logical', 'char'}]
    x = as_class([1 0 3], name{1});
    y = gpumex.interval_expand(x, [2 0 1], 'Backend', backend);
    assert(isequal(y, x([1 1 3])) && isa(y, name{1}));
    assert(isequal(gpumex.interval_expand(x, 2, 'Backend', backend), x([1 1 2 2 3 3])));
end
A = magic(3);
assert(isequal(gpumex.interval_expand(A, 2, [1 0 2], 'Backend', backend), A([1 1 2 2 3 3], [1 3 3])));
end

function x = as_class(x, name)
if strcmp(name, 'char')
    x = char(x + 64);
else
    x = cast(x, name);
end
end

function test_small_classes(backend)
for name = {'int8', 'uint8', 'int16', 'uint16', 'logical'}
    x = cast([100 0 120 1 100 50], name{1});
    y = gpumex.bulk_remove(x, [2 5], 'Backend', backend);
    assert(isequal(y, x([1 3 4 6])) && isa(y, name{1}));
    y = gpumex.bulk_insert(x, [1 7], x([2 3]), 'Backend', backend);
    assert(isequal(y, x([2 1:6 3])) && isa(y, name{1}));
    y = gpumex.segreduce(x, [3 0 3], 'max', 'Backend', backend);
    assert(isa(y, name{1}) && y(1) == max(x(1:3)) && y(3) == max(x(4:6)));
    y = gpumex.segreduce(x, [3 3], 'sum', 'Backend', backend);
    assert(isequal(double(y), double([sum(x(1:3), 'native'), sum(x(4:6), 'native')])) || islogical(x) && isequal(y, [2 3]));
end
assert(isequal(gpumex.bulk_remove('abcd', [1 3], 'Backend', backend), 'bd'));
end

function test_products(backend)
for name = {'single', 'double'}
    A = cast(magic(4), name{1});
    B = cast(magic(4).', name{1});
    assert(isequal(gpumex.matmul(A, B, 'Alpha', 2, 'Backend', backend), 2 * (A * B)));
    assert(isequal(gpumex.matmul(A, B, 'Alpha', 2, 'Beta', -1, 'C', A, 'Backend', backend), 2 * (A * B) - A));
    assert(isequal(gpumex.matmul(A, cast(3, name{1})), 3 * A) && isequal(gpumex.matmul(cast(3, name{1}), A(:, 1:2)), 3 * A(:, 1:2)));
    A = cast(round(9 * rand(2, 3, 4, 1)), name{1});
    B = cast(round(9 * rand(3, 2, 1, 5)), name{1});
    C = gpumex.matmul(A, B, 'Backend', backend);
    assert(isequal(size(C), [2 2 4 5]) && isequal(C(:, :, 3, 4), A(:, :, 3) * B(:, :, 1, 4)));
end
check_refused('gpumex:matmul:invalidC', @() gpumex.matmul(1, 1, 'Beta', 1));
check_refused('gpumex:matmul:invalidC', @() gpumex.matmul(1, 1, 'Beta', 1, 'C', [1 2]));
check_refused('gpumex:matmul:invalidAlpha', @() gpumex.matmul(1, 1, 'Alpha', 'a'));
check_refused('gpumex:matmul:sizeMismatch', @() gpumex.matmul(ones(2, 3), ones(2, 3)));
end
