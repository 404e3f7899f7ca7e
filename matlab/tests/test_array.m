function tests = test_array
%TEST_ARRAY  gpumex.array: what goes up comes down, every operation takes it, and its memory is freed with it.
tests = localfunctions();
end

function test_every_class_and_size_comes_back(backend)
classes = {'logical', 'single', 'double', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'};
sizes = {[1 1], [3 4], [0 0], [0 5], [5 0 2], [2 3 4], [1 1 1 2], [1000 17]};
for c = 1:numel(classes)
    for k = 1:numel(sizes)
        X = cast(reshape(mod(7 * (1:prod(sizes{k})), 100), sizes{k}), classes{c});
        check_array(gpumex.array(X, 'Backend', backend), X);
    end
end
end

function test_values_come_back_bit_by_bit(backend)
for X = {[NaN -0 Inf -Inf realmin eps], single([NaN -0 Inf]), intmin('int64'), intmax('uint64'), 1:5, eye(3), true}
    check_array(gpumex.array(X{1}, 'Backend', backend), X{1});
    assert(isequal(1 ./ double(gather(gpumex.array(-0, 'Backend', backend))), -Inf));
end
end

function test_characters_become_bytes(backend)
check_array(gpumex.array(['abc'; char([0 128 255])], 'Backend', backend), uint8(['abc'; char([0 128 255])]));
end

function test_an_array_of_an_array_is_a_copy(backend)
A = gpumex.array(magic(4), 'Backend', backend);
B = gpumex.array(A, 'Backend', backend);
clear A
check_array(B, magic(4));
end

function test_size_in_every_form(backend)
A = gpumex.array(zeros(2, 3, 4), 'Backend', backend);
[rows, rest] = size(A);
[a, b, c, d] = size(A);
assert(isequal([rows rest], [2 12]) && isequal([a b c d], [2 3 4 1]));
assert(isequal([size(A, 1) size(A, 3) size(A, 7)], [2 4 1]) && isequal(size(A, [1 3]), [2 4]));
end

function test_it_shows_what_it_is(backend)
A = gpumex.array(single(ones(3, 4)), 'Backend', backend);
text = evalc('A');
for word = {'A', '3x4', 'gpumex.array', 'single', backend}
    assert(~isempty(strfind(text, word{1})), text);
end
assert(isa(A, 'gpumex.array') && strcmp(class(A), 'gpumex.array'));
end

function test_life(backend)
for board = {lcg_board(50, 33), uint8(lcg_board(7, 90)) * 3, true(0, 4), true}
    A = gpumex.array(board{1}, 'Backend', backend);
    variants = variants_on(backend, {'arrays', 'shmem', 'texture'});
    for k = 1:numel(variants)
        next = gpumex.life(A, 10, 'Variant', variants{k}, 'Backend', backend);
        check_array(next, gpumex.life(board{1}, 10, 'Backend', backend));
    end
    check_array(A, board{1});
end
end

function test_life_again_and_again_on_the_device(backend)
board = lcg_board(64, 48);
A = gpumex.array(board, 'Backend', backend);
for k = 1:20
    A = gpumex.life(A, 1, 'Backend', backend);
end
check_array(A, life_oracle(board, 20));
end

function test_matmul_of_mixed_places(backend)
for A = {magic(5), single(magic(5)), zeros(5, 0)}
    B = A{1}.' + 1;
    want = gpumex.matmul(A{1}, B, 'Backend', backend);
    on_device = @(X) gpumex.array(X, 'Backend', backend);
    check_array(gpumex.matmul(on_device(A{1}), on_device(B), 'Backend', backend), want);
    check_array(gpumex.matmul(on_device(A{1}), B, 'Backend', backend), want);
    check_array(gpumex.matmul(A{1}, on_device(B), 'Backend', backend), want);
end
end

function test_histogram_counts_in_uint64(backend)
for data = {uint8('to be or not to be'), zeros(0, 3, 'uint8'), uint8(mod(1:100000, 251))}
    counts = gpumex.histogram(gpumex.array(data{1}, 'Backend', backend), 'Backend', backend);
    check_array(counts, uint64(gpumex.histogram(data{1}, 'Backend', backend)));
end
end

function test_raytrace_takes_columns_and_gives_an_image(backend)
spheres = [1 0.2 0.2 9 -6 0 0; 0.2 0.2 1 9 6 0 5];
image = gpumex.raytrace(gpumex.array(single(spheres).', 'Backend', backend), 40, 30, 'Backend', backend);
check_array(image, raytrace_oracle(spheres, 40, 30));
for dims = {[0 5], [5 0]}
    image = gpumex.raytrace(gpumex.array(single(spheres).', 'Backend', backend), dims{1}(1), dims{1}(2), 'Backend', backend);
    assert(isequal(size(image), [dims{1}(2) dims{1}(1) 3]));
end
end

function test_the_time_is_there_for_arrays_too(backend)
A = gpumex.array(rand(64), 'Backend', backend);
[C, ms] = gpumex.matmul(A, A, 'Backend', backend);
assert(isa(C, 'gpumex.array') && isa(ms, 'double') && isscalar(ms) && ms > 0 && ms < 1e4);
end

function test_arrays_of_the_cpu_are_taken_everywhere(backend)
A = gpumex.array(magic(6), 'Backend', 'cpu');
B = gpumex.array(eye(6), 'Backend', backend);
check_array(gpumex.matmul(A, B, 'Backend', backend), magic(6));
end

function test_what_is_refused_of_the_host_is_refused_of_the_device(backend)
up = @(X) gpumex.array(X, 'Backend', backend);
for board = {1, 'a', true(2, 2, 2), single(1)}
    if ~ischar(board{1})
        check_refused('gpumex:life:invalidBoard', @() gpumex.life(up(board{1}), 1, 'Backend', backend));
    end
end
check_refused('gpumex:life:invalidGenerations', @() gpumex.life(true(3), up(1), 'Backend', backend));
check_refused('gpumex:matmul:invalidMatrix', @() gpumex.matmul(up(true(3)), ones(3), 'Backend', backend));
check_refused('gpumex:matmul:mixedClasses', @() gpumex.matmul(up(single(1)), 1, 'Backend', backend));
message = check_refused('gpumex:matmul:sizeMismatch', @() gpumex.matmul(up(ones(2, 3)), ones(4, 5), 'Backend', backend));
assert(~isempty(strfind(message, '2x3')) && ~isempty(strfind(message, '4x5')), message);
check_refused('gpumex:histogram:invalidData', @() gpumex.histogram(up(1), 'Backend', backend));
check_refused('gpumex:raytrace:invalidSpheres', @() gpumex.raytrace(up(single(ones(2, 7))), 4, 4, 'Backend', backend));
check_refused('gpumex:raytrace:invalidSpheres', @() gpumex.raytrace(up(ones(7, 2)), 4, 4, 'Backend', backend));
message = check_refused('gpumex:raytrace:invalidSize', @() gpumex.raytrace(ones(1, 7), up(4), 4, 'Backend', backend));
assert(~isempty(strfind(message, 'gpumex.array')), message);
check_refused('gpumex:life:invalidVariant', @() gpumex.life(up(true), 1, 'Variant', 'none', 'Backend', backend));
check_refused('gpumex:life:invalidBackend', @() gpumex.life(up(true), 1, 'Backend', 'none'));
end

function test_what_is_no_array_of_numbers_is_refused(backend)
for X = {{1}, struct('a', 1), struct('gpumexArray', 1), sparse(1), 1i, @sin, sparse(true)}
    check_refused('gpumex:array:invalidData', @() gpumex.array(X{1}, 'Backend', backend));
end
check_refused('gpumex:array:argumentCount', @() gpumex.array());
check_refused('gpumex:array:invalidOption', @() gpumex.array(1, 'Variant', 'auto'));
check_refused('gpumex:array:invalidBackend', @() gpumex.array(1, 'Backend', 'none'));
end

function test_a_result_that_no_memory_holds(backend)
held = blocks_held(backend);
wide = gpumex.array(zeros(2^22, 0), 'Backend', backend);
check_refused('gpumex:matmul:outOfMemory', @() gpumex.matmul(wide, zeros(0, 2^22), 'Backend', backend));
assert(blocks_held(backend) == held);
end

function test_a_call_that_fails_frees_its_result(backend)
A = gpumex.array(single(ones(7, 1)), 'Backend', backend);
held = blocks_held(backend);
check_refused('gpumex:raytrace:outOfMemory', @() gpumex.raytrace(A, 2^24, 2^24, 'Backend', backend));
if strcmp(backend, 'cuda')
    board = gpumex.array(true(9), 'Backend', backend);
    check_refused('gpumex:life:unsupported', @() gpumex.life(board, 1, 'Variant', 'sequential', 'Backend', backend));
    clear board
end
assert(blocks_held(backend) == held);
end

function test_memory_is_freed_with_the_last_copy(backend)
held = blocks_held(backend);
A = gpumex.array(ones(100), 'Backend', backend);
B = A;
c = {A, B};
s.field = A;
assert(blocks_held(backend) == held + 1);
clear A
B = 1; c(1) = []; s = [];
check_array(c{1}, ones(100));
assert(blocks_held(backend) == held + 1);
c = {};
assert(blocks_held(backend) == held);
end

function test_memory_is_freed_when_a_function_ends(backend)
held = blocks_held(backend);
make_and_forget(backend);
try
    make_and_fail(backend);
catch problem
    assert(strcmp(problem.message, 'after an array'), problem.message);
end
gpumex.array(1, 'Backend', backend);
clear ans problem
assert(blocks_held(backend) == held);
end

function test_arrays_outlive_a_reset(backend)
A = gpumex.array(magic(4));
B = gpumex.array(magic(4), 'Backend', backend);
gpumex.reset_default;
check_array(A, magic(4));
check_array(gpumex.matmul(A, eye(4)), magic(4));
check_array(B, magic(4));
end

function test_the_handle_of_an_array_that_is_gone(backend)
A = gpumex.array(1:3, 'Backend', backend);
known = gateway_handle(A);
clear A
others = gpumex.array(1:3, 'Backend', backend);           % takes the slot and the memory
check_refused('gpumex:array:stale', @() gpumex_call('array', {'gather', known}, {}, {}));
check_refused('gpumex:array:stale', @() gpumex.matmul(known, 1, 'Backend', backend));
gpumex_call('array', {'free', known}, {}, {});
check_array(others, 1:3);
end

function test_invented_handles(backend)
for numbers = {uint64([0 0]), uint64([0 1]), intmax('uint64') * uint64([1 1]), uint64([2^40 7])}
    invented = struct('gpumexArray', numbers{1});
    check_refused('gpumex:array:stale', @() gpumex_call('array', {'gather', invented}, {}, {}));
    check_refused('gpumex:array:stale', @() gpumex_call('life', {invented, 1, 'Backend', backend}, {}, {}));
    gpumex_call('array', {'free', invented}, {}, {});
end
end

function test_many_arrays(backend)
held = blocks_held(backend);
arrays = cell(1, 1000);
for k = 1:numel(arrays)
    arrays{k} = gpumex.array(k, 'Backend', backend);
end
assert(blocks_held(backend) == held + 1000);
assert(isequal(cellfun(@gather, arrays), 1:1000));
arrays = {};
assert(blocks_held(backend) == held);
end

function make_and_forget(backend)
A = gpumex.array(ones(10), 'Backend', backend);
B = gpumex.matmul(A, A, 'Backend', backend);
assert(~isempty(B));
end

function make_and_fail(backend)
A = gpumex.array(ones(10), 'Backend', backend);
assert(numel(A) == 100);
error('after an array');
end

function blocks = blocks_held(backend)
stats = gpumex.allocator('Backend', backend);
blocks = stats.AllocatedBlocks;
end

function check_array(A, want)
assert(isa(A, 'gpumex.array') && isequal(size(A), size(want)) && numel(A) == numel(want) && ndims(A) == ndims(want));
assert(isempty(A) == isempty(want) && strcmp(classUnderlying(A), class(want)) && strcmp(underlyingType(A), class(want)));
got = gather(A);
assert(strcmp(class(got), class(want)) && isequaln(got, want) && isequal(size(got), size(want)));
end
