x = logical([1 1 0 0]);
n = uint8([2 4 3 2]);
next = gpumex.map('x & n == 2 | n == 3', x, n, 'Names', 'x n');
fprintf('%d %d %d %d\n', next);
