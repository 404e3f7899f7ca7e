data = [3 1 4 1 5 9 2 6];
fprintf('sum %g, max %g\n', gpumex.reduce(data, 'sum'), gpumex.reduce(data, 'max'));
