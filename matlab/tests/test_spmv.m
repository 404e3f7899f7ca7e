function tests = test_spmv
%TEST_SPMV  gpumex.spmv against the product of MATLAB, and other semirings against loops.
tests = localfunctions();
end

function test_products_of_every_shape(backend)
for shape = {[1 1], [5 5], [3 70], [70 3], [300 200], [1 500], [500 1], [0 4], [4 0], [0 0]}
    for density = [0 0.02 0.3 1]
        check(backend, whole_numbers(shape{1}, density));
    end
end
end

function test_rows_without_entries_and_a_full_one(backend)
A = sparse([1 5 5 9], [2 1 3 3], [1 2 3 4], 12, 4);
A(7, :) = 1:4;
check(backend, A);
check(backend, A.');
end

function test_fractions_stay_within_the_bound(backend)
rand('twister', 1);
A = sparse(rand(200) .* (rand(200) < 0.2)) - 0.1 * speye(200);
x = sin(1:200).';
error = abs(gpumex.spmv(A, x, 'Backend', backend) - A * x);
assert(all(error <= 200 * eps * (abs(A) * abs(x))));
end

function test_semirings(backend)
A = whole_numbers([40 30], 0.2);
[add, times] = deal({@min, @max, @min, @max, @min, @max}, {@plus, @plus, @times, @times, @max, @min});
names = {'min-plus', 'max-plus', 'min-times', 'max-times', 'min-max', 'max-min'};
for k = 1:numel(names)
    x = mod(1:30, 7).' - 3;
    y = gpumex.spmv(A, x, 'Semiring', names{k}, 'Backend', backend);
    check_same(y, by_loops(A, x, add{k}, times{k}));
    z = gpumex.spmv(A.', x, 'Transpose', true, 'Semiring', names{k}, 'Backend', backend);
    check_same(z, y);
end
end

function test_shortest_ways(backend)
roads = sparse([1 1 2 3], [2 3 4 4], [7 2 1 3], 4, 4);
far = [0; Inf; Inf; Inf];
for step = 1:3
    far = min(far, gpumex.spmv(roads, far, 'Transpose', true, 'Semiring', 'min-plus', 'Backend', backend));
end
check_same(far, [0; 7; 2; 5]);
end

function test_inputs_stay_as_they_are(backend)
A = whole_numbers([20 10], 0.3);
B = A;
gpumex.spmv(A, ones(10, 1), 'Backend', backend);
assert(isequal(A, B));
end

function test_bad_input_is_refused(backend)
for A = {1, eye(3), sparse(true), sparse(1i), 'a', {1}, single(1), gpumex.array(1, 'Backend', backend)}
    check_refused('gpumex:spmv:invalidMatrix', @() gpumex.spmv(A{1}, 1, 'Backend', backend));
end
check_no_keys('gpumex:spmv:invalidVector', @(x) gpumex.spmv(sparse(1), x, 'Backend', backend));
for x = {'a', true, int8(1), uint16(1)}
    check_refused('gpumex:spmv:invalidVector', @() gpumex.spmv(sparse(1), x{1}, 'Backend', backend));
end
check_refused('gpumex:spmv:invalidVector', @() gpumex.spmv(speye(4), ones(2), 'Backend', backend));
check_refused('gpumex:spmv:invalidVector', @() gpumex.spmv(sparse(1), single(1), 'Backend', backend));
check_refused('gpumex:spmv:sizeMismatch', @() gpumex.spmv(sparse(ones(2, 3)), [1; 2], 'Backend', backend));
check_refused('gpumex:spmv:sizeMismatch', @() gpumex.spmv(sparse(ones(2, 3)), 1:3, 'Transpose', true, 'Backend', backend));
check_refused('gpumex:spmv:invalidTranspose', @() gpumex.spmv(sparse(1), 1, 'Transpose', 'yes', 'Backend', backend));
check_refused('gpumex:spmv:invalidSemiring', @() gpumex.spmv(sparse(1), 1, 'Semiring', 'plus', 'Backend', backend));
check_refused('gpumex:spmv:argumentCount', @() gpumex.spmv(sparse(1)));
end

function check(backend, A)
[m, n] = size(A);
[x, z] = deal(mod(1:n, 5) - 2, mod(1:m, 5).' - 2);
variants = variants_on(backend, {});
for k = 1:numel(variants)
    options = {'Variant', variants{k}, 'Backend', backend};
    check_same(gpumex.spmv(A, x, options{:}), full(A * x.'));
    check_same(gpumex.spmv(A, z, 'Transpose', true, options{:}), full(A.' * z));
end
y = gpumex.spmv(A, gpumex.array(x, 'Backend', backend), 'Backend', backend);
assert(isa(y, 'gpumex.array'));
check_same(gather(y), full(A * x.'));
end

function A = whole_numbers(shape, density)
rand('twister', 7);
A = sparse(round(20 * rand(shape) - 10) .* (rand(shape) < density));
end

function y = by_loops(A, x, add, times)
y = nan(size(A, 1), 1);
for i = 1:size(A, 1)
    columns = find(A(i, :));
    for j = columns
        y(i) = add(y(i), times(full(A(i, j)), x(j)));
    end
end
end
