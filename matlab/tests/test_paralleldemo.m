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

text = evalc('paralleldemo_gpumex');
for line = {'First version using \w+ on the CPU:  \d+\.\d{3}ms per generation\.\s+1\.528ms', ...
        'MEX with shared memory: \d+\.\d{3}ms per generation \(\d+\.\dx faster\)\.\s+0\.055ms\s+\d+\.\d{3}ms', ...
        'MEX with texture memory: \d+\.\d{3}ms per generation \(\d+\.\dx faster\)\.\s+0\.025ms\s+\d+\.\d{3}ms', ...
        'gpumex with arrays: \d+\.\d{3}ms per generation \(\d+\.\dx faster\)\.\s+\d+\.\d{3}ms'}
    assert(~isempty(regexp(text, line{1}, 'once')), 'no line %s in\n%s', line{1}, text);
end
alive = sscanf(text(strfind(text, 'the same board:'):end), 'the same board: %d');
assert(numel(dir(fullfile(folder, 'life_initial.*'))) == 1);
check_picture(folder, alive);
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
