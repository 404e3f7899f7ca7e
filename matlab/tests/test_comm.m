function tests = test_comm
%TEST_COMM  gpumex.comm with one rank; check_on_ranks is for several.
tests = localfunctions();
end

function test_one_rank_computes_what_the_functions_do(backend)
c = gpumex.comm('Backend', backend);
assert(c.rank == 0 && c.ranks == 1 && strcmp(c.transport, 'alone'));
x = 100 * rand(1, 1000);
assert(isequal(c.sort_keys(x), sort(x)));
[B, I] = c.sort_keys(x, 'descend');
assert(isequal(B, x(I)));
[K, V] = c.sort_by_key([3 1 2], int32([30 10 20]));
assert(isequal(K, 1:3) && isequal(V, int32([10 20 30])));
assert(c.reduce(x, 'max') == max(x) && c.dot_product([1 2 3], [4 5 6]) == 32);
[y, total] = c.scan(1:4, 'sum', 'exclusive');
assert(isequal(y, [0 1 3 6]) && total == 10);
assert(isequal(c.matmul(magic(4), magic(4)), magic(4)^2));
assert(isequal(c.histogram('gpumex'), gpumex.histogram('gpumex')));
board = rand(70, 50) > 0.5;
assert(isequal(c.life(board, 20), gpumex.life(board, 20)));
[words, counts] = c.words('to be, or not to be', 2);
assert(isequal(words, {'to'; 'be'}) && isequal(counts, [2; 2]));
end

function test_arrays_on_the_device_stay_there(backend)
c = gpumex.comm('Backend', backend);
A = gpumex.array(rand(40) > 0.5, 'Backend', backend);
next = c.life(A, 7);
assert(isa(next, 'gpumex.array') && isequal(gather(next), gpumex.life(gather(A), 7)));
sorted = c.sort_keys(gpumex.array([3 1 2], 'Backend', backend));
assert(isa(sorted, 'gpumex.array') && isequal(gather(sorted), 1:3));
end

function test_it_ends_with_its_last_copy(backend)
for k = 1:200                                   % more than there may be at a time
    c = gpumex.comm('Backend', backend);
    d = c;
    clear c
    assert(d.reduce(1:3, 'sum') == 6);
end
kept = cell(1, 64);
id = '';
try
    for k = 1:100
        kept{k} = gpumex.comm('Backend', backend);
    end
catch problem
    id = problem.identifier;
end
assert(strcmp(id, 'gpumex:comm:tooMany'));
clear kept
assert(d.reduce(1, 'sum') == 1);
end

function test_a_handle_of_none_is_refused(backend)
c = gpumex.comm('Backend', backend);
handle = gateway_handle(c);
clear c
check_refused('gpumex:comm:stale', @() gpumex_call('comm', {'begin', handle}, {}, {}));
check_refused('gpumex:comm:stale', @() gpumex_call('comm', {'begin', 5}, {}, {}));
end

function test_a_reset_takes_its_context(backend)
c = gpumex.comm;
gpumex.reset_default;
check_refused('gpumex:comm:stale', @() c.reduce(1:3, 'sum'));
c = gpumex.comm('Backend', backend);
assert(c.reduce(1:3, 'sum') == 6);
end

function test_what_one_rank_alone_has_is_refused(backend)
c = gpumex.comm('Backend', backend);
check_refused('gpumex:reduce:unsupported', @() c.reduce(magic(3), 'sum', 2));
check_refused('gpumex:reduce:unsupported', @() c.reduce(int32(1:3), 'sum'));
check_refused('gpumex:scan:unsupported', @() c.scan(magic(3), 'sum'));
check_refused('gpumex:scan:unsupported', @() c.scan(1:3, 'sum', 'reverse'));
check_refused('gpumex:sort_keys:unsupported', @() c.sort_keys(magic(3)));
check_refused('gpumex:sort_keys:invalidOption', @() c.sort_keys(1:3, 'ComparisonMethod', 'abs'));
check_refused('gpumex:matmul:sizeMismatch', @() c.matmul(ones(2, 3), ones(3, 2), 'TransA', true));
check_refused('gpumex:matmul:sizeMismatch', @() c.matmul(ones(2, 3), ones(4, 2)));
check_refused('gpumex:life:invalidProgress', @() c.life(true(3), 1, 'Progress', @disp));
check_refused('gpumex:words:invalidCount', @() c.words('a', 1e9));
check_refused('gpumex:sort_keys:invalidBackend', @() gpumex.sort_keys(1:3, 'Backend', c));
check_refused('gpumex:compact:invalidBackend', @() gpumex.compact(1:3, true(1, 3), 'Backend', c));
assert(c.reduce(1:3, 'sum') == 6);
end

function test_its_own_arguments_are_checked(backend)
check_refused('gpumex:comm:invalidTransport', @() gpumex.comm('pigeons'));
check_refused('gpumex:comm:invalidTransport', @() gpumex.comm(5));
check_refused('gpumex:comm:invalidOption', @() gpumex.comm('alone', 'Speed', 5));
check_refused('gpumex:comm:invalidTimeout', @() gpumex.comm('alone', 'Timeout', 0));
check_refused('gpumex:comm:invalidHalo', @() gpumex.comm('alone', 'Halo', 1e6));
check_refused('gpumex:comm:invalidBackend', @() gpumex.comm('alone', 'Backend', 'tpu'));
c = gpumex.comm('alone', 'Timeout', 2.5, 'Halo', 8, 'Backend', backend);
assert(isequal(c.life(true(3), 1), gpumex.life(true(3), 1)));
end

function test_a_missing_library_of_mpi_is_named(backend)
before = getenv('GPUMEX_MPI');
cleanup = onCleanup(@() setenv('GPUMEX_MPI', before));
setenv('GPUMEX_MPI', 'pigeons');
said = check_refused('gpumex:comm:noMpi', @() gpumex.comm('mpi', 'Backend', backend));
assert(~isempty(strfind(said, 'libgpumex_pigeons.so')) && ~isempty(strfind(said, 'build_gpumex_mpi')), said);
setenv('GPUMEX_MPI', '/no/such/library.so');
said = check_refused('gpumex:comm:noMpi', @() gpumex.comm('Backend', backend));
assert(~isempty(strfind(said, '/no/such/library.so')), said);
end

function test_one_worker_of_spmd_is_alone(backend)
folder = fullfile(fileparts(mfilename('fullpath')), 'spmd');
addpath(folder);
cleanup = onCleanup(@() rmpath(folder));
spmd_ranks(struct('rank', 0, 'ranks', 1));
c = gpumex.comm('spmd', 'Backend', backend);
assert(c.ranks == 1 && strcmp(c.transport, 'spmd') && c.reduce(1:3, 'sum') == 6);
end
