function tests = test_life_options
%TEST_LIFE_OPTIONS  Boundaries, rules, packed boards and progress of gpumex.life, against oracles in plain M.
tests = localfunctions();
end

function test_the_oracle_agrees_with_plain_loops(~)
rules = known_rules();
for size = {[1 1], [1 5], [2 2], [5 7]}
    board = lcg_board(size{1}(1), size{1}(2), 3);
    for boundary = {'clamp', 'dead', 'torus'}
        for r = 1:4
            want = life_by_loops(board, 3, boundary{1}, rules{r, 2:3});
            check_same(life_oracle(board, 3, boundary{1}, rules{r, 2:3}), want);
        end
    end
end
end

function test_boundaries_and_rules_agree_with_the_oracle(backend)
rules = known_rules();
sizes = {[1 1], [1 5], [6 1], [2 2], [2 7], [9 13], [65 4], [3 66]};
for k = 1:numel(sizes)
    board = lcg_board(sizes{k}(1), sizes{k}(2), 31 + k);
    for boundary = {'clamp', 'dead', 'torus'}
        for r = 1:size(rules, 1)
            want = life_oracle(board, 3, boundary{1}, rules{r, 2:3});
            check_variants(backend, board, 3, want, 'Boundary', boundary{1}, 'Rule', rules{r, 1});
        end
    end
end
end

function test_a_glider_comes_round_a_torus(backend)
glider = false(8, 12);
glider(1:3, 1:3) = [0 1 0; 0 0 1; 1 1 1];
check_variants(backend, glider, 4 * 24, glider, 'Boundary', 'torus');
check_variants(backend, glider, 4, circshift(glider, [1 1]), 'Boundary', 'torus');
end

function test_options_come_in_any_case_and_order(backend)
board = lcg_board(9, 14);
want = life_oracle(board, 4, 'torus', [3 6], [2 3]);
next = gpumex.life(board, 4, 'rule', 'b36s23', 'BACKEND', backend, 'boundary', 'Torus');
assert(isequal(next, want));
end

function test_packed_boards(backend)
for size = {[1 1], [63 3], [64 2], [65 7], [130 5], [3 130], [0 4], [128 0]}
    board = lcg_board(size{1}(1), size{1}(2), 5);
    words = gpumex.pack_board(board);
    options = {'Cells', 'bits', 'Size', size{1}, 'Backend', backend};
    for boundary = {'clamp', 'dead', 'torus'}
        want = gpumex.pack_board(gpumex.life(board, 9, 'Boundary', boundary{1}, 'Backend', backend));
        noisy = words + spare_bits(size{1});
        next = gpumex.life(noisy, 9, options{:}, 'Boundary', boundary{1});
        assert(isa(next, 'uint64') && isequal(next, want), '%s, %s', mat2str(size{1}), boundary{1});
        next = gpumex.life(gpumex.array(words, 'Backend', backend), 9, options{:}, 'Boundary', boundary{1});
        assert(isa(next, 'gpumex.array') && isequal(gather(next), want), '%s on the device', mat2str(size{1}));
    end
    assert(isequal(gpumex.unpack_board(words, size{1}(1)), board));
end
end

function test_packed_boards_fill_their_words_without_a_size(backend)
board = lcg_board(128, 5);
next = gpumex.life(gpumex.pack_board(board), 3, 'Cells', 'bits', 'Backend', backend);
assert(isequal(gpumex.unpack_board(next), life_oracle(board, 3)));
assert(isequal(gpumex.pack_board([0; 0; -7]), uint64(4)));
end

function test_progress_tells_how_far_it_is(backend)
board = lcg_board(40, 30);
want = life_oracle(board, 25);
forget_progress();
for given = {board, uint8(board), double(board), gpumex.array(board, 'Backend', backend)}
    forget_progress();
    [next, ms] = gpumex.life(given{1}, 25, 'Progress', @note_progress, 'Backend', backend);
    [done, total] = noted_progress();
    assert(strcmp(class(next), class(given{1})) && isequal(double(as_host(next)), double(want)), class(next));
    assert(all(diff([0 done]) > 0) && done(end) == 25 && all(total == 25) && ms > 0);
end
forget_progress();
gpumex.life(board, 0, 'Progress', @note_progress, 'Backend', backend);
assert(isempty(noted_progress()));
end

function test_progress_goes_with_the_other_options(backend)
board = lcg_board(40, 30);
want = life_oracle(board, 5, 'torus', [3 6], [2 3]);
options = {'Boundary', 'torus', 'Rule', 'B36/S23', 'Backend', backend, 'PROGRESS', @(done, total) false};
assert(isequal(gpumex.life(board, 5, options{:}), want));
next = gpumex.life(gpumex.pack_board(board), 5, options{:}, 'Cells', 'bits', 'Size', [40 30]);
assert(isequal(next, gpumex.pack_board(want)));
end

function test_progress_cancels(backend)
board = lcg_board(20, 20);
for stop = {true, 1, -3, [0 1], int8(1)}
    play = @() gpumex.life(board, 1000, 'Progress', @(done, total) stop{1}, 'Backend', backend);
    message = check_refused('gpumex:life:cancelled', play);
    assert(~isempty(strfind(message, '1 of 1000')), message);
end
for go_on = {false, 0, [], 'text', {}}
    next = gpumex.life(board, 10, 'Progress', @(done, total) go_on{1}, 'Backend', backend);
    assert(isequal(next, life_oracle(board, 10)));
end
end

function test_an_error_of_the_progress_function_arrives(backend)
board = lcg_board(20, 20);
message = check_refused('my:own', @() gpumex.life(board, 10, 'Progress', @(~, ~) error('my:own', 'seen'), 'Backend', backend));
assert(strcmp(message, 'seen'));
assert(isequal(gpumex.life(board, 10, 'Backend', backend), life_oracle(board, 10)));
end

function test_the_progress_function_may_use_gpumex(backend)
board = lcg_board(20, 20);
inner = @(done, total) any(any(gpumex.life(board, 1, 'Backend', backend) ~= life_oracle(board, 1)));
assert(isequal(gpumex.life(board, 10, 'Progress', inner, 'Backend', backend), life_oracle(board, 10)));
end

function test_boards_are_packed_and_unpacked(~)
for rows = [0 1 7 8 9 63 64 65 130]
    for cols = [0 1 3]
        board = reshape(mod(floor((1:rows * cols) * 2.7), 3) > 0, rows, cols);
        height = ceil(rows / 64);
        want = zeros(height, cols, 'uint64');
        for k = reshape(find(board), 1, [])
            [i, j] = ind2sub(size(board), k);
            want(ceil(i / 64), j) = bitset(want(ceil(i / 64), j), mod(i - 1, 64) + 1);
        end
        words = gpumex.pack_board(board);
        check_same(words, want);
        check_same(gpumex.unpack_board(words, rows), board);
        check_same(gpumex.pack_board(sparse(board) * 2.5), want);
        check_same(gpumex.pack_board(uint8(board) * 200), want);
    end
end
check_same(gpumex.unpack_board(intmax('uint64')), true(64, 1));
end

function test_the_benchmark_runs(~)
text = evalc('bench_life(20, 3)');
for line = {'MEX that copies the board', 'MEX gateway of Life', 'gpumex.life', 'gpumex.life, shmem_bytes', 'pctdemo_life_mex_texture'}
    assert(~isempty(regexp(text, [line{1} '\s+\d+\.\d us'], 'once')), 'no line %s in\n%s', line{1}, text);
end
end

function test_the_benchmark_of_calls_runs(~)
text = evalc('bench_calls(64, 1000, 20)');
for line = {'matmul 64 single', 'sort of 1000 doubles', 'life 20 x 20, 100 generations', 'life 20 x 20, the gateway'}
    assert(~isempty(regexp(text, [line{1} '(\s+\d+\.\d+){3}'], 'once')), 'no line %s in\n%s', line{1}, text);
end
end

function check_variants(backend, board, generations, want, varargin)
variants = variants_on(backend, {'shmem', 'texture', 'registers', 'cluster'});
for k = 1:numel(variants)
    next = gpumex.life(board, generations, 'Variant', variants{k}, 'Backend', backend, varargin{:});
    assert(islogical(next) && isequal(next, want), '%s, %s, %s', variants{k}, mat2str(size(board)), ...
        strjoin(varargin, ' '));
end
end

function rules = known_rules
% As gpumex.life takes it, and the numbers of neighbours for birth and survival.
rules = {'B3/S23', 3, [2 3]; 'B36/S23', [3 6], [2 3]; 'b2/s', 2, []; 'B0123/S5678', 0:3, 5:8; '23/36', [3 6], [2 3]};
end

function words = spare_bits(extent)
% The bits beyond the last row, set.
height = ceil(extent(1) / 64);
cells = true(64 * height, extent(2));
cells(1:extent(1), :) = false;
words = gpumex.pack_board(cells);
end

function X = as_host(X)
if isa(X, 'gpumex.array')
    X = gather(X);
end
end

function note_progress(done, total)
global gpumex_test_progress
gpumex_test_progress(:, end + 1) = [done; total];
end

function [done, total] = noted_progress
global gpumex_test_progress
done = gpumex_test_progress(1, :);
total = gpumex_test_progress(2, :);
end

function forget_progress
global gpumex_test_progress
gpumex_test_progress = zeros(2, 0);
end
