function [strength, covered] = gpuarray_coverage(gridSize, masts)
%GPUARRAY_COVERAGE  Signal strength of radio masts on a map.
%   [STRENGTH, COVERED] = gpuarray_coverage(GRIDSIZE, MASTS) computes at each point
%   of a hilly map the strength of the strongest of MASTS masts, in dB, on gpuArrays,
%   with an element-wise function of several arguments for arrayfun, and the share of
%   the map where it is above a limit. Both are checked against plain arithmetic on
%   ordinary arrays.
%
%   After Joss Knight, "High-Performance MATLAB with GPU Acceleration" (NVIDIA
%   Parallel Forall, 2015), where bsxfun and arrayfun spread masts along a dimension
%   of their own.

if nargin < 1
    gridSize = 100;
end
if nargin < 2
    masts = 25;
end
frequency = 800e6;
[mapX, mapY] = meshgrid(linspace(-5000, 5000, gridSize));
mapZ = 80 * sin(mapX / 900) .* cos(mapY / 1100) + 40 * sin(mapY / 300);
k = reshape(1:masts, 1, 1, masts);
mastX = 4500 * cos(2.4 * k) .* sqrt(k / masts);
mastY = 4500 * sin(2.4 * k) .* sqrt(k / masts);
mastZ = 120 + 10 * mod(k, 4);
power = 5 + mod(k, 3);

loss = @(x, y, z, mx, my, mz, watt) 10 * log10(watt ./ ((x - mx).^2 + (y - my).^2 + (z - mz).^2)) ...
    - 20 * log10(4 * pi * frequency / 299792458);
each = arrayfun(loss, gpuArray(mapX), gpuArray(mapY), gpuArray(mapZ), gpuArray(mastX), gpuArray(mastY), ...
    gpuArray(mastZ), gpuArray(power));
[strength, nearest] = max(each, [], 3);
covered = gather(nnz(strength > -85) / numel(strength));
counts = gather(accumarray(nearest(:), 1, [masts 1]));
strength = gather(strength);

each = loss(mapX, mapY, mapZ, mastX, mastY, mastZ, power);
[expected, nearest] = max(each, [], 3);
assert(max(abs(strength(:) - expected(:))) < 1e-9);
assert(abs(covered - mean(expected(:) > -85)) < 1e-9);
assert(sum(abs(counts - accumarray(nearest(:), 1, [masts 1]))) <= 2);
end
