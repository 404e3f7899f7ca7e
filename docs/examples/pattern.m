file = [tempname '.rle'];
gpumex.write_pattern(file, [0 1 0; 0 0 1; 1 1 1]);   % a glider
board = gpumex.read_pattern(file);
delete(file);
picture = '.#';
fprintf('%s\n', picture(board(1, :) + 1), picture(board(2, :) + 1), picture(board(3, :) + 1));
fprintf('%d cells alive\n', sum(board(:)));
