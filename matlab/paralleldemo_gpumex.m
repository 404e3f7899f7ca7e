function paralleldemo_gpumex(view)
%PARALLELDEMO_GPUMEX  Life on the GPU: arrays, shared memory, texture memory.
%   paralleldemo_gpumex plays the Game of Life on a 500-by-500 board, a quarter
%   of it alive, for 100 generations: array at a time on the host, array at a time
%   on a gpuArray, then with tiles in shared memory, and with texture memory, as
%   textbooks have these two and as they are fast. Every version gives the same
%   board. It prints the time a generation of each takes, how many times faster
%   that is than the array version on the gpuArray, and than the one on the host,
%   beside the figures published for the MATLAB example "Accessing Advanced CUDA
%   Features Using MEX". It saves pictures of the first and the last board, and
%   shows them where there is a display.
%
%   paralleldemo_gpumex live plays the generations on the screen first.
%
%   It runs in MATLAB and in GNU Octave, with a GPU and without one. In MATLAB a
%   gpuArray needs the Parallel Computing Toolbox and a GPU; without them the
%   array version is that of the host. The environment variable GPUMEX_DEMO_DIR
%   names the folder of the pictures, by default the current one. The state of
%   rand stays as it was.
%
%   See also gpuArray, gpumex.life, pctdemo_life_mex_shmem, pctdemo_life_mex_texture.

isLive = nargin > 0 && strcmp(view, 'live');
if nargin > 0 && ~isLive
    error('gpumex:paralleldemo_gpumex:invalidView', 'paralleldemo_gpumex: the argument can only be ''live''');
end

%% A random first population
gridSize = 500;
numGenerations = 100;
restore = keep_random(); %#ok<NASGU> until the function ends
rand('twister', 2013);
initialGrid = rand(gridSize, gridSize) > .75;
fprintf('Life on %d x %d cells, %.1f%% of them alive, for %d generations.\n', ...
    gridSize, gridSize, 100 * mean(initialGrid(:)), numGenerations);
describe_device();
if isLive
    play_live(initialGrid, gridSize, numGenerations);
end

%% The array version on the host
onHost = @() callUpdateGrid(initialGrid, gridSize, numGenerations);
expectedResult = onHost();
hostTime = typical_time(onHost, 3);

%% The first version of the example: the same code on a gpuArray
hasGpuArray = serves_gpuArray();
gpuBuiltinsTime = hostTime;
if hasGpuArray
    gpuInitialGrid = gpuArray(initialGrid);
    arrays = @() callUpdateGrid(gpuInitialGrid, gridSize, numGenerations);
    assert(isequal(gather(arrays()), expectedResult));
    gpuBuiltinsTime = gputimeit(arrays);
end

%% A MEX file with shared memory
% The textbook's: each block of threads loads a tile of the board and the ring of cells around it into shared memory, for
% one generation. The fast one has a bit for each cell, and its tiles stay there for many generations.
shmemBytes = @() gpumex.life(initialGrid, numGenerations, 'Variant', 'shmem_bytes');
assert(isequal(shmemBytes(), expectedResult));
shmemBytesTime = typical_time(shmemBytes, 11);
shmem = @() pctdemo_life_mex_shmem(initialGrid, numGenerations);
assert(isequal(shmem(), expectedResult));
shmemTime = typical_time(shmem, 11);

%% A MEX file with texture memory
% The textbook's: each thread fetches the nine cells that it needs through the texture cache. The fast one fetches words of
% cells, for many generations.
textureBytes = @() gpumex.life(initialGrid, numGenerations, 'Variant', 'texture_bytes');
assert(isequal(textureBytes(), expectedResult));
textureBytesTime = typical_time(textureBytes, 11);
texture = @() pctdemo_life_mex_texture(initialGrid, numGenerations);
assert(isequal(texture(), expectedResult));
textureTime = typical_time(texture, 11);

%% Whatever is best
best = @() gpumex.life(initialGrid, numGenerations);
assert(isequal(best(), expectedResult));
bestTime = typical_time(best, 11);
fprintf('All versions give the same board: %d cells alive.\n\n', nnz(expectedResult));

%% Summary
perGeneration = @(seconds) 1000 * seconds / numGenerations;
faster = @(seconds) sprintf('%2.4fms per generation (%1.1fx faster).', perGeneration(seconds), gpuBuiltinsTime / seconds);
overHost = @(seconds) sprintf('%1.1fx', hostTime / seconds);
computeOnly = @(variant) kernel_time(initialGrid, numGenerations, variant) / numGenerations;
print_row('', 'published', 'over CPU', 'compute only');
print_row(sprintf('%s on the CPU: %2.4fms per generation.', language(), perGeneration(hostTime)), '', '', '');
if hasGpuArray
    print_row(sprintf('First version using gpuArray: %2.4fms per generation.', perGeneration(gpuBuiltinsTime)), ...
        1.528, overHost(gpuBuiltinsTime), '');
end
print_row(['MEX with shared memory: ' faster(shmemTime)], 0.055, overHost(shmemTime), computeOnly('shmem'));
print_row(['MEX with texture memory: ' faster(textureTime)], 0.025, overHost(textureTime), computeOnly('texture'));
print_row(['Shared memory as textbooks: ' faster(shmemBytesTime)], '', overHost(shmemBytesTime), computeOnly('shmem_bytes'));
print_row(['Texture as textbooks: ' faster(textureBytesTime)], '', overHost(textureBytesTime), computeOnly('texture_bytes'));
print_row(['gpumex at its best: ' faster(bestTime)], '', overHost(bestTime), computeOnly('auto'));
if hasGpuArray
    fprintf('faster: than the first version; over CPU: than the array version on the host;\n');
else
    fprintf('There is no gpuArray here: faster, and over CPU, than the array version on the host;\n');
end
fprintf('published: the example on the GPU of its authors; compute only: without the call and the transfers.\n');

%% Pictures
fprintf('\n');
show_picture(initialGrid, 'Initial Grid', 'life_initial');
show_picture(expectedResult, sprintf('Generation %d', numGenerations), 'life_final');
end

% The two functions of the example, as it has them: MathWorks, "Accessing Advanced CUDA Features Using MEX".

function grid = callUpdateGrid(grid, gridSize, N)
for gen = 1:N
    grid = updateGrid(grid, gridSize);
end
end

function X = updateGrid(X, N)
p = [1 1:N-1];
q = [2:N N];
% Count how many of the eight neighbors are alive.
neighbors = X(:,p) + X(:,q) + X(p,:) + X(q,:) + ...
    X(p,p) + X(q,q) + X(p,q) + X(q,p);
% A live cell with two live neighbors, or any cell with
% three live neighbors, is alive at the next step.
X = (X & (neighbors == 2)) | (neighbors == 3);
end

function tf = serves_gpuArray()
% In MATLAB there has to be a toolbox and a GPU.
tf = true;
try
    gpuArray(1);
catch
    tf = false;
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
    fprintf('%s; there gpuArrays and all variants are computed.\n\n', strtok(device.Text, sprintf('\n')));
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
fprintf('%-70s%11s%10s%14s\n', sentence, cells{:});
end

function text = as_text(value)
text = value;
if ~ischar(value)
    text = sprintf('%2.4fms', value);
end
end

function play_live(grid, gridSize, numGenerations)
% As the example does; on a gpuArray where there is one.
if ~has_display()
    fprintf('There is no display for the live view.\n');
    return
end
if serves_gpuArray()
    grid = gpuArray(grid);
end
try
    figure('Name', 'Game of Life');
    for generation = 1:numGenerations
        grid = updateGrid(grid, gridSize);
        draw(gather(grid), sprintf('Generation %d', generation));
        drawnow;
    end
catch problem
    fprintf('The live view cannot be drawn here (%s).\n', first_line(problem.message));
end
end

function text = first_line(message)
text = strtok(message, sprintf('\n'));
end

function draw(grid, name)
imagesc(grid);
axis image;
colormap([1 1 1; 0 0.5 0]);
title(name);
end

function tf = has_display()
if exist('OCTAVE_VERSION', 'builtin')
    tf = have_window_system();
else
    tf = usejava('desktop');
end
end

function show_picture(grid, name, file)
if has_display()
    try
        figure('Name', name);
        draw(grid, name);
    catch problem
        fprintf('%s cannot be drawn here (%s).\n', name, first_line(problem.message));
    end
end
save_picture(grid, file);
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
