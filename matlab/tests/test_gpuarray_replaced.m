function tests = test_gpuarray_replaced
%TEST_GPUARRAY_REPLACED  The oct-file of gpuArray may be replaced while a session has it loaded.
tests = localfunctions();
if ~exist('OCTAVE_VERSION', 'builtin')
    tests = {};                                 % MATLAB has a gpuArray of its own
end
end

function test_a_session_whose_file_is_replaced_ends(~)
% As build_gpumex and pkg install replace it: functions of the newer file say so, and the session ends as others do.
original = which('gpuArray');
[~, libraries] = system(['ldd "' original '"']);
library = regexp(libraries, 'libgpumex\S* => (\S+)/[^/\s]+ ', 'tokens', 'once');
folder = tempname;
mkdir(folder);
remove = onCleanup(@() remove_folder(folder));
place(original, folder);
new = fullfile(folder, 'new');
mkdir(new);
place(original, new);
script = fullfile(folder, 'session.m');
file = fopen(script, 'w');
ready = fullfile(folder, 'ready');
fprintf(file, 'addpath(''%s''); g = gpuArray([1 2 3]); sum(g); [g; g]; fclose(fopen(''%s'', ''w''));\n', folder, ready);
fprintf(file, 'input('''', ''s''); rehash\n');
fprintf(file, 'try, prod(g), catch problem, disp(problem.message), end\n');
fclose(file);
wait_for = sprintf('for i in $(seq 600); do [ -e "%s" ] || sleep 0.1; done; sleep 1.1', ready);
replace = sprintf('%s; cd "%s"; for f in *.oct @gpuArray/*; do mv -f "$f" "%s/$f"; done; echo', wait_for, new, folder);
[status, text] = system(sprintf('(%s) | LD_LIBRARY_PATH="%s:$LD_LIBRARY_PATH" "%s" -q --norc --no-history "%s" 2>&1', ...
    replace, library{1}, readlink('/proc/self/exe'), script));
assert(status == 0 && isempty(strfind(text, 'fatal')) && isempty(strfind(text, 'already defined')), '%d: %s', status, text);
assert(~isempty(strfind(text, 'start Octave anew')), text);
end

function place(original, folder)
% The files of a few functions, which are links to one.
mkdir(fullfile(folder, '@gpuArray'));
first = fullfile(folder, 'gpuArray.oct');
copyfile(original, first);
for name = {'gather', '@gpuArray/sum', '@gpuArray/prod', '@gpuArray/vertcat'}
    assert(link(first, fullfile(folder, [name{1} '.oct'])) == 0);
end
end

function remove_folder(folder)
confirm_recursive_rmdir(false, 'local');
rmdir(folder, 's');
end
