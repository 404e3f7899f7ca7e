function tests = test_segments
%TEST_SEGMENTS  gpumex.segreduce and gpumex.reduce_by_key against loops over segments and runs.
tests = localfunctions();
end

function test_segments_of_every_class(backend)
for class = number_classes()
    for lengths = {[], zeros(1, 0), 0, [0 0 0], 5, [3 0 1 2], mod(1:500, 7), [0 4000 0 3], ones(1, 3000)}
        x = cast(mod(1:sum(lengths{1}), 5), class{1});
        for op = {'sum', 'min', 'max'}
            check_segments(backend, x, lengths{1}, op{1});
        end
    end
    check_segments(backend, cast([2 3 1 5], class{1}), [2 0 2], 'prod');
end
end

function test_bits_of_segments(backend)
for op = {'and', 'or', 'xor'}
    check_segments(backend, int32([12 10 7 1]), [2 0 2], op{1});
    check_segments(backend, uint64([12 10 7 1]), [1 3], op{1});
end
end

function test_nan_is_passed_over(backend)
check_same(gpumex.segreduce([NaN 3 NaN 1 NaN], [3 1 0 1], 'max', 'Backend', backend), [3 1 NaN NaN]);
end

function test_lengths_of_any_class_and_size(backend)
for class = {'uint8', 'int16', 'uint32', 'int64', 'single', 'double'}
    check_same(gpumex.segreduce(1:6, cast([1 2; 0 3], class{1}), 'sum', 'Backend', backend), [1 5; 0 15]);
end
lengths = gpumex.array(uint32([1 2 3]), 'Backend', backend);
check_same(gpumex.segreduce(1:6, lengths, 'sum', 'Backend', backend), [1 5 15]);
end

function test_segments_that_do_not_fit(backend)
call = @(varargin) gpumex.segreduce(1:6, varargin{:}, 'Backend', backend);
for lengths = {[1 2], [3 4], [7 -1], [2.5 3.5], NaN, 'abc', true, {6}, [], sparse(6)}
    check_refused('gpumex:segreduce:invalidSegments', @() call(lengths{1}, 'sum'));
end
for starts = {[], 2, [1 8], [1 3 2], 0, [1 2.5], NaN}
    check_refused('gpumex:segreduce:invalidSegments', @() call(starts{1}, 'sum', 'Segments', 'starts'));
end
check_refused('gpumex:segreduce:invalidSegments', @() call(6, 'sum', 'Segments', 'ends'));
end

function test_runs_of_every_class(backend)
for class = number_classes()
    for n = [0 1 2 1000 20011]
        keys = cast(floor(cumsum(mod(1:n, 5) == 0) / 2), class{1});
        for op = {'sum', 'min', 'max'}
            check_runs(backend, keys, cast(mod(1:n, 9), class{1}), op{1});
            check_runs(backend, double(keys), cast(mod(1:n, 9), class{1}), op{1});
        end
    end
end
end

function test_runs_of_small_keys(backend)
x = mod(1:1000, 9);
for class = {'int8', 'uint8', 'int16', 'uint16'}
    check_runs(backend, cast(floor((1:1000) / 9), class{1}), x, 'sum');
end
[K, Y] = gpumex.reduce_by_key([false false true false], 1:4, 'sum', 'Backend', backend);
check_same(K, [false true false]);
check_same(Y, [3 3 4]);
end

function test_keys_need_not_be_sorted(backend)
[K, Y] = gpumex.reduce_by_key([4; 4; 1; 4], [1; 2; 3; 4], 'sum', 'Backend', backend);
check_same([K Y], [4 3; 1 3; 4 4]);
end

function test_nan_and_zeros_are_one_key(backend)
[K, Y] = gpumex.reduce_by_key([-0 0 NaN NaN], 1:4, 'sum', 'Backend', backend);
check_same([K; Y], [0 NaN; 3 7]);
end

function test_accumarray_adds_up_the_same(backend)
keys = floor(20 * rand(1, 5000)) + 1;
x = floor(100 * rand(1, 5000));
[k, sorted] = gpumex.sort_by_key(keys, x, 'Backend', backend);
[k, sums] = gpumex.reduce_by_key(k, sorted, 'sum', 'Backend', backend);
want = accumarray(keys(:), x(:));
check_same(sums(:), want(k));
end

function test_bad_input_is_refused(backend)
check_refused('gpumex:segreduce:invalidData', @() gpumex.segreduce('a', 1, 'sum', 'Backend', backend));
check_no_keys('gpumex:segreduce:invalidData', @(x) gpumex.segreduce(x, 1, 'sum', 'Backend', backend));
check_no_keys('gpumex:reduce_by_key:invalidKeys', @(x) gpumex.reduce_by_key(x, 1, 'sum', 'Backend', backend));
check_refused('gpumex:reduce_by_key:invalidData', @() gpumex.reduce_by_key(1, 'a', 'sum', 'Backend', backend));
check_no_keys('gpumex:reduce_by_key:invalidData', @(x) gpumex.reduce_by_key(1, x, 'sum', 'Backend', backend));
check_refused('gpumex:segreduce:invalidOperator', @() gpumex.segreduce(1, 1, 'mean', 'Backend', backend));
check_refused('gpumex:segreduce:unsupported', @() gpumex.segreduce(1, 1, 'xor', 'Backend', backend));
check_refused('gpumex:reduce_by_key:invalidOperator', @() gpumex.reduce_by_key(1, 1, 'mean', 'Backend', backend));
check_refused('gpumex:reduce_by_key:sizeMismatch', @() gpumex.reduce_by_key(1:3, 1:2, 'sum', 'Backend', backend));
check_refused('gpumex:segreduce:argumentCount', @() gpumex.segreduce(1, 1));
check_refused('gpumex:reduce_by_key:argumentCount', @() gpumex.reduce_by_key(1, 1));
end

function check_segments(backend, x, lengths, op)
ends = cumsum(double(lengths(:).'));
starts = ends - double(lengths(:).') + 1;
want = reshape(fold_segments(x, starts, ends, op), size(lengths));
variants = variants_on(backend, {});
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    check_same(gpumex.segreduce(x, lengths, op, options{:}), want);
    y = gpumex.segreduce(x, starts, op, 'Segments', 'starts', options{:});
    check_same(reshape(y, size(want)), want);
end
y = gpumex.segreduce(gpumex.array(x, 'Backend', backend), lengths, op, 'Backend', backend);
check_same(gather(y), want);
end

function want = fold_segments(x, starts, ends, op)
[~, identity] = gpumex.scan(x([]), op, 'Backend', 'cpu');
want = zeros(1, numel(starts), class(x));
want(:) = identity;
is_one = starts == ends;
want(is_one) = x(starts(is_one));
for k = find(starts < ends)
    want(k) = fold(x(starts(k):ends(k)), op);
end
end

function y = fold(x, op)
if any(strcmp(op, {'sum', 'prod', 'min', 'max'}))
    y = feval(op, x);
else
    y = x(1);
    for k = 2:numel(x)
        y = feval(['bit' op], y, x(k));
    end
end
end

function check_runs(backend, keys, x, op)
heads = find([true(1, ~isempty(keys)) diff(keys) ~= 0]);
want = gpumex.segreduce(x, heads, op, 'Segments', 'starts', 'Backend', 'cpu');
variants = variants_on(backend, {});
for k = 1:numel(variants)
    [K, Y] = gpumex.reduce_by_key(keys, x, op, 'Variant', variants{k}, 'Backend', backend);
    check_same(K, reshape(keys(heads), 1, []));
    check_same(Y, reshape(want, 1, []));
end
[K, Y] = gpumex.reduce_by_key(gpumex.array(keys, 'Backend', backend), x, op, 'Backend', backend);
check_same(gather(K), reshape(keys(heads), 1, []));
check_same(gather(Y), reshape(want, 1, []));
end
