function tests = test_classes
%TEST_CLASSES  char and small integers where the built-in functions take them, and the sizes of what indices and masks choose.
tests = localfunctions();
end

function test_texts(backend)
on = {'Backend', backend};
for text = {'hello world', 'hello'.', '', ['ba'; 'ab'; 'ba'], 'a', reshape('gpumexgpumex', 2, 3, 2)}
    A = text{1};
    for k = 1:2                                 % the first call of a function takes another way
        [B, I] = gpumex.sort_keys(A, on{:});
        [want, at] = sort(A);
        check_same(B, want);
        check_same(I, at);
        check_same(gpumex.sort_keys(A, 2, 'descend', on{:}), sort(A, 2, 'descend'));
        check_same(gpumex.compact(A, A > 'c', on{:}), reshape_as(A, A(A > 'c')));
        check_same(gpumex.gather(A, 1:min(2, numel(A)), on{:}), A(1:min(2, numel(A))));
        check_same(gpumex.scan(A, 'max', on{:}), cummax(double(A)));
        check_same(gpumex.reduce(A, 'sum', on{:}), sum(double(A(:))));
    end
end
check_same(gpumex.sortrows(['ba'; 'ab'; 'aa'], on{:}), ['aa'; 'ab'; 'ba']);
check_same(gpumex.sortrows(['ba'; 'ab'; 'aa'], -2, on{:}), ['ab'; 'ba'; 'aa']);
check_same(gpumex.scatter('abc', [3 1], 'xy', on{:}), 'ybx');
check_same(gpumex.search('abd', 'cab', on{:}), [3 1 2]);
check_same(gpumex.merge_keys('ac', 'b', on{:}), 'abc');
check_same(gpumex.segsort('cbaz', [3 1], on{:}), 'abcz');
check_same(gpumex.sorted_equality_count('abc', 'aacc', on{:}), [2 0 2]);
check_same(gpumex.interval_move('abcdef', 2, 'xyz', 1, 2, on{:}), 'axydef');
check_same(gpumex.interval_expand('abc', 2, on{:}), 'aabbcc');
[i, j] = gpumex.join('ab', 'ba', on{:});
check_same(sortrows([i j]), [1 2; 2 1]);
[k, v] = gpumex.sort_by_key('cab', 1:3, on{:});
check_same(k, 'abc');
check_same(v, [2 3 1]);
[k, v] = gpumex.sort_by_key([3 1 2], 'abc', on{:});
check_same(k, 1:3);
check_same(v, 'bca');
[k, y] = gpumex.reduce_by_key('aab', 1:3, 'sum', on{:});
check_same(k, 'ab');
check_same(y, [3 3]);
large = repmat('the quick brown fox ', 1, 5000);
check_same(gpumex.sort_keys(large, on{:}), sort(large));
end

function x = reshape_as(A, x)
% What a mask chooses of an array that is no vector is a column; of [] it is [], where Octave may have 0x1.
if isequal(size(A), [0 0])
    x = A;
elseif ~isvector(A)
    x = x(:);
end
end

function test_values_of_small_classes(backend)
on = {'Backend', backend};
for class = {'int8', 'uint8', 'int16', 'uint16'}
    x = cast([7 5 3 1], class{1});
    [~, v] = gpumex.sort_by_key([3 1 4 2], x, on{:});
    check_same(v, cast([5 1 7 3], class{1}));
    [~, v] = gpumex.sort_by_key([3 1; 1 2; 2 3], reshape(cast(1:6, class{1}), 3, 2), 'descend', on{:});
    check_same(v, cast([1 6; 3 5; 2 4], class{1}));
    [~, v] = gpumex.merge_keys([1 3], 2, x(1:2), x(3), on{:});
    check_same(v, cast([7 3 5], class{1}));
    [~, y] = gpumex.reduce_by_key([1 1 2 2], x, 'max', on{:});
    check_same(y, cast([7 3], class{1}));
    check_same(gpumex.interval_move(x, [1 4], cast(11:16, class{1}), [5 1], [2 1], on{:}), cast([15 16 3 11], class{1}));
end
[~, y] = gpumex.reduce_by_key([1 1 2], int8([100 100 3]), 'sum', on{:});
check_same(y, int8([127 3]));
[~, y] = gpumex.reduce_by_key([1 1 2], [true true false], 'sum', on{:});
check_same(y, [2 0]);
[~, y] = gpumex.reduce_by_key([1 1 2], [true true false], 'and', on{:});
check_same(y, [true false]);
end

function test_segments_of_small_classes(backend)
on = {'Backend', backend};
check_same(gpumex.segreduce(uint8([3 5]), [2 0], 'and', on{:}), uint8([1 255]));
check_same(gpumex.segreduce(int16([3 5]), [2 0], 'and', on{:}), int16([1 -1]));
check_same(gpumex.segreduce(uint16([3 5]), [2 0], 'xor', on{:}), uint16([6 0]));
check_same(gpumex.segreduce(uint8([3 5]), [2 0], 'min', on{:}), uint8([3 255]));
check_same(gpumex.segreduce(int8([3 5]), [2 0], 'max', on{:}), int8([5 -128]));
check_same(gpumex.segreduce(int8([100 100 -100]), 3, 'sum', on{:}), int8(100)); % rounded to the class at last
check_same(gpumex.segreduce([true true false], [2 1 0], 'and', on{:}), [true false true]);
check_same(gpumex.segreduce([true true false], [2 1 0], 'sum', on{:}), [2 0 0]);
check_same(gpumex.segreduce([true true false], [2 1 0], 'min', on{:}), [true false true]);
end

function test_sizes_of_what_is_chosen(backend)
on = {'Backend', backend};
for x = {1:4, (1:4).', magic(4), 5, ones(1, 1, 4), ones(2, 2, 2)}
    for at = {1, [1; 1; 1], [1 1], ones(2, 2), zeros(1, 0), zeros(0, 1), []}
        check_same(gpumex.gather(x{1}, at{1}, on{:}), x{1}(at{1}));
    end
    check_same(gpumex.compact(x{1}, x{1} > 1, on{:}), x{1}(x{1} > 1));
    check_same(gpumex.compact(x{1}, x{1} > 0, on{:}), x{1}(x{1} > 0));
end
check_same(gpumex.compact([], logical([]), on{:}), []);
end

function test_products_with_a_scalar(backend)
on = {'Backend', backend};
A = [1 2 3; 4 5 6];
check_same(gpumex.matmul(2, A, on{:}), 2 * A);
check_same(gpumex.matmul(A, 2, 'Alpha', 3, on{:}), 6 * A);
check_same(gpumex.matmul(2, A, 'TransB', true, on{:}), 2 * A.');
check_same(gpumex.matmul(A, 2, 'TransA', true, 'Variant', 'auto', on{:}), 2 * A.');
check_same(gpumex.matmul(2, A, 'Beta', 1, 'C', A, on{:}), 3 * A);
pages = cat(3, A, 2 * A);
check_same(gpumex.matmul(pages, 2, 'TransA', true, on{:}), 2 * permute(pages, [2 1 3]));
[C, ms] = gpumex.matmul(2, [1; 2; 3], on{:});
assert(isequal(C, [2; 4; 6]) && isscalar(ms));
C = gpumex.matmul(2, gpumex.array(A, on{:}), on{:});
check_same(gather(C), 2 * A);
check_refused('gpumex:matmul:invalidOption', @() gpumex.matmul(2, A, 'Foo', 3, on{:}));
check_refused('gpumex:matmul:invalidTransA', @() gpumex.matmul(A, 2, 'TransA', 'x', on{:}));
end
