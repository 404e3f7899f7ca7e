A = single([1 2 3; 4 5 6]);
B = single([1 0; 0 1; 1 1]);
fprintf('%g %g\n', gpumex.matmul(A, B).');
