data = [8 1 6 3 5];
fprintf('%g ', gpumex.compact(data, data > 4));
fprintf('\n');
