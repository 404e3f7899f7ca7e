keys = gpumex.union([1 2 4 7], [2 4 5]);
fprintf('%g ', keys);
fprintf('\n');
