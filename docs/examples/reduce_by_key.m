[keys, sums] = gpumex.reduce_by_key([1 1 4 4 4 9], [10 20 1 2 3 7], 'sum');
fprintf('key %d: %g\n', [keys; sums]);
