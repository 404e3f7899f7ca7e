function tests = test_gpuarray_solve
%TEST_GPUARRAY_SOLVE  LU factors and systems of equations on gpuArrays: backward errors, singular matrices, what is refused.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_systems_have_small_backward_errors(backend)
gpuDevice(backend);
for n = [1 2 5 63 64 65 128 200]
    for name = {'double', 'single'}
        A = cast(sample_matrix(n), name{1});
        B = cast(mod(7 * reshape(1:3 * n, n, 3), 11), name{1});
        X = gpuArray(A) \ B;
        Y = B.' / gpuArray(A);
        assert(isgpuarray(X) && isgpuarray(Y) && strcmp(underlyingType(X), name{1}) && isequal(size(X), [n 3]) && isequal(size(Y), [3 n]));
        u = eps(name{1});
        assert(norm(A * gather(X) - B, 'fro') <= 8 * u * n * norm(A, 'fro') * norm(gather(X), 'fro'));
        assert(norm(gather(Y) * A - B.', 'fro') <= 8 * u * n * norm(A, 'fro') * norm(gather(Y), 'fro'));
    end
end
end

function test_factors(backend)
gpuDevice(backend);
for shape = {[3 3], [100 100], [130 70], [70 130], [0 0], [1 1]}
    A = sample_matrix(max(max(shape{1}), 1));
    A = A(1:shape{1}(1), 1:shape{1}(2));
    [L, U, P] = lu(gpuArray(A));
    [wantL, wantU] = lu(A);
    assert(isequal(size(L), size(wantL)) && isequal(size(U), size(wantU)), mat2str(size(L)));
    assert(norm(gather(L * U - P * A), 'fro') <= 1e-13 * max(1, norm(A, 'fro')));
    assert(isequal(gather(L), tril(gather(L))) && isequal(gather(U), triu(gather(U))));
    [L, U, p] = lu(gpuArray(A), 'vector');
    assert(norm(gather(L * U) - A(p, :), 'fro') <= 1e-13 * max(1, norm(A, 'fro')));
    [L, U] = lu(gpuArray(A));
    assert(norm(gather(L * U) - A, 'fro') <= 1e-13 * max(1, norm(A, 'fro')));
end
end

function test_inverse_and_determinant(backend)
gpuDevice(backend);
A = sample_matrix(90);
assert(norm(gather(inv(gpuArray(A)) * A) - eye(90), 'fro') < 1e-10);
assert(abs(gather(det(gpuArray(A))) / det(A) - 1) < 1e-10);
assert(gather(det(gpuArray([0 1; 1 0]))) == -1 && gather(det(gpuArray(zeros(0)))) == 1);
assert(isequal(gather(gpuArray([2 0; 0 4]) \ [1; 1]), [0.5; 0.25]) && isequal(size(gpuArray(zeros(0)) \ zeros(0, 3)), [0 3]));
end

function test_cholesky_factors(backend)
gpuDevice(backend);
for n = [0 1 3 64 65 150]
    A = sample_matrix(max(n, 1));
    A = A(1:n, 1:n) * A(1:n, 1:n)' + n * eye(n);
    for form = {'upper', 'lower'}
        [R, p] = chol(gpuArray(A), form{1});
        assert(isgpuarray(R) && p == 0 && norm(gather(R) - chol(A, form{1}), 'fro') <= 1e-13 * norm(A, 'fro'));
    end
    assert(norm(gather(chol(gpuArray(single(A)))) - chol(A), 'fro') <= 1e-5 * norm(A, 'fro'));
end
z = [4 1i; -1i 3];
assert(norm(gather(chol(gpuArray(z))) - chol(z), 'fro') < 1e-14);
A = eye(100);
for k = [1 2 64 65 100]
    B = A;
    B(k, k) = -1;
    [R, p] = chol(gpuArray(B));
    [want, at] = chol(B);
    assert(p == at && isequal(gather(R), want) && isequal(size(R), size(want)));
end
assert(~isempty(strfind(check_refused('', @() chol(gpuArray(-1))), 'positive definite')));
end

function test_singular_matrices_are_warned_of(backend)
gpuDevice(backend);
said = evalc('X = gpuArray([1 2; 2 4]) \ [1; 1];');
assert(isequal(gather(X), [Inf; Inf]) && ~isempty(strfind(said, 'singular')));
said = evalc('X = gpuArray(magic(4)) \ ones(4, 1);');
assert(numel(strfind(said, 'warning: matrix singular')) == 1, said);
end

function test_what_is_refused(backend)
gpuDevice(backend);
g = gpuArray(ones(3, 2));
for f = {@() g \ ones(3, 1), @() ones(1, 2) / g, @() linsolve(g, ones(3, 1)), @() linsolve(g, 1, struct('LT', true)), ...
         @() gpuArray(ones(3)) \ ones(2, 1), @() gpuArray(int8(magic(3))) \ ones(3, 1), @() inv(g), @() det(g), @() lu(g, 'foo'), ...
         @() lu(gpuArray(int8(1))), @() gpuArray(magic(3)) ^ 0.5}
    try
        f{1}();
    catch
        continue
    end
    error('%s is not refused', func2str(f{1}));
end
message = check_refused('gpumex:gpuArray:notServed', @() g \ ones(3, 1));
assert(~isempty(strfind(message, 'mldivide')) && ~isempty(strfind(message, '3x2')), message);
end

function A = sample_matrix(n)
% Of condition below some thousands, with rows that have to be interchanged.
A = mod(37 * reshape(1:n * n, n, n).^2 + 11 * reshape(1:n * n, n, n), 101) / 101 - 0.5;
A = A + fliplr(n / 4 * eye(n));
end
