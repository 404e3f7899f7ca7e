function paralleldemo_gpumex
%PARALLELDEMO_GPUMEX  Life on the GPU: arrays, shared memory, texture memory.
%   paralleldemo_gpumex plays the Game of Life on a 500-by-500 board, a quarter
%   of it alive, for 100 generations: array at a time in the MATLAB language,
%   then with gpumex array at a time, with tiles in shared memory, and with
%   texture memory, as textbooks have these two and as they are fast. Every
%   version gives the same board. It prints the time a generation of each takes, beside the figures published for the MATLAB
%   example "Accessing Advanced CUDA Features Using MEX", and saves pictures of
%   the first and the last board.
%
%   It runs in MATLAB and in GNU Octave, with a GPU and without one. The
%   environment variable GPUMEX_DEMO_DIR names the folder of the pictures, by
%   default the current one.
%
%   See also gpumex.life, pctdemo_life_mex_shmem, pctdemo_life_mex_texture.

%% A random first population
gridSize = 500;
numGenerations = 100;
rand('twister', 2013);
initialGrid = rand(gridSize) > .75;
fprintf('Life on %d x %d cells, %.1f%% of them alive, for %d generations.\n', ...
    gridSize, gridSize, 100 * mean(initialGrid(:)), numGenerations);
describe_device();

%% The baseline: array at a time in the MATLAB language
% The published first version is this program with its board in a gpuArray. Here it computes where the language does, on
% the CPU.
baseline = @() play_with_arrays(initialGrid, numGenerations);
expected = baseline();
baselineTime = typical_time(baseline, 3);

%% gpumex, array at a time on the device
arrays = @() gpumex.life(initialGrid, numGenerations, 'Variant', 'arrays');
assert(isequal(arrays(), expected));
arraysTime = typical_time(arrays, 11);

%% A MEX file with shared memory
% The textbook's: each block of threads loads a tile of the board and the ring of cells around it into shared memory, for
% one generation. The fast one has a bit for each cell, and its tiles stay there for many generations.
shmemBytes = @() gpumex.life(initialGrid, numGenerations, 'Variant', 'shmem_bytes');
assert(isequal(shmemBytes(), expected));
shmemBytesTime = typical_time(shmemBytes, 11);
shmem = @() pctdemo_life_mex_shmem(initialGrid, numGenerations);
assert(isequal(shmem(), expected));
shmemTime = typical_time(shmem, 11);

%% A MEX file with texture memory
% The textbook's: each thread fetches the nine cells that it needs through the texture cache. The fast one fetches words of
% cells, for many generations.
textureBytes = @() gpumex.life(initialGrid, numGenerations, 'Variant', 'texture_bytes');
assert(isequal(textureBytes(), expected));
textureBytesTime = typical_time(textureBytes, 11);
texture = @() pctdemo_life_mex_texture(initialGrid, numGenerations);
assert(isequal(texture(), expected));
textureTime = typical_time(texture, 11);

%% Whatever is best
best = @() gpumex.life(initialGrid, numGenerations);
assert(isequal(best(), expected));
bestTime = typical_time(best, 11);
fprintf('All versions give the same board: %d cells alive.\n\n', nnz(expected));

%% Summary
perGeneration = @(seconds) 1000 * seconds / numGenerations;
faster = @(seconds) sprintf('%2.4fms per generation (%1.1fx faster).', perGeneration(seconds), baselineTime / seconds);
computeOnly = @(variant) kernel_time(initialGrid, numGenerations, variant) / numGenerations;
print_row('', 'published', 'compute only');
print_row(sprintf('First version using %s on the CPU:  %2.4fms per generation.', language(), ...
    perGeneration(baselineTime)), 1.528, '');
print_row(['MEX with shared memory: ' faster(shmemTime)], 0.055, computeOnly('shmem'));
print_row(['   the textbook''s: ' faster(shmemBytesTime)], '', computeOnly('shmem_bytes'));
print_row(['MEX with texture memory: ' faster(textureTime)], 0.025, computeOnly('texture'));
print_row(['   the textbook''s: ' faster(textureBytesTime)], '', computeOnly('texture_bytes'));
print_row(['gpumex with arrays: ' faster(arraysTime)], '', computeOnly('arrays'));
print_row(['gpumex at its best: ' faster(bestTime)], '', computeOnly('auto'));
fprintf('published: the MATLAB example on the GPU of its authors, its first version with gpuArray on that GPU.\n');
fprintf('compute only: without the call and the transfers.\n');

%% Pictures
fprintf('\n');
save_picture(initialGrid, 'life_initial');
save_picture(expected, 'life_final');
end

function grid = play_with_arrays(grid, numGenerations)
% The clamped edge is in the indices: the first row is above itself, the last below itself.
N = size(grid, 1);
p = [1 1:N-1];
q = [2:N N];
for generation = 1:numGenerations
    neighbors = grid(p, p) + grid(p, :) + grid(p, q) + grid(:, p) + grid(:, q) + grid(q, p) + grid(q, :) + grid(q, q);
    grid = neighbors == 3 | (grid & neighbors == 2);
end
end

function seconds = typical_time(action, repetitions)
% The median of an action that has run before.
seconds = zeros(1, repetitions);
for k = 1:repetitions
    start = tic;
    action();
    seconds(k) = toc(start);
end
seconds = median(seconds);
end

function ms = kernel_time(grid, numGenerations, variant)
ms = zeros(1, 11);
for k = 1:numel(ms)
    [~, ms(k)] = gpumex.life(grid, numGenerations, 'Variant', variant);
end
ms = median(ms);
end

function describe_device
device = gpumex.info;
if strcmp(device.Backend, 'cuda')
    fprintf('CUDA backend: %s\n\n', device.Name);
else
    fprintf('%s; all variants are computed alike.\n\n', strtok(device.Text, sprintf('\n')));
end
end

function name = language
name = 'MATLAB';
if exist('OCTAVE_VERSION', 'builtin')
    name = 'Octave';
end
end

function print_row(sentence, varargin)
cells = cellfun(@as_text, varargin, 'UniformOutput', false);
fprintf('%-66s%12s%15s\n', sentence, cells{:});
end

function text = as_text(value)
text = value;
if ~ischar(value)
    text = sprintf('%2.4fms', value);
end
end

function save_picture(grid, name)
folder = getenv('GPUMEX_DEMO_DIR');
if isempty(folder)
    folder = pwd;
end
colours = uint8([255 255 255; 0 128 0]);                % dead: white, alive: [0 0.5 0]
image = reshape(colours(grid(:) + 1, :), [size(grid) 3]);
file = fullfile(folder, [name '.png']);
try
    imwrite(image, file);
catch problem
    file = fullfile(folder, [name '.ppm']);
    write_ppm(image, file);
    fprintf('PNG cannot be written here (%s), so PPM it is.\n', strtrim(problem.message));
end
fprintf('Saved %s\n', file);
end

function write_ppm(image, file)
[output, message] = fopen(file, 'w');
if output < 0
    error('gpumex:paralleldemo_gpumex:noFile', 'paralleldemo_gpumex: %s: %s', file, message);
end
fprintf(output, 'P6\n%d %d\n255\n', size(image, 2), size(image, 1));
fwrite(output, permute(image, [3 2 1]), 'uint8');
fclose(output);
end
