function tests = test_raytrace
%TEST_RAYTRACE  gpumex.raytrace against the formula in plain M.
tests = localfunctions();
end

function test_every_variant_draws_the_formula(backend)
for dims = {[1 1], [1 9], [9 1], [2 2], [31 33], [64 48], [100 75]}
    check_variants(backend, scene(40, dims{1}), dims{1}(1), dims{1}(2));
end
end

function test_more_spheres_than_constant_memory_holds(backend)
check_variants(backend, scene(5000, [40 30]), 40, 30);
end

function test_one_sphere_is_where_it_should_be(backend)
image = gpumex.raytrace([1 0.5 0 20 30 -10 0], 200, 100, 'Backend', backend);
assert(isequal(image(41, 131, :), uint8(cat(3, 255, 127, 0))));     % the centre, one pixel further than (30, -10)
[rows, cols] = find(image(:, :, 1));
assert(min(rows) == 22 && max(rows) == 60 && min(cols) == 112 && max(cols) == 150);
end

function test_the_nearer_sphere_hides_the_other(backend)
far = [1 0 0 10 0 0 -50];
near = [0 1 0 10 0 0 50];
for order = {[far; near], [near; far]}
    image = gpumex.raytrace(order{1}, 21, 21, 'Backend', backend);
    assert(~any(any(image(:, :, 1))) && image(11, 11, 2) > 0);
end
end

function test_the_first_sphere_wins_a_tie(backend)
image = gpumex.raytrace([1 0 0 10 0 0 0; 0 1 0 10 0 0 0], 21, 21, 'Backend', backend);
assert(image(11, 11, 1) > 0 && ~any(any(image(:, :, 2))));
end

function test_no_sphere_gives_a_black_image(backend)
unseen = [1 1 1 0 0 0 0; 1 1 1 -5 0 0 0; 1 1 1 5 NaN 0 0; 1 1 1 NaN 0 0 0; 1 1 1 5 0 0 NaN];
for spheres = {zeros(0, 7), single(zeros(0, 7)), unseen}
    image = gpumex.raytrace(spheres{1}, 12, 9, 'Backend', backend);
    assert(isequal(image, zeros(9, 12, 3, 'uint8')) && isa(image, 'uint8'));
end
end

function test_colours_are_clamped(backend)
image = gpumex.raytrace([2 -1 NaN 10 0 0 0], 21, 21, 'Backend', backend);
assert(image(11, 11, 1) == 255 && ~any(any(image(:, :, 2))) && ~any(any(image(:, :, 3))));
end

function test_an_image_without_pixels_has_its_size(backend)
sizes = {[0 5], [5 0], [0 0]};
for k = 1:numel(sizes)
    image = gpumex.raytrace(scene(3, [8 8]), sizes{k}(1), sizes{k}(2), 'Backend', backend);
    assert(isa(image, 'uint8') && isequal(size(image), [sizes{k}(2) sizes{k}(1) 3]));
end
end

function test_single_and_double_and_a_range_are_spheres(backend)
spheres = scene(20, [50 40]);
image = gpumex.raytrace(spheres, 50, 40, 'Backend', backend);
assert(isequal(gpumex.raytrace(single(spheres), 50, 40, 'Backend', backend), image));
assert(isequal(gpumex.raytrace(0:6, 9, 9, 'Backend', backend), raytrace_oracle(0:6, 9, 9)));
end

function test_spheres_of_every_size_over_many_tiles(backend)
spheres = scene(400, [300 170]);
spheres(:, 4) = 0.4 * 300 .^ mod((1:400).' * 0.236, 1);
check_variants(backend, spheres, 300, 170);
end

function test_imwrite_keeps_the_image_as_it_is(backend)
image = gpumex.raytrace(scene(30, [50 40]), 50, 40, 'Backend', backend);
file = [tempname '.png'];
remove = onCleanup(@() delete(file));
imwrite(image, file);
assert(isequal(imread(file), image));
end

function test_the_benchmark_runs(~)
name = tempname;
files = {[name '.csv'], [name '.png']};
remove = onCleanup(@() delete_those(files));
text = evalc('times = bench_raytrace(64, 64, name);');
assert(isequal(times.Spheres, [16; 32; 64]) && isequal(size(times.Milliseconds), [3 4]) && all(times.Milliseconds(:) > 0));
assert(~isempty(regexp(text, '\n +64 \| +\d+\.\d{3} \| +\d+\.\d{3}', 'once')), text);
lines = strsplit(strtrim(fileread(files{1})), sprintf('\n'));
assert(strcmp(lines{1}, 'spheres,global_ms,readonly_ms,constant_ms,binned_ms') && numel(lines) == 4);
assert(exist(files{2}, 'file') || ~isempty(strfind(text, 'No plot')), text);
end

function test_the_time_is_a_number_of_milliseconds(backend)
[~, ms] = gpumex.raytrace(scene(20, [50 40]), 50, 40, 'Backend', backend);
assert(isa(ms, 'double') && isscalar(ms) && ms > 0 && ms < 1e4, 'ms is %g', ms);
end

function delete_those(files)
for k = find(cellfun(@(file) exist(file, 'file') == 2, files))
    delete(files{k});
end
end

function check_variants(backend, spheres, width, height)
want = raytrace_oracle(spheres, width, height);
variants = variants_on(backend, {'global', 'readonly', 'constant', 'binned'});
for k = 1:numel(variants)
    image = gpumex.raytrace(spheres, width, height, 'Variant', variants{k}, 'Backend', backend);
    differ = nnz(image ~= want);
    assert(isa(image, 'uint8') && differ == 0, '%s, %dx%d: %d values differ', variants{k}, width, height, differ);
end
end

function spheres = scene(count, extent)
% Spread over the image by a fixed sequence.
k = (1:count).';
part = @(step) mod(k * step, 1);
spheres = [part(0.618) part(0.414) part(0.732) 1 + part(0.236) * max(extent) / 6 ...
    (part(0.303) - 0.5) * extent(1) (part(0.562) - 0.5) * extent(2) (part(0.871) - 0.5) * 100];
end
