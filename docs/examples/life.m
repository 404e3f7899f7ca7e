board = false(5);
board(3, 2:4) = true;                   % three in a row become a column
next = gpumex.life(board, 1);
picture = '.#';
for row = 1:5
    fprintf('%s\n', picture(next(row, :) + 1));
end
