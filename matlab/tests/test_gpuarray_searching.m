function tests = test_gpuarray_searching
%TEST_GPUARRAY_SEARCHING  Sets, places, bits, integer division, inverse error functions, the word 'all' and texts of errors of gpuArrays.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_members(backend)
gpuDevice(backend);
for pair = {{[3 1 4 1 5 9 NaN], [1 5 NaN 7]}, {[3 1; 4 1], [9 4 4]}, {int16([3 1 4]), int16([4 4 3])}, {[], [1 2]}, {[1 2], []}, ...
            {single([1 2 3]), [2 3.5]}, {[true false], [true true]}, {zeros(0, 3), 1}}
    for on_device = {1, 2, 1:2}
        given = pair{1};
        for k = on_device{1}
            given{k} = gpuArray(given{k});
        end
        [want, want_at] = ismember(pair{1}{:});
        [got, at] = ismember(given{:});
        assert(isequal(gather(got), want) && isequal(gather(at), want_at) && islogical(gather(got)));
        assert(isgpuarray(got) && isequal(gather(ismember(given{:})), want));
    end
end
for name = {'union', 'intersect', 'setdiff', 'setxor'}
    agrees(name{1}, {[3 1 4 1 5], [1 5 9]}, 1:2);
end
edges = [1 2.5 3 7];
x = [0 1 2.5 2.6 7 8; 3 3 1 NaN 7 2.5];
agrees('lookup', {edges, x, 'm'}, 1:2);
agrees('lookup', {edges, x, 'b'}, 2);
agrees('lookup', {[], x, 'm'}, 2);
refuses('lookup', @(zero) lookup(edges, x + zero, 'l'));
end

function test_order(backend)
gpuDevice(backend);
for x = {[1 2 2 3], [3 2 2 1], [1 3 2], [1 2 NaN], [NaN 2 1], [NaN 1 2], 5, zeros(1, 0), int8([1; 2]), [NaN NaN]}
    assert(issorted(gpuArray(x{1})) == issorted(x{1}));
    for mode = {'ascend', 'descend'}
        assert(issorted(gpuArray(x{1}), mode{1}) == issorted(x{1}, mode{1}), '%s %s', mat2str(x{1}), mode{1});
    end
end
assert(issorted(gpuArray([3 2]), 'either') && issorted(gpuArray([2 3]), 'either') && ~issorted(gpuArray([2 3 1]), 'either'));
refuses('issorted', @(zero) issorted([1 2] + zero, 'rows'));
end

function test_all_elements(backend)
% The word of MATLAB, which Octave's own functions do not take.
gpuDevice(backend);
A = mod(reshape(7 * (1:24), 2, 3, 4), 23) - 9;
g = gpuArray(A);
assert(isequal(gather(sum(g, 'all')), sum(A(:))) && isequal(gather(prod(g / 10, 'all')), prod(A(:) / 10)));
assert(isequal(gather(mean(g, 'all')), mean(A(:))) && gather(any(g > 12, 'all')) && ~gather(all(g > 0, 'all')));
[most, at] = max(g, [], 'all');
[want, place] = max(A(:));
assert(isequal(gather([most at]), [want place]) && isequal(gather(min(g, [], 'all')), min(A(:))));
assert(isequal(gather(sum(gpuArray(int8([100 100])), 'all', 'native')), int8(127)));
end

function test_single_bits(backend)
gpuDevice(backend);
for type = {'uint8', 'int8', 'uint32', 'int64', 'double', 'single'}
    A = cast([0 1 5 100 77], type{1});
    for n = {1, 3, [1 2 3 4 7]}
        agrees('bitget', {A, n{1}}, 1);
        agrees('bitset', {A, n{1}}, 1);
        agrees('bitset', {A, n{1}, 0}, 1);
    end
    agrees('bitset', {A, 2, [true false true false true]}, 1);
    agrees('bitcmp', {A}, 1);
    agrees('bitcmp', {A, 3}, 1);
end
agrees('bitget', {int8(-100), 8}, 1);
agrees('bitget', {single([3 1 2 16777215]), single([1 2 2 24])}, 1:2);
agrees('bitset', {single([3 1 2 0]), single([1 2 3 24])}, 1:2);
agrees('bitset', {single([3 1 2 7]), 1, [1 0 1 0]}, 1);
refuses('bitget', @(zero) bitget([3 1] + zero, [1.5 2]), 'bitget: N must be whole numbers');
refuses('bitset', @(zero) bitset([3 1] + zero, [1.5 2]), 'bitset: N must be whole numbers');
refuses('bitget', @(zero) bitget(uint8(1) + zero, 9), 'bitget: N must be in the range [1,8]');
refuses('bitset', @(zero) bitset(zero - 1, 1), 'bitset: A must be >= 0');
end

function test_integer_division(backend)
gpuDevice(backend);
for operation = {'fix', 'round', 'floor', 'ceil'}
    for pair = {{int32([-7 7 -8 9]), int32(2)}, {int32([7 -9]), int32([3 -2])}, {uint8(200), uint8([7; 9])}, {int16([5 -5]), 2}}
        agrees('idivide', [pair{1} operation], 1);
        agrees('idivide', [pair{1} operation], 1:2);
    end
end
refuses('idivide', @(zero) idivide(int8(4) + zero, int16(2)), 'idivide: integer type of X (int8) must match integer type of Y (int16)');
end

function test_inverse_error_functions(backend)
% Against exact values; those of Octave are 10^-9 from them for arguments near 1.
gpuDevice(backend);
x = [-0.999999 0.99 1-1e-10 1-eps/2 0.3 1e-300 1e-5 0.5 0.7 -0.7 0];
y = [-3.4589107372754988 1.8213863677184495 4.5728249585449249 5.8635847487551679 0.27246271472675435 8.8622692545275804e-301 ...
    8.8622692547595945e-6 0.47693627620446987 0.73286907795921678 -0.73286907795921678 0];
got = gather(erfinv(gpuArray(x)));
assert(all(abs(got - y) <= 16 * eps(abs(y))), '%.17g ', got);
x = [1e-300 1e-100 1e-16 1e-5 1e-310 2-eps 1 0.5];
y = [26.209469960516124 15.065574702592646 5.8723700904539631 3.123413274340875 26.644806559364765 -5.8050186831934533 0 ...
    0.47693627620446987];
got = gather(erfcinv(gpuArray(x)));
assert(all(abs(got - y) <= 16 * eps(abs(y))), '%.17g ', got);
agrees('erfinv', {single([-0.9 0 0.3; 0.5 -0.99 0.999])}, 1);
assert(isequaln(gather(erfinv(gpuArray([1 -1 1.5 NaN -2]))), [Inf -Inf NaN NaN NaN]));
assert(isequaln(gather(erfcinv(gpuArray([0 2 -1 3 NaN]))), [Inf -Inf NaN NaN NaN]));
refuses('erfinv', @(zero) erfinv(int8(1) + zero));
end

function test_texts_of_errors(backend)
% Those of Octave's own arrays, word for word.
gpuDevice(backend);
A = magic(3);
calls = {@(x) x(0), @(x) x(1.5), @(x) x(10), @(x) x(4, 1), @(x) x(1, 2, 3), @(x) x + ones(2), @(x) x * ones(2), @(x) reshape(x, 2, 4), ...
    @(x) subsasgn(x, substruct('()', {1:2}), x(1:3)), @(x) subsasgn(x, substruct('()', {12}), []), @(x) sum(x, 0), @(x) cumsum(x, -1), ...
    @(x) max(x, [], 0), @(x) sort(x, 0), @(x) cummax(x, 0), @(x) permute(x, [1 1]), @(x) permute(x, [1 3]), ...
    @(x) find(x, -1), @(x) inv(x(1:2, :)), @(x) chol(-x), @(x) x(1:2, :)^2, @(x) dot(x, x(1:2, :)), @(x) conv2(x, 1, 'other'), ...
    @(x) sort(x, 'up'), @(x) int8(x) + int8([1 2]), @(x) mat2str(cat(3, x, x)), @(x) accumarray([0; 1], x(1:2)'), @(x) polyval({}, x)};
for k = 1:numel(calls)
    texts = {'', ''};
    given = {A, gpuArray(A)};
    for j = 1:2
        try
            calls{k}(given{j});
        catch problem
            texts{j} = problem.message;
        end
    end
    texts = regexprep(texts, '^x\(', 'index (');
    assert(~isempty(texts{1}) && strcmp(texts{:}), '%s: "%s", not "%s"', func2str(calls{k}), texts{[2 1]});
end
for f = {@kron, @conv, @filter, @accumarray, @linsolve, @bsxfun}
    message = '';
    try
        f{1}(gpuArray(1));
    catch problem
        message = problem.message;
    end
    assert(strncmp(message, 'Invalid call to', 15), message);
end
message = check_refused('gpumex:gpuArray:notServed', @() char(gpuArray([97 98])));
assert(strncmp(message, 'char:', 5), message);
end
