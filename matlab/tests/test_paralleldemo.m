function tests = test_paralleldemo
%TEST_PARALLELDEMO  The MATLAB example runs, prints its summary and saves its pictures.
tests = localfunctions();
end

function test_summary_and_pictures(~)
folder = tempname;
mkdir(folder);
before = getenv('GPUMEX_DEMO_DIR');
restore = onCleanup(@() forget(folder, before));
setenv('GPUMEX_DEMO_DIR', folder);

state = rand('twister');
text = evalc('paralleldemo_gpumex');
assert(isequal(rand('twister'), state));
took = '\d+\.\d{4}ms per generation \(\d+\.\dx faster\)\.';
beside = '\s+\d+\.\dx\s+\d+\.\d{4}ms';
for line = {'\w+ on the CPU: \d+\.\d{4}ms per generation\.\s', ...
        'First version using gpuArray: \d+\.\d{4}ms per generation\.\s+1\.5280ms\s+\d+\.\dx', ...
        ['MEX with shared memory: ' took '\s+0\.0550ms' beside], ...
        ['MEX with texture memory: ' took '\s+0\.0250ms' beside], ...
        ['Shared memory as textbooks: ' took beside], ['Texture as textbooks: ' took beside], ...
        ['gpumex at its best: ' took beside]}
    assert(~isempty(regexp(text, line{1}, 'once')), 'no line %s in\n%s', line{1}, text);
end
alive = sscanf(text(strfind(text, 'the same board:'):end), 'the same board: %d');
assert(numel(dir(fullfile(folder, 'life_initial.*'))) == 1);
check_picture(folder, alive);
end

function test_unknown_view(~)
% It says so before anything is measured.
try
    paralleldemo_gpumex('slow');
catch problem
    assert(strcmp(problem.identifier, 'gpumex:paralleldemo_gpumex:invalidView'), problem.message);
    return
end
error('an unknown view is taken');
end

function check_picture(folder, alive)
% A PPM is right by its size; PNG can be read back where it could be written.
picture = dir(fullfile(folder, 'life_final.*'));
if strcmp(picture.name, 'life_final.ppm')
    assert(picture.bytes == 15 + 500 * 500 * 3);
    return
end
image = imread(fullfile(folder, picture.name));
dead = all(image == 255, 3);
assert(isequal(size(image), [500 500 3]) && nnz(~dead) == alive);
green = reshape(image, [], 3);
assert(isequal(unique(green(~dead, :), 'rows'), uint8([0 128 0])));
end

function forget(folder, before)
setenv('GPUMEX_DEMO_DIR', before);
delete(fullfile(folder, '*'));
rmdir(folder);
end
