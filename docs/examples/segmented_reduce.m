sums = gpumex.segreduce([1 2 3 4 5 6], [3 0 1 2], 'sum');
fprintf('%g ', sums);
fprintf('\n');
