function tests = test_gpuarray_programs
%TEST_GPUARRAY_PROGRAMS  Programs as people write them for MATLAB's gpuArray run unchanged; each checks its own result.
addpath(fullfile(fileparts(fileparts(mfilename('fullpath'))), 'examples'));
tests = localfunctions();
end

function test_mandelbrot(backend)
choose(backend);
count = gpuarray_mandelbrot(40, 60);
assert(isequal(size(count), [40 40]) && max(count(:)) <= log(62));
end

function test_wave(backend)
choose(backend);
u = gpuarray_wave(30, 40);
assert(nnz(u) > 200);
end

function test_barrier_option(backend)
choose(backend);
price = gpuarray_barrier_option(2000, 30);
assert(price > 1 && price < 10);
end

function test_nbody(backend)
choose(backend);
[~, energy] = gpuarray_nbody(20, 20);
assert(abs(diff(energy)) < 0.01 * abs(energy(1)));
end

function test_kmeans(backend)
choose(backend);
gpuarray_kmeans(500, 6);
end

function test_pagerank(backend)
choose(backend);
gpuarray_pagerank(60, 0.85);
end

function test_sharpen(backend)
choose(backend);
gpuarray_sharpen(20, 30);
end

function test_coverage(backend)
choose(backend);
gpuarray_coverage(20, 5);
end

function choose(backend)
% In MATLAB a gpuArray is on a GPU.
if exist('OCTAVE_VERSION', 'builtin')
    gpuDevice(backend);
end
end
