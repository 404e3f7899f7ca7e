function tests = test_gpuarray
%TEST_GPUARRAY  The type gpuArray of Octave: what it is, how it is made, shown, kept in files and called.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_every_class_and_size_comes_back(backend)
gpuDevice(backend);
sizes = {[1 1], [3 4], [0 0], [0 5], [5 0 2], [2 3 4], [1 1 1 2], [1000 17]};
for name = number_names()
    for k = 1:numel(sizes)
        x = cast(reshape(mod(7 * (1:prod(sizes{k})), 100), sizes{k}), name{1});
        check(gpuArray(x), x);
    end
end
for x = {[NaN -0 Inf -Inf realmin eps], single([NaN -0 Inf]), intmin('int64'), intmax('uint64'), 1:5, eye(3), true, -0}
    check(gpuArray(x{1}), full(x{1}));
end
assert(isequal(1 ./ gather(gpuArray([-0 1])), [-Inf 1]));
end

function test_what_a_value_is(backend)
gpuDevice(backend);
for name = number_names()
    x = cast(ones(2, 3, 4), name{1});
    g = gpuArray(x);
    assert(strcmp(class(g), 'gpuArray') && isa(g, 'gpuArray') && isgpuarray(g) && existsOnGPU(g));
    assert(strcmp(underlyingType(g), name{1}) && strcmp(classUnderlying(g), name{1}) && isUnderlyingType(g, name{1}));
    for f = {@size, @numel, @ndims, @length, @rows, @columns, @isempty, @isscalar, @isvector, @ismatrix, @isreal, @isnumeric, ...
             @islogical, @isfloat, @isinteger, @iscomplex, @issquare, @isrow, @iscolumn}
        assert(isequal(f{1}(g), f{1}(x)), func2str(f{1}));
    end
    assert(isequal([size(g, 1) size(g, 3) size(g, 7)], [2 4 1]));
    [a, b] = size(g);
    assert(isequal([a b], [2 12]));
end
assert(~isgpuarray(1) && ~existsOnGPU(1) && strcmp(underlyingType(int8(1)), 'int8'));
end

function test_queries_compute_nothing(backend)
% An expression that refuses its elements says so when they are needed, and not before.
gpuDevice(backend);
g = sqrt(gpuArray([-1 4]));
assert(isequal(size(g), [1 2]) && numel(g) == 2 && strcmp(underlyingType(g), 'double') && isfloat(g));
check_refused('gpumex:gpuArray:complex', @() gather(g));
end

function test_arrays_made_on_the_device(backend)
gpuDevice(backend);
check(gpuArray.zeros(2, 3), zeros(2, 3));
check(gpuArray.ones(2, 'int8'), ones(2, 'int8'));
check(gpuArray.eye(2, 4, 'single'), eye(2, 4, 'single'));
check(gpuArray.inf(1, 2), Inf(1, 2));
check(gpuArray.NaN([2 2]), NaN(2));
check(gpuArray.true(3, 1), true(3, 1));
check(gpuArray.false, false);
check(gpuArray.linspace(0, 1, 5), linspace(0, 1, 5));
check(gpuArray.colon(1, 2, 9), 1:2:9);
check(gpuArray.logspace(0, 3, 4), [1 10 100 1000]);
check(logspace(gpuArray(0), 2, 3), [1 10 100]);
check(zeros(2, 3, 'gpuArray'), zeros(2, 3));
check(ones(2, 'int16', 'gpuArray'), ones(2, 'int16'));
check(zeros(2, 'like', gpuArray(single(1))), zeros(2, 'single'));
check(cast(3.7, 'like', gpuArray(uint8(1))), uint8(4));
assert(isequal(zeros(2, 2), [0 0; 0 0]) && isequal(ones(gpuArray(1), 2), [1 1]));
check_refused('gpumex:gpuArray:notServed', @() gpuArray.magic(3));
check_refused('gpumex:gpuArray:invalidClass', @() gpuArray.zeros(2, 'cell'));
end

function test_words_of_the_toolbox(backend)
gpuDevice(backend);
k = randi([3 7], 2, 50, 'gpuArray');
assert(isgpuarray(k) && isequal(size(k), [2 50]) && isequal(unique(gather(k(:)))', 3:7));
assert(strcmp(underlyingType(randi(9, 2, 'int8', 'gpuArray')), 'int8') && isgpuarray(randi(3, 2, 'like', k)));
rand('twister', 3);
a = randi(1000, 1, 20);
rand('twister', 3);
assert(isequal(a, randi(1000, 1, 20)) && strcmp(class(randi(9, 2, 'int16')), 'int16') && isequal(size(feval(@randi, 5, 2)), [2 2]));
check_refused('', @() randi('a'));
assert(strcmp(underlyingType(true(2, 'like', gpuArray(false))), 'logical') && isgpuarray(false(2, 'like', gpuArray(true))));
assert(~isgpuarray(true(2)) && islogical(false(1, 2)));
gpurng(5); a = gather(gpuArray.rand(1, 4));
gpurng(5); assert(isequal(gather(gpuArray.rand(1, 4)), a));
gpurng('shuffle'); gpurng('default');
check_refused('gpumex:gpuArray:notServed', @() gpurng(1, 'Philox'));
x = gpuArray(1:4) + 1;
reset(gpuDevice);
assert(isequal(gather(x), 2:5));
check_refused('', @() reset(struct('a', 1)));
end

function test_random_numbers(backend)
gpuDevice(backend);
u = gather(gpuArray.rand(1000, 20));
assert(isequal(size(u), [1000 20]) && all(u(:) >= 0 & u(:) < 1) && abs(mean(u(:)) - 0.5) < 0.01);
n = gather(gpuArray.randn(20000, 1, 'single'));
assert(isa(n, 'single') && abs(mean(n)) < 0.05 && abs(std(n) - 1) < 0.05 && all(isfinite(n)));
k = gather(gpuArray.randi([-2 3], 1, 3000));
assert(isequal(unique(k), -2:3));
assert(~isequal(gather(gpuArray.rand(5)), gather(gpuArray.rand(5))));
gpuArray.rng(7); a = gather(gpuArray.rand(5));
gpuArray.rng(7); assert(isequal(gather(gpuArray.rand(5)), a));
end

function test_what_is_no_array_of_numbers_is_refused(backend)
gpuDevice(backend);
check_refused('gpumex:gpuArray:invalidData', @() gpuArray({1}));
check_refused('gpumex:gpuArray:invalidData', @() gpuArray(struct('a', 1)));
check_refused('gpumex:gpuArray:sparse', @() gpuArray(sparse(1)));
check_refused('gpumex:gpuArray:sparse', @() gpuArray([1 2]) .* sparse([1 2]));
end

function test_functions_that_are_not_served_say_their_names(backend)
gpuDevice(backend);
g = gpuArray(magic(4));
message = check_refused('gpumex:gpuArray:notServed', @() svd(g));
assert(~isempty(strfind(message, 'svd')), message);
message = check_refused('gpumex:gpuArray:notServed', @() g / g(1:2, :));
assert(~isempty(strfind(message, 'mldivide')), message);
message = check_refused('Octave:undefined-function', @() gpuArray(int8([1 2])) + int16([1 2]));
assert(~isempty(strfind(message, 'binary operator ''+''')) && ~isempty(strfind(message, 'gpuArray')), message);
message = check_refused('Octave:nonconformant-args', @() gpuArray([1 2]) + [1 2 3]);
assert(~isempty(strfind(message, '1x2')) && ~isempty(strfind(message, '1x3')), message);
end

function test_an_error_in_a_bracket_says_why(backend)
% Octave says "gpuArray/vertcat method failed"; the reason is a warning.
gpuDevice(backend);
g = gpuArray([1 2]);
quiet = warning('on', 'gpumex:gpuArray:concatenation');
back = onCleanup(@() warning(quiet));
evalc('try, [g; 1 2 3], catch, end');
[message, id] = lastwarn();
assert(strcmp(id, 'gpumex:gpuArray:concatenation') && ~isempty(strfind(message, 'vertical dimensions mismatch (1x2 vs 1x3)')), message);
end

function test_conditions_and_loops(backend)
gpuDevice(backend);
taken = @(x) eval_condition(x);
for x = {[1 1], [1 0], 0, 1, zeros(0, 0), true(2, 2), single([3 4])}
    assert(taken(gpuArray(x{1})) == taken(x{1}));
end
check_refused('gpumex:gpuArray:nan', @() taken(gpuArray([1 NaN])));
seen = [];
for x = gpuArray([1 2; 3 4])
    seen = [seen gather(x)];
end
assert(isequal(seen, [1 2; 3 4]));
count = gpuArray(3);
while count
    eval('count -= 1;');                        % as MATLAB does not parse it
end
assert(gather(count) == 0);
s = 0;
for k = 1:gpuArray(4)
    s = s + k;
end
assert(gather(s) == 10);
end

function tf = eval_condition(x)
tf = false;
if x
    tf = true;
end
end

function test_a_copy_keeps_its_elements(backend)
gpuDevice(backend);
a = gpuArray(magic(4));
b = a;
pending = a + 1;
b(1) = 100;
a(2, :) = [];
m = magic(4);
check(pending, m + 1);
m(1) = 100;
check(b, m);
c = {b}; s.x = b;
b(:) = 0;
check(c{1}, m);
check(s.x, m);
assert(isequal(refusal(@() fail_to_assign(s.x)), m));
end

function m = refusal(action)
m = action();
end

function x = fail_to_assign(x)
try
    x(2, 9, 9, 3) = [1 2 3];
catch
end
x = gather(x);
end

function test_long_subscripts_on_the_device(backend)
% They are not read by the host, but where one is out of range.
gpuDevice(backend);
m = reshape(1:6000, 60, 100);
k = mod(7 * (1:2000), 6000) + 1;
mask = mod(m, 3) == 0;
rows = mod(1:1500, 60) + 1;
for name = {'double', 'single', 'int32', 'uint16', 'int64'}
    i = cast(k, name{1});
    check(subsref_of(gpuArray(m), gpuArray(i)), m(k));
    check(subsref_of(gpuArray(m), gpuArray(i(:))), m(k(:)));
    g = gpuArray(m); want = m;
    g(gpuArray(i)) = -k; want(k) = -k;
    g(gpuArray(i(1:1200))) = 5; want(k(1:1200)) = 5;
    check(g, want);
end
g = gpuArray(m);
check(g(gpuArray(rows), :), m(rows, :));
check(g(gpuArray(rows), 3:2:50), m(rows, 3:2:50));
check(g(gpuArray(rows), [2 9 9]), m(rows, [2 9 9]));
check(g(gpuArray(mask)), m(mask));
g(gpuArray(mask)) = -m(mask); want = m; want(mask) = -m(mask);
check(g, want);
g(gpuArray(mask)) = 0; want(mask) = 0;
check(g, want);
g(gpuArray(mask)) = []; want(mask) = [];
check(g, want);
g = gpuArray(1:2000); want = 1:2000;
g(gpuArray(1001:2500)) = 1; want(1001:2500) = 1;
check(g, want);
k(7) = 6001;
check_refused('Octave:index-out-of-bounds', @() subsref_of(gpuArray(m), gpuArray(k)));
k(7) = 1.5;
check_refused('Octave:invalid-index', @() subsref_of(gpuArray(m), gpuArray(k)));
end

function y = subsref_of(x, k)
y = x(k);
end

function test_it_shows_what_it_is(backend)
gpuDevice(backend);
g = gpuArray(single([1 2; 3 4]));
text = evalc('g');
assert(strncmp(text, sprintf('g = gpuArray single 2x2\n'), 24) && ~isempty(strfind(text, '3   4')), text);
assert(strcmp(strtrim(evalc('x = gpuArray (5)')), 'x = 5'));
assert(strcmp(evalc('disp (g)'), evalc('disp (gather (g))')));
end

function test_what_shows_elements_takes_them_from_the_host(backend)
gpuDevice(backend);
g = gpuArray([1 2; 3 4]);
assert(strcmp(sprintf('%d,', g), '1,3,2,4,') && strcmp(mat2str(g), '[1 2;3 4]') && strcmp(num2str(gpuArray(pi)), '3.1416'));
end

function test_pictures_are_of_elements(backend)
if isempty(available_graphics_toolkits()) && isempty(getenv('GPUMEX_REQUIRE_OCTAVE'))
    fprintf('left out: pictures of gpuArrays, no graphics toolkit\n');
    return
end
gpuDevice(backend);
g = gpuArray([3 1 2]);
before = warning('off', 'Octave:gnuplot-graphics');
restored = onCleanup(@() warning(before));
f = figure('visible', 'off');
line = plot(g, 2 * g);
assert(isequal(get(line, 'xdata'), [3 1 2]) && isequal(get(line, 'ydata'), [6 2 4]));
bars = bar(g);
assert(isequal(get(bars, 'ydata')(:)', [3 1 2]));
picture = imagesc(gpuArray(magic(4)));
assert(isequal(get(picture, 'cdata'), magic(4)));
area = surf(gpuArray(magic(3)));
assert(isequal(get(area, 'zdata'), magic(3)));
close(f);
end

function test_examples_of_the_help_texts(backend)
% Each function that is not one of Octave's for gpuArrays has an example, which runs.
gpuDevice(backend);
folder = fileparts(which('gpuArray'));
files = [dir(fullfile(folder, '*.oct')); dir(fullfile(folder, '*.m'))];
[~, names] = cellfun(@fileparts, {files.name}, 'UniformOutput', false);
names = names(cellfun(@(name) isempty(regexp(name, '^(__|link_|bench_)', 'once')), names));
assert(numel(names) > 12);
for name = [names {'arrayfun'}]
    text = get_help_text(name{1});
    if strcmp(name{1}, 'arrayfun')
        text = evalc('help @gpuArray/arrayfun');
    end
    example = regexp(text, 'Example:\n((?:[ \t]+\S[^\n]*\n|[ \t]*\n)+?)(?=\s*(See also|$))', 'tokens', 'once');
    assert(~isempty(example), 'no example of %s', name{1});
    run_example(name{1}, example{1});
end
gpuDevice(backend);
end

function run_example(name, example)
% A line with a value behind "%" has that result.
for line = strsplit(strtrim(example), "\n")
    wanted = regexp(line{1}, '^(.*\S)\s+% (\[.*\]|true|false|''.*''|\d[\d x]*)$', 'tokens', 'once');
    try
        if isempty(wanted)
            [~] = evalc(line{1});
            continue
        end
        variable = regexp(wanted{1}, '^(\w+) = (.*)$', 'tokens', 'once');
        if isempty(variable)
            result = eval(wanted{1});
        else
            result = eval(variable{2});
            eval([variable{1} ' = result;']);
        end
    catch problem
        error('the example of %s, "%s": %s', name, line{1}, problem.message);
    end
    if ~isempty(strfind(wanted{2}, ' x '))
        assert(size(result), str2num(strrep(wanted{2}, 'x', ' ')));
    else
        assert(gather(result), eval(wanted{2}));
    end
end
end

function test_equal(backend)
gpuDevice(backend);
g = gpuArray([1 NaN 3]);
assert(~isequal(g, [1 NaN 3]) && isequaln(g, [1 NaN 3]) && ~isequaln(g, [1 NaN 4]) && ~isequal(g, 'abc') && ~isequal(g, g'));
assert(isequal(gpuArray([1 2]), [1 2], int8([1 2])) && isequal(gpuArray(zeros(0, 3)), zeros(0, 3)));
a = gpuArray(int8(5));
eval('a++; a += 2; a--;');
check(a, int8(7));
end

function test_save_and_load(backend)
gpuDevice(backend);
file = tempname();
back = onCleanup(@() delete(file));
for format = {'-text', '-binary', '-zip'}
    for x = {magic(4), single(pi), int8([1 2; 3 4]), true(2, 0), uint64(2)^63, zeros(2, 3, 2), 1:5}
        g = gpuArray(x{1}); h = 7;
        save(format{1}, file, 'g', 'h');
        clear g
        load(file);
        check(g, x{1});
        assert(h == 7);
    end
end
g = gpuArray(1:3);
check_refused('gpumex:gpuArray:notServed', @() save_as_mat(file, g));
check_refused('gpumex:gpuArray:notServed', @() fieldnames(g));
end

function save_as_mat(file, g)
save('-mat', file, 'g');
end

function test_arrayfun(backend)
gpuDevice(backend);
x = rand(4, 5); y = rand(1, 5);
check(arrayfun(@(a) a^2 + a * 3, gpuArray(x)), arrayfun(@(a) a^2 + a * 3, x));
check(arrayfun(@(a, b) a / b, gpuArray(x), gpuArray(x + 1)), x ./ (x + 1));
check(arrayfun(@(a, b) a > b, gpuArray(x), 0.5), x > 0.5);
check(arrayfun(@(a, b) a - b, gpuArray(x), y), x - y);
check(arrayfun(@(a) 7, gpuArray(x)), 7 * ones(4, 5));
[a, b] = arrayfun(@two_results, gpuArray(x));
check(a, x + 1); check(b, x * 2);
check_refused('gpumex:gpuArray:notElementwise', @() arrayfun(@(a) a / sum(a), gpuArray(x)));
check_refused('gpumex:gpuArray:notElementwise', @() arrayfun(@(a) a(1), gpuArray(x)));
check_refused('gpumex:gpuArray:notElementwise', @() arrayfun(@eval_condition, gpuArray(x)));
check(sum(gpuArray(x) > 0.5), sum(x > 0.5));    % after an error arrayfun is over
end

function [a, b] = two_results(x)
a = x + 1;
b = x * 2;
end

function test_products(backend)
gpuDevice(backend);
a = rand(4, 3); b = rand(3, 5);
check_near(gpuArray(a) * b, a * b);
check_near(a' * gpuArray(a), a' * a);
check_near(gpuArray(single(a)) * b, single(a) * b);
check(gpuArray(zeros(2, 0)) * zeros(0, 3), zeros(2, 3));
check_refused('Octave:nonconformant-args', @() gpuArray(a) * a);
p = rand(2, 3, 4); q = rand(3, 2, 4);
want = zeros(2, 2, 4); first = want;
for k = 1:4
    want(:, :, k) = p(:, :, k) * q(:, :, k);
    first(:, :, k) = p(:, :, 1) * q(:, :, k);
end
check_near(pagefun(@mtimes, gpuArray(p), q), want);
check_near(pagemtimes(p(:, :, 1), gpuArray(q)), first);
check(pagefun(@transpose, gpuArray(p)), permute(p, [2 1 3]));
check(pagefun(@plus, gpuArray(p), 1), p + 1);
check_refused('gpumex:gpuArray:notServed', @() pagefun(@inv, gpuArray(p)));
end

function test_the_first_version_of_the_page(backend)
% The function is the page's own.
gpuDevice(backend);
gridSize = 500;
initialGrid = (rand(gridSize, gridSize) > .75);
currentGrid = gpuArray(initialGrid);
for generation = 1:10
    currentGrid = updateGrid(currentGrid, gridSize);
end
check(currentGrid, gpumex.life(initialGrid, 10, 'Backend', backend));
end

function X = updateGrid(X, N)
    p = [1 1:N-1];
    q = [2:N N];
    % Count how many of the eight neighbors are alive.
    neighbors = X(:,p) + X(:,q) + X(p,:) + X(q,:) + ...
        X(p,p) + X(q,q) + X(p,q) + X(q,p);
    % A live cell with two live neighbors, or any cell with
    % three live neighbors, is alive at the next step.
    X = (X & (neighbors == 2)) | (neighbors == 3);
end

function test_the_device(backend)
device = gpuDevice(backend);
assert(ischar(device.Name) && device.TotalMemory > 0 && strcmp(device.Backend, backend));
count = gpuDeviceCount();
assert(count >= 0);
for k = 1:count
    device = gpuDevice(k);
    assert(device.Index == k && strcmp(device.Backend, 'cuda'));
end
message = check_refused('gpumex:gpuArray:noDevice', @() gpuDevice(count + 1));
assert(strncmp(message, 'gpuDevice: ', 11) && isempty(strfind(message, 'gpumex_')), message);
gpuDevice(backend);
g = gpuArray.rand(100) + 1;
wait(gpuDevice());
t = gputimeit(@() g * g);
assert(isa(t, 'double') && isscalar(t) && t > 0 && t < 10);
check_refused('gpumex:gpuArray:invalidDevice', @() gpuDevice('none'));
gpuDevice(backend);
end

function test_long_chains_and_many_arrays(backend)
gpuDevice(backend);
x = gpuArray(zeros(1, 50)); want = zeros(1, 50);
for k = 1:2000
    x = x + k; want = want + k;
end
check(x, want);
many = cell(1, 3000);
for k = 1:numel(many)
    many{k} = gpuArray([k k]) + 1;
end
assert(isequal(gather(many{1234}), [1235 1235]));
y = gpuArray([1 2 3]);
for k = 1:60
    y = y + y;                                  % an expression whose text would double each time
end
check(y, [1 2 3] * 2^60);
end

function names = number_names()
names = {'logical', 'single', 'double', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'};
end

function check(g, want)
assert(isgpuarray(g), 'a %s', class(g));
got = gather(g);
assert(strcmp(class(got), class(want)), '%s, not %s', class(got), class(want));
assert(isequal(size(got), size(want)) && isequaln(got, want), 'other elements');
end

function check_near(g, want)
got = gather(g);
assert(isgpuarray(g) && strcmp(class(got), class(want)) && isequal(size(got), size(want)));
assert(all(abs(got(:) - want(:)) <= 1e3 * eps(class(want))));
end
