fprintf('%d ', gpumex.interval_expand([7 8 9], [2 0 3]));
fprintf('\n');
