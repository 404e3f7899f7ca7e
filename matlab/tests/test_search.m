function tests = test_search
%TEST_SEARCH  gpumex.search against counting, gpumex.ismember against ismember.
tests = localfunctions();
end

function test_bounds_of_every_class(backend)
for class = key_classes()
    for sizes = {[0 0], [0 5], [5 0], [1 1], [100 30], [40 2000]}
        check_search(backend, sort(sample_of_class(class{1}, sizes{1}(1), 20)), sort(sample_of_class(class{1}, sizes{1}(2), 25)));
    end
end
end

function test_the_example_of_the_help(backend)
check_same(gpumex.search([10 20 20 30], [5 20 31], 'Backend', backend), [1 2 5]);
check_same(gpumex.search([10; 20; 20; 30], [5; 20; 31], 'upper', 'Backend', backend), [1; 4; 5]);
end

function test_nan_comes_last_here(backend)
check_same(gpumex.search([1 NaN NaN], [0 NaN], 'Backend', backend), [1 2]);
check_same(gpumex.search([1 NaN NaN], [0 NaN], 'upper', 'Backend', backend), [1 4]);
end

function test_a_vector_out_of_order_is_refused(backend)
message = check_refused('gpumex:search:invalidArgument', @() gpumex.search([2 1], 1, 'Backend', backend));
assert(~isempty(strfind(message, 'haystack(2) belongs before haystack(1)')), message);
end

function test_needles_in_any_order_and_of_any_size(backend)
haystack = [10 20 20 30];
check_same(gpumex.search(haystack, [31 5 20], 'Backend', backend), [5 1 2]);
check_same(gpumex.search(haystack, [31 5; 20 NaN], 'upper', 'Backend', backend), [5 1; 4 5]);
x = mod(7919 * (1:10007), 1000);
check_same(gpumex.search(0:999, x, 'Backend', backend), x + 1);
check_same(gpumex.search(gpumex.array(0:999, 'Backend', backend), gpumex.array(x, 'Backend', backend), 'Backend', backend), x + 1);
end

function test_members_of_every_class(backend)
for class = key_classes()
    for sizes = {[0 0], [0 5], [5 0], [1 1], [100 30], [30 2000], [3001 500]}
        for values = [4 1000]
            check_members(backend, sample_of_class(class{1}, sizes{1}(1), values), sample_of_class(class{1}, sizes{1}(2), values));
        end
    end
end
end

function test_members_of_every_shape(backend)
check_members(backend, magic(4), [3 9; 16 99]);
check_members(backend, ones(2, 3, 4), 1);
check_members(backend, (1:5).', 2:3);
check_members(backend, zeros(0, 3), 1);
end

function test_nan_is_no_member(backend)
[tf, loc] = gpumex.ismember([NaN 0 1], [NaN -0], 'Backend', backend);
check_same(tf, [false true false]);
check_same(loc, [0 2 0]);
end

function test_sorted_inputs_need_no_sort(backend)
[a, b] = deal(sort(sample_of_class('single', 300, 60)), sort(sample_of_class('single', 400, 60)));
[tf, loc] = gpumex.ismember(a, b, 'Sorted', true, 'Backend', backend);
[want, places] = gpumex.ismember(a, b, 'Backend', backend);
check_same(tf, want);
check_same(loc, places);
check_refused('gpumex:ismember:invalidArgument', @() gpumex.ismember(1, [2 1], 'Sorted', true, 'Backend', backend));
end

function test_what_the_library_refuses_is_not_called_again(backend)
% Octave's profiler counts the calls of the MEX file.
if ~exist('OCTAVE_VERSION', 'builtin')
    return
end
profile on
stop = onCleanup(@() profile('off'));
check_refused('gpumex:search:invalidArgument', @() gpumex.search([1 3 2], 1, 'Backend', backend));
check_refused('gpumex:unique:invalidArgument', @() gpumex.unique([1 3 2], 'Sorted', true, 'Backend', backend));
profile off
calls = profile('info').FunctionTable;
of_gateway = strcmp({calls.FunctionName}, 'gpumex_mex');
assert(any(of_gateway) && calls(of_gateway).NumCalls == 2, 'the MEX file was called %d times for two errors', calls(of_gateway).NumCalls);
end

function test_bad_input_is_refused(backend)
check_no_keys('gpumex:search:invalidHaystack', @(x) gpumex.search(x, 1, 'Backend', backend));
check_no_keys('gpumex:search:invalidNeedles', @(x) gpumex.search(1, x, 'Backend', backend));
check_no_keys('gpumex:ismember:invalidSet', @(x) gpumex.ismember(x, 1, 'Backend', backend));
check_no_keys('gpumex:ismember:invalidSet', @(x) gpumex.ismember(1, x, 'Backend', backend));
check_refused('gpumex:search:invalidHaystack', @() gpumex.search(ones(2), 1, 'Backend', backend));
check_refused('gpumex:search:invalidBound', @() gpumex.search(1, 1, 'middle', 'Backend', backend));
check_refused('gpumex:search:mixedClasses', @() gpumex.search(1, single(1), 'Backend', backend));
check_refused('gpumex:ismember:mixedClasses', @() gpumex.ismember(int8(1), int16(1), 'Backend', backend));
check_refused('gpumex:ismember:invalidSorted', @() gpumex.ismember(1, 1, 'Sorted', 3, 'Backend', backend));
check_refused('gpumex:search:argumentCount', @() gpumex.search(1));
check_refused('gpumex:ismember:argumentCount', @() gpumex.ismember(1));
end

function check_search(backend, haystack, needles)
% NaN is greater than every number and equals NaN.
[lower, upper] = deal(ones(size(needles)));
for k = 1:numel(needles)
    x = needles(k);
    lower(k) = 1 + sum(haystack < x | (x ~= x & haystack == haystack));
    upper(k) = 1 + sum(haystack <= x | x ~= x);
end
variants = variants_on(backend, {});
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    check_same(gpumex.search(haystack, needles, options{:}), lower);
    check_same(gpumex.search(haystack, needles, 'upper', options{:}), upper);
end
on_device = gpumex.array(haystack, 'Backend', backend);
check_same(gpumex.search(on_device, needles, 'lower', 'Backend', backend), lower);
end

function check_members(backend, a, b)
[values, first] = unique(b(:), 'first');
[want, at] = ismember(a, values);
places = zeros(size(a));
places(want) = first(at(want));
variants = variants_on(backend, {});
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    [tf, loc] = gpumex.ismember(a, b, options{:});
    check_same(tf, want);
    check_same(loc, places);
    check_same(gpumex.ismember(a, b, options{:}), want);
end
check_same(gpumex.ismember(gpumex.array(a, 'Backend', backend), b, 'Backend', backend), want);
end
