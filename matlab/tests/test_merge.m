function tests = test_merge
%TEST_MERGE  gpumex.merge_keys against sort.
tests = localfunctions();
end

function test_vectors_of_every_class(backend)
for class = key_classes()
    for sizes = {[0 0], [0 5], [5 0], [1 1], [7 100], [3000 17], [20001 10007]}
        for values = [3 500]
            check(backend, sample_of_class(class{1}, sizes{1}(1), values), sample_of_class(class{1}, sizes{1}(2), values + 1));
        end
    end
end
end

function test_rows_and_columns(backend)
check_same(gpumex.merge_keys([1; 3], [2; 4], 'Backend', backend), [1; 2; 3; 4]);
check_same(gpumex.merge_keys([1 3], [2; 4], 'Backend', backend), [1; 2; 3; 4]);
check_same(gpumex.merge_keys([], [2 4], 'Backend', backend), [2 4]);
check_same(gpumex.merge_keys(1, 0, 'Backend', backend), [0 1]);
end

function test_values_follow_their_keys(backend)
for class = number_classes()
    [a, b] = deal(sort(sample_of_class('int32', 500, 40)), sort(sample_of_class('int32', 300, 40)));
    [va, vb] = deal(cast(mod(1:500, 199), class{1}), cast(mod(1:300, 99), class{1}));
    [want, places] = sort([a b]);
    both = [va vb];
    [C, V] = gpumex.merge_keys(a, b, va, vb, 'Backend', backend);
    check_same(C, want);
    check_same(V, both(places));
    [~, V] = gpumex.merge_keys(a, b, gpumex.array(va, 'Backend', backend), vb, 'Backend', backend);
    check_same(gather(V), both(places));
end
[C, V] = gpumex.merge_keys([3 1], [2 0], [30 10], [20 1], 'descend', 'Backend', backend);
check_same([C; V], [3 2 1 0; 30 20 10 1]);
end

function test_vectors_out_of_order_are_refused(backend)
message = check_refused('gpumex:merge_keys:invalidArgument', @() gpumex.merge_keys([1 3 2], 1:3, 'Backend', backend));
assert(~isempty(strfind(message, 'A is not in ascending order: A(3) belongs before A(2)')), message);
check_refused('gpumex:merge_keys:invalidArgument', @() gpumex.merge_keys(1:3, [2 1], 'Backend', backend));
check_refused('gpumex:merge_keys:invalidArgument', @() gpumex.merge_keys(1:3, 1:3, 'descend', 'Backend', backend));
check_refused('gpumex:merge_keys:invalidArgument', @() gpumex.merge_keys([NaN 1], 1, 'Backend', backend));
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:merge_keys:invalidKeys', @(x) gpumex.merge_keys(x, 1, 'Backend', backend));
check_no_keys('gpumex:merge_keys:invalidKeys', @(x) gpumex.merge_keys(1, x, 'Backend', backend));
check_refused('gpumex:merge_keys:invalidKeys', @() gpumex.merge_keys(ones(2), 1, 'Backend', backend));
check_refused('gpumex:merge_keys:mixedClasses', @() gpumex.merge_keys(single(1), 1, 'Backend', backend));
check_refused('gpumex:merge_keys:mixedClasses', @() gpumex.merge_keys(1, 1, single(1), 1, 'Backend', backend));
check_refused('gpumex:merge_keys:invalidValues', @() gpumex.merge_keys(1, 1, {1}, 1, 'Backend', backend));
check_refused('gpumex:merge_keys:sizeMismatch', @() gpumex.merge_keys(1:2, 1:2, 1:2, 1:3, 'Backend', backend));
check_refused('gpumex:merge_keys:invalidDirection', @() gpumex.merge_keys(1:2, 1:2, 'up', 'Backend', backend));
check_refused('gpumex:merge_keys:argumentCount', @() gpumex.merge_keys(1));
end

function check(backend, a, b)
variants = variants_on(backend, {});
for direction = {'ascend', 'descend'}
    [a, b] = deal(sort(a, direction{1}), sort(b, direction{1}));
    [want, places] = sort([a b], direction{1});
    for k = 1:numel(variants)
        options = {direction{1}, 'Variant', variants{k}, 'Backend', backend};
        [C, I] = gpumex.merge_keys(a, b, options{:});
        check_same(C, want);
        check_same(I, places);
        check_same(gpumex.merge_keys(a, b, options{:}), want);
    end
    C = gpumex.merge_keys(gpumex.array(a, 'Backend', backend), b, direction{1}, 'Backend', backend);
    assert(isa(C, 'gpumex.array'));
    check_same(gather(C), want);
end
end
