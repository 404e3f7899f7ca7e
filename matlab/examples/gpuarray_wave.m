function u = gpuarray_wave(n, steps)
%GPUARRAY_WAVE  Waves on a plate with an obstacle, by convolution.
%   U = gpuarray_wave(N, STEPS) lets a drop fall on an N-by-N plate of water with
%   a wall that has a gap, and follows the waves for STEPS steps on gpuArrays. It
%   checks the heights U against the same program on ordinary arrays.
%
%   The scheme is that of "MATLAB Wave Equation GPU" (cuardin on GitHub, MathWorks
%   2014): the Laplacian is a conv2, walls are a mask.
%
%   Example:
%      surf(gpuarray_wave(200, 300), 'EdgeColor', 'none'); zlim([-0.3 0.3]);

if nargin < 1
    n = 200;
end
if nargin < 2
    steps = 200;
end
[x, y] = meshgrid(linspace(-1, 1, n));
drop = exp(-200 * ((x + 0.5).^2 + y.^2));
open = ones(n);
wall = round(n / 2) + (0:2);
open(:, wall) = 0;
open(abs(y(:, 1)) < 0.15, wall) = 1;

u = gather(propagate(gpuArray(drop), gpuArray(open), steps));
expected = propagate(drop, open, steps);
assert(isequal(size(u), size(expected)) && max(abs(u(:) - expected(:))) < 1e-10);
end

function u = propagate(u, open, steps)
laplacian = [0 1 0; 1 -4 1; 0 1 0];
courant2 = 0.25;
damping = 0.002;
before = u;
for k = 1:steps
    next = 2*u - before + courant2 * conv2(u, laplacian, 'same') - damping * (u - before);
    next = next .* open;
    next([1 end], :) = 0;
    next(:, [1 end]) = 0;
    before = u;
    u = next;
end
end
