function tests = test_array_operations
%TEST_ARRAY_OPERATIONS  Operators, indexing, reductions and shapes of gpumex.array against arrays of the host.
%   Classes, sizes and elements agree, and what is refused there is refused here. GPUMEX_TEST_SEED in the environment sets the seed,
%   GPUMEX_TEST_CASES the number of cases of each kind.
tests = localfunctions();
end

function test_the_session_of_the_first_trial(backend)
A = gpumex.array(magic(4), 'Backend', backend);
X = magic(4);
same(A(:,1), X(:,1));
same(A(:), X(:));
same(A(1,1), 16);
same(A(end), 1);
same(A(2:end,[1 end]), X(2:end,[1 end]));
assert(isequal(gpumex.array(1:3, 'Backend', backend), gpumex.array(1:3, 'Backend', backend)) && isequal(A, X) && ~isequal(A, X + 1));
assert(length(gpumex.array(1:5, 'Backend', backend)) == 5);
taken = false;
if any(A(:) > 15)
    taken = true;
end
assert(taken && ~(sum(A(:)) > 1000) && (A(1) == 16 && true));
end

function test_game_of_life_as_published(backend)
X = lcg_board(40, 30);
A = gpumex.array(X, 'Backend', backend);
p = [1 1:39]; q = [2:40 40]; r = [1 1:29]; s = [2:30 30];
for k = 1:5
    n = A(:,r) + A(:,s) + A(p,:) + A(q,:) + A(p,r) + A(q,s) + A(p,s) + A(q,r);
    A = (A & (n == 2)) | (n == 3);
end
same(A, life_oracle(X, 5));
end

function test_one_logical_is_of_the_host(backend)
A = gpumex.array([3 4], 'Backend', backend);
for x = {A(1) < 4, all(A > 2), any(A == 3), ~A(1), isnan(A(2)), A(1) & A(2)}
    assert(islogical(x{1}) && ~isa(x{1}, 'gpumex.array'));
end
assert(isa(A > 3, 'gpumex.array') && isa(A(1), 'gpumex.array'));
end

function test_subscripts_on_the_device(backend)
up = @(x) gpumex.array(x, 'Backend', backend);
X = magic(5);
A = up(X);
same(A(up([3 1 2])), X([3 1 2]));
same(A(up(int32([3; 1])), :), X([3 1], :));
same(A(up(X > 12)), X(X > 12));
same(A(2, up(logical([1 0 0 1 0]))), X(2, [1 4]));
A(up(X > 12)) = 0;
X(X > 12) = 0;
same(A, X);
A(up([1 7]), 1) = up([1; 2]);
X([1 7], 1) = [1; 2];
same(A, X);
message = check_refused('gpumex:array:outOfRange', @() A(up(50)));
assert(~isempty(strfind(message, 'reaches to 50, and there are 35')), message);
check_refused('gpumex:array:invalidSubscript', @() A(up([1 0])));
end

function test_assignment_keeps_the_class(backend)
A = gpumex.array(int8([1 2 3]), 'Backend', backend);
A(2) = 300.7;
same(A, int8([1 127 3]));
A(5) = true;
same(A, int8([1 127 3 0 1]));
B = gpumex.array(zeros(2), 'Backend', backend);
B(:, 1) = single([0.1; 0.2]);
same(B, [double(single([0.1; 0.2])), zeros(2, 1)]);
L = gpumex.array([true false], 'Backend', backend);
L(2) = 5;
same(L, [true true]);
end

function test_growth_and_deletion(backend)
A = gpumex.array([], 'Backend', backend);
A(3) = 2;
same(A, [0 0 2]);
A(2, :) = [4 5 6];
same(A, [0 0 2; 4 5 6]);
A(:, 2) = [];
same(A, [0 2; 4 6]);
A(1) = [];
same(A, [4 2 6]);
A([]) = [];
same(A, [4 2 6]);
A(:) = [];
same(A, []);
B = gpumex.array(zeros(2, 2), 'Backend', backend);
B(:, :, 3) = 7;
same(B, cat(3, zeros(2), zeros(2), 7 * ones(2)));
check_refused('gpumex:array:outOfRange', @() put(B, {13}, 1));
end

function test_sums_of_integers_saturate(backend)
A = gpumex.array(int8([100 100; 50 -60]), 'Backend', backend);
same(sum(A), int8([127 40]));
same(sum(A, 'double'), [150 40]);
same(cumsum(A, 2), int8([100 127; 50 -10]));
same(prod(A, 2), int8([127; -128]));
same(mean(A), [75 20]);
end

function test_what_is_refused_names_the_method(backend)
A = gpumex.array([-1 4; 2 NaN], 'Backend', backend);
for f = {@() sqrt(A), @() A + ones(3), @() A \ [1; 2], @() [1; 2]' / A, @() A ^ 2, @() ~A, @() A & true, @() logical(A), @() A(5), ...
         @() A(0), @() A(1.5), @() A({1}), @() A(3, 1), @() put(A, {1}, {1}), @() put(A, {1}, 1i), @() put(A, {':', 1}, 1:3), ...
         @() sum(A, 'foo'), @() sort(A, 'up'), @() reshape(A, 3, 3), @() permute(A, [1 1]), @() [A, ones(3)], @() cast(A, 'char'), ...
         @() max(A, A, 2), @() unique(A, 'rows'), @() A{1}, @() A * ones(3), @() int8(A) * int8(A), @() round(A, 2), @() bitand(A, 1), ...
         @() fft(A), @() svd(A), @() std(A), @() conv2(A, A), @() acosh(A > 3), @() common_size(A, 1)}
    try
        f{1}();
    catch problem
        if exist('OCTAVE_VERSION', 'builtin') && ~isempty(strfind(func2str(f{1}), '[A, '))
            continue                            % Octave says that horzcat failed
        end
        assert(strncmp(problem.identifier, 'gpumex:array:', 13) && strncmp(problem.message, 'gpumex.array, ', 14), ...
            '%s: %s, %s', func2str(f{1}), problem.identifier, problem.message);
        continue
    end
    error('%s is not refused', func2str(f{1}));
end
end

function A = put(A, subscripts, B)
A(subscripts{:}) = B;
end

function test_memory_is_freed(backend)
A = gpumex.array(rand(20), 'Backend', backend);
stats = gpumex.allocator('Backend', backend);
held = stats.AllocatedBlocks;
for k = 1:20
    B = A(:, 1) + A .* 2;
    B(3, :) = [];
    [m, i] = max(B); [s, j] = sort(B, 2); C = B' * B; n = find(B > 1); t = all(B(:) > -1);
end
clear B m i s j C n t
stats = gpumex.allocator('Backend', backend);
assert(stats.AllocatedBlocks == held);
end

% Random cases.

function test_random_operators(backend), run_cases(backend, 500, @one_expression); end
function test_random_indexing(backend), run_cases(backend, 400, @one_indexing); end
function test_random_assignment(backend), run_cases(backend, 400, @one_assignment); end
function test_random_deletion(backend), run_cases(backend, 150, @one_deletion); end
function test_random_joining(backend), run_cases(backend, 150, @one_joining); end
function test_random_reductions(backend), run_cases(backend, 400, @one_reduction); end

function run_cases(backend, count, one)
seed = str2double(getenv('GPUMEX_TEST_SEED'));
wanted = str2double(getenv('GPUMEX_TEST_CASES'));
if isnan(seed), seed = 4711; end
if ~isnan(wanted), count = wanted; end
restore = seed_random(seed);
quiet = warning('off', 'all');
back = onCleanup(@() warning(quiet));
for k = 1:count
    try
        one(backend);
    catch problem
        error('GPUMEX_TEST_SEED=%d, %s, case %d: %s', seed, func2str(one), k, problem.message);
    end
end
end

function one_expression(backend)
list = {@(x, y) x + y, @(x, y) x - y, @(x, y) x .* y, @(x, y) x ./ y, @(x, y) x < y, @(x, y) x <= y, @(x, y) x == y, @(x, y) x ~= y, ...
        @(x, y) x > y, @(x, y) x >= y, @(x, y) x & y, @(x, y) x | y, @(x, y) y .\ x, @(x, y) max(x, y), @(x, y) min(x, y), ...
        @(x, y) hypot(double(x), double(y)), @(x, y) atan2(double(x), double(y)), @(x, y) xor(x > 0, y > 0), ...
        @(x) ~x, @(x) -x, @(x) +x, @(x) abs(x), @(x) sign(x), @(x) floor(x), @(x) ceil(x), @(x) round(x), @(x) fix(x), @(x) sqrt(x), ...
        @(x) exp(x), @(x) log(x), @(x) isnan(x), @(x) isinf(x), @(x) isfinite(x), @(x) double(x), @(x) single(x), @(x) int8(x), ...
        @(x) uint16(x), @(x) int32(x), @(x) x', @(x) x.', @(x) x(:), @(x) reshape(x, [], 1), @(x) sin(x), @(x) tanh(x), @(x) log1p(x), ...
        @(x) permute(x, [2 1 3]), @(x) permute(x, [3 1 2]), @(x) repmat(x, 2, 3), @(x) repmat(x, [1 2 2]), @(x) squeeze(x), ...
        @(x) logical(x), @(x, y) (x + y) .* 2 - x, @(x) x .^ 2, @(x) flipud(x), @(x) fliplr(x), @(x) circshift(x, 1), @(x) circshift(x, -1, 2), ...
        @(x) size(x), @(x) numel(x), @(x) ndims(x), @(x) length(x), @(x) isempty(x), @(x) isrow(x), @(x) isscalar(x), @(x) isvector(x), ...
        @(x) isnumeric(x), @(x) islogical(x), @(x) isfloat(x), @(x) isreal(x), @(x, y) isequal(x, y), @(x, y) isequaln(x, x), ...
        @(x, y) x * y, @(x) double(x)' * double(x), @(x) asin(x), @(x) acosh(x), @(x) erf(x), @(x) nnz(x), @(x) find(x)};
f = list{ceil(rand * numel(list))};
shape = random_shape();
a = random_array(shape);
if nargin(f) == 1
    compare(backend, f, {a}, func2str(f));
else
    compare(backend, f, {a, random_partner(shape)}, func2str(f));
end
end

function one_indexing(backend)
x = random_array(random_shape());
subscripts = random_subscripts(size(x), true);
compare(backend, @(x, varargin) x(varargin{:}), [{x} subscripts], 'index');
end

function one_assignment(backend)
x = random_array(random_shape());
subscripts = random_subscripts(size(x), false);
extents = [size(x), ones(1, numel(subscripts))];
if numel(subscripts) > 1 && any(cellfun(@selects_nothing, subscripts, num2cell(extents(1:numel(subscripts)))))
    return                                      % Octave looks behind the end of the size of y then
end
y = cast_to(floor(rand * 20), class(x));
if rand < 0.6
    try
        y = cast_to(floor(rand(size(x(subscripts{:}))) * 20), class(x));
    catch
    end
end
compare(backend, @assign, [{x y} subscripts], 'assign');
end

function tf = selects_nothing(subscript, extent)
tf = isempty(subscript) || (ischar(subscript) && extent == 0) || (islogical(subscript) && ~any(subscript));
end

function x = assign(x, y, varargin)
x(varargin{:}) = y;
end

function one_deletion(backend)
x = random_array(random_shape());
n = ndims(x);
subscripts = repmat({':'}, 1, n);
k = ceil(rand * n);
subscripts{k} = find(rand(1, size(x, k)) < 0.4);
if rand < 0.3 && isvector(x)
    subscripts = {find(rand(1, numel(x)) < 0.5)};
end
compare(backend, @remove, [{x} subscripts], 'delete');
end

function x = remove(x, varargin)
x(varargin{:}) = [];
end

function one_joining(backend)
shape = random_shape();
shape = shape(1:2);
dim = ceil(rand * 2);
parts = cell(1, 1 + ceil(rand * 3));
for k = 1:numel(parts)
    size_k = shape;
    size_k(dim) = floor(rand * 4);
    if rand < 0.1
        size_k = random_shape();
    end
    parts{k} = random_array(size_k);
end
if rand < 0.2
    compare(backend, @(varargin) cat(3, varargin{:}), parts, 'cat');
elseif dim == 2
    compare(backend, @(varargin) [varargin{:}], parts, 'horzcat');
else
    compare(backend, @(varargin) vertcat(varargin{:}), parts, 'vertcat');
end
end

function one_reduction(backend)
list = {@(x, d) sum(x, d), @(x, d) sum(x), @(x, d) prod(x, d), @(x, d) any(x, d), @(x, d) all(x, d), @(x, d) any(x), @(x, d) all(x), ...
        @(x, d) max(x, [], d), @(x, d) min(x, [], d), @(x, d) max(x), @(x, d) second(@max, x, d), @(x, d) second(@min, x, d), ...
        @(x, d) cumsum(x, d), @(x, d) cumprod(x, d), @(x, d) sort(x, d), @(x, d) sort(x, d, 'descend'), @(x, d) second(@sort, x, d), @(x, d) sort(x)};
f = list{ceil(rand * numel(list))};
x = random_array(random_shape());
if isinteger(x)
    x = double(x);                              % sums of integers are not Octave's
end
if islogical(x) && isempty(x)
    return                                      % min of an empty logical array is odd in Octave
end
compare(backend, @(x) f(x, ceil(rand * 3) * 0 + 1 + (numel(x) > 3)), {x}, func2str(f));
end

function y = second(f, x, d)
if isequal(f, @sort)
    [~, y] = f(x, d);
else
    [~, y] = f(x, [], d);
end
end

% Both sides.

function compare(backend, f, given, what)
[want, refusal] = attempt(f, given);
texts = {'no conversion', 'operator ''|'' not impl', 'operator ''&'' not impl', 'wrong type argument ''bool', 'binary operator ''*''', 'max: ', 'min: '};
for k = 1:numel(texts)
    if ~isempty(strfind(refusal, texts{k}))
        return                                  % refused by Octave alone
    end
end
device = given;
for k = 1:numel(device)
    if (k == 1 || rand < 0.4) && ~ischar(device{k})
        device{k} = gpumex.array(device{k}, 'Backend', backend);
    end
end
[got, problem] = attempt(f, device);
if ~isempty(strfind(problem, 'is not a floating-point class')) || ~isempty(strfind(problem, 'different integer classes')) ...
        || (isempty(got) && ~isempty(strfind(refusal, 'subscripts must')))
    return                                      % refused by MATLAB, too; a subscript of nothing
end
try
    if ~isempty(refusal)
        assert(~isempty(problem), 'gives %s %s, refused on the host: %s', class(got), mat2str(size(got)), refusal);
        assert(isempty(strfind(problem, 'internal')), problem);
    elseif ~isempty(problem)
        assert(~isreal(want), problem);
    elseif rounds_twice(given)
        assert(isequal(size(got), size(want)));
    else
        near(got, want);
    end
catch problem
    error('%s of %s: %s', what, describe(given), problem.message);
end
end

function tf = rounds_twice(given)
% An integer of 64 bits and a fraction: Octave rounds the fraction first.
is_long = cellfun(@(x) any(strcmp(class(x), {'int64', 'uint64'})), given);
has_fraction = cellfun(@(x) isfloat(x) && any(x(:) ~= fix(x(:))), given);
tf = any(is_long) && any(has_fraction);
end

function [value, message] = attempt(f, given)
value = []; message = '';
try
    value = f(given{:});
    if isa(value, 'gpumex.array')
        value = gather(value);
    end
catch problem
    message = problem.message;
end
end

function near(got, want)
assert(strcmp(class(got), class(want)), 'class %s, not %s', class(got), class(want));
assert(isequal(size(got), size(want)), 'size %s, not %s', mat2str(size(got)), mat2str(size(want)));
if isfloat(want)
    ok = got == want | (isnan(got) & isnan(want)) | abs(got - want) <= 64 * eps(max(abs(want), realmin(class(want))));
    finite = abs(double(want(isfinite(want))));
    scale = max([1; finite(:)]);
    ok = ok | abs(got - want) <= 64 * eps(class(want)) * scale;                      % sums
elseif any(strcmp(class(want), {'int64', 'uint64'}))
    ok = got == want | max(got, want) - min(got, want) <= 3 | (abs(want) > 2^53 & max(got, want) - min(got, want) <= 4096);
else
    ok = got == want;
end
k = find(~ok, 1);
if ~isempty(k)
    error('element %d is %.17g, not %.17g', k, double(got(k)), double(want(k)));
end
end

function same(A, want)
got = A;
if isa(A, 'gpumex.array')
    got = gather(A);
end
assert(strcmp(class(got), class(want)), 'class %s, not %s', class(got), class(want));
assert(isequal(size(got), size(want)), 'size %s, not %s', mat2str(size(got)), mat2str(size(want)));
assert(isequaln(got, want), '%s, not %s', mat2str(got(:)), mat2str(want(:)));
end

function text = describe(given)
text = '';
for k = 1:numel(given)
    x = given{k};
    if ischar(x)
        text = [text ' ' x]; %#ok<AGROW>
    elseif numel(x) <= 12
        text = [text ' ' class(x) mat2str(size(x)) '(' mat2str(double(x(:).')) ')']; %#ok<AGROW>
    else
        text = [text ' ' class(x) mat2str(size(x))]; %#ok<AGROW>
    end
end
end

% What it is done to.

function shape = random_shape()
shapes = {[1 1], [1 1], [0 0], [1 0], [0 3], [1 5], [5 1], [4 6], [3 3], [2 3 4], [3 1 2], [1 1 4], [2 0 3], [20 30]};
shape = shapes{ceil(rand * numel(shapes))};
end

function x = random_array(shape)
classes = {'double', 'double', 'double', 'single', 'logical', 'logical', 'int8', 'uint8', 'int16', 'uint16', 'int32', ...
           'uint32', 'int64', 'uint64'};
name = classes{ceil(rand * numel(classes))};
switch ceil(rand * 4)
    case 1, x = floor(rand(shape) * 10) - 3;
    case 2, x = rand(shape) * 8 - 4;
    case 3, x = floor(rand(shape) * 400) - 150;
    case 4
        values = [0 -0 1 -1 NaN Inf -Inf 0.5 -0.5 1.5 2.5 127 128 255 256 1e10 -1e10];
        x = reshape(values(ceil(rand(1, prod(shape)) * numel(values))), shape);
end
x = cast_to(x, name);
end

function x = cast_to(x, name)
if strcmp(name, 'logical')
    x = x > 0;
else
    x = cast(x, name);
end
end

function y = random_partner(shape)
other = shape;
other(rand(size(other)) < 0.25) = 1;
if rand < 0.05
    other = random_shape();
elseif rand < 0.3
    other = [1 1];
end
y = random_array(other);
end
