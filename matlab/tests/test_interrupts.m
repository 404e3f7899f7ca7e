function tests = test_interrupts
%TEST_INTERRUPTS  Ctrl-C ends a long call within a fifth of a second: in Octave, elsewhere there is nothing to test.
tests = localfunctions;
end

function test_long_calls_answer(backend)
if ~exist('OCTAVE_VERSION', 'builtin') || strcmp(backend, 'cuda')
    return                                      % on CUDA a launch that has begun ends first
end
calls = {'x = rand(3000) > 0.5;', 'gpumex.life(x, 1e6);'; ...
    'x = rand(2e7, 1);', 'for k = 1:40, gpumex.sort_keys(x); end'; ...
    'x = char(32 * (rand(1, 3e7) > 0.8) + 65);', 'for k = 1:40, gpumex.words(x, 10); end'; ...
    'x = rand(3000);', 'for k = 1:40, gpumex.matmul(x, x, ''Variant'', ''sequential''); end'};
for k = 1:size(calls, 1)
    seconds = answer(calls{k, :});
    assert(seconds < 0.2 + 0.6 * is_busy(), '%s ended %g s after the signal', calls{k, 2}, seconds);
end
end

function seconds = answer(before, call)
% Another Octave is interrupted in a call. How long that one takes to end.
here = fileparts(mfilename('fullpath'));
mark = tempname();
cleanup = onCleanup(@() delete(mark));
lines = {sprintf('addpath(''%s'')', fileparts(here)), before, 'gpumex.reduce(1:3, ''sum'');', ...
    'try, error(''caught''); end', 'unwind_protect', ...
    sprintf('system(sprintf(''(sleep 0.4; date +%%%%s.%%%%N > %s; kill -INT %%d) &'', getpid()));', mark), call, ...
    'disp(''not interrupted'')', 'unwind_protect_cleanup', ...
    sprintf('disp(sprintf(''ended %%g s after it'', time() - str2double(fileread(''%s''))))', mark), 'end_unwind_protect'};
file = [tempname() '.m'];
script = fopen(file, 'w');
fprintf(script, '%s\n', lines{:});
fclose(script);
[~, said] = system(sprintf('octave-cli -q --no-history "%s" 2>&1', file));
delete(file);
seconds = str2double(regexp(said, '(?<=ended )\S+(?= s after it)', 'match', 'once'));
assert(~isnan(seconds) && isempty(strfind(said, 'not interrupted')), '%s: %s', call, said);
end

function tf = is_busy()
% Other programs have the cores: nothing answers in time then.
load_of = str2double(strtok(fileread('/proc/loadavg')));
tf = load_of > nproc();
end
