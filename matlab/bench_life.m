function bench_life(rows, generations)
%BENCH_LIFE  What a call of gpumex.life costs, by the clock on the wall.
%   bench_life prints the median times of gpumex.life and of the drop-in names on
%   a board of 500-by-500 cells for 100 generations, and how much that is beyond a
%   MEX function that only copies the board. bench_life(ROWS, GENERATIONS) takes
%   another square board. Generations 0 and a board of one cell tell what the
%   functions themselves take.
%
%   Example:
%      bench_life(1, 0)
%
%   See also gpumex.life, paralleldemo_gpumex.

if nargin < 1
    rows = 500;
end
if nargin < 2
    generations = 100;
end
restore = keep_random(); %#ok<NASGU> until the function ends
board = rand(rows) > 0.75;
resident = gpumex.array(board);
device = gpumex.info;
fprintf('Life on %d x %d cells, %d generations, %s backend (%s)\n', rows, rows, generations, device.Backend, device.Name);
fprintf('%-44s%12s%14s\n', '', 'median', 'beyond copy');
copy = row('MEX that copies the board', @() gpumex_mex('copy', board), 0);
row('MEX gateway of Life', @() gpumex_mex('life', board, generations), copy);
row('gpumex.life', @() gpumex.life(board, generations), copy);
for variant = {'cluster', 'registers', 'shmem', 'texture', 'shmem_bytes', 'texture_bytes', 'arrays'}
    play = @() gpumex.life(board, generations, 'Variant', variant{1});
    if serves(play)
        row(['gpumex.life, ' variant{1}], play, copy);
    end
end
row('pctdemo_life_mex_shmem', @() pctdemo_life_mex_shmem(board, generations), copy);
row('pctdemo_life_mex_texture', @() pctdemo_life_mex_texture(board, generations), copy);
try
    grid = gpuArray(board);
    row('updateGrid on a gpuArray, and waiting', @() play_arrays(grid, generations), 0);
catch problem
    fprintf('updateGrid on a gpuArray: %s\n', problem.message);
end
row('gpumex.life on a gpumex.array, and waiting', @() second_output(resident, generations), 0);
end

function ms = second_output(board, generations)
[~, ms] = gpumex.life(board, generations);
end

function grid = play_arrays(grid, generations)
% The first version of the MATLAB example.
N = size(grid, 1);
p = [1 1:N-1];
q = [2:N N];
for generation = 1:generations
    neighbors = grid(:, p) + grid(:, q) + grid(p, :) + grid(q, :) + grid(p, p) + grid(q, q) + grid(p, q) + grid(q, p);
    grid = (grid & (neighbors == 2)) | (neighbors == 3);
end
wait(gpuDevice);
end

function tf = serves(play)
% The cluster takes boards up to its memory.
tf = true;
try
    play();
catch problem
    tf = false;
    fprintf('%s\n', problem.message);
end
end

function seconds = row(name, action, beyond)
% The median of 101 calls, without the call of the handle itself.
seconds = median_time(action) - median_time(@() 1);
text = '';
if beyond > 0
    text = sprintf('%.1f us', 1e6 * (seconds - beyond));
end
fprintf('%-44s%12s%14s\n', name, sprintf('%.1f us', 1e6 * seconds), text);
end

function seconds = median_time(action)
for k = 1:5
    action();
end
seconds = zeros(1, 101);
for k = 1:numel(seconds)
    start = tic;
    action();
    seconds(k) = toc(start);
end
seconds = median(seconds);
end
