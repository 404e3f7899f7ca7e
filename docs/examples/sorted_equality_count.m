a = [1 2 4];
lower = gpumex.search([2 2 3 4], a);
upper = gpumex.search([2 2 3 4], a, 'upper');
fprintf('%d: %d times, from %d on\n', [a; upper - lower; lower - 1]);
