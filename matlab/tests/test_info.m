function tests = test_info
%TEST_INFO  gpumex.info and gpumex.reset_default.
tests = localfunctions();
end

function test_the_backend_is_the_one_asked_for(backend)
device = gpumex.info('Backend', backend);
assert(strcmp(device.Backend, backend));
assert(device.MultiprocessorCount >= 1 && device.TotalMemory >= device.AvailableMemory && device.AvailableMemory > 0);
if strcmp(backend, 'cuda')
    assert(device.Ordinal >= 0 && str2double(device.ComputeCapability) >= 7.5);
else
    assert(device.Ordinal == -1 && isempty(device.ComputeCapability) && ~device.ECC);
end
end

function test_texts_are_texts(backend)
device = gpumex.info('Backend', backend);
for field = {'Name', 'Text', 'Version', 'Build'}
    assert(ischar(device.(field{1})) && ~isempty(device.(field{1})), field{1});
end
assert(~isempty(regexp(device.Version, '^\d+\.\d+\.\d+$', 'once')));
assert(~isempty(strfind(device.Build, device.Version)));
end

function test_without_an_output_it_prints_the_device(backend)
text = evalc(['gpumex.info(''Backend'', ''' backend ''')']);
device = gpumex.info('Backend', backend);
assert(~isempty(strfind(text, device.Name)) && ~isempty(strfind(text, device.Build)));
end

function test_the_last_time_of_the_default_context(~)
[~, ms] = gpumex.life(lcg_board(64, 64), 10);
assert(getfield(gpumex.info, 'KernelMs') == ms);
end

function test_a_reset_forgets_and_the_next_call_works(~)
gpumex.life(lcg_board(64, 64), 10);
gpumex.reset_default;
assert(getfield(gpumex.info, 'KernelMs') == 0);
gpumex.reset_default;
gpumex.reset_default;
assert(isequal(gpumex.life(lcg_board(16, 16), 3), life_oracle(lcg_board(16, 16), 3)));
end

function test_a_setting_that_comes_too_late_is_not_ignored_silently(~)
gpumex.info;
before = getenv('GPUMEX_NUM_THREADS');
restore = onCleanup(@() setenv('GPUMEX_NUM_THREADS', before));
state = warning('off', 'gpumex:reset_default:settings');
back = onCleanup(@() warning(state));
lastwarn('', '');
gpumex.reset_default;
[~, id] = lastwarn();
assert(isempty(id), 'a warning without a reason: %s', id);
setenv('GPUMEX_NUM_THREADS', '13');
warning('on', 'gpumex:reset_default:settings');
evalc('gpumex.reset_default');
[text, id] = lastwarn();
assert(strcmp(id, 'gpumex:reset_default:settings') && ~isempty(strfind(text, 'gpumex.threads')), '%s: %s', id, text);
end

function test_contents_have_the_version_that_ver_shows(~)
text = fileread(fullfile(fileparts(which('build_gpumex')), 'Contents.m'));
lines = strsplit(text, sprintf('\n'));
assert(~isempty(regexp(lines{2}, ['^% Version ' regexptranslate('escape', gpumex.version) '\>'], 'once')), lines{2});
end
