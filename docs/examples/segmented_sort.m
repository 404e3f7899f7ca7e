sorted = gpumex.sort_keys([9 3 6; 7 2 5; 8 1 4]);   % each column is a segment
fprintf('%d %d %d\n', sorted);
