fprintf('%d ', gpumex.bulk_insert([100 200 300], [1 1 2 3 3] + 1, 0:4));
fprintf('\n');
