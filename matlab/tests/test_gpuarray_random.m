function tests = test_gpuarray_random
%TEST_GPUARRAY_RANDOM  Random expressions, indexings and assignments on gpuArrays against Octave's own arrays.
%   Classes, sizes and elements have to agree, and what Octave refuses has to be refused. The seed is printed where something fails;
%   It is the same each time unless GPUMEX_TEST_SEED in the environment sets it; GPUMEX_TEST_CASES is the number of expressions
%   (1000), to which those of the other tests are in proportion.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_expressions(backend)
run_cases(backend, 1000, @one_expression);
end

function test_indexing(backend)
run_cases(backend, 800, @one_indexing);
end

function test_assignment(backend)
run_cases(backend, 800, @one_assignment);
end

function test_deletion(backend)
run_cases(backend, 300, @one_deletion);
end

function test_joining(backend)
run_cases(backend, 300, @one_joining);
end

function test_chains(backend)
run_cases(backend, 30, @one_chain);
end

function test_complex(backend)
run_cases(backend, 400, @one_complex);
end

function run_cases(backend, count, one)
gpuDevice(backend);
seed = str2double(getenv('GPUMEX_TEST_SEED'));
if isnan(seed)
    seed = 31056000;                            % the same each time; other numbers search for more
end
rand('twister', seed);
quiet = warning('off', 'all');
back = onCleanup(@() warning(quiet));
for k = 1:wanted_cases(count)
    try
        one();
    catch problem
        if ~isempty(getenv('GPUMEX_TEST_KEEP_GOING'))
            fprintf('%d: %s\n', k, problem.message);
            continue
        end
        error('GPUMEX_TEST_SEED=%d, %s, case %d: %s', seed, func2str(one), k, problem.message);
    end
end
end

% What is done to both.

function one_expression
shape = random_shape();
a = random_array(shape);
b = random_partner(shape);
[f, text] = random_function();
if nargin(f) == 1
    compare(f, {a}, text);
else
    compare(f, {a, b}, text);
end
end

function one_complex
% Both sides are complex or one is; elements that Octave's own functions lose digits of are not among them.
shape = random_shape();
a = random_complex(shape);
other = shape;
other(rand(size(shape)) < 0.25) = 1;
b = random_complex(other);
if rand < 0.3
    b = round(real(b));
end
list = {@(x, y) x + y, @(x, y) x - y, @(x, y) x .* y, @(x, y) x ./ y, @(x, y) y .\ x, @(x, y) x == y, @(x, y) x ~= y, @(x, y) x & y, ...
        @(x, y) x | y, @(x) ~x, @(x) -x, @(x) abs(x), @(x) real(x), @(x) imag(x), @(x) conj(x), @(x) angle(x), @(x) exp(x), ...
        @(x) sqrt(x), @(x) log(x), @(x) sin(x), @(x) tanh(x), @(x) round(x), @(x) sign(x), @(x) x.^2, @(x) x', @(x) x.', @(x) x(:), ...
        @(x) sum(x), @(x) mean(x, 2), @(x) cumsum(x), @(x) prod(x), @(x) single(x), @(x, y) (x + 2i) .* y - 1i, @(x) any(x), ...
        @(x) permute(x, [3 1 2]), @(x) repmat(x, 2, 3), @(x) x(x ~= 0), @(x, y) [x(:); y(:)], @(x) nnz(x), @(x) isnan(x)};
f = list{ceil(rand * numel(list))};
given = {a, b};
given = given(1:nargin(f));
[want, refusal] = attempt(f, given, false);
[got, problem] = attempt(f, on_device(given), ~isequal(func2str(f), '@(x) nnz (x)'));
assert(isempty(refusal) == isempty(problem), '%s of %s: %s %s', func2str(f), describe_complex(given), refusal, problem);
if isempty(refusal)
    text = sprintf('%s of %s', func2str(f), describe_complex(given));
    assert(strcmp(class(got), class(want)) && isequal(size(got), size(want)), '%s: class or size', text);
    x = double(got(:));
    y = double(want(:));
    accuracy = 1e-11;
    if isa(want, 'single')
        accuracy = 1e-4;
    end
    same = abs(x - y) <= accuracy * max([1; abs(y(isfinite(y)))]) | x == y | (isnan(x) & isnan(y));
    assert(all(same), '%s: %s, not %s', text, mat2str(x(~same), 5), mat2str(y(~same), 5));
end
end

function x = random_complex(shape)
x = floor(rand(shape) * 9 - 4) / 2 + 1i * floor(rand(shape) * 9 - 4) / 2;
x = complex(real(x), imag(x));
if rand < 0.3
    x = complex(single(real(x)), single(imag(x)));     % single (x) is real where no part is imaginary
end
end

function text = describe_complex(given)
text = strjoin(cellfun(@(x) [class(x) ' ' mat2str(reshape(x, size(x, 1), []), 4)], given, 'UniformOutput', false), ', ');
text = text(1:min(end, 300));
end

function one_indexing
x = random_array(random_shape());
idx = random_subscripts(size(x), true);
compare(@(x, varargin) x(varargin{:}), [{x} idx], 'index');
end

function one_assignment
x = random_array(random_shape());
idx = random_subscripts(size(x), false);
extents = size(x);
extents(end+1:numel(idx)) = 1;
if numel(idx) > 2 && any(cellfun(@selects_nothing, idx, num2cell(extents(1:numel(idx)))))
    return                                      % Octave looks behind the end of the size of y then
end
if rand < 0.5
    y = random_array([1 1]);
else
    try
        y = random_array(size(x(idx{:})));
    catch
        y = random_array(random_shape());
    end
end
compare(@assign, [{x y} idx], 'assign');
end

function tf = selects_nothing(subscript, extent)
tf = isempty(subscript) || (ischar(subscript) && extent == 0) || (islogical(subscript) && ~any(subscript));
end

function x = assign(x, y, varargin)
x(varargin{:}) = y;
end

function one_deletion
x = random_array(random_shape());
idx = random_subscripts(size(x), false);
if rand < 0.8
    k = ceil(rand * numel(idx));
    idx([1:k-1 k+1:end]) = {':'};
end
compare(@remove, [{x} idx], 'delete');
end

function x = remove(x, varargin)
x(varargin{:}) = [];
end

function one_joining
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
    any_dim = ceil(rand * 5);
    compare(@(varargin) cat(any_dim, varargin{:}), parts, 'cat');
elseif dim == 2
    compare(@(varargin) [varargin{:}], parts, 'horzcat');
else
    compare(@(varargin) vertcat(varargin{:}), parts, 'vertcat');
end
end

function one_chain
% A program of some 40 operations on a pool of arrays, with each result used again.
shape = random_shape();
pool = {rand(shape), rand(shape), rand([shape(1) 1]), rand};
device = cellfun(@gpuArray, pool, 'UniformOutput', false);
for k = 1:40
    i = ceil(rand * numel(pool)); j = ceil(rand * numel(pool));
    switch ceil(rand * 6)
        case 1, f = @(x, y) x + y;
        case 2, f = @(x, y) x .* y - 0.5;
        case 3, f = @(x, y) max(x, -y) ./ 3;
        case 4, f = @(x, y) (x > y) .* x;
        case 5, f = @(x, y) sqrt(abs(x)) + cos(y);
        case 6, f = @(x, y) x - floor(y);
    end
    pool{end + 1} = f(pool{i}, pool{j});
    device{end + 1} = f(device{i}, device{j});
    if rand < 0.1
        gather(device{ceil(rand * numel(device))});
    end
end
for k = 1:numel(pool)
    got = gather(device{k});                    % differences of elementary functions grow along a chain
    assert(isequal(size(got), size(pool{k})) && all(abs(got(:) - pool{k}(:)) <= 1e-9 * max(1, abs(pool{k}(:)))), 'array %d of the pool', k);
end
end

% Both sides.

function compare(f, given, what)
[want, refusal] = attempt(f, given, false);
if is_refused_by_octave_alone(refusal) || (iscomplex(want) && has_large_exponents(given)) || is_octaves_alone(what, given)
    return
end
[got, problem] = attempt(f, on_device(given), true);
try
    if ~isempty(refusal)
        assert(~isempty(problem), 'gives %s %s, Octave refuses: %s', class(got), mat2str(size(got)), refusal);
    elseif ~isempty(problem)
        assert(iscomplex(want) || ~isempty(strfind(problem, 'complex')) && any(isinf(double(given{1}(:)))), problem);
    else
        assert(~iscomplex(want), 'is not complex');
        if rounds_twice(given)
            assert(strcmp(class(got), class(want)) && isequal(size(got), size(want)), 'other class or size');
        elseif is_power_of_single(what, given)
            check_close(got, want, eps('single'));
        else
            check_close(got, want, 0);
        end
    end
catch problem
    error('%s of %s: %s', what, describe(given), problem.message);
end
end

function tf = has_large_exponents(given)
% A negative number to a whole power beyond 2^31 is complex in Octave.
tf = numel(given) == 2 && any(abs(double(given{2}(:))) >= 2^31);
end

function tf = is_octaves_alone(what, given)
% What Octave does in one class and not in the others: 0 to a negative power of the same integer class is 0, a single to a power of an
% integer class is that to the power as a single, int64 (5) / -0 is intmax, realmin & single (1) is false: a double beside a single is
% rounded to single first, to 0.
tf = false;
if numel(given) < 2
    return
end
[x, y] = deal(given{1:2});
same_integers = isinteger(x) && strcmp(class(x), class(y)) && any(double(x(:)) == 0) && any(double(y(:)) < 0);
rounded_power = isa(x, 'single') && isinteger(y) && any(abs(double(y(:))) > 2^24);
tf = ~isempty(strfind(what, '.^')) && (same_integers || rounded_power);
vanishes = any(cellfun(@(z) isa(z, 'double') && any(z(:) ~= 0 & single(z(:)) == 0), given)) && any(cellfun(@(z) isa(z, 'single'), given));
tf = tf || (vanishes && any(cellfun(@(sign) ~isempty(strfind(what, sign)), {'&', '|', 'xor'})));
quotient = ~isempty(strfind(what, '/')) || ~isempty(strfind(what, '\'));
tf = tf || (quotient && any(cellfun(@(z) any(strcmp(class(z), {'int64', 'uint64'})), given)) ...
    && any(cellfun(@(z) isfloat(z) && any(z(:) == 0 & 1 ./ z(:) < 0), given)));
end

function tf = rounds_twice(given)
% An integer of 64 bits and a fraction or NaN: Octave rounds the fraction first, and x + NaN is x; MATLAB and the library round
% the exact result, and NaN is 0.
is_long = cellfun(@(x) any(strcmp(class(x), {'int64', 'uint64'})), given);
has_fraction = cellfun(@(x) isfloat(x) && any(x(:) ~= fix(x(:))), given);
tf = any(is_long) && any(has_fraction);
end

function tf = is_refused_by_octave_alone(message)
% An integer matrix into a double of one element; integers of two classes; logicals.
texts = {'no conversion', 'operator ''|'' not impl', 'operator ''&'' not impl', 'wrong type argument ''bool'};
tf = false;
for k = 1:numel(texts)
    tf = tf || ~isempty(strfind(message, texts{k}));
end
end

function tf = is_power_of_single(what, given)
% A single and an integer: Octave rounds the power to single, then to the integer class; the library rounds that of doubles once.
is_integer = cellfun(@isinteger, given);
tf = ~isempty(strfind(what, '.^')) && any(is_integer) && any(cellfun(@(x) isa(x, 'single'), given));
end

function [value, message] = attempt(f, given, is_device)
value = []; message = '';
try
    value = f(given{:});
    if is_device
        assert(isgpuarray(value), 'the result is a %s', class(value));
        value = gather(value);
    end
catch problem
    message = problem.message;
    assert(isempty(strfind(message, 'internal')) && isempty(strfind(message, 'the result is a ')), message);
end
end

function given = on_device(given)
% The first one, and some of the others.
for k = 1:numel(given)
    if (k == 1 || rand < 0.4) && ~ischar(given{k})
        given{k} = gpuArray(given{k});
    end
end
end

function check_close(got, want, relative)
assert(strcmp(class(got), class(want)), 'class %s, not %s', class(got), class(want));
if ~isequal(size(got), size(want))
    error('size %s, not %s', mat2str(size(got)), mat2str(size(want)));
end
if isfloat(want)
    % An elementary function of CUDA may be infinite within its error of the largest number.
    is_largest = abs(want) >= realmax(class(want)) * (1 - 8 * eps(class(want))) & isinf(got);
    same = got == want | (isnan(got) & isnan(want)) | is_largest ...
        | abs(got - want) <= 16 * eps(max(abs(want), realmin(class(want))));
elseif any(strcmp(class(want), {'int64', 'uint64'}))
    % Quotients, and doubles that no integer of 64 bits holds.
    same = got == want | max(got, want) - min(got, want) <= 3 | (abs(want) > 2^53 & max(got, want) - min(got, want) <= 4096);
else
    same = got == want;
end
if isinteger(want) && relative > 0
    same = same | double(max(got, want)) - double(min(got, want)) <= max(1, relative * abs(double(want))); % a half, rounded twice
end
if ~all(same(:))
    k = find(~same(:), 1);
    error('element %d is %.17g, not %.17g', k, double(got(k)), double(want(k)));
end
end

function text = describe(given)
text = '';
for k = 1:numel(given)
    x = given{k};
    if ischar(x)
        text = [text ' ' x];
    elseif numel(x) <= 12
        text = [text ' ' class(x) '(' mat2str(double(reshape(x, size(x, 1), []))) ')'];
    else
        text = [text ' ' class(x) mat2str(size(x))];
    end
end
end

% What it is done to.

function shape = random_shape()
shapes = {[1 1], [1 1], [0 0], [1 0], [0 3], [1 5], [5 1], [4 6], [3 3], [2 3 4], [3 1 2], [1 1 4], [2 0 3], [20 30], ...
          [2 3 2 2], [1 4 1 3], [1 1 1 2], [2 1 0 3], [2 1 2 1 3], [1 2 1 2 1 2]};
shape = shapes{ceil(rand * numel(shapes))};
end

function x = random_array(shape)
classes = {'double', 'double', 'double', 'single', 'logical', 'logical', 'int8', 'uint8', 'int16', 'uint16', 'int32', ...
           'uint32', 'int64', 'uint64'};
name = classes{ceil(rand * numel(classes))};
if strcmp(name, 'logical')
    x = rand(shape) < 0.5;
    return
end
switch ceil(rand * 4)
    case 1, x = floor(rand(shape) * 10) - 3;
    case 2, x = rand(shape) * 8 - 4;
    case 3, x = floor(rand(shape) * 400) - 150;
    case 4, x = special(shape);
end
x = cast(x, name);
end

function x = special(shape)
values = [0 -0 1 -1 NaN Inf -Inf 0.5 -0.5 1.5 2.5 127 128 255 256 1e10 -1e10 2^31 2^53 realmax realmin];
x = reshape(values(ceil(rand(1, prod(shape)) * numel(values))), shape);
end

function y = random_partner(shape)
other = shape;
for k = 1:numel(other)
    if rand < 0.25
        other(k) = 1;
    end
end
if rand < 0.05
    other = random_shape();
elseif rand < 0.3
    other = [1 1];
end
y = random_array(other);
end

function [f, text] = random_function()
list = {@(x, y) x + y, @(x, y) x - y, @(x, y) x .* y, @(x, y) x ./ y, @(x, y) x < y, @(x, y) x <= y, @(x, y) x == y, ...
        @(x, y) x ~= y, @(x, y) x > y, @(x, y) x >= y, @(x, y) x & y, @(x, y) x | y, @(x, y) y .\ x, @(x) ~x, @(x) -x, @(x) +x, ...
        @(x) abs(x), @(x) sign(x), @(x) floor(x), @(x) ceil(x), @(x) round(x), @(x) fix(x), @(x) sqrt(x), @(x) exp(x), ...
        @(x) log(x), @(x) isnan(x), @(x) isinf(x), @(x) isfinite(x), @(x) double(x), @(x) single(x), @(x) int8(x), ...
        @(x) uint8(x), @(x) int16(x), @(x) uint16(x), @(x) int32(x), @(x) uint32(x), @(x) int64(x), @(x) uint64(x), ...
        @(x) x', @(x) x.', @(x) x(:), @(x) reshape(x, [], 1), @(x) sin(x), @(x) cos(x), @(x) atan(x), @(x) tanh(x), @(x) log1p(x), ...
        @(x) expm1(x), @(x) permute(x, [2 1 3]), @(x) permute(x, [3 1 2]), @(x) permute(x, [3 1 2 5 4 6]), @(x) permute(x, [6 4 2 5 3 1]), ...
        @(x) repmat(x, 2, 3), @(x) repmat(x, [1 2 1 2]), @(x) squeeze(x), @(x, y) xor(x, y), @(x) logical(x), ...
        @(x, y) (x + y) .* 2 - x, @(x) asin(x), @(x) acosh(x), @(x) gamma(x), @(x) log2(x), ...
        @(x, y) x .^ y, @(x) x .^ 2, @(x, y) mod(bounded(x), tame(y)), @(x, y) rem(bounded(x), tame(y)), @(x, y) atan2(x, y), @(x, y) hypot(x, y), ...
        @(x) erf(x), @(x) asinh(x), @(x) cbrt(x), @(x) gammaln(abs(x))};
f = list{ceil(rand * numel(list))};
text = func2str(f);
end

function y = tame(y)
% Whole and finite: Octave's rem (1, Inf) is NaN, and its mod looks differently at fractions that nearly divide.
y = round(bounded(y));
end

function x = bounded(x)
% Octave's mod (realmax, 3) is Inf, and in single 1e10 is a multiple of many numbers.
x(abs(x) > 1e6) = 2;
end
