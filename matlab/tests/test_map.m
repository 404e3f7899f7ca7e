function tests = test_map
%TEST_MAP  gpumex.map against the same expression in MATLAB or Octave: classes, sizes, elements; texts that are wrong.
%   GPUMEX_TEST_SEED in the environment sets the seed, GPUMEX_TEST_CASES the number of random expressions.
tests = localfunctions();
end

function test_examples(backend)
x = rand(50) > 0.7;
n = uint8(floor(8 * rand(50)));
same(gpumex.map('(X & n == 2) | n == 3', x, n, 'Names', 'X n', 'Backend', backend), (x & n == 2) | n == 3);
same(gpumex.map('x*n', x, n, 'Names', {'x', 'n'}, 'Backend', backend), x .* n);
same(gpumex.map('sqrt(a^2 + b^2)', 3, [4 0 -4], 'Backend', backend), [5 3 5]);
same(gpumex.map('a + b', int8(100), (0:50:100).', 'Backend', backend), int8([100; 127; 127]));
same(gpumex.map('1 + 1', 'Backend', backend), 2);
same(gpumex.map('a > 2 ? a : -a', 1:4, 'Backend', backend), [-1 -2 3 4]);
end

function test_every_class_of_the_result(backend)
classes = {'logical', 'single', 'double', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'};
for k = 1:numel(classes)
    same(gpumex.map('a', cast([0 1 1], classes{k}), 'Backend', backend), cast([0 1 1], classes{k}));
    same(gpumex.map('a + 0.25', [0 1 2], 'Class', classes{k}, 'Backend', backend), cast([0 1 2] + 0.25, classes{k}));
end
end

function test_shapes(backend)
shapes = {[1 1], [0 0], [1 0], [0 3], [3 0], [1 4], [3 1], [3 4], [3 4 2], [1 1 2], [3 1 2 2], [1 4 1 2], [2 0 3], [1 1 1 1 5]};
for i = 1:numel(shapes)
    for j = 1:numel(shapes)
        a = reshape(1:prod(shapes{i}), shapes{i}); b = reshape(0.5 * (1:prod(shapes{j})), shapes{j});
        try
            want = a - b;
        catch
            check_refused('gpumex:map:sizeMismatch', @() gpumex.map('a - b', a, b, 'Backend', backend));
            continue
        end
        same(gpumex.map('a - b', a, b, 'Backend', backend), want);
    end
end
end

function test_sixteen_arrays(backend)
given = num2cell(1:16);
given{3} = 3 * ones(5, 1);
text = 'a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p';
same(gpumex.map(text, given{:}, 'Backend', backend), 136 * ones(5, 1));
check_refused('gpumex:map:unsupported', @() gpumex.map(text, given{:}, 17, 'Backend', backend));
end

function test_arrays_of_the_device(backend)
a = gpumex.array(single([1 2; 3 4]), 'Backend', backend);
y = gpumex.map('a * b + c', a, [10 20], int32(0));
assert(isa(y, 'gpumex.array'));
same(gather(y), int32([10 40; 30 80]));
same(gather(gpumex.map('a + 1', a)), single([2 3; 4 5]));
end

function test_single_and_double_are_compared_as_singles(backend)
same(gpumex.map('a == 0.1', single(0.1), 'Backend', backend), true);
same(gpumex.map('a < b', single(0.1), 0.1, 'Backend', backend), single(0.1) < 0.1);
same(gpumex.map('a <= b', realmin, single(0), 'Backend', backend), realmin <= single(0));
end

function test_texts_that_are_wrong_are_marked(backend)
cases = {'a + * b', 5; 'a + b)', 6; '(a + b', 7; '', 1; 'a + z', 5; 'sin(a, b)', 6; 'a + int8(b) * int16(a)', 13; 'a $ b', 3};
for k = 1:size(cases, 1)
    message = check_refused('gpumex:map:invalidExpression', @() gpumex.map(cases{k, 1}, 1, 2, 'Backend', backend));
    lines = strsplit(message, sprintf('\n'));
    assert(strncmp(message, 'gpumex.map: expression, at ', 27), message);
    assert(isequal(lines(2:3), {['  ' cases{k, 1}], [blanks(cases{k, 2} + 1) '^']}), message);
end
text = [repmat('a + ', 1, 100) '* b' repmat(' + a', 1, 100)];
message = check_refused('gpumex:map:invalidExpression', @() gpumex.map(text, 1, 2, 'Backend', backend));
lines = strsplit(message, sprintf('\n'));
assert(numel(lines{2}) < 130 && lines{2}(lines{3} == '^') == '*', message);
end

function test_what_is_refused(backend)
check_refused('gpumex:map:argumentCount', @() gpumex.map());
check_refused('gpumex:map:invalidExpression', @() gpumex.map(3, 1, 'Backend', backend));
check_refused('gpumex:map:invalidData', @() gpumex.map('a', {1}, 'Backend', backend));
check_refused('gpumex:map:invalidData', @() gpumex.map('a', 1i, 'Backend', backend));
check_refused('gpumex:map:invalidData', @() gpumex.map('a', sparse(1), 'Backend', backend));
check_refused('gpumex:map:invalidOption', @() gpumex.map('a', 1, 'Colour', 1));
check_refused('gpumex:map:invalidOption', @() gpumex.map('a', 1, 'Class'));
check_refused('gpumex:map:invalidClass', @() gpumex.map('a', 1, 'Class', 'half', 'Backend', backend));
check_refused('gpumex:map:unsupported', @() gpumex.map('half(a)', 1, 'Backend', backend));
check_refused('gpumex:map:invalidNames', @() gpumex.map('a', 1, 'Names', 3, 'Backend', backend));
check_refused('gpumex:map:invalidBackend', @() gpumex.map('a', 1, 'Backend', 'none'));
message = check_refused('gpumex:map:sizeMismatch', @() gpumex.map('x + n', ones(2, 3), ones(4, 5), 'Names', 'x n', 'Backend', backend));
assert(~isempty(strfind(message, 'x is 2x3 and n is 4x5')), message);
end

function test_errors_are_thrown_as_the_callers(backend)
try
    gpumex.map('a +', 1, 'Backend', backend);
catch problem
    names = {problem.stack.name};
    assert(~any(strcmp(names, 'raise_problem')) && ~any(strcmp(names, 'gpumex_call')), strjoin(names, ', '));
end
end

function test_random_expressions(backend)
seed = str2double(getenv('GPUMEX_TEST_SEED'));
count = str2double(getenv('GPUMEX_TEST_CASES'));
if isnan(seed), seed = 20261; end
if isnan(count), count = 1500; end
restore = seed_random(seed);
quiet = warning('off', 'all');
back = onCleanup(@() warning(quiet));
compared = 0;
for k = 1:count
    given = random_arrays();
    [text, in_matlab] = random_tree(4);
    try
        compared = compared + one_expression(backend, text, in_matlab, given);
    catch problem
        error('GPUMEX_TEST_SEED=%d, case %d: %s of %s: %s', seed, k, text, describe(given), problem.message);
    end
end
assert(compared > count / 2, '%d of %d expressions have a result in Octave', compared, count);
end

% A random expression, and what is made of it.

function compared = one_expression(backend, text, in_matlab, given)
[a, b, c] = given{:};                           % eval sees these
compared = false;
try
    want = eval(in_matlab);
catch
    return                                      % integers of two classes, sizes that do not fit
end
if ~isreal(want)
    return
end
try
    got = gpumex.map(text, a, b, c, 'Backend', backend);
catch problem
    assert(~isempty(regexp(problem.message, 'is not a floating-point class|different integer classes', 'once')), problem.message);
    return                                      % elementary functions of integers, min of two classes: refused by MATLAB, too
end
assert(strcmp(class(got), class(want)), 'class %s, not %s', class(got), class(want));
if isinteger(want) && ~isempty(regexp(text, 'min|max', 'once'))
    compared = true;                            % NaN beside an integer: 0 in Octave, passed over here
elseif isequal(size(got), size(want))
    check_close(got, want);
else                                            % arrays that the expression does not name widen the result of gpumex.map
    check_close(got, want + zeros(size(got), class(want)) * 0);
end
compared = true;
end

function check_close(got, want)
if isfloat(want)
    same = got == want | (isnan(got) & isnan(want)) | abs(got - want) <= 64 * eps(max(abs(want), realmin(class(want))));
else
    same = got == want;
end
k = find(~same, 1);
if ~isempty(k)
    error('element %d is %.17g, not %.17g', k, double(got(k)), double(want(k)));
end
end

function [text, in_matlab] = random_tree(depth)
% The same expression as gpumex.map and as MATLAB have it.
leaves = {'a', 'b', 'c', '1', '2', '0.5', '3', '-1'};
if depth == 0 || rand < 0.1
    text = leaves{ceil(rand * numel(leaves))};
    if rand < 0.5
        text = leaves{ceil(rand * 3)};
    end
    text = ['(' text ')'];
    in_matlab = text;
    return
end
[x, in_x] = random_tree(depth - 1);
[y, in_y] = random_tree(depth - 1);
infix = {'+', '-', '*', '/', '+', '-', '*', '<', '<=', '==', '~=', '>', '>=', '&', '|'};
unary = {'-', '~', 'abs', 'floor', 'ceil', 'fix', 'round', 'sign', 'isnan', 'isinf', 'double', 'single', 'int16', 'uint8', 'atan', 'tanh'};
if rand < 0.7
    sign = infix{ceil(rand * numel(infix))};
    text = ['(' x sign y ')'];
    in_matlab = ['(' in_x strrep(strrep(sign, '*', '.*'), '/', './') in_y ')'];
elseif rand < 0.5
    functions = {'max', 'min', 'max', 'min', 'power2'};
    name = functions{ceil(rand * numel(functions))};
    if strcmp(name, 'power2')
        text = ['(' x '^2)'];
        in_matlab = ['(' in_x '.^2)'];
    else
        text = [name '(' x ',' y ')'];
        in_matlab = [name '(' in_x ',' in_y ')'];
    end
else
    name = unary{ceil(rand * numel(unary))};
    text = [name '(' x ')'];
    in_matlab = [name '(' in_x ')'];
end
end

function given = random_arrays()
shapes = {{[1 1], [1 1], [1 1]}, {[4 5], [1 1], [4 5]}, {[4 1], [1 5], [1 1]}, {[0 0], [1 1], [0 0]}, {[1 0], [1 1], [1 0]}, ...
          {[2 3 4], [1 3], [2 1 4]}, {[30 1], [30 1], [30 7]}, {[0 3], [1 3], [1 1]}};
shapes = shapes{ceil(rand * numel(shapes))};
given = cellfun(@random_array, shapes, 'UniformOutput', false);
end

function x = random_array(shape)
classes = {'double', 'double', 'double', 'single', 'single', 'logical', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32'};
name = classes{ceil(rand * numel(classes))};
switch ceil(rand * 4)
    case 1, x = floor(rand(shape) * 10) - 3;
    case 2, x = rand(shape) * 8 - 4;
    case 3, x = floor(rand(shape) * 400) - 150;
    case 4
        values = [0 -0 1 -1 Inf -Inf 0.5 -0.5 1.5 2.5 127 128 255 256 1e10 -1e10 2^31 1e-3];
        x = reshape(values(ceil(rand(1, prod(shape)) * numel(values))), shape);
end
if strcmp(name, 'logical')
    x = x > 0;
else
    x = cast(x, name);
end
end

function text = describe(given)
text = '';
for k = 1:numel(given)
    x = given{k};
    text = [text ' ' class(x) mat2str(size(x))]; %#ok<AGROW>
    if numel(x) <= 6
        text = [text '=' mat2str(double(x(:)).')]; %#ok<AGROW>
    end
end
end

function same(got, want)
assert(strcmp(class(got), class(want)), 'class %s, not %s', class(got), class(want));
assert(isequal(size(got), size(want)), 'size %s, not %s', mat2str(size(got)), mat2str(size(want)));
assert(isequaln(got, want), 'elements differ');
end
