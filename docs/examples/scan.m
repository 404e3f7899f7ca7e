[before, total] = gpumex.scan(int32([3 1 4 1 5]), 'sum', 'exclusive');
fprintf('%d ', before);
fprintf('total %d\n', total);
