board = false(5);
board(3, 2:4) = true;               % three in a row become a column
next = gpumex.life(board, 1);
picture = '.#';
fprintf('%s\n', picture(next(1, :) + 1), picture(next(2, :) + 1), picture(next(3, :) + 1), ...
        picture(next(4, :) + 1), picture(next(5, :) + 1));
