function tests = test_life
%TEST_LIFE  gpumex.life against oracles in plain M.
tests = localfunctions();
end

function test_the_oracle_agrees_with_plain_loops(~)
board = lcg_board(9, 13);
assert(isequal(life_oracle(board, 5), by_loops(board, 5)));
end

function test_every_variant_agrees_with_the_oracle(backend)
sizes = {[1 1], [1 7], [7 1], [2 2], [31 31], [32 32], [33 33], [31 33], [64 17]};
for k = 1:numel(sizes)
    board = lcg_board(sizes{k}(1), sizes{k}(2), 7 + k);
    for generations = [0 1 2 10]
        want = life_oracle(board, generations);
        check_variants(backend, board, generations, want);
    end
end
end

function test_every_variant_agrees_on_the_published_size(backend)
rand('twister', 500);
board = rand(500) > 0.75;
check_variants(backend, board, 100, life_oracle(board, 100));
end

function test_population_follows_the_known_series(backend)
board = lcg_board(16, 16);
generations = [0 1 10 50 100];
population = arrayfun(@(n) nnz(gpumex.life(board, n, 'Backend', backend)), generations);
assert(isequal(population, [68 95 56 20 11]), 'population %s', mat2str(population));
end

function test_a_lone_live_corner_is_a_still_life(backend)
for corner = {[1 1], [1 5], [4 1], [4 5]}
    board = false(4, 5);
    board(corner{1}(1), corner{1}(2)) = true;
    check_variants(backend, board, 7, board);
end
end

function test_two_cells_on_an_edge_are_a_still_life_and_one_dies(backend)
board = false(5);
board(1, 2:3) = true;
check_variants(backend, board, 3, board);
board(1, 3) = false;
check_variants(backend, board, 1, false(5));
end

function test_a_board_of_one_cell_dies(backend)
check_variants(backend, true, 1, false);
check_variants(backend, true, 0, true);
end

function test_an_empty_board_stays_as_it_is(backend)
for board = {[], zeros(0, 5), false(5, 0), uint8(zeros(0, 3))}
    next = gpumex.life(board{1}, 3, 'Backend', backend);
    assert(isequal(size(next), size(board{1})) && isa(next, class(board{1})));
end
end

function test_the_class_follows_the_board(backend)
glider = [0 1 0 0; 0 0 1 0; 1 1 1 0; 0 0 0 0];
want = life_oracle(glider, 2);
for name = {'logical', 'double', 'single', 'uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64'}
    next = gpumex.life(feval(name{1}, glider), 2, 'Backend', backend);
    assert(isa(next, name{1}), 'a board of %s gave %s', name{1}, class(next));
    assert(isequal(next, want), 'a board of %s', name{1});
end
end

function test_every_number_but_0_is_alive(backend)
board = [-1 0 0.5; Inf 0 -Inf; 0 0 1e-300];
assert(isequal(gpumex.life(board, 1, 'Backend', backend), double(life_oracle(board ~= 0, 1))));
board = uint8([255 0 2; 7 0 1; 0 0 128]);
assert(isequal(gpumex.life(board, 0, 'Backend', backend), uint8(board ~= 0)));
end

function test_ranges_and_the_identity_are_boards(backend)
assert(isequal(gpumex.life(1:3, 1, 'Backend', backend), double(life_oracle([1 1 1], 1))));
assert(isequal(gpumex.life(eye(3), 1, 'Backend', backend), double(life_oracle(eye(3), 1))));
end

function test_generations_come_in_any_class(backend)
board = lcg_board(8, 9);
want = life_oracle(board, 4);
for generations = {4, single(4), uint8(4), int16(4), int64(4), uint64(4)}
    assert(isequal(gpumex.life(board, generations{1}, 'Backend', backend), want), class(generations{1}));
end
end

function test_the_board_of_the_caller_is_not_changed(backend)
board = lcg_board(20, 20);
copy = lcg_board(20, 20);
gpumex.life(board, 10, 'Backend', backend);
assert(isequal(board, copy));
end

function test_the_time_is_a_number_of_milliseconds(backend)
[~, ms] = gpumex.life(lcg_board(64, 64), 10, 'Backend', backend);
assert(isa(ms, 'double') && isscalar(ms) && ms > 0 && ms < 1e4, 'ms is %g', ms);
end

function test_options_may_be_written_in_any_case(backend)
board = lcg_board(8, 8);
assert(isequal(gpumex.life(board, 1, 'BACKEND', upper(backend), 'variant', 'Shmem'), life_oracle(board, 1)));
end

function test_generations_of_64_bits_are_taken_as_they_are(backend)
block = false(6);
block(3:4, 3:4) = true;
[stop, told] = watch_first();
for generations = {intmax('uint64'), intmax('int64'), uint64(2)^53 + 1, 2^53}
    id = 'gpumex:life:cancelled';
    check_refused(id, @() gpumex.life(block, generations{1}, 'Progress', stop, 'Backend', backend));
    assert(told() == double(generations{1}), class(generations{1}));
end
end

function check_variants(backend, board, generations, want)
variants = variants_on(backend, ...
    {'arrays', 'shmem', 'texture', 'shmem_bytes', 'texture_bytes', 'registers', 'cluster'});
for k = 1:numel(variants)
    next = gpumex.life(board, generations, 'Variant', variants{k}, 'Backend', backend);
    assert(islogical(next) && isequal(next, want), '%s, %s, %d generations', variants{k}, mat2str(size(board)), ...
        generations);
end
end

function board = by_loops(board, generations)
[rows, cols] = size(board);
for generation = 1:generations
    old = board;
    for row = 1:rows
        for col = 1:cols
            up = max(row - 1, 1);
            down = min(row + 1, rows);
            left = max(col - 1, 1);
            right = min(col + 1, cols);
            neighbours = old(up, left) + old(up, col) + old(up, right) + old(row, left) + old(row, right) ...
                + old(down, left) + old(down, col) + old(down, right);
            board(row, col) = neighbours == 3 || (old(row, col) && neighbours == 2);
        end
    end
end
end

function [stop, told] = watch_first
% A progress function that ends the run at once, and the total that it was told last.
global gpumex_test_total
stop = @note;
told = @() gpumex_total();
end

function stop = note(~, total)
global gpumex_test_total
gpumex_test_total = total;
stop = true;
end

function total = gpumex_total
global gpumex_test_total
total = gpumex_test_total;
end
