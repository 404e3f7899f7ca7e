[keys, from] = gpumex.merge_keys([1 3 5], [2 3]);
fprintf('%g (%d)\n', [keys; from - 1]);
