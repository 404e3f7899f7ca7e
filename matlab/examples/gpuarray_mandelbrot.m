function logCount = gpuarray_mandelbrot(gridSize, maxIterations)
%GPUARRAY_MANDELBROT  The Mandelbrot set, all points of a grid at once.
%   C = gpuarray_mandelbrot(GRIDSIZE, MAXITERATIONS) counts for each point of a
%   GRIDSIZE-by-GRIDSIZE grid in a valley of the set how many iterations it stays
%   within a circle of radius 2, on gpuArrays, and returns the logarithms. It
%   checks them against the same program on ordinary arrays.
%
%   After "Illustrating Three Approaches to GPU Computing: The Mandelbrot Set",
%   MathWorks, Parallel Computing Toolbox.
%
%   Example:
%      imagesc(gpuarray_mandelbrot(500, 200)); axis image; colormap(jet);

if nargin < 1
    gridSize = 500;
end
if nargin < 2
    maxIterations = 200;
end
xlim = [-0.748766713922161, -0.748766707771757];
ylim = [0.123640844894862, 0.123640851045266];

x = gpuArray.linspace(xlim(1), xlim(2), gridSize);
y = gpuArray.linspace(ylim(1), ylim(2), gridSize);
[xGrid, yGrid] = meshgrid(x, y);
logCount = gather(escape_times(complex(xGrid, yGrid), maxIterations));

[xGrid, yGrid] = meshgrid(linspace(xlim(1), xlim(2), gridSize), linspace(ylim(1), ylim(2), gridSize));
expected = escape_times(complex(xGrid, yGrid), maxIterations);
assert(isequal(size(logCount), size(expected)) && max(abs(logCount(:) - expected(:))) < 1e-12);
end

function count = escape_times(z0, maxIterations)
count = ones(size(z0), 'like', real(z0));
z = z0;
for n = 0:maxIterations
    z = z.*z + z0;
    inside = abs(z) <= 2;
    count = count + inside;
end
count = log(count);
end
