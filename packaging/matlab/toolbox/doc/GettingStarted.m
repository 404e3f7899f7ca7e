%% gpumex: first steps
% GPU kernels as ordinary functions. Without a GPU the same functions run on the CPU.
%
% Once, in the folder toolbox: compile the MEX file, which takes a C compiler (mex -setup). A toolbox installed from an .mltbx
% file has it already.
%
%    build_gpumex
%    addpath(pwd), savepath

%% Is my GPU used?
% The first line says where the functions compute, and why. A library without CUDA kernels says how to take one that has them.
gpumex.info

%% Conway's Game of Life
% The second output is the time of the computation alone, in milliseconds.
board = rand(500) > 0.75;
[next, ms] = gpumex.life(board, 100);
fprintf('100 generations of 500 x 500 cells: %.2f ms, %d cells are alive\n', ms, nnz(next));

%% A matrix product
A = rand(400);
B = rand(400);
C = gpumex.matmul(A, B);
fprintf('Largest difference to A*B: %.1g\n', max(max(abs(C - A * B))));

%% Arrays that stay on the device
% Nothing goes through the host between the calls.
kept = gpumex.array(board);                     % has operators and indexing, too
for k = 1:10
    kept = gpumex.life(kept, 100);
end
fprintf('After 1000 generations %d cells are alive\n', nnz(gather(kept)));

%% Counting
[words, counts] = gpumex.words('to be, or not to be: that is the question', 3);
for k = 1:numel(words)
    fprintf('%2d  %s\n', counts(k), words{k});
end
heights = gpumex.histogram(randn(1, 1e5), -4:4);
fprintf('%d of 100000 normal numbers are between -1 and 1\n', sum(heights(4:5)));

%% Where next
% help gpumex.life and so on tell each function's options and errors; Contents.m lists the functions.
% paralleldemo_gpumex is the MATLAB example "Accessing Advanced CUDA Features Using MEX", with times and pictures.
