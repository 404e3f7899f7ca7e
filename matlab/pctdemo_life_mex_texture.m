function grid = pctdemo_life_mex_texture(board, n)
%PCTDEMO_LIFE_MEX_TEXTURE  Game of Life with the GPU's texture memory.
%   GRID = pctdemo_life_mex_texture(BOARD, N) returns the logical matrix BOARD after
%   N generations, as the MEX file of this name does in the MATLAB example
%   "Accessing Advanced CUDA Features Using MEX". It is gpumex.life with the
%   variant 'texture', and without a GPU it runs on the CPU.
%
%   GRID is logical; the original returned uint8. Unlike the original this one
%   takes boards of any size, in ordinary memory, and returns an ordinary array.
%
%   A call without a logical BOARD and N is the error
%   gpumex:pctdemo_life_mex_texture:invalidInput; for the other rules gpumex.life
%   has the errors.
%
%   Example:
%      board = rand(500) > 0.75;
%      grid = pctdemo_life_mex_texture(board, 100);
%
%   See also gpumex.life, pctdemo_life_mex_shmem, paralleldemo_gpumex.

if nargin ~= 2 || ~islogical(board)
    error('gpumex:pctdemo_life_mex_texture:invalidInput', ...
        'pctdemo_life_mex_texture: needs a logical board and a number of generations');
end
try
    grid = gpumex_mex('life', board, n, 'Variant', 'texture');
catch problem
    raise_problem('life', problem);
end
end
