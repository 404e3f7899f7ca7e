fprintf('%d ', gpumex.bulk_remove(10:19, [1 3 4 5 7 8] + 1));
fprintf('\n');
