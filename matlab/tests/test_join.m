function tests = test_join
%TEST_JOIN  gpumex.join against two loops.
tests = localfunctions();
end

function test_keys_of_every_class(backend)
for class = key_classes()
    for sizes = {[0 0], [0 5], [5 0], [1 1], [4 4], [60 40], [30 90]}
        for values = [2 15 1000]
            check(backend, sample_of_class(class{1}, sizes{1}(1), values), sample_of_class(class{1}, sizes{1}(2), values));
        end
    end
end
end

function test_the_examples_of_the_help(backend)
[ia, ib] = gpumex.join([3 1 2], [2 3 3 9], 'Backend', backend);
check_same([ia ib], [3 1; 1 2; 1 3]);
[ia, ib] = gpumex.join([3 1 2], [2 3 3 9], 'outer', 'Backend', backend);
check_same([ia ib], [2 0; 3 1; 1 2; 1 3; 0 4]);
end

function test_no_nan_has_a_partner(backend)
[ia, ib] = gpumex.join([NaN 1], [1 NaN], 'outer', 'Backend', backend);
check_same([ia ib], [2 1; 1 0; 0 2]);
ia = gpumex.join([NaN 1], [NaN 2], 'Backend', backend);
check_same(ia, zeros(0, 1));
end

function test_many_pairs(backend)
[ia, ib] = gpumex.join(ones(1, 300), ones(500, 1), 'Backend', backend);
check_same(ia, kron((1:300).', ones(500, 1)));
check_same(ib, repmat((1:500).', 300, 1));
end

function test_sorted_keys_need_no_sort(backend)
[a, b] = deal(sort(sample_of_class('double', 200, 60)), sort(sample_of_class('double', 100, 60)));
for kind = {'inner', 'outer'}
    [ia, ib] = gpumex.join(a, b, kind{1}, 'Sorted', true, 'Backend', backend);
    [ja, jb] = gpumex.join(a, b, kind{1}, 'Backend', backend);
    check_same([ia ib], [ja jb]);
end
check_refused('gpumex:join:invalidArgument', @() gpumex.join([2 1], 1, 'Sorted', true, 'Backend', backend));
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:join:invalidKeys', @(x) gpumex.join(x, 1, 'Backend', backend));
check_no_keys('gpumex:join:invalidKeys', @(x) gpumex.join(1, x, 'Backend', backend));
for kind = {'full', '', 1, {}}
    check_refused('gpumex:join:invalidKind', @() gpumex.join(1, 1, kind{1}, 'Backend', backend));
end
check_refused('gpumex:join:mixedClasses', @() gpumex.join(1, int32(1), 'Backend', backend));
check_refused('gpumex:join:invalidSorted', @() gpumex.join(1, 1, 'Sorted', 3, 'Backend', backend));
check_refused('gpumex:join:argumentCount', @() gpumex.join(1));
end

function check(backend, a, b)
variants = variants_on(backend, {});
for kind = {'inner', 'left', 'right', 'outer'}
    want = pairs(a, b, kind{1});
    for k = 1:numel(variants)
        [ia, ib] = gpumex.join(a, b, kind{1}, 'Variant', variants{k}, 'Backend', backend);
        check_same(sortrows([ia ib]), want);
        both = ia > 0 & ib > 0;
        keys = reshape(a(ia(both)), [], 1);
        assert(issorted(keys) && isequal(keys, reshape(b(ib(both)), [], 1)), 'pairs come in the order of their keys');
        assert(all(diff(ib(both)) > 0 | diff(ia(both)) ~= 0), 'those of one element in the order of B');
    end
    [ia, ib] = gpumex.join(gpumex.array(a, 'Backend', backend), b, kind{1}, 'Backend', backend);
    check_same(sortrows([ia ib]), want);
end
end

function rows = pairs(a, b, kind)
[i, j] = find(bsxfun(@eq, a(:), reshape(b, 1, [])));
rows = [i(:) j(:)];
[i, j] = deal(setdiff(1:numel(a), i), setdiff(1:numel(b), j));
if any(strcmp(kind, {'left', 'outer'}))
    rows = [rows; i(:) zeros(numel(i), 1)];
end
if any(strcmp(kind, {'right', 'outer'}))
    rows = [rows; zeros(numel(j), 1) j(:)];
end
rows = sortrows(reshape(rows, [], 2));
end
