function [position, energy] = gpuarray_nbody(bodies, steps)
%GPUARRAY_NBODY  Stars that attract each other, all pairs at once.
%   [POSITION, ENERGY] = gpuarray_nbody(BODIES, STEPS) follows BODIES stars of equal
%   mass with softened gravity, leapfrog steps and gpuArrays. POSITION has a row a
%   star, ENERGY the total energy before the first and after the last step. Both are
%   checked against the same program on ordinary arrays.
%
%   After Philip Mocz, "Create Your Own N-body Simulation" (2020), GitHub
%   pmocz/nbody-matlab: separations as x' - x, forces as a matrix product.

if nargin < 1
    bodies = 100;
end
if nargin < 2
    steps = 50;
end
k = (1:bodies)';
position = [cos(2.4 * k), sin(2.4 * k), 0.3 * cos(5.1 * k)] .* sqrt(k / bodies);
velocity = 0.5 * [-position(:, 2), position(:, 1), zeros(bodies, 1)];
mass = 2 * ones(bodies, 1) / bodies;
dt = 0.01;

[stars, energy] = follow(gpuArray(position), gpuArray(velocity), gpuArray(mass), dt, steps);
[expected, expectedEnergy] = follow(position, velocity, mass, dt, steps);
position = gather(stars);
energy = gather(energy);
assert(isequal(size(position), size(expected)) && max(abs(position(:) - expected(:))) < 1e-9);
assert(max(abs(energy - expectedEnergy)) < 1e-9);
end

function [position, energy] = follow(position, velocity, mass, dt, steps)
velocity = velocity - mean(mass .* velocity) / mean(mass);      % the centre of mass is at rest
energy = total_energy(position, velocity, mass);
acceleration = attract(position, mass);
for k = 1:steps
    velocity = velocity + acceleration * dt/2;
    position = position + velocity * dt;
    acceleration = attract(position, mass);
    velocity = velocity + acceleration * dt/2;
end
energy(2) = total_energy(position, velocity, mass);
end

function acceleration = attract(position, mass)
x = position(:, 1);
y = position(:, 2);
z = position(:, 3);
dx = x' - x;
dy = y' - y;
dz = z' - z;
r2 = dx.^2 + dy.^2 + dz.^2 + 0.1^2;
inverse = r2 .^ (-1.5);
acceleration = [(dx .* inverse) * mass, (dy .* inverse) * mass, (dz .* inverse) * mass];
end

function energy = total_energy(position, velocity, mass)
kinetic = 0.5 * sum(sum(mass .* velocity.^2));
distance2 = zeros(size(position, 1), 'like', position);
for k = 1:3
    distance2 = distance2 + (position(:, k)' - position(:, k)).^2;
end
potential = -(mass * mass') ./ sqrt(distance2 + 0.1^2);
energy = kinetic + sum(sum(triu(potential, 1)));
end
