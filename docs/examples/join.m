[ia, ib] = gpumex.join([1 2 3], [2 3 3 9]);
fprintf('row %d of a, row %d of b\n', [ia - 1, ib - 1].');
