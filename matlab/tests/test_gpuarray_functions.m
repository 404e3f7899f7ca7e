function tests = test_gpuarray_functions
%TEST_GPUARRAY_FUNCTIONS  Functions that Octave has for arrays give the same for gpuArrays: values, sizes, classes, errors.
tests = localfunctions();
end

function test_convolutions(backend)
gpuDevice(backend);
pairs = {[7 9], [3 3]; [3 3], [7 9]; [6 5], [2 4]; [1 8], [1 3]; [8 1], [3 1]; [20 20], [9 9]; [0 3], [2 2]; [4 4], [0 0]; ...
    [1 1], [1 1]};
for k = 1:size(pairs, 1)
    for type = {'double', 'single'}
        A = cast(numbers(pairs{k, 1}), type{1});
        B = cast(numbers(pairs{k, 2}), type{1});
        for shape = {'full', 'same', 'valid'}
            agrees('conv2', {A, B, shape{1}}, 1);
        end
    end
end
A = numbers([6 7]);
agrees('conv2', {[1 2 1], [1 0 -1], A}, [3]);
agrees('conv2', {[1 2 1]', [1 0 -1], A, 'same'}, [3]);
agrees('conv2', {A > 0, [1 -2; 3 0]}, 1);
agrees('conv2', {[1 NaN; Inf 2], [1 0; -1 2]}, 1);
refuses('conv2', @(x) conv2(A, [1 Inf] + x));
agrees('conv2', {A, zeros(3)}, 1);
agrees('conv2', {A, [1 Inf; 2 3], 'valid'}, 1);
agrees('conv2', {numbers([40 300]), numbers([17 33])}, 1:2);
agrees('conv2', {numbers([3 3]), numbers([40 30]), 'same'}, 1:2);
agrees('filter2', {[1 2; 3 4], A}, 2);
agrees('conv', {[1 2 3], [4 5 6 7]}, 1);
agrees('conv', {[1 2 3]', [4 5 6 7], 'same'}, 1);
agrees('filter', {[1 2 3], 2, A}, 3);
agrees('filter', {[1 2 3], 1, A, [], 2}, 3);
refuses('filter', @(x) filter(1, [1 2], x));
end

function test_medians(backend)
% By the definition: zeros or a mirror around the matrix, each window sorted.
gpuDevice(backend);
for type = {'double', 'single', 'uint8', 'int16', 'logical'}
    A = cast(numbers([9 12]), type{1});
    for window = {[3 3], [5 5], [1 4], [2 3], [7 9]}
        for padding = {'zeros', 'symmetric'}
            expected = medians(A, window{1}, padding{1});
            got = medfilt2(gpuArray(A), window{1}, padding{1});
            assert(isgpuarray(got) && strcmp(underlyingType(got), type{1}));
            assert(isequal(gather(got), expected), '%s, %s, %s', type{1}, mat2str(window{1}), padding{1});
        end
    end
end
A = numbers([6 7]);
assert(isequal(gather(medfilt2(gpuArray(A))), medians(A, [3 3], 'zeros')));
assert(isequal(size(medfilt2(gpuArray(zeros(0, 3)))), [0 3]));
refuses('medfilt2', @(x) medfilt2(x, [3 33]));
end

function B = medians(A, window, padding)
before = floor((window - 1) / 2);
rows = (1:size(A, 1) + window(1) - 1) - before(1);
cols = (1:size(A, 2) + window(2) - 1) - before(2);
if strcmp(padding, 'zeros')
    wide = zeros(numel(rows), numel(cols), class(A));
    wide(before(1) + (1:size(A, 1)), before(2) + (1:size(A, 2))) = A;
else
    wide = A(mirrored(rows, size(A, 1)), mirrored(cols, size(A, 2)));
end
B = A;
for j = 1:size(A, 2)
    for i = 1:size(A, 1)
        values = sort(reshape(double(wide(i + (0:window(1) - 1), j + (0:window(2) - 1))), [], 1));
        middle = [floor((numel(values) + 1) / 2), floor(numel(values) / 2) + 1];
        B(i, j) = round_to(sum(values(middle)) / 2, A);
    end
end
end

function index = mirrored(index, count)
index = mod(index - 1, 2 * count);
index = min(index, 2 * count - 1 - index) + 1;
end

function x = round_to(x, A)
if islogical(A)
    x = x >= 0.5;
else
    x = cast(x, class(A));
end
end

function test_matrices(backend)
gpuDevice(backend);
for size = {[3 4], [4 3], [3 3], [1 5], [5 1], [1 1], [0 0], [0 3], [3 0]}
    for type = {'double', 'single', 'int8', 'logical'}
        A = cast(numbers(size{1}), type{1});
        for k = -2:2
            agrees('diag', {A, k}, 1);
            agrees('tril', {A, k}, 1);
            agrees('triu', {A, k}, 1);
        end
        for name = {'fliplr', 'flipud', 'flip', 'rot90', 'trace', 'nnz', 'circshift'}
            others = {};
            if strcmp(name{1}, 'circshift')
                others = {1};
            end
            agrees(name{1}, [{A} others], 1);
        end
    end
end
agrees('tril', {[1 NaN; Inf -Inf]}, 1);
refuses('triu', @(x) triu(magic(3) + x, [1 2]), 'triu: need a 2-D matrix and a diagonal''s number');
refuses('logical', @(x) logical(x, 1), 'Invalid call to logical');
agrees('diag', {[1 2 3], 4, 5}, 1);
agrees('kron', {[1 2; 3 4], numbers([3 2])}, 1:2);
agrees('kron', {int8([100 2]), int8([100; 3])}, 1:2);
agrees('kron', {numbers([2 3]), numbers([3 2]), [1 2]}, 1:3);
agrees('toeplitz', {int8([1 2 3]), int8([1 5 6 7])}, 1);
agrees('hankel', {single([1 2 3])}, 1);
agrees('vander', {single([1 2 3])}, 1);
agrees('cross', {[1 2 3], [4 5 7]}, 1:2);
agrees('bsxfun', {@plus, [1 2 3], [1; 2]}, 2:3);
refuses('bsxfun', @(x) bsxfun(@(a, b) sum(a) + b, [1 2 3; 4 5 6], x));
[X, Y] = meshgrid(gpuArray(1:3), gpuArray(1:2));
[x, y] = meshgrid(1:3, 1:2);
assert(isgpuarray(X) && isequal(gather(X), x) && isequal(gather(Y), y));
[X, Y] = ndgrid(gpuArray(1:3), gpuArray(1:2));
[x, y] = ndgrid(1:3, 1:2);
assert(isgpuarray(X) && isequal(gather(X), x) && isequal(gather(Y), y));
end

function test_brackets_with_rows_of_the_host(backend)
gpuDevice(backend);
g = gpuArray(5);
assert(isequal(gather([1 0; 0 g]), [1 0; 0 5]));
assert(isequal(gather([g 1; 2 3; int8([4 5])]), int8([5 1; 2 3; 4 5])));
assert(isequal(gather([1 2 3; gpuArray([4 5 6]); true false true]), [1 2 3; 4 5 6; 1 0 1]));
assert(isequal(gather([single(1) 2; 3 g]), single([1 2; 3 5])) && isa(gather([single(1) 2; 3 g]), 'single'));
assert(isequal([1 2; 3 4], horzcat([1; 3], [2; 4])) && isequal(['ab'; 'cd'], vertcat('ab', 'cd')));
assert(~isempty(strfind(class([1 2; 3 g]), 'gpuArray')));
end

function test_differences_and_integrals(backend)
gpuDevice(backend);
A = numbers([5 4]);
N = numbers([3 2 4]);
agrees('diff', {N, 2}, 1);
for k = 0:4
    agrees('diff', {A, k}, 1);
    agrees('diff', {A, k, 2}, 1);
    agrees('diff', {N, k, 3}, 1);
end
agrees('diff', {int8([100 -100 5])}, 1);
agrees('diff', {true(2, 3)}, 1);
agrees('trapz', {A}, 1);
agrees('trapz', {(1:5)', A}, 1:2);
agrees('cumtrapz', {A, 2}, 1);
agrees('gradient', {single(A)}, 1);
agrees('del2', {A}, 1);
agrees('polyval', {[1 2 3], A}, 2);
agrees('polyfit', {1:3, [1 4 9], 0}, []);
end

function test_elementary_functions(backend)
gpuDevice(backend);
any_number = [-3.7 -1 -0.25 0 0.3 0.5 1 2.5 NaN Inf -Inf];
positive = [0 0.1 0.5 1 2 7.5 100 NaN Inf];
in_the_middle = [-1 -0.9 -0.5 0 0.2 0.7 1 NaN];
for type = {'double', 'single'}
    for name = {'sin', 'cos', 'tan', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'exp', 'expm1', 'erf', 'erfc', 'abs', 'sign', 'floor', ...
            'ceil', 'round', 'fix'}
        agrees(name{1}, {cast(any_number, type{1})}, 1);
    end
    for name = {'sqrt', 'log', 'log2', 'log10', 'log1p', 'gamma'}
        agrees(name{1}, {cast(positive, type{1})}, 1);
    end
    for name = {'asin', 'acos', 'atanh'}
        agrees(name{1}, {cast(in_the_middle, type{1})}, 1);
    end
    agrees('acosh', {cast([1 1.5 20 NaN Inf], type{1})}, 1);
    for name = {'atan2', 'hypot'}
        agrees(name{1}, {cast(any_number, type{1}), cast(fliplr(any_number), type{1})}, 1:2);
    end
    agrees('merge', {any_number > 0, cast(any_number, type{1}), cast(-any_number, type{1})}, 1:3);
end
agrees('bitshift', {uint8([0 1 7 255]), 2}, 1);
agrees('bitshift', {uint32([0 1 7 2 ^ 31]), -3}, 1);
end

function test_bits(backend)
gpuDevice(backend);
floats = [0 0.4 0.5 1.5 2.5 7 -1 -1.5 NaN Inf 2^31 2^40];
for name = {'bitand', 'bitor', 'bitxor'}
    agrees(name{1}, {floats, 3}, 1);
    agrees(name{1}, {single(floats(1:10)), 6.5}, 1:2);
    agrees(name{1}, {uint8(0:5), 2.5}, 1:2);
    agrees(name{1}, {int8([-1 5 -128]), int8([5 -3 1])}, 1:2);
    agrees(name{1}, {[true false true], [true true false]}, 2);
    agrees(name{1}, {[true false true], 3}, 1);
    agrees(name{1}, {[true false true], uint8([1 2 3])}, 1:2);
    agrees(name{1}, {[], 1}, 1);
    refuses(name{1}, @(x) feval(name{1}, [1 2] + x, [1; 2]), ...
        [name{1} ': size of X and Y must match, or one operand must be a scalar']);
    refuses(name{1}, @(x) feval(name{1}, uint8([1 2]) + x, int8([1 2])), [name{1} ': must have matching operand types']);
end
refuses('sqrt', @(x) gather(sqrt(double(bitor(int8([-1 2]), int8([1 1]) + x)))));      % there are negative elements
end

function test_copies(backend)
gpuDevice(backend);
A = numbers([2 3]);
for counts = {{2}, {[2 3]}, {[2; 3]}, {[2 3 2]}, {[]}, {[2 4; 3 5]}, {2, 3}, {[], 2}, {2, []}, {[], []}, {[2 3], 2}, {[], [2 3]}, ...
    {2, [2 3]}, {2, 1, 2}, {-1, 2}, {0}, {single(2)}}
    agrees('repmat', [{A} counts{1}], 1);
end
refuses('repmat', @(x) repmat([1 2] + x, 2, [], 3), 'repmat: all input arguments must be scalar');
end

function test_switch(backend)
gpuDevice(backend);
x = gpuArray([1 2 3]);
assert(choice(x(3)) == 3 && choice(x(1)) == 1 && choice(gpuArray(7)) == 0 && choice(gpuArray(single(4))) == 4);
assert(choice(x) == 5 && choice(x') == 0 && choice(gpuArray.zeros(2)) == 0);
end

function k = choice(x)
switch x
    case 1
        k = 1;
    case gpuArray(3)
        k = 3;
    case {4, 5}
        k = 4;
    case [1 2 3]
        k = 5;
    otherwise
        k = 0;
end
end

function test_conditions(backend)
% NaN is refused in a number, too.
gpuDevice(backend);
x = gpuArray(int32([0 1 2]));
message = 'NaN is neither true nor false';
refuses('operator |', @(zero) gather((x + zero) | NaN), ['operator |: ' message]);
refuses('operator &', @(zero) gather(NaN & (x + zero)), ['operator &: ' message]);
refuses('operator |', @(zero) gather(x | (zero / 0)), ['operator |: ' message]);
refuses('operator &', @(zero) (zeros(0, 3) + zero) & NaN, ['operator &: ' message]);
agrees('or', {int32([0 1 2]), 0.5}, 1:2);
end

function test_text(backend)
gpuDevice(backend);
for x = {0.5, [0.5 1], [1 2; 3 4], true, [], int8(3)}
    assert(strcmp(jsonencode(gpuArray(x{1})), jsonencode(x{1})));
end
assert(strcmp(jsonencode(struct('a', gpuArray(0.5))), '{"a":0.5}'));
end

function test_limits_of_the_class(backend)
% eps (class (x)) in Octave's own functions
gpuDevice(backend);
refuses('normest', @(x) normest(magic(3) + x));
refuses('expint', @(x) expint([1 2] + x));
for name = {'eps', 'realmax', 'realmin', 'intmax', 'intmin', 'flintmax'}
    try
        feval(name{1}, class(gpuArray(1)));
        error('%s: taken', name{1});
    catch problem
        assert(~isempty(strfind(problem.message, [name{1} ' (''gpuArray'') has no value'])), problem.message);
    end
end
assert(eps('single') == eps(single(1)) && eps == 2^-52 && strcmp(class(intmax('int8')), 'int8') && realmax > 1e308);
end

function test_places(backend)
gpuDevice(backend);
for x = {[3 1 1 2 NaN NaN], [3; 1; 3], numbers([4 5]) > 0, int8(numbers([4 5])), 7, zeros(1, 0), [], zeros(0, 3)}
    for words = {{}, {'first'}, {'last'}, {'stable'}, {'legacy'}}
        same_results('unique', [x words{1}], 2);
        if ~strcmp([words{1}{:}], 'stable')
            same_results('unique', [x words{1}], 3);
        end
    end
end
same_results('unique', {[1 2; 3 1; 1 2; 1 1], 'rows'}, 3);
for x = {[NaN NaN 3 1 NaN 5 5 2], [NaN; NaN], [1 2; 3 1], int8(numbers([4 5])), numbers([3 4 2]), -[Inf Inf], zeros(0, 3), 4, ...
    single(numbers([1 9]))}
    for name = {'cummax', 'cummin'}
        same_results(name{1}, x, 2);
        for dim = 1:2
            same_results(name{1}, [x {dim}], 2);
        end
    end
end
A = mod(numbers([30 3]) * 2, 3);
A(4, 2) = NaN;
for c = {{}, {1}, {[2 1]}, {-3}, {[-1 -2]}, {[3 -1]}}
    same_results('sortrows', [{A} c{1}], 2);
    same_results('sortrows', [{int16(A)} c{1}], 2);
end
refuses('sortrows', @(x) sortrows([1 2] + x, 3), 'sortrows: all elements of C must be in the range [1, columns (A)]');
end

function same_results(name, inputs, count)
expected = cell(1, count);
got = cell(1, count);
[expected{:}] = feval(name, inputs{:});
[got{:}] = feval(name, gpuArray(inputs{1}), inputs{2:end});
for k = 1:count
    text = sprintf('%s of %s %s, result %d of %d', name, class(inputs{1}), mat2str(size(inputs{1})), k, count);
    x = gather(got{k});
    assert(isgpuarray(got{k}) && strcmp(class(x), class(expected{k})), text);
    assert(isequal(size(x), size(expected{k})) && isequaln(x, expected{k}), text);
end
end

function test_where_the_library_is(~)
% Each file finds the library by itself, whichever is loaded first.
folder = fileparts(which('gather'));
for file = {fullfile(folder, 'gather.oct'), fullfile(folder, '@gpuArray', 'sum.oct')}
    [status, text] = system(['env -u LD_LIBRARY_PATH ldd "' file{1} '"']);
    assert(status == 0 && ~isempty(strfind(text, 'libgpumex.so')) && isempty(strfind(text, 'not found')), text);
end
end

function test_typecast(backend)
gpuDevice(backend);
agrees('typecast', {single([1 2 3]), 'uint32'}, 1);
agrees('typecast', {uint8(1:16)', 'double'}, 1);
agrees('typecast', {[1 -2], 'int8'}, 1);
agrees('typecast', {zeros(0, 1), 'int8'}, 1);
refuses('typecast', @(x) typecast(x, 'char'));
x = gpuArray([1 2]);
y = typecast(x, 'uint8');
y(1:16) = 0;                                            % the memory is shared until somebody writes
assert(isequal(gather(x), [1 2]));
end

function test_norms(backend)
gpuDevice(backend);
for v = {[3 -4], [1; 2; 3], 5, zeros(1, 0), [1e200 1e200], [1e-200 1e-200], [1 NaN], [1 Inf], [0 0], single([3 4])}
    for p = {2, 1, Inf, -Inf, 3, 0, 'fro', 'inf', 0.5}
        agrees('norm', {v{1}, p{1}}, 1);
    end
end
A = numbers([3 4]);
for p = {1, Inf, 'fro'}
    agrees('norm', {A, p{1}}, 1);
end
agrees('norm', {A, 'rows'}, 1);
agrees('norm', {A, 1, 'columns'}, 1);
agrees('vecnorm', {A}, 1);
refuses('norm', @(x) norm([1 2; 3 4] + x));
refuses('operator ^ (mpower)', @(x) (magic(3) + x) ^ 0.5);
for k = [0 1 2 5 11 -1 -3]
    agrees('mpower', {magic(3) / 15, k}, 1:2);
end
agrees('mpower', {single([1 2; 3 4]), 3}, 1);
refuses('mpower', @(x) (magic(3) + x) ^ [1; 2; 3], ['for x^y, only square matrix arguments are permitted and one argument ' ...
    'must be scalar.  Use .^ for elementwise power.']);
end

function test_statistics(backend)
gpuDevice(backend);
for A = {numbers([5 4]), numbers([1 6]), numbers([6 1]), numbers([3 2 4]), single(numbers([4 3])), 7}
    for name = {'var', 'std', 'median', 'mode', 'range', 'meansq', 'center', 'zscore', 'cummax', 'cummin'}
        agrees(name{1}, A, 1);
    end
    for name = {'var', 'std'}
        agrees(name{1}, [A {1}], 1);
        agrees(name{1}, [A {0, 2}], 1);
    end
    for name = {'median', 'mode', 'meansq'}
        agrees(name{1}, [A {2}], 1);
    end
end
agrees('median', {int8([1 2 4 100])}, 1);
agrees('median', {[1 NaN 3]}, 1);
agrees('mode', {int32([1 2 2; 3 4 4])}, 1);
agrees('quantile', {single(numbers([9 2])), [0.25 0.5]}, 1);
agrees('prctile', {numbers([9 2]), 30}, 1);
for type = {'logical', 'int16'}
    X = cast(numbers([5 2]) > 0, type{1});
    agrees('quantile', {X, 0.3}, 1);
    agrees('rescale', {X}, 1);
    agrees('mode', {X}, 1);
end
v = numbers([6 1]);
for type = {'double', 'single', 'int8'}
    for name = {'kendall', 'spearman'}
        agrees(name{1}, {cast(v, type{1}), v.^2}, 1:2);
        agrees(name{1}, {v, cast(v.^2, type{1})}, 1);
    end
    agrees('empirical_cdf', {cast(v, type{1}), v}, 1:2);
    agrees('gammainc', {cast(abs(v), type{1}), 2}, 1);
    agrees('gammainc', {abs(v), cast(2, type{1}), 'upper'}, 1:2);
end
w = [1 2 3 4 5 6]' / 21;
for name = {'var', 'std'}
    agrees(name{1}, {v, w}, 1);
    agrees(name{1}, {numbers([6 3]), w}, 1:2);
    agrees(name{1}, {numbers([6 3]), [], 2}, 1);
    agrees(name{1}, {numbers([3 4 2]), 0, [1 2]}, 1);
end
for size = {[0 3], [3 0], [0 0], [0 1], [1 0], [0 3 2], [2 0 3], [3 2]}
    agrees('mean', {zeros(size{1})}, 1);
    for dim = 1:3
        agrees('mean', {zeros(size{1}), dim}, 1);
    end
end
for word = {'a', 'g', 'h', 'native', 'double', 'default'}
    for X = {abs(numbers([4 3])) + 1, single([1 2 4]), int8([1 2 4]), [true false true]}
        is_other = isinteger(X{1}) && any(strcmp(word{1}, {'g', 'h'}));
        if ~is_other && ~(isa(X{1}, 'single') && strcmp(word{1}, 'double'))     % Octave adds singles in single then
            agrees('mean', [X word], 1);
            agrees('mean', [X {2} word], 1);
            agrees('mean', [X {1} word], 1);
        end
    end
end
agrees('cov', {numbers([6 2])}, 1);
agrees('corr', {numbers([6 1]), numbers([6 1]).^2}, 1:2);
agrees('rescale', {single(numbers([3 3]))}, 1);
end

function test_counting(backend)
gpuDevice(backend);
k = [2 1 3 2 2 5]';
agrees('accumarray', {k, 1}, 1);
agrees('accumarray', {k, (1:6)' / 4}, 1:2);
agrees('accumarray', {k, single(1:6)'}, 1);
agrees('accumarray', {k, (1:6)', [7 1]}, 1);
agrees('accumarray', {k, (1:6)', [2 3]}, 2);
agrees('accumarray', {[k, mod(k, 2) + 1], (1:6)'}, 1);
agrees('accumarray', {[k, mod(k, 2) + 1], 1, [6 3], @sum, -1}, 1);
refuses('accumarray', @(x) accumarray([1; 2] + x, 1, [], @max));
refuses('accumarray', @(x) accumarray([1; 2.5] + x, 1), 'accumarray: indices must be positive integers');
edges = [0 1 2.5 3 7];
x = [-1 0 0.5 1 2 2.5 3 6.9 7 8 NaN Inf];
agrees('lookup', {edges, x}, 1:2);
agrees('lookup', {int32([1 3 5]), int32([0 1 2; 3 9 5])}, 2);
agrees('lookup', {[], x}, 2);
agrees('lookup', {edges, zeros(0, 3)}, 2);
agrees('histc', {x, edges}, 1);
agrees('histc', {numbers([20 3]), -2:2}, 1);
counts = histcounts(gpuArray(x), edges);
assert(isequal(gather(counts), [2 2 1 3]));
end

function test_interpolation(backend)
gpuDevice(backend);
x = [1 2 4 8];
y = [3 -1 5 0];
at = [0 1 1.5 2 3.9 4 7 8 9 NaN];
for method = {'linear', 'nearest', 'previous', 'next'}
    agrees('interp1', {x, y, at, method{1}}, 1:3);
    agrees('interp1', {x', y', at', method{1}, 7}, 2);
end
agrees('interp1', {x, y, at(1:9), 'linear', 'extrap'}, 3);
agrees('interp1', {y, [1 2.5; 3 4]}, 2);
agrees('interp1', {x, y, at}, 1:3);
refuses('interp1', @(v) interp1(x, y, v, 'spline'));
refuses('interp1', @(v) interp1([1 3 2 4] + v, y, 2));
end

function test_every_function_of_a_sample(~)
% call_every_function runs all of them; here those that once ended the process or returned something else.
list = tempname;
report = tempname;
names = {'find', 'base64_encode', 'bitunpack', 'num2cell', 'any', 'all', 'nonzeros', 'istril', 'magic', 'fft', 'inv', ...
    'cellfun', 'num2str', 'mat2str', 'sprintf', 'zeros'};
file = fopen(list, 'w');
fprintf(file, '%s\n', names{:});
fclose(file);
remove = onCleanup(@() cellfun(@delete, {list, report}));
call_every_function(list, report, 1);
text = fileread(report);
wrong = regexp(text, '^(differs|unnamed) .*', 'match', 'lineanchors', 'dotexceptnewline');
assert(isempty(wrong), '%s\n', wrong{:});
assert(~isempty(regexp(text, 'ends\s*$', 'once')));
end

function A = numbers(size)
% Small, of both signs, and different.
A = reshape(mod(7 * (1:prod(size)), 23) - 9, size) / 2;
end
