function tests = test_matmul
%TEST_MATMUL  gpumex.matmul against plain loops and against the product of MATLAB in double precision.
tests = localfunctions();
end

function test_small_products_are_those_of_plain_loops(backend)
sizes = {[1 1 1], [1 7 1], [7 1 5], [2 2 2], [3 5 4], [16 16 16], [17 15 19], [33 32 31]};
for k = 1:numel(sizes)
    [A, B] = whole_numbers(sizes{k});
    check_variants(backend, A, B, by_loops(A, B));
end
end

function test_large_products_stay_within_the_bound(backend)
[A, B] = fractions([200 300 100]);
exact = double(single(A)) * double(single(B));
variants = variants_on(backend, {'naive', 'blocked'});
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    C = gpumex.matmul(single(A), single(B), options{:});
    check_bound(C, exact, abs(A) * abs(B), 300, variants{k});
    check_bound(gpumex.matmul(A, B, options{:}), A * B, 2 * abs(A) * abs(B), 300, variants{k});
end
end

function test_nothing_is_transposed(backend)
A = [1 2 3; 4 5 6];
B = [7 8; 9 10; 11 12];
assert(isequal(gpumex.matmul(A, B, 'Backend', backend), [58 64; 139 154]));
assert(isequal(gpumex.matmul(B, A, 'Backend', backend), [39 54 69; 49 68 87; 59 82 105]));
assert(isequal(gpumex.matmul(A, B, 'Backend', backend).', gpumex.matmul(B.', A.', 'Backend', backend)));
end

function test_no_inner_dimension_gives_zeros(backend)
check_variants(backend, zeros(3, 0), zeros(0, 4), zeros(3, 4));
end

function test_a_product_without_elements_has_its_size(backend)
check_variants(backend, zeros(0, 3), ones(3, 4), zeros(0, 4));
check_variants(backend, ones(3, 4), zeros(4, 0), zeros(3, 0));
check_variants(backend, [], [], []);
end

function test_ranges_identity_and_permutation_are_matrices(backend)
permutation = eye(3);
permutation = permutation(:, [2 3 1]);
assert(isequal(gpumex.matmul(1:3, (1:3).', 'Backend', backend), 14));
assert(isequal(gpumex.matmul(eye(3), magic(3), 'Backend', backend), magic(3)));
assert(isequal(gpumex.matmul(magic(3), permutation, 'Backend', backend), magic(3) * full(permutation)));
end

function test_nan_and_infinity_pass_through(backend)
C = gpumex.matmul([NaN 1; Inf 1], [1; 1], 'Backend', backend);
assert(isnan(C(1)) && C(2) == Inf);
end

function test_the_time_is_a_number_of_milliseconds(backend)
[A, B] = fractions([64 64 64]);
[~, ms] = gpumex.matmul(A, B, 'Backend', backend);
assert(isa(ms, 'double') && isscalar(ms) && ms > 0 && ms < 1e4, 'ms is %g', ms);
end

function check_variants(backend, A, B, want)
variants = variants_on(backend, {'naive', 'blocked'});
for k = 1:numel(variants)
    for name = {'single', 'double'}
        C = gpumex.matmul(feval(name{1}, A), feval(name{1}, B), 'Variant', variants{k}, 'Backend', backend);
        assert(isa(C, name{1}) && isequal(size(C), size(want)) && isequal(C, want), ...
            '%s, %s, %s times %s', variants{k}, name{1}, mat2str(size(A)), mat2str(size(B)));
    end
end
end

function check_bound(C, exact, scale, k, variant)
u = eps(class(C)) / 2;
excess = abs(double(C) - exact) - k * u / (1 - k * u) * scale;
assert(all(excess(:) <= 0), '%s, %s: %g beyond the bound', variant, class(C), max(excess(:)));
end

function [A, B] = whole_numbers(mkn)
% Small enough for every sum to be exact in single precision.
A = mod(reshape(1:mkn(1) * mkn(2), mkn(1), mkn(2)) * 7, 23) - 11;
B = mod(reshape(1:mkn(2) * mkn(3), mkn(2), mkn(3)) * 5, 19) - 9;
end

function [A, B] = fractions(mkn)
[A, B] = whole_numbers(mkn);
A = sin(A + (1:mkn(1)).' * (1:mkn(2)));
B = cos(B + (1:mkn(2)).' * (1:mkn(3)));
end

function C = by_loops(A, B)
C = zeros(size(A, 1), size(B, 2));
for i = 1:size(A, 1)
    for j = 1:size(B, 2)
        for l = 1:size(A, 2)
            C(i, j) = C(i, j) + A(i, l) * B(l, j);
        end
    end
end
end
