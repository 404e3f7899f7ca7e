function tests = test_set_options
%TEST_SET_OPTIONS  'rows', 'stable', 'first', 'last', mixed classes and char in gpumex.unique, ismember, union, intersect, setdiff, setxor.
tests = localfunctions();
end

function test_unique_stable_first_last(backend)
for x = {[3 1 1 3 2], [3; 1; 1; 3; 2], int8([5 5 1]), 'hello world', single([NaN 1 NaN 1]), [], magic(4), [true false true], 7}
    A = x{1};
    [C, IA, IC] = gpumex.unique(A, 'stable', 'Backend', backend);
    same_values(C, A(IA));
    assert(issorted(IA) && strcmp(class(C), class(A)));
    same_values(C(IC), A);
    assert(numel(C) == numel(gpumex.unique(A, 'Backend', backend)) && (isrow(A) == isrow(C) || numel(C) == 1));
    [C, IA, IC] = gpumex.unique(A, 'last', 'Backend', backend);
    [D, IB] = gpumex.unique(A, 'first', 'Backend', backend);
    same_values(C, D);
    same_values(C, A(IA));
    same_values(C(IC), A);
    assert(all(IA(:) >= IB(:)) && isequaln(gpumex.unique(A, 'sorted', 'Backend', backend), D));
end
[~, IA] = gpumex.unique([3 1 1 3 2], 'last', 'Backend', backend);
assert(isequal(IA, [3; 5; 4]));
assert(isequal(gpumex.unique([3 1 3 2], 'stable', 'Backend', backend), [3 1 2]));
assert(isequal(size(gpumex.unique([], 'Backend', backend)), [0 0]));
end

function test_unique_rows(backend)
for x = {[3 1; 1 2; 3 1; 1 1; 1 2], uint8([0 1; 0 1]), ['ab'; 'aa'; 'ab'], zeros(0, 3), [1 2 3], [NaN 1; NaN 1; 0 0], logical([1 0; 0 1; 1 0])}
    A = x{1};
    [C, IA, IC] = gpumex.unique(A, 'rows', 'Backend', backend);
    same_values(C, A(IA, :));
    same_values(C(IC, :), A);
    assert(strcmp(class(C), class(A)) && (isempty(A) || isequaln(C, unique(A, 'rows'))));
    [C, IA, IC] = gpumex.unique(A, 'rows', 'stable', 'Backend', backend);
    assert(issorted(IA));
    same_values(C, A(IA, :));
    same_values(C(IC, :), A);
end
end

function test_two_sets_by_rows(backend)
A = [3 1; 1 2; 3 1; 4 4]; B = [1 2; 9 9; 4 4];
assert(isequal(gpumex.ismember(A, B, 'rows', 'Backend', backend), ismember(A, B, 'rows')));
[tf, place] = gpumex.ismember(A, B, 'rows', 'Backend', backend);
assert(isequal(tf, [false; true; false; true]) && isequal(place, [0; 1; 0; 3]));
assert(isequal(gpumex.union(A, B, 'rows', 'Backend', backend), [1 2; 3 1; 4 4; 9 9]));
[C, IA, IB] = gpumex.intersect(A, B, 'rows', 'Backend', backend);
assert(isequal(C, [1 2; 4 4]) && isequal(A(IA, :), C) && isequal(B(IB, :), C));
[C, IA] = gpumex.setdiff(A, B, 'rows', 'Backend', backend);
assert(isequal(C, [3 1]) && isequal(IA, 1));
assert(isequal(gpumex.setxor(A, B, 'rows', 'Backend', backend), [3 1; 9 9]));
check_refused('gpumex:union:sizeMismatch', @() gpumex.union(A, [1 2 3], 'rows', 'Backend', backend));
end

function test_no_rows(backend)
on = {'rows', 'Backend', backend};
for name = {'union', 'intersect', 'setdiff', 'setxor'}
    of = str2func(['gpumex.' name{1}]);
    for pair = {{[], [3 1]}, {[3 1; 1 1], []}, {[], []}}
        check_same(of(pair{1}{:}, on{:}), feval(name{1}, pair{1}{:}, 'rows'));
    end
end
check_same(gpumex.ismember([1 2], [], on{:}), false);
check_same(gpumex.ismember([], [1 2], on{:}), false(0, 1));
assert(isequal(gpumex.unique([1 2; 2 1], 'Sorted', true, on{:}), [1 2; 2 1]));
check_refused('gpumex:unique:invalidArgument', @() gpumex.unique([2 1; 1 2], 'Sorted', true, on{:}));
check_refused('gpumex:unique:invalidSorted', @() gpumex.unique([2 1; 1 2], 'Sorted', 7, on{:}));
end

function test_stable_of_two_sets(backend)
assert(isequal(gpumex.union([5 1 3 5], [9 1 2], 'stable', 'Backend', backend), [5 1 3 9 2]));
[C, IA, IB] = gpumex.intersect([5 1 3], [3 5 7], 'stable', 'Backend', backend);
assert(isequal(C, [5 3]) && isequal(IA, [1; 3]) && isequal(IB, [2; 1]));
[C, IA] = gpumex.setdiff([9 5 1 5], [1 2], 'stable', 'Backend', backend);
assert(isequal(C, [9 5]) && isequal(IA, [1; 2]));
assert(isequal(gpumex.setxor([5 1 3], [9 1 2], 'stable', 'Backend', backend), [5 3 9 2]));
assert(isequal(gpumex.union([5 1; 3 1], [9 9; 3 1], 'rows', 'stable', 'Backend', backend), [5 1; 3 1; 9 9]));
end

function test_mixed_classes(backend)
pairs = {int8([1 5 9]), [5 7.4]; [1 2.5], single([2.5 3]); [true false], [1 4]; int32([]), [1 2]; int64([3 5]), [5 6]; uint8([1 2]), single(2); ...
         [], int16([4 4]); logical([1 0 1]), int8(3); 'hello', 'world'; 'abc', [98 100]};
for k = 1:size(pairs, 1)
    [A, B] = pairs{k, :};
    quiet = warning('off', 'all');
    back = onCleanup(@() warning(quiet));
    for f = {'union', 'intersect', 'setdiff', 'setxor'}
        got = feval(['gpumex.' f{1}], A, B, 'Backend', backend);
        want = feval(f{1}, A, B);
        if ~isempty(A) && ~isempty(B)
            assert(strcmp(class(got), class(want)), '%s, pair %d: class %s, not %s', f{1}, k, class(got), class(want));
        end
        assert(isequal(double(got(:)), double(want(:))), '%s, pair %d', f{1}, k);
    end
    assert(isequal(gpumex.ismember(A, B, 'Backend', backend), ismember(A, B)), 'ismember, pair %d', k);
end
assert(isequal(gpumex.ismember([2.5 3], int8([1 3]), 'Backend', backend), [false true]));
for word = {{}, {'stable'}}
    check_same(gpumex.setdiff(int8([3 3 5 1]), [5 0.5], word{1}{:}, 'Backend', backend), int8(3)); % 0.5 is 1 as int8
    check_same(gpumex.setdiff([7.2 1 0.5 2], int8(1), word{1}{:}, 'Backend', backend), sorted_unless(word{1}, [7.2 2]));
end
check_same(gpumex.setdiff([97 98], 'a', 'Backend', backend), 98);
check_same(gpumex.setdiff('ba', 97, 'Backend', backend), 'b');
check_refused('gpumex:union:mixedClasses', @() gpumex.union(int8(1), int16(1), 'Backend', backend));
end

function test_options_by_name_stay(backend)
assert(isequal(gpumex.unique([1 1 2], 'Sorted', true, 'Backend', backend), [1 2]));
check_refused('gpumex:unique:invalidArgument', @() gpumex.unique([2 1], 'sorted', true, 'Backend', backend));
message = check_refused('gpumex:unique:invalidOption', @() gpumex.unique([2 1], 'stabel', 'Backend', backend));
assert(~isempty(strfind(message, '''stabel''')) && ~isempty(strfind(message, '''stable''')), message);
check_refused('gpumex:unique:invalidOption', @() gpumex.unique([2 1], 'stable', 'sorted'));
check_refused('gpumex:ismember:invalidOption', @() gpumex.ismember(1, 1, 'stable'));
end

function test_arrays_of_the_device(backend)
A = gpumex.array([3 1 1 3 2], 'Backend', backend);
C = gpumex.unique(A, 'stable', 'Backend', backend);
assert(isa(C, 'gpumex.array') && isequal(gather(C), [3 1 2]));
C = gpumex.union(A, int8([9 3]), 'Backend', backend);
assert(isa(C, 'gpumex.array') && isequal(gather(C), int8([1 2 3 9])));
end

function x = sorted_unless(words, x)
if isempty(words)
    x = sort(x);
end
end

function same_values(a, b)
assert(isequaln(a(:), b(:)));
end
