function tests = test_gpuarray_reductions
%TEST_GPUARRAY_REDUCTIONS  Random reductions, prefixes, sorts and searches of gpuArrays against Octave's own functions.
%   See test_gpuarray_random for the seed and the number of cases.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_flags_of_nan(backend)
gpuDevice(backend);
A = [1 NaN 3; NaN NaN 6];
g = gpuArray(A);
for change = {@(x) x, @(x) x + 0}                % stored, and an expression
    h = change{1}(g);
    assert(isequal(gather(sum(h, 'omitnan')), [1 0 9]) && isequal(gather(sum(h, 2, 'omitnan')), [4; 6]));
    assert(isequaln(gather(sum(h, 2, 'includenan')), [NaN; NaN]) && isequal(gather(prod(h, 'omitnan')), [1 1 18]));
    assert(isequaln(gather(mean(h, 'omitnan')), [1 NaN 4.5]) && isequal(gather(mean(h, 'all', 'omitnan')), 10 / 3));
    assert(isequaln(gather(max(h, [], 'omitnan')), [1 NaN 6]) && isequaln(gather(max(h, [], 1, 'includenan')), [NaN NaN 6]));
    assert(isequaln(gather(min(h, [], 2, 'includenan')), [NaN; NaN]) && isequal(gather(min(h, [], 2, 'omitnan')), [1; 6]));
end
[most, at] = max(g, [], 2, 'omitnan');
assert(isequal(gather([most at]), [3 3; 6 3]));
check_refused('gpumex:gpuArray:notServed', @() cumsum(g, 'omitnan'));
end

function test_sums(backend)
run_cases(backend, 600, {@(x, d) sum(x, d), @(x, d) prod(x, d), @(x, d) sumsq(x, d), @(x, d) cumsum(x, d), @(x, d) cumprod(x, d), ...
    @(x, d) any(x, d), @(x, d) all(x > -1, d), @(x, d) any(x), @(x, d) all(x > -1), @(x, d) sum(x), @(x, d) prod(x), @(x, d) cumsum(x), ...
    @(x, d) nnz(x)});
end

function test_extrema(backend)
run_cases(backend, 500, {@(x, d) max(x, [], d), @(x, d) min(x, [], d), @(x, d) max(x), @(x, d) min(x), ...
    @(x, d) second(@max, x, [], d), @(x, d) second(@min, x, [], d), @(x, d) cummax(x, d), @(x, d) cummin(x, d), @(x, d) max(x, 2), ...
    @(x, d) min(3, x)});
end

function test_expressions(backend)
% Of what is not computed when it is reduced, of what is reduced more than once, and of what is needed afterwards.
run_cases(backend, 600, {@(x, d) sum(x - 1, d), @(x, d) sum(x > 1, d), @(x, d) sum(x - 1), @(x, d) prod(x .* 1, d), @(x, d) max(abs(x), [], d), ...
    @(x, d) min(-x, [], d), @(x, d) any(x > 2, d), @(x, d) all(x + 1 > 0, d), @(x, d) nnz(x == 2), @(x, d) second(@max, x + 1, [], d), ...
    @(x, d) sum(x - x(:, 1), d), @(x, d) sum(x(1, :) - x, d), @(x, d) max(x - x(1), [], d), @(x, d) sum(x + 1, 'native'), ...
    @(x, d) more_than_once(x + 1, d), @(x, d) double(isempty(x) || all(x(:) + 1 >= x(:)))});
gpuDevice(backend);
x = gpuArray(magic(4));
assert(isequal(gather(mean((x - 1) .* 2)), mean((magic(4) - 1) .* 2)) && gather(sum(sum(x .* x))) == 1496);
end

function test_prefixes_of_expressions(backend)
% Of what is not computed when it is scanned, of what is scanned more than once, and of what is needed afterwards.
run_cases(backend, 500, {@(x, d) cumsum(x - 1, d), @(x, d) cumsum(x > 1, d), @(x, d) cumsum(x - 1), @(x, d) cumprod(x .* 1, d), ...
    @(x, d) cummax(abs(x), d), @(x, d) cummin(-x, d), @(x, d) second(@cummax, x + 1, d), @(x, d) cumsum(x - x(:, 1), d), ...
    @(x, d) cumsum(x(1, :) - x, d), @(x, d) cummin(x - x(1), d), @(x, d) cumsum(x + 1, 'native'), @(x, d) scanned_twice(x + 1, d), ...
    @(x, d) cumsum(cumsum(x + 1, 1) - 1, d), @(x, d) cumsum((x == 1) + (x > 2), d)});
gpuDevice(backend);
A = int8([100 50 -100; -100 -50 27]);
x = gpuArray(A);
for d = 1:3
    for f = {@(y) cumsum(y, d, 'native'), @(y) cumprod(y, d, 'native'), @(y) cumsum(y, d), @(y) cummax(y, d), @(y) cummin(y, d)}
        expression = gather(f{1}(x + int8(1)));
        stored = gather(f{1}(gpuArray(A + int8(1))));
        assert(isequal(class(expression), class(stored)) && isequal(expression, stored), func2str(f{1}));
    end
end
assert(isequal(gather(cumsum(x + int8(27), 'native')), int8([127 77 -73; 54 54 -19])));
for d = 1:2
    B = [NaN 1 NaN; 2 NaN 3; -1 NaN 7];
    [most, at] = cummax(gpuArray(B) + 1, d);
    [want, want_at] = cummax(B + 1, d);
    assert(isequaln(gather(most), want) && isequal(gather(at), want_at));
    assert(isequaln(gather(cumsum(gpuArray(B) + 1, d)), cumsum(B + 1, d)));
end
assert(isequal(gather(cumsum(gpuArray([1 2; 3 4]) * 2i)), cumsum([1 2; 3 4] * 2i)));
y = sqrt(gpuArray(single([4 9 16])));
z = cumsum(y, 2);
assert(isequal(gather(z), single([2 5 9])) && isequal(class(gather(z)), 'single') && isequal(gather(y), single([2 3 4])));
check_refused('gpumex:gpuArray:notServed', @() cumsum(gpuArray([true false]) | true, 'native'));
end

function y = scanned_twice(x, d)
y = cumsum(x, d) - double(cumsum(x, 1));
y = y + double(x(1));
end

function y = more_than_once(x, d)
y = sum(x, d) + double(max(x, [], d));
y = y + double(x(1));
end

function test_orders(backend)
run_cases(backend, 500, {@(x, d) sort(x, d), @(x, d) sort(x), @(x, d) sort(x, 'descend'), @(x, d) sort(x, d, 'descend'), ...
    @(x, d) second(@sort, x, d), @(x, d) second(@sort, x, d, 'descend'), @(x, d) find(x), @(x, d) find(x > 1, 2), ...
    @(x, d) find(x, 3, 'last'), @(x, d) second(@find, x), @(x, d) unique(x)});
end

function test_mean(backend)
gpuDevice(backend);
for x = {rand(4, 5), single(rand(3, 1)), int8([1 2 4]), true(3, 2), zeros(0, 3)}
    for d = 1:3
        got = gather(mean(gpuArray(x{1}), d));
        want = mean(double(x{1}), d);
        assert(isequal(size(got), size(want)) && all(abs(got - want) < 1e-6 | isnan(want)));
    end
end
end

function y = second(f, varargin)
[~, y] = f(varargin{:});
end

function run_cases(backend, count, functions)
gpuDevice(backend);
seed = str2double(getenv('GPUMEX_TEST_SEED'));
if isnan(seed)
    seed = 31056000;                            % the same each time; other numbers search for more
end
rand('twister', seed);
for k = 1:wanted_cases(count)
    f = functions{ceil(rand * numel(functions))};
    x = random_array();
    d = ceil(rand * 3);
    try
        compare(f, x, d);
    catch problem
        message = sprintf('GPUMEX_TEST_SEED=%d, case %d: %s, dimension %d of %s: %s', seed, k, func2str(f), d, describe(x), problem.message);
        if isempty(getenv('GPUMEX_TEST_KEEP_GOING'))
            error('%s', message);
        end
        disp(message);
    end
end
end

function compare(f, x, d)
want = []; refusal = '';
try
    want = f(x, d);
catch problem
    refusal = problem.message;
end
if ~isempty(refusal) || (islogical(x) && isempty(x)) || leaves_range(f, x)
    return                                      % cummax of integers and the like; min of an empty logical array is odd in Octave
end
got = f(gpuArray(x), d);
if isgpuarray(got)
    got = gather(got);
end
assert(strcmp(class(got), class(want)), 'class %s, not %s', class(got), class(want));
assert(isequal(size(got), size(want)), 'size %s, not %s', mat2str(size(got)), mat2str(size(want)));
if isfloat(want)
    finite = double(x(isfinite(x)));
    scale = max([abs(finite(:)); 1]) * numel(x);
    same = got == want | (isnan(got) & isnan(want)) | abs(got - want) <= 1e2 * eps(class(want)) * max(abs(want), scale);
else
    same = got == want;
end
assert(all(same(:)), 'other elements: %s, not %s', describe(got), describe(want));
end

function tf = leaves_range(f, x)
% Whether a product may overflow on the way: times 0 that is NaN or 0, as the order is.
limit = 700;
if isa(x, 'single')
    limit = 80;
end
factors = double(x(isfinite(x) & x ~= 0));
tf = ~isempty(strfind(func2str(f), 'prod')) && sum(abs(log(abs(factors(:))))) > limit;
end

function text = describe(x)
text = [class(x) ' ' mat2str(size(x))];
if numel(x) <= 12
    text = [text ' ' mat2str(double(x(:)).')];
end
end

function x = random_array()
shapes = {[1 1], [0 0], [1 0], [0 3], [1 5], [5 1], [4 6], [3 3], [2 3 4], [3 1 2], [1 1 4], [2 0 3], [20 30], [1 300]};
shape = shapes{ceil(rand * numel(shapes))};
classes = {'double', 'double', 'single', 'logical', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'};
name = classes{ceil(rand * numel(classes))};
switch ceil(rand * 4)
    case 1, x = floor(rand(shape) * 10) - 3;
    case 2, x = rand(shape) * 2 - 1;
    case 3, x = floor(rand(shape) * 200) - 100;
    case 4
        values = [0 1 -1 NaN Inf -Inf 2 3];
        x = reshape(values(ceil(rand(1, prod(shape)) * numel(values))), shape);
end
if strcmp(name, 'logical')
    x = x > 0;
end
x = cast(x, name);
end
