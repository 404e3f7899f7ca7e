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
variants = exact_variants(backend);
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    C = gpumex.matmul(single(A), single(B), options{:});
    check_bound(C, exact, abs(A) * abs(B), 300, 0, variants{k});
    check_bound(gpumex.matmul(A, B, options{:}), A * B, 2 * abs(A) * abs(B), 300, 0, variants{k});
end
C = served(@() gpumex.matmul(single(A), single(B), 'Variant', 'tf32', 'Backend', backend), exact);
check_bound(single(C), exact, abs(A) * abs(B), 300, 2^-10, 'tf32');
C = served(@() gpumex.matmul(A, B, 'Variant', 'cublas', 'Backend', backend), A * B);
check_bound(C, A * B, 2 * abs(A) * abs(B), 300, 0, 'cublas');
end

function test_tf32_is_of_single(backend)
message = check_refused('gpumex:matmul:unsupported', @() gpumex.matmul(1, 1, 'Variant', 'tf32', 'Backend', backend));
assert(~isempty(strfind(message, 'variant is ''tf32'', which rounds')), message);
end

function test_cublas_is_of_cuda(backend)
if strcmp(backend, 'cpu')
    message = check_refused('gpumex:matmul:unsupported', @() gpumex.matmul(1, 1, 'Variant', 'cublas', 'Backend', 'cpu'));
    assert(~isempty(strfind(message, 'variant is ''cublas''')), message);
end
end

function test_transposes_are_those_of_the_operator(backend)
sizes = {[1 1 1], [3 5 4], [1 9 7], [40 33 65], [2 0 3], [0 4 2]};
variants = exact_variants(backend);
for s = 1:numel(sizes)
    [A, B] = whole_numbers(sizes{s});
    for k = 1:numel(variants)
        for name = {'single', 'double'}
            options = {'Variant', variants{k}, 'Backend', backend};
            [X, Y, want] = deal(feval(name{1}, A), feval(name{1}, B), feval(name{1}, A * B));
            check_same(gpumex.matmul(X.', Y, 'TransA', true, options{:}), want);
            check_same(gpumex.matmul(X, Y.', 'TransB', true, options{:}), want);
            check_same(gpumex.matmul(X.', Y.', 'TransA', true, 'TransB', true, options{:}), want);
            check_same(gpumex.matmul(X, Y, 'TransA', false, 'TransB', 0, options{:}), want);
        end
    end
end
A = whole_numbers([30 20 1]);
check_same(gpumex.matmul(A, A, 'TransA', true, 'Backend', backend), A.' * A);
check_same(gpumex.matmul(A, A, 'transb', 1, 'Backend', backend), A * A.');
check_same(gpumex.matmul(1:3, 4:6, 'TransA', eye(1), 'Backend', backend), (1:3).' * (4:6));
end

function test_pages_are_products_one_by_one(backend)
pages = {{1, 1}, {5, 5}, {5, 1}, {1, 5}, {[2 3], [2 3]}, {1, [3 1 2]}, {0, 0}, {[4 0], 1}};
variants = exact_variants(backend);
for p = 1:numel(pages)
    for k = 1:numel(variants)
        for name = {'single', 'double'}
            A = feval(name{1}, paged([3 4], pages{p}{1}, 7, 23));
            B = feval(name{1}, paged([4 6], pages{p}{2}, 5, 19));
            want = page_by_page(A, B);
            options = {'Variant', variants{k}, 'Backend', backend};
            check_same(gpumex.matmul(A, B, options{:}), want);
            check_same(gpumex.matmul(turned(A), B, 'TransA', true, options{:}), want);
            check_same(gpumex.matmul(A, turned(B), 'TransB', true, options{:}), want);
            C = gpumex.matmul(gpumex.array(A, 'Backend', backend), B, options{:});
            assert(isequal(size(C), size(want)));
            check_same(gather(C), want);
        end
    end
end
check_same(gpumex.matmul(zeros(3, 0, 4), zeros(0, 2, 4), 'Backend', backend), zeros(3, 2, 4));
check_same(gpumex.matmul(zeros(0, 3, 4), ones(3, 2), 'Backend', backend), zeros(0, 2, 4));
end

function test_pages_that_do_not_fit(backend)
for other = {ones(3, 2, 3), ones(3, 2, 0), ones(3, 2, 2, 2)}
    message = check_refused('gpumex:matmul:sizeMismatch', @() gpumex.matmul(ones(2, 3, 4), other{1}, 'Backend', backend));
    assert(~isempty(strfind(message, '2x3x4')) && ~isempty(strfind(message, 'pages')), message);
end
message = check_refused('gpumex:matmul:sizeMismatch', @() gpumex.matmul(ones(2, 3, 4), ones(2, 3, 4), 'Backend', backend));
assert(~isempty(strfind(message, '2x3x4 and B is 2x3x4')) && ~isempty(strfind(message, 'columns')), message);
message = check_refused('gpumex:matmul:sizeMismatch', @() gpumex.matmul(ones(2, 3), ones(3), 'TransA', true, 'Backend', backend));
assert(~isempty(strfind(message, '2x3 transposed')), message);
end

function test_inputs_stay_as_they_are(backend)
A = paged([5 5], 3, 7, 23);
B = A;
gpumex.matmul(A, A, 'TransA', true, 'Backend', backend);
assert(isequal(A, B));
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

function variants = exact_variants(backend)
% Those within the bound of a plain product that every device serves; 'tensor' where this one does.
variants = variants_on(backend, {'naive', 'blocked', 'tiled'});
if isequal(served(@() gpumex.matmul(single(2), single(3), 'Variant', 'tensor', 'Backend', backend), 6), 6)
    variants{end + 1} = 'tensor';
end
end

function C = served(action, instead)
% What action gives, or the other value where its variant is not served here.
try
    C = action();
catch problem
    assert(strcmp(problem.identifier, 'gpumex:matmul:unsupported'), problem.message);
    C = instead;
end
end

function check_variants(backend, A, B, want)
variants = exact_variants(backend);
for k = 1:numel(variants)
    for name = {'single', 'double'}
        C = gpumex.matmul(feval(name{1}, A), feval(name{1}, B), 'Variant', variants{k}, 'Backend', backend);
        assert(isa(C, name{1}) && isequal(size(C), size(want)) && isequal(C, want), ...
            '%s, %s, %s times %s', variants{k}, name{1}, mat2str(size(A)), mat2str(size(B)));
    end
end
end

function check_same(C, want)
assert(strcmp(class(C), class(want)) && isequal(size(C), size(want)) && isequal(C, want), ...
    'got %s of %s, want %s of %s', class(C), mat2str(size(C)), class(want), mat2str(size(want)));
end

function check_bound(C, exact, scale, k, part, variant)
ju = (k + 2 + 8 * strcmp(variant, 'tensor')) * eps(class(C)) / 2;
excess = abs(double(C) - exact) - (ju / (1 - ju) + part) * scale;
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

function A = paged(rows_cols, pages, step, period)
% Pages of small whole numbers.
A = reshape(mod((1:prod([rows_cols pages])) * step, period) - floor(period / 2), [rows_cols pages]);
end

function A = turned(A)
A = permute(A, [2 1 3:ndims(A)]);
end

function C = page_by_page(A, B)
% The product of each page by the system's own; A or B may be one matrix.
[size_a, size_b] = deal(size(A), size(B));
pages = size_a(3:end);
if prod(pages) == 1
    pages = size_b(3:end);
end
C = zeros([size_a(1) size_b(2) pages], class(A));
for p = 1:prod(pages)
    C(:, :, p) = A(:, :, min(p, end)) * B(:, :, min(p, end));
end
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
