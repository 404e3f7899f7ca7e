A = sparse([4 0 1; 0 0 0; 0 2 3]);
fprintf('%g ', gpumex.spmv(A, [1; 10; 100]));
fprintf('\n');
