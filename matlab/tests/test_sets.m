function tests = test_sets
%TEST_SETS  gpumex.unique, union, intersect, setdiff and setxor against the functions of these names.
tests = localfunctions();
end

function test_sets_of_every_class(backend)
for class = key_classes()
    for sizes = {[0 0], [0 5], [5 0], [1 1], [2 3], [300 500], [1024 1025], [2003 1999]}
        for values = [2 2^30]
            check(backend, sample_of_class(class{1}, sizes{1}(1), values), sample_of_class(class{1}, sizes{1}(2), values));
        end
    end
end
end

function test_sets_of_every_shape(backend)
for shape = {{[1 5], [1 3]}, {[5 1], [3 1]}, {[1 5], [3 1]}, {[5 1], [1 3]}, {[3 4], [2 2 2]}, {[1 1], [1 1]}, {[1 4], [1 1]}}
    [a, b] = deal(sample_of_class('double', prod(shape{1}{1}), 6), sample_of_class('double', prod(shape{1}{2}), 6));
    check(backend, reshape(a, shape{1}{1}), reshape(b, shape{1}{2}));
end
check_same(gpumex.union([], [2 1 2], 'Backend', backend), [1 2]);
check_same(gpumex.union([3; 1], [], 'Backend', backend), [1; 3]);
check_same(gpumex.intersect([], [1 2], 'Backend', backend), []);
check_same(gpumex.setdiff(zeros(0, 1), [1 2], 'Backend', backend), zeros(0, 1));
end

function test_no_nan_equals_another(backend)
[a, b] = deal([NaN 1 NaN 2], [2 NaN 3]);
[C, ia, ic] = gpumex.unique(a, 'Backend', backend);
check_same(C, [1 2 NaN NaN]);
check_same([ia ic], [2 3; 4 1; 1 4; 3 2]);
[C, ia, ib] = gpumex.union(a, b, 'Backend', backend);
check_same(C, [1 2 3 NaN NaN NaN]);
check_same(ia, [2; 4; 1; 3]);
check_same(ib, [3; 2]);
check_same(gpumex.intersect(a, b, 'Backend', backend), 2);
[C, ia] = gpumex.setdiff(a, b, 'Backend', backend);
check_same(C, [1 NaN NaN]);
check_same(ia, [2; 1; 3]);
[C, ia, ib] = gpumex.setxor(a, b, 'Backend', backend);
check_same(C, [1 3 NaN NaN NaN]);
check_same(ia, [2; 1; 3]);
check_same(ib, [3; 2]);
check_same(gpumex.unique(nan(3, 2, 'single'), 'Backend', backend), nan(6, 1, 'single'));
end

function test_minus_zero_equals_zero(backend)
check_same(gpumex.unique([0 -0 0], 'Backend', backend), 0);
check_same(gpumex.intersect(-0, 0, 'Backend', backend), 0);
check_same(gpumex.setdiff([-0 1], 0, 'Backend', backend), 1);
end

function test_sorted_inputs_need_no_sort(backend)
for class = key_classes()
    [a, b] = deal(sort(sample_of_class(class{1}, 700, 60)), sort(sample_of_class(class{1}, 900, 60)));
    check(backend, a, b, 'Sorted', true);
    check(backend, a, b, 'Sorted', false);
end
message = check_refused('gpumex:union:invalidArgument', @() gpumex.union([1 3 2], 1, 'Sorted', true, 'Backend', backend));
assert(~isempty(strfind(message, 'A(3) belongs before A(2)')), message);
message = check_refused('gpumex:setxor:invalidArgument', @() gpumex.setxor(1, [2; 1], 'Sorted', true, 'Backend', backend));
assert(~isempty(strfind(message, 'B(2) belongs before B(1)')), message);
check_refused('gpumex:unique:invalidArgument', @() gpumex.unique([NaN 1], 'Sorted', true, 'Backend', backend));
end

function test_a_call_leaves_no_memory_behind(backend)
held = getfield(gpumex.allocator('Backend', backend), 'AllocatedBlocks');
up = @(x) gpumex.array(x, 'Backend', backend);
[C, ia, ib] = gpumex.setxor(up(1:50), up(20:70), 'Backend', backend);
assert(isequal(gather(C), [1:19 51:70]) && isequal(ia, (1:19).') && isequal(ib, (32:51).'));
check_refused('gpumex:union:invalidArgument', @() gpumex.union(up([1 3 2]), up(1), 'Sorted', true, 'Backend', backend));
clear C
assert(getfield(gpumex.allocator('Backend', backend), 'AllocatedBlocks') == held);
end

function test_bad_input_is_refused(backend)
for name = {'union', 'intersect', 'setdiff', 'setxor'}
    call = str2func(['gpumex.' name{1}]);
    id = @(reason) ['gpumex:' name{1} ':' reason];
    check_no_keys(id('invalidSet'), @(x) call(x, 1, 'Backend', backend));
    check_no_keys(id('invalidSet'), @(x) call(1, x, 'Backend', backend));
    check_refused(id('mixedClasses'), @() call(int8(1), int16(1), 'Backend', backend));
    check_refused(id('argumentCount'), @() call(1));
    check_refused(id('invalidOption'), @() call(1, 1, 'stabel'));
    check_refused(id('invalidBackend'), @() call(1, 1, 'Backend', 'abacus'));
    for value = {2, 'yes', {}, [], [true true]}
        check_refused(id('invalidSorted'), @() call(1, 1, 'Sorted', value{1}, 'Backend', backend));
    end
end
check_no_keys('gpumex:unique:invalidSet', @(x) gpumex.unique(x, 'Backend', backend));
check_refused('gpumex:unique:argumentCount', @() gpumex.unique());
check_refused('gpumex:unique:invalidSorted', @() gpumex.unique(1, 'Sorted', 2, 'Backend', backend));
end

function check(backend, a, b, varargin)
variants = variants_on(backend, {});
for k = 1:numel(variants)
    options = [varargin, {'Variant', variants{k}, 'Backend', backend}];
    check_unique(a, options);
    for name = {'union', 'intersect', 'setdiff', 'setxor'}
        check_operation(name{1}, a, b, options);
    end
end
up = @(x) gpumex.array(x, 'Backend', backend);
C = gpumex.union(up(a), up(b), varargin{:}, 'Backend', backend);
assert(isa(C, 'gpumex.array'));
check_same(gather(C), gpumex.union(a, b, 'Backend', backend));
[C, ia] = gpumex.unique(up(a), varargin{:}, 'Backend', backend);
check_same(reshape(gather(C), [], 1), reshape(a(ia), [], 1));
end

function check_unique(a, options)
% Octave's result for nothing has sizes of its own.
[C, ia, ic] = gpumex.unique(a, options{:});
check_same(C(:), reshape(unique(a), [], 1));
assert(isrow(C) == isrow(a) && iscolumn(ia) && iscolumn(ic));
check_same(C(:), reshape(a(ia), [], 1));
check_same(reshape(C(ic), [], 1), a(:));
assert(all(ia(ic) <= (1:numel(a)).'), 'the first of equal elements');
check_same(gpumex.unique(a, options{:}), C);
end

function check_operation(name, a, b, options)
% Where C comes from is checked by its elements: C(:) is what IA and IB name.
ours = str2func(['gpumex.' name]);
theirs = str2func(name);
C = ours(a, b, options{:});
want = theirs(as_numbers(a(:)), as_numbers(b(:)));
check_same(C(:), reshape(cast(want, class(a)), [], 1));         % of nothing they give a double
as_row = isrow(a) && (isrow(b) || strcmp(name, 'setdiff') || isempty(b)) || ...
    isempty(a) && isrow(b) && ~strcmp(name, 'setdiff');
if isequal(size(C), [0 0]) ~= is_nothing(name, a, b, C)
    error('%s of %s and %s', name, mat2str(size(a)), mat2str(size(b)));
elseif isrow(C) ~= as_row && ~isscalar(C) && ~isequal(size(C), [0 0])
    error('%s of %s and %s', name, mat2str(size(a)), mat2str(size(b)));
end
if strcmp(name, 'setdiff')
    [D, ia] = ours(a, b, options{:});
    ib = zeros(0, 1);
else
    [D, ia, ib] = ours(a, b, options{:});
end
check_same(D, C);
assert(isequal(size(C), [0 0]) && isempty([ia; ib]) || iscolumn(ia) && iscolumn(ib) && are_first(a, ia) && are_first(b, ib), name);
if strcmp(name, 'intersect')
    check_same(reshape(a(ia), [], 1), C(:));
    check_same(reshape(b(ib), [], 1), C(:));
else
    check_same(sort([reshape(a(ia), [], 1); reshape(b(ib), [], 1)]), C(:));
end
end

function tf = is_nothing(name, a, b, C)
% Whether the result is 0x0.
are_0x0 = [isequal(size(a), [0 0]), isequal(size(b), [0 0])];
switch name
case 'intersect'
    tf = isempty(a) || isempty(b) || (isscalar(unique(a)) && isscalar(unique(b)) && isempty(C));
case 'setdiff'
    tf = are_0x0(1);
otherwise
    tf = all(are_0x0);
end
end

function x = as_numbers(x)
% Octave's functions do not have sets of logicals.
if islogical(x)
    x = uint8(x);
end
end

function answer = are_first(x, places)
% Whether each place is the first one of its element.
[~, first] = unique(x(:), 'first');
answer = all(ismember(places, first));
end
