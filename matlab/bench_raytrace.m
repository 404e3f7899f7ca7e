function times = bench_raytrace(pixels, most, name)
%BENCH_RAYTRACE  How long each variant of gpumex.raytrace takes.
%   bench_raytrace prints the median times of the computation alone, for pictures
%   of 2048-by-2048 pixels and scenes of 16 spheres, 32, and so on: to 1000000 on
%   a GPU, to 2048 on the CPU, where all variants are computed as 'auto' is. "-"
%   stands where a picture is expected to take longer than a second.
%
%   bench_raytrace(PIXELS, MOST) takes pictures of PIXELS-by-PIXELS and scenes of
%   up to MOST spheres. bench_raytrace(PIXELS, MOST, NAME) also writes the table
%   to NAME.csv and, where figures can be drawn, a plot to NAME.png.
%
%   TIMES = bench_raytrace(...) returns the columns Spheres and Milliseconds, one
%   for each of TIMES.Variants, NaN where there is none.
%
%   The spheres are all over a cube as wide as the picture. Their radii are 20 to
%   120 in a picture of 2048, and with more than 2048 spheres smaller by
%   sqrt(2048/N): they cover the picture as often.
%
%   Example:
%      bench_raytrace(1024, 1e6, 'raytrace')
%
%   See also gpumex.raytrace, bench_life.

device = gpumex.info;
if nargin < 1
    pixels = 2048;
end
if nargin < 2
    most = 2048;
    if strcmp(device.Backend, 'cuda')
        most = 1e6;
    end
end
counts = [2 .^ (4:12), 4 .^ (7:9), 1e6].';
counts = counts(counts <= most);
variants = {'global', 'readonly', 'constant', 'binned'};
fprintf('Ray caster: %d x %d pixels, ms, %s backend (%s)\n', pixels, pixels, device.Backend, device.Name);
fprintf(' Spheres%s\n', sprintf(' | %9s', variants{:}));
measured = struct('Spheres', counts, 'Variants', {variants}, 'Milliseconds', nan(numel(counts), numel(variants)));
for k = 1:numel(counts)
    measured.Milliseconds(k, :) = row(measured, k, pixels);
    fprintf('%8d%s\n', counts(k), strrep(sprintf(' | %9.3f', measured.Milliseconds(k, :)), 'NaN', '  -'));
end
if nargin > 2
    save_table([name '.csv'], measured);
    save_plot([name '.png'], measured, pixels);
end
if nargout > 0
    times = measured;
end
end

function ms = row(measured, k, pixels)
% The time of each variant, whose pictures are the same.
spheres = gpumex.array(scene(measured.Spheres(k), pixels));
ms = nan(1, numel(measured.Variants));
seen = [];
for v = 1:numel(ms)
    if is_slow(measured, k, v)
        continue
    end
    [ms(v), image] = median_time(spheres, pixels, measured.Variants{v});
    if ~isempty(seen) && ~isequal(image, seen)
        error('gpumex:bench_raytrace:pictures', 'bench_raytrace: %s casts another picture', measured.Variants{v});
    end
    seen = image;
end
end

function tf = is_slow(measured, k, v)
% Whether a picture will take longer than a second, after the row before; bins never do.
tf = false;
if k > 1 && ~strcmp(measured.Variants{v}, 'binned')
    ms = measured.Milliseconds(k - 1, v) * measured.Spheres(k) / measured.Spheres(k - 1);
    tf = isnan(ms) || ms > 1000;
end
end

function [ms, image] = median_time(spheres, pixels, variant)
ms = zeros(1, 5);
for k = 1:numel(ms)
    [image, ms(k)] = gpumex.raytrace(spheres, pixels, pixels, 'Variant', variant);
end
ms = median(ms);
image = gather(image);
end

function spheres = scene(count, pixels)
% A column a sphere, the same ones at each call: multiples of irrational numbers, modulo 1.
part = mod(sqrt([2; 3; 5; 7; 11; 13; 17]) * (1:count), 1);
radii = (20 + 100 * part(4, :)) * pixels / 2048 * sqrt(2048 / max(count, 2048));
spheres = single([part(1:3, :); radii; (part(5:7, :) - 0.5) * pixels]);
end

function save_table(file, measured)
[id, message] = fopen(file, 'w');
if id < 0
    error('gpumex:bench_raytrace:file', 'bench_raytrace: %s: %s', file, message);
end
close_it = onCleanup(@() fclose(id));
fprintf(id, 'spheres%s\n', sprintf(',%s_ms', measured.Variants{:}));
for k = 1:numel(measured.Spheres)
    fprintf(id, '%d%s\n', measured.Spheres(k), strrep(sprintf(',%.6f', measured.Milliseconds(k, :)), 'NaN', ''));
end
fprintf('Table: %s\n', file);
end

function save_plot(file, measured, pixels)
% A machine without a display may lack what figures need: toolkit, fonts.
if exist('OCTAVE_VERSION', 'builtin') && isempty(available_graphics_toolkits())
    fprintf('No plot: this Octave has no graphics toolkit\n');
    return
end
try
    draw_plot(file, measured, pixels);
    fprintf('Plot: %s\n', file);
catch problem
    fprintf('No plot: %s\n', problem.message);
end
end

function draw_plot(file, measured, pixels)
window = figure('Visible', 'off');
close_it = onCleanup(@() close(window));
loglog(measured.Spheres, measured.Milliseconds, '-o', 'LineWidth', 1.5);
grid('on');
xlabel('Spheres');
ylabel('Time of the computation, ms');
title(sprintf('Ray caster, %d x %d pixels', pixels, pixels));
legend(measured.Variants, 'Location', 'northwest');
print(window, file, '-dpng');
end
