function logCount = gpuarray_mandelbrot(gridSize, maxIterations)
%GPUARRAY_MANDELBROT  The Mandelbrot set, all points of a grid at once.
%   C = gpuarray_mandelbrot(GRIDSIZE, MAXITERATIONS) counts for each point of a
%   GRIDSIZE-by-GRIDSIZE grid in a valley of the set how many iterations it stays
%   within a circle of radius 2, on gpuArrays, and returns the logarithms. It
%   checks them against the same program on ordinary arrays.
%
%   After "Illustrating Three Approaches to GPU Computing: The Mandelbrot Set",
%   MathWorks, Parallel Computing Toolbox; real and imaginary parts apart.
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
logCount = gather(escape_times(xGrid, yGrid, maxIterations));

[xGrid, yGrid] = meshgrid(linspace(xlim(1), xlim(2), gridSize), linspace(ylim(1), ylim(2), gridSize));
expected = escape_times(xGrid, yGrid, maxIterations);
assert(isequal(size(logCount), size(expected)) && max(abs(logCount(:) - expected(:))) < 1e-12);
end

function count = escape_times(x0, y0, maxIterations)
x = x0;
y = y0;
count = ones(size(x0), 'like', x0);
inside = x.^2 + y.^2 <= 4;
for n = 0:maxIterations
    xx = x.*x - y.*y + x0;
    y = 2*x.*y + y0;
    x = xx;
    inside = inside & x.^2 + y.^2 <= 4;     % what has left stays outside, however it overflows
    count = count + inside;
end
count = log(count);
end
