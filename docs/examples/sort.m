[sorted, from] = gpumex.sort_keys([5 1 3 1 9 7]);
fprintf('%g came from %d\n', [sorted; from - 1]);   % MATLAB counts from 1
