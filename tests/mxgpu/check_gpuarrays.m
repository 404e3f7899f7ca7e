function check_gpuarrays
%CHECK_GPUARRAYS  The gateway with gpuArrays that fake.c plays: results lie where the inputs do, and no handle is left behind.
up = @(X) struct('on_gpu', X);

board = true(5, 7); board(2, 3) = false;
check(gpumex.life(up(board), 3), life_oracle(board, 3));
check(gpumex.life(up(uint8(board)), 3), uint8(life_oracle(board, 3)));
check(gpumex.life(up(true(0, 3)), 3), true(0, 3));
[next, ms] = gpumex.life(up(board), 3);
check(next, life_oracle(board, 3));
assert(isa(ms, 'double') && isscalar(ms));

check(gpumex.matmul(up(magic(4)), up(eye(4))), magic(4));
check(gpumex.matmul(up(single(magic(4))), single(eye(4))), single(magic(4)));
check(gpumex.matmul(magic(4), up(eye(4))), magic(4));
check(gpumex.matmul(up([1 2; 3 4; 5 6]), ones(3, 1), 'TransA', true), [9; 12]);
check(gpumex.matmul(up(ones(2, 3, 4)), up(ones(3, 5))), 3 * ones(2, 5, 4));
C = gpumex.matmul(gpumex.array(magic(4)), up(eye(4)));
assert(isa(C, 'gpumex.array') && isequal(gather(C), magic(4)));

counts = gpumex.histogram(up(uint8('to be or not to be')));
check(counts, uint64(gpumex.histogram('to be or not to be')));

check(gpumex.sort_keys(up([3 1 2])), [1 2 3]);
check(gpumex.unique(up(single([3 1 3; 1 2 2]))), single([1; 2; 3]));
check(gpumex.union(up([3 1]), [2 1]), [1 2 3]);
check(gpumex.merge_keys(up([1 3]), up([2 3])), [1 2 3 3]);
check(gpumex.compact(up(int32([5 6 7])), up([true false true])), int32([5 7]));
check(gpumex.interval_expand(up([7 8]), up(uint8([2 1]))), [7 7 8]);
[K, Y] = gpumex.reduce_by_key(up([1 1 4]), up(int32([1 2 3])), 'sum');
check(K, [1 4]);
check(Y, int32([3 3]));
C = gpumex.setdiff(gpumex.array([5 1 1 7]), up([2 5]));
assert(isa(C, 'gpumex.array') && isequal(gather(C), [1 7]));
assert(isequal(gpumex.bulk_remove(1:4, up([2 4])), [1 3]));

spheres = [1 0.5 0 5 0 0 0];
image = gpumex_call('raytrace', {up(single(spheres).'), 16, 12, 'auto', 'auto'}, {}, {});
assert(isequal(image.on_gpu, raytrace_oracle(spheres, 16, 12)));

A = gpumex.array(up(int16([1 2; 3 4])));
assert(isequal(gather(A), int16([1 2; 3 4])));

message = check_refused('gpumex:life:invalidBoard', @() gpumex.life(up(ones(3)), 1));
assert(~isempty(strfind(message, 'gpuArray')), message);
check_refused('gpumex:life:invalidBoard', @() gpumex.life(up(sparse(true(3))), 1));
check_refused('gpumex:life:invalidGenerations', @() gpumex.life(up(board), up(1)));
check_refused('gpumex:life:invalidVariant', @() gpumex.life(up(board), 1, 'Variant', 'none'));
check_refused('gpumex:matmul:complexMatrix', @() gpumex.matmul(up(1i), up(1)));
check_refused('gpumex:matmul:sparseMatrix', @() gpumex.matmul(up(1), up(sparse(1))));
check_refused('gpumex:matmul:invalidMatrix', @() gpumex.matmul(up(true), up(1)));
check_refused('gpumex:matmul:invalidTransB', @() gpumex.matmul(up(1), up(1), 'TransB', up(true)));
check_refused('gpumex:matmul:sizeMismatch', @() gpumex.matmul(up(ones(3)), up(ones(4))));
check_refused('gpumex:matmul:invalidArgument', @() gpumex.matmul(up(zeros(2^32, 0)), zeros(0, 2^32)));
check_refused('gpumex:spmv:invalidMatrix', @() gpumex.spmv(up(speye(3)), ones(3, 1)));
check_refused('gpumex:spmv:invalidMatrix', @() gpumex.spmv(up(eye(3)), ones(3, 1)));
check_handles();
check(gpumex.life(up(board), 1), life_oracle(board, 1));
fprintf('gpuArrays pass\n');
end

function check(G, want)
assert(isstruct(G) && isequal(G.on_gpu, want) && strcmp(class(G.on_gpu), class(want)));
check_handles();
end

function check_handles
assert(strcmp(getenv('FAKE_MXGPU_HANDLES'), '0'), 'mxGPUArrays left: %s', getenv('FAKE_MXGPU_HANDLES'));
end
