function tests = test_pattern
%TEST_PATTERN  gpumex.read_pattern and gpumex.write_pattern.
tests = localfunctions();
end

function test_a_gun_is_read_as_it_looks(backend)
gun = sprintf('%s\n', '#N Gosper glider gun', 'x = 36, y = 9, rule = B3/S23', '24bo$22bobo$12b2o6b2o12b2o$11bo3bo4b2o12b2o$', ...
    '2o8bo5bo3b2o$2o8bo3bob2o4bobo$10bo5bo7bo$11bo3bo$12b2o!');
[board, info] = read_text(gun);
assert(islogical(board) && isequal(size(board), [9 36]) && nnz(board) == 36);
assert(board(1, 25) && board(5, 1) && board(9, 13) && ~board(9, 12));
assert(strcmp(info.Format, 'rle') && strcmp(info.Rule, 'B3/S23') && strcmp(info.Name, 'Gosper glider gun'));
assert(strcmp(info.Boundary, 'clamp') && isequal(info.BoardSize, [0 0]) && isequal(info.Origin, [0 0]));
assert(info.Population == 36);
large = false(80, 90);
large(11:19, 11:46) = board;
after = gpumex.life(large, 30, 'Backend', backend);
assert(isequal(after(11:19, 11:46), board) && nnz(after) == 36 + 5, 'its period is 30, and it has shot a glider');
end

function test_a_list_of_cells_is_read(~)
[board, info] = read_text(sprintf('#Life 1.06\r\n2 -1\r\n-1 0\r\n-1 0\r\n'));
assert(isequal(board, logical([0 0 0 1; 1 0 0 0])));
assert(strcmp(info.Format, 'life106') && isequal(info.Origin, [-1 -1]) && info.Population == 2);
end

function test_the_rule_tells_the_boundary(~)
[~, info] = read_text('x = 3, y = 2, rule = 23/36:T100,50\n3o!');
assert(strcmp(info.Rule, 'B36/S23') && strcmp(info.Boundary, 'torus') && isequal(info.BoardSize, [50 100]));
[~, info] = read_text('x = 3, y = 2, rule = B3/S23:P\n3o!');
assert(strcmp(info.Boundary, 'dead') && isequal(info.BoardSize, [0 0]));
end

function test_boards_come_back_from_both_formats(~)
for dims = {[1 1], [1 9], [9 1], [5 7], [33 70], [64 3]}
    board = lcg_board(dims{1}(1), dims{1}(2));
    board([1 end]) = true;                      % so that a list of cells is as large as the board
    board(1, end) = true;
    board(end, 1) = true;
    for ending = {'.rle', '.lif', '.LIFE', '.txt'}
        file = [tempname() ending{1}];
        remove = onCleanup(@() delete(file));
        gpumex.write_pattern(file, board);
        [again, info] = gpumex.read_pattern(file);
        assert(islogical(again) && isequal(again, board), '%s, %s', ending{1}, mat2str(dims{1}));
        is_list = any(strcmp(ending{1}, {'.lif', '.LIFE'}));
        assert(strcmp(info.Format, 'life106') == is_list, ending{1});
        clear remove
    end
end
end

function test_options_are_written(~)
glider = [0 1 0; 0 0 -3; 0.5 1 1];
assert(strcmp(written(glider), sprintf('x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n')));
text = written(uint8(glider(1:2, :) ~= 0), 'rule', '23/36', 'BOUNDARY', 'Torus');
assert(strcmp(text, sprintf('x = 3, y = 2, rule = B36/S23:T3,2\nbo$2bo!\n')), text);
assert(strcmp(written(true(1, 2), 'Boundary', 'dead'), sprintf('x = 2, y = 1, rule = B3/S23:P2,1\n2o!\n')));
assert(strcmp(written(true(1, 2), 'Format', 'life106'), sprintf('#Life 1.06\n0 0\n1 0\n')));
assert(strcmp(written(zeros(0, 4)), sprintf('x = 4, y = 0, rule = B3/S23\n!\n')));
end

function test_an_array_on_the_device_is_written(backend)
board = lcg_board(6, 9);
A = gpumex.array(board, 'Backend', backend);
assert(strcmp(written(A), written(board)));
end

function test_an_empty_pattern_is_an_empty_board(~)
board = read_text('x = 0, y = 3\n!');
assert(islogical(board) && isequal(size(board), [3 0]));
assert(isequal(size(read_text('#Life 1.06')), [0 0]));
end

function test_what_is_wrong_is_told_with_line_and_column(~)
cases = {'x = 36, y = 9\n24bo$\n  40o!', 'line 3, column 3: a run of 40 cells in a row of 36'
    'bo$2bo$3o!', 'line 1, column 1: "b" where the header has x ='
    'x = 3, y = 3\nbo$2bo$3o', 'line 2, column 10: the text ends without "!"'
    'x = 3, y = 3\nbo$2bC$3o!', 'line 2, column 6: state "C"'
    '#Life 1.06\n1 2\n3', 'line 3, column 2: the end of the text where a whole number y should be'
    '', 'line 1, column 1: the end of the text'};
for k = 1:size(cases, 1)
    message = check_refused('gpumex:read_pattern:badFile', @() read_text(cases{k, 1}));
    assert(~isempty(strfind(message, cases{k, 2})), message);
    assert(~isempty(regexp(message, '^gpumex\.read_pattern: .*\.rle: line ', 'once')), message);
end
check_refused('gpumex:read_pattern:outOfMemory', @() read_text('x = 18446744073709551615, y = 3\n!'));
check_refused('gpumex:read_pattern:outOfMemory', @() read_text('#Life 1.06\n0 0\n4611686018427387904 4611686018427387904'));
end

function test_files_that_are_not_there(~)
file = fullfile(tempname(), 'no_such_file.rle');
message = check_refused('gpumex:read_pattern:noFile', @() gpumex.read_pattern(file));
assert(~isempty(strfind(message, 'no_such_file.rle')), message);
check_refused('gpumex:write_pattern:noFile', @() gpumex.write_pattern(file, true(3)));
end

function test_bad_arguments(~)
file = [tempname() '.rle'];
check_refused('gpumex:read_pattern:argumentCount', @() gpumex.read_pattern());
check_refused('gpumex:write_pattern:argumentCount', @() gpumex.write_pattern(file));
for name = {1, {}, {'a'}, ['a'; 'b'], true, '', @sin}
    check_refused('gpumex:read_pattern:invalidFile', @() gpumex.read_pattern(name{1}));
    check_refused('gpumex:write_pattern:invalidFile', @() gpumex.write_pattern(name{1}, true(3)));
end
for board = {sparse(eye(3)), 1i * ones(3), {1}, struct('a', 1), ones(2, 2, 2), [1 NaN], 'abc', @sin}
    check_refused('gpumex:write_pattern:invalidBoard', @() gpumex.write_pattern(file, board{1}));
end
for rule = {'', 'B9', 'B3', 1, {}, repmat('3', 1, 40)}
    check_refused('gpumex:write_pattern:invalidRule', @() gpumex.write_pattern(file, true(3), 'Rule', rule{1}));
end
check_refused('gpumex:write_pattern:invalidFormat', @() gpumex.write_pattern(file, true(3), 'Format', 'cells'));
check_refused('gpumex:write_pattern:invalidBoundary', @() gpumex.write_pattern(file, true(3), 'Boundary', 'sphere'));
check_refused('gpumex:write_pattern:invalidOption', @() gpumex.write_pattern(file, true(3), 'Backend', 'cpu'));
assert(~exist(file, 'file'), 'a refusal writes nothing');
end

function [board, info] = read_text(text)
% Reads a file of this text, in which \n may stand for a new line.
file = [tempname() '.rle'];
remove = onCleanup(@() delete(file));
id = fopen(file, 'w');
fwrite(id, strrep(text, '\n', sprintf('\n')), 'uint8');
fclose(id);
[board, info] = gpumex.read_pattern(file);
end

function text = written(board, varargin)
file = [tempname() '.rle'];
remove = onCleanup(@() delete(file));
gpumex.write_pattern(file, board, varargin{:});
id = fopen(file, 'r');
text = fread(id, Inf, '*char').';
fclose(id);
end
