function tests = test_gpuarray_complex
%TEST_GPUARRAY_COMPLEX  Complex gpuArrays of Octave: what is served gives what Octave's own arrays give, the rest is an error.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_they_come_back_as_they_were(backend)
gpuDevice(backend);
arrays = {3 + 4i, [1 2i -3], single([1i; 2]), complex([1 2], [0 0]), complex(3, 0), complex(single(2), 0), complex(zeros(0, 3)), ...
    reshape((1:24) * (1 - 2i), 2, 3, 4), [NaN + 1i, complex(Inf, -0), complex(-0, NaN)]};
for x = arrays
    g = gpuArray(x{1});
    y = gather(g);
    assert(isgpuarray(g) && iscomplex(g) && ~isreal(g) && isnumeric(g) && isfloat(g) && strcmp(underlyingType(g), class(x{1})));
    assert(iscomplex(y) && strcmp(class(y), class(x{1})) && isequal(size(y), size(x{1})));
    assert(isequaln(real(y), real(x{1})) && isequaln(imag(y), imag(x{1})));
    assert(isequaln(1 ./ imag(y), 1 ./ imag(x{1})));    % the sign of 0
end
end

function test_operators(backend)
operators = {@plus, @minus, @times, @rdivide, @ldivide, @power, @eq, @ne, @and, @or};
for_pairs(backend, operators, {'and', 'or', 'eq', 'ne'});
for f = {@uminus, @uplus, @not, @ctranspose, @transpose, @(z) z.^2, @(z) z.^-1, @(z) 2i * z, @(z) z / (1 - 1i), @(z) z + 1}
    for z = samples()
        agrees(f{1}, z);
    end
end
end

function for_pairs(backend, operators, exact)
gpuDevice(backend);
real_one = [1 -2 3; 4 0.5 -6];
[a, b] = deal([1+2i -3 0.5-1i; 2i -2-0.5i 4], [0.3-2i 1i 2; -1 3+3i 1-1i]);
for f = operators
    for pair = {{a, b}, {a, real_one}, {real_one, b}, {single(a), b}, {a, true}, {2 - 1i, b}, {a(:, 1), b(1, :)}, {single(2), b}}
        if any(strcmp(func2str(f{1}), exact))
            assert(isequal(gather(f{1}(gpuArray(pair{1}{1}), pair{1}{2})), f{1}(pair{1}{:})));
        else
            agrees(f{1}, pair{1});
        end
    end
end
end

function test_functions(backend)
gpuDevice(backend);
names = {'abs', 'real', 'imag', 'conj', 'arg', 'angle', 'sqrt', 'exp', 'log', 'log2', 'log10', 'log1p', 'expm1', 'sin', 'cos', 'tan', ...
    'sinh', 'cosh', 'tanh', 'asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh', 'floor', 'ceil', 'round', 'fix', 'sign', 'isnan', ...
    'isinf', 'isfinite', 'double', 'single', 'isreal', 'iscomplex'};
for name = names
    for z = samples()
        agrees(str2func(name{1}), z);
    end
end
for name = {'asin', 'acos', 'atan', 'asinh', 'acosh', 'atanh'}
    z = (-2:0.37:2)' + 1i * (-2:0.43:2);        % all quadrants; the axes are in samples
    agrees(str2func(name{1}), {z});
end
end

function test_zeros_have_their_sign(backend)
gpuDevice(backend);
[re, im] = meshgrid([0 -0 1 -1 3 -3 NaN]);           % with NaN no result is real
z = complex(re, im);
for number = {1, -1, 0, 2, complex(1, 0), complex(-1, -0), 2i, complex(-0, 1)}
    for f = {@rdivide, @(x, y) y ./ x, @plus, @minus, @(x, y) y - x, @times}
        agrees_in_signs(f{1}, z, number{1});
    end
    for f = {@plus, @minus, @times}                 % quotients of single by another formula have other signs in Octave, too
        agrees_in_signs(f{1}, single(z), number{1});
    end
end
agrees(@(z) acosh(1 ./ z), {complex([3 -3 0.5 1], [0 0 0 2])});
agrees(@(z) asech(z), {complex([3 -3 0.5 1], [0 0 0 2])});
end

function agrees_in_signs(f, z, number)
[want, got] = deal(f(z, number), gather(f(gpuArray(z), number)));
for part = {@real, @imag}
    [x, y] = deal(part{1}(got), part{1}(want));
    differ = isnan(x) ~= isnan(y) | (x == 0) ~= (y == 0) | (x == 0 & 1 ./ x ~= 1 ./ y) | abs(x - y) > 1e-6 * abs(y);
    assert(~any(differ(:)), '%s of %s and %s', func2str(f), mat2str(z(differ).'), mat2str(number));
end
end

function test_parts_of_real_arrays(backend)
gpuDevice(backend);
for x = {[1 -2 0], single([1 -2]), int8([1 -2]), [true false], -3}
    for f = {@real, @imag, @conj}
        agrees(f{1}, x);
    end
end
agrees(@arg, {[1 -2 0 -0]});
agrees(@complex, {[1 2], [3 4]});
agrees(@complex, {single([1 2]), 3});
agrees(@complex, {[1 2]});
agrees(@complex, {true, [1 0]});
assert(iscomplex(complex(gpuArray(1), 0)) && iscomplex(gather(complex(gpuArray([1 2])))));
check_refused('gpumex:gpuArray:complex', @() gather(sqrt(gpuArray([1 -1]))));
message = check_refused('gpumex:gpuArray:complex', @() log(gpuArray(-1)));
assert(~isempty(strfind(message, 'log (complex (x)) gives it')), message);
assert(abs(gather(sqrt(complex(gpuArray(-4)))) - 2i) < 1e-15);
message = check_refused('gpumex:gpuArray:complex', @() gather(gpuArray([-1 1]) .^ 0.5));
assert(~isempty(strfind(message, 'complex (x) .^ y')), message);
end

function test_reductions_and_products(backend)
gpuDevice(backend);
[a, b] = deal([1+2i -3 0.5-1i; 2i -2-0.5i 4], [0.3-2i 1i 2; -1 3+3i 1-1i]);
big = reshape(exp(1i * (1:6000)), 60, []);
for f = {@(z, w) sum(z), @(z, w) sum(z, 2), @(z, w) prod(z), @(z, w) mean(z), @(z, w) cumsum(z, 2), @(z, w) sumsq(z), ...
         @(z, w) dot(z, w), @(z, w) z * w.', @(z, w) z' * w, @(z, w) any(z), @(z, w) all(z), @(z, w) nnz(z), @(z, w) diff(z), ...
         @(z, w) norm(z(:)), @(z, w) norm(z, 1), @(z, w) trapz(z), @(z, w) var(z), @(z, w) kron(z, w), @(z, w) conv2(z, w), ...
         @(z, w) conv2(z, real(w), 'same'), @(z, w) conv2(real(z), w), @(z, w) filter([1 2i], 1, z), @(z, w) polyval([1 2i 3], z), ...
         @(z, w) accumarray([1; 2; 1], z(1, :).'), @(z, w) interp1([1 2 3], z(1, :), [1.5 2.5]), @(z, w) sum(z, 'double')}
    agrees(f{1}, {a, b});
    agrees(f{1}, {single(a), b});
end
pages = cat(3, a, b);
agrees(@(z) pagefun_or_loop(@ctranspose, z), {pages});
agrees(@(z) pagefun_or_loop(@transpose, z), {pages});
agrees(@(z) pagemtimes(z, permute(z, [2 1 3])), {pages});
for f = {@std, @meansq, @toeplitz, @hankel, @vander, @cumtrapz, @gradient, @mean, @vecnorm, @(v) cov(v), @(v) norm(v, Inf), @(v) norm(v, 3), ...
         @(v) norm(v, 'fro'), @(v) linspace(v(1), v(2), 5), @(v) fliplr(v), @(v) v * v', @(v) polyval(v, 2), @(v) xor(v, 0), ...
         @(v) merge(true, v, 2), @(v) idx_of_largest(v), @(v) complex(v), @(v) del2(v), @(v) triu(v.' * v), @(v) v .^ (1:4)}
    agrees(f{1}, {[1+2i 3 0.5-1i 2i]});
end
agrees(@(z) sum(z), {big});
agrees(@(z) sum(z(:)), {big});
agrees(@(z) z(:, 1:60) * z, {big});
agrees(@(z, b) z \ b, {big(:, 1:60) + 60 * eye(60), big(:, 3)});
agrees(@(z) inv(z), {big(1:5, 1:5) + 3 * eye(5)});
agrees(@(z) det(z), {big(1:5, 1:5) + 3 * eye(5)});
agrees(@(z) z^3, {big(1:5, 1:5)});
end

function k = idx_of_largest(v)
[~, k] = max(abs(v));
end

function y = pagefun_or_loop(f, z)
if isgpuarray(z)
    y = pagefun(f, z);
    return
end
for k = 1:size(z, 3)
    y(:, :, k) = f(z(:, :, k));
end
end

function test_indices_and_shapes(backend)
gpuDevice(backend);
a = [1+2i -3 0.5-1i; 2i -2-0.5i 4];
for f = {@(z) z(2, :), @(z) z(abs(z) > 2), @(z) z([1 2 1], end), @(z) [z; z], @(z) [z, [1; 2]], @(z) [1i z(1, :)], ...
         @(z) repmat(z, 2, 2), @(z) permute(z, [2 1]), @(z) reshape(z, 3, 2), @(z) z(:), @(z) find(z), @(z) tril(z), @(z) diag(z), ...
         @(z) circshift(z, 1), @(z) fliplr(z), @(z) cat(3, z, z), @(z) z(:, 2).', @(z) z(:, 2)'}
    agrees(f{1}, {a});
    agrees(f{1}, {single(a)});
end
for change = {{@(z) assign(z, 5, 2), a}, {@(z) assign(z, 1i, ':'), a}, {@(z) assign(z, 1 + 2i, [1 2], 2), [1 2 3; 4 5 6]}, ...
              {@(z) assign(z, [1i 2i], 1:2), single([1 2 3])}, {@(z) assign(z, 2i, 5), true(1, 3)}, ...
              {@(z) assign(z, 2i, [true false true; false true true]), a}, {@(z) assign(z, [], 1, ':'), a}}
    agrees(change{1}{1}, change{1}(2));
end
assert(isequal(a, a) && isequal(gpuArray(a), a) && ~isequal(gpuArray(a), conj(a)));
assert(iscomplex(zeros(2, 'like', gpuArray(1i))) && isequal(gather(ones(2, 'like', gpuArray(1i))), ones(2)));
assert(isequal(gather(eye(2, 'like', gpuArray(single(1i)))), single(eye(2))));
assert(isequal(gather(arrayfun(@(z) z^2 + 1, gpuArray(a))), a.^2 + 1));
end

function z = assign(z, value, varargin)
if isempty(value)
    z(varargin{:}) = [];
else
    z(varargin{:}) = value;
end
end

function test_conditions_and_text(backend)
gpuDevice(backend);
taken = false;
if gpuArray([1i 2])
    taken = true;
end
assert(taken && ~any(gpuArray(complex([0 0]))));
g = gpuArray([1+2i 3]);
assert(~isempty(strfind(evalc('g'), 'g = gpuArray complex double 1x2')) && ~isempty(strfind(evalc('g'), '1 + 2i')));
assert(strcmp(num2str(g), num2str([1+2i 3])) && strcmp(disp(g), disp([1+2i 3])));
h = gpuArray(3 - 1i);
assert(strcmp(strrep(strtrim(evalc('h')), '  ', ' '), 'h = 3 - 1i'));
end

function test_files(backend)
gpuDevice(backend);
file = tempname;
remove = onCleanup(@() delete(file));
for option = {'-text', '-binary'}
    g = gpuArray([1+2i 3; 4 5]); n = gpuArray(single(2 - 1i)); c = gpuArray(complex([1 2]));
    save(option{1}, file, 'g', 'n', 'c');
    s = load(file);
    assert(isgpuarray(s.g) && isequal(gather(s.g), gather(g)) && isequal(gather(s.n), single(2 - 1i)));
    assert(strcmp(underlyingType(s.n), 'single') && iscomplex(s.c));
end
end

function test_what_has_no_meaning_is_refused(backend)
gpuDevice(backend);
z = gpuArray([1+2i 3]);
calls = {@() z < 1, @() max(z), @() min(z, 1), @() sort(z), @() unique(z), @() median(z), @() cumprod(z), @() cummax(z), @() int8(z), ...
    @() logical(z), @() mod(z, 2), @() atan2(z, 1), @() gamma(z), @() erf(z), @() cbrt(z), @() typecast(z, 'uint8'), @() bitand(z, 1), ...
    @() subsasgn(gpuArray(int8([1 2])), substruct('()', {1}), z(1)), @() medfilt2(z)};
for k = 1:numel(calls)
    message = check_refused('gpumex:gpuArray:complex', calls{k});
    assert(~isempty(strfind(message, 'complex')), message);
end
message = check_refused('Octave:undefined-function', @() z + int8(1));
assert(~isempty(strfind(message, 'complex double')), message);
assert(~isempty(strfind(check_refused('gpumex:gpuArray:complex', @() z < 1), 'compare real (x) or abs (x)')));
quiet = warning('off', 'gpumex:gpuArray:concatenation');
back = onCleanup(@() warning(quiet));
check_refused('gpumex:gpuArray:mixedClasses', @() horzcat(z, int8(1)));
end

function list = samples()
list = {[1+2i -3 0.5-1i; 2i -2-0.5i 4], single([1+2i -3 0.5-1i]), 0.3 - 0.7i, complex(2, 0), complex([-3 0.5]), complex(zeros(0, 2))};
end

function agrees(f, given)
% The function of the same arrays, the first one on the device, then all of them. A sum of products that Octave makes real stays complex.
want = f(given{:});
device = cellfun(@gpuArray, given, 'UniformOutput', false);
for inputs = {[device(1) given(2:end)], device}
    got = gather(f(inputs{1}{:}));
    text = [func2str(f) ' of ' strjoin(cellfun(@(x) [class(x) ' ' mat2str(x(:, :), 4)], given, 'UniformOutput', false), ', ')];
    if numel(text) > 300
        text = text(1:300);
    end
    assert(strcmp(class(got), class(want)), '%s is %s, not %s', text, class(got), class(want));
    assert(isequal(size(got), size(want)), '%s is %s, not %s', text, mat2str(size(got)), mat2str(size(want)));
    accuracy = 1e-12;
    if isa(want, 'single')
        accuracy = 1e-5;
    end
    x = double(got(:)); y = double(want(:));
    near = abs(x - y) <= accuracy * max([1; abs(y(isfinite(y)))]) | x == y | (isnan(x) & isnan(y));
    assert(all(near), '%s is %s, not %s', text, mat2str(x, 6), mat2str(y, 6));
end
end
