function tests = test_pctdemo
%TEST_PCTDEMO  The drop-in names of the MATLAB example.
tests = localfunctions();
end

function test_both_give_the_logical_board(~)
board = lcg_board(100, 100);
want = life_oracle(board, 100);
for play = {@pctdemo_life_mex_shmem, @pctdemo_life_mex_texture}
    grid = play{1}(board, 100);
    assert(islogical(grid) && isequal(grid, want), func2str(play{1}));
end
end

function test_no_generations_return_the_board(~)
board = lcg_board(9, 5);
assert(isequal(pctdemo_life_mex_shmem(board, 0), board));
assert(isequal(pctdemo_life_mex_texture(board, 0), board));
end

function test_what_the_original_refused_is_refused(~)
for name = {'pctdemo_life_mex_shmem', 'pctdemo_life_mex_texture'}
    id = ['gpumex:' name{1} ':invalidInput'];
    play = str2func(name{1});
    check_refused(id, @() play());
    check_refused(id, @() play(true(3)));
    check_refused(id, @() play(zeros(3), 1));
    check_refused(id, @() play(uint8(ones(3)), 1));
    check_refused(id, @() play({true}, 1));
end
end

function test_what_the_original_let_pass_is_refused_too(~)
for play = {@pctdemo_life_mex_shmem, @pctdemo_life_mex_texture}
    for generations = {-1, 0.5, NaN, Inf, [1 2], [], 'a'}
        check_refused('gpumex:life:invalidGenerations', @() play{1}(true(3), generations{1}));
    end
    check_refused('gpumex:life:invalidBoard', @() play{1}(true(2, 2, 2), 1));
    check_refused('gpumex:life:invalidBoard', @() play{1}(sparse(true(3)), 1));
end
end
