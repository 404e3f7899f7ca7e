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
took = '\d+\.\d{4}ms per generation \(\d+\.\dx faster\)\.\s+';
for line = {'First version using \w+ on the CPU:  \d+\.\d{4}ms per generation\.\s+1\.5280ms', ...
        ['MEX with shared memory: ' took '0\.0550ms\s+\d+\.\d{4}ms\s+the textbook''s: ' took '\d+\.\d{4}ms'], ...
        ['MEX with texture memory: ' took '0\.0250ms\s+\d+\.\d{4}ms\s+the textbook''s: ' took '\d+\.\d{4}ms'], ...
        ['gpumex with arrays: ' took '\d+\.\d{4}ms'], ['gpumex at its best: ' took '\d+\.\d{4}ms']}
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
