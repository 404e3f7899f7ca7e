function tests = test_memory
%TEST_MEMORY  Call after call, with a result or an error, and no growth.
tests = localfunctions();
end

function test_many_calls_do_not_grow(backend)
board = rand(500) > 0.75;
check_growth(@() gpumex.life(board, 1, 'Backend', backend), 200);
check_growth(@() gpumex.matmul(eye(100), ones(100), 'Backend', backend), 200);
check_growth(@() gpumex.histogram(uint8(board), 'Backend', backend), 200);
check_growth(@() gpumex.raytrace(ones(1, 7), 100, 100, 'Backend', backend), 200);
A = gpumex.array(board, 'Backend', backend);
check_growth(@() gather(gpumex.life(A, 1, 'Backend', backend)), 200);
check_growth(@() gpumex.array(board, 'Backend', backend), 200);
check_growth(@() gpumex.union(1:500, 300:900, 'Backend', backend), 200);
B = gpumex.array(1:500, 'Backend', backend);
check_growth(@() gather(gpumex.unique(B, 'Backend', backend)), 200);
check_growth(@() numel(gpumex.info('Backend', backend)), 200);
check_growth(@gpumex.reset_default, 200);
end

function test_many_errors_do_not_grow(backend)
board = sparse(rand(500) > 0.75);
check_growth(@() failing(@() gpumex.life(board, 1, 'Backend', backend)), 200);
check_growth(@() failing(@() gpumex.life(true(500), 1, 'Variant', 'none')), 200);
wide = gpumex.array(zeros(2^22, 0), 'Backend', backend);
check_growth(@() failing(@() gpumex.matmul(wide, zeros(0, 2^22), 'Backend', backend)), 200);
check_growth(@() failing(@() gpumex.matmul(ones(100), ones(99), 'Backend', backend)), 200);
check_growth(@() failing(@() gpumex.life(true(500), 1, 'Variant', 'sequential', 'Backend', 'cuda')), 200);
check_growth(@() failing(@() gpumex.union([1:500 1], 1, 'Sorted', true, 'Backend', backend)), 200);
end

function failing(action)
try
    action();
catch
    return
end
error('no error: %s', func2str(action));
end

function check_growth(action, calls)
% Memory is resident after the first calls and stays as it is.
repeat(action, calls);
before = resident_kib();
repeat(action, calls);
growth = resident_kib() - before;
assert(growth < 2048, '%s: %d KiB more after %d calls', func2str(action), growth, calls);
end

function repeat(action, calls)
for k = 1:calls
    action();
end
end

function kib = resident_kib
kib = 0;
file = fopen('/proc/self/status');
if file >= 0
    token = regexp(fread(file, [1 Inf], '*char'), 'VmRSS:\s+(\d+)', 'tokens', 'once');
    kib = str2double(token{1});
    fclose(file);
end
end
