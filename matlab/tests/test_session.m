function tests = test_session
%TEST_SESSION  The functions work on after `clear`, which drops MATLAB's hold on the MEX files.
%   The helpers are files of their own: `clear all` takes local functions away from under their callers in Octave.
tests = localfunctions();
end

function test_clear_all_between_calls(backend)
for round = 1:3
    check_operations(backend);
    forget_everything();
end
check_operations(backend);
end

function test_clear_mex_between_calls(backend)
for round = 1:3
    check_operations(backend);
    clear mex
end
check_operations(backend);
end

function test_a_thousand_rounds_of_clear_all_leave_nothing_behind(backend)
free_before = getfield(gpumex.info('Backend', backend), 'AvailableMemory');
setenv('GPUMEX_ROUNDS_BACKEND', backend);
evalin('base', 'clear_all_rounds');
early = str2num(getenv('GPUMEX_ROUNDS_EARLY'));
late = str2num(getenv('GPUMEX_ROUNDS_LATE'));
assert(isequal(late(1:3), early(1:3)), 'libraries, threads, files: %s, then %s', mat2str(early), mat2str(late));
assert(late(4) - early(4) < 4096, '%d KiB more', late(4) - early(4));
assert(getfield(gpumex.allocator('Backend', backend), 'AllocatedBlocks') == 0);
gpumex.allocator('trim', 'Backend', backend);
if strcmp(backend, 'cuda')
    taken = free_before - getfield(gpumex.info('Backend', backend), 'AvailableMemory');
    assert(taken < 2^26, '%d bytes of the device more', taken);
end
check_operations(backend);
end

function test_the_help_of_the_package_lists_its_functions(~)
isgpuarray(0);                                  % loads the type gpuArray in Octave, after `clear all`
text = evalc('help gpumex');
files = dir(fullfile(fileparts(which('gpumex_gateway')), '+gpumex', '*.m'));
names = setdiff({files.name}, {'array.m'});
assert(numel(names) > 50);
prefix = '';                                    % MATLAB lists a package by itself
if exist('OCTAVE_VERSION', 'builtin')
    prefix = 'gpumex\.';
end
for name = names
    [~, name] = fileparts(name{1});
    assert(~isempty(regexp(text, ['\<' prefix name '\>'], 'once')), 'no gpumex.%s', name);
end
assert(isequal(gpumex.sort_keys([3 1 2]), 1:3));
end
