function board = life_by_loops(board, generations, boundary, birth, survival)
%LIFE_BY_LOOPS  Life by plain loops: any boundary, and any rule as the numbers of neighbours for birth and survival.
for generation = 1:generations
    old = board;
    for row = 1:size(board, 1)
        for col = 1:size(board, 2)
            alive = living_neighbours(old, row, col, boundary);
            board(row, col) = (old(row, col) && any(alive == survival)) || (~old(row, col) && any(alive == birth));
        end
    end
end
end

function count = living_neighbours(board, row, col, boundary)
[rows, cols] = size(board);
count = 0;
for step = [-1 -1 -1 0 0 1 1 1; -1 0 1 -1 1 -1 0 1]
    i = row + step(1);
    j = col + step(2);
    switch boundary
        case 'clamp'
            count = count + board(min(max(i, 1), rows), min(max(j, 1), cols));
        case 'torus'
            count = count + board(mod(i - 1, rows) + 1, mod(j - 1, cols) + 1);
        case 'dead'
            count = count + (i >= 1 && i <= rows && j >= 1 && j <= cols && board(i, j));
    end
end
end
