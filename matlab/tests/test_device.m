function tests = test_device
%TEST_DEVICE  gpumex.device: what it tells, chooses and waits for.
tests = localfunctions();
end

function test_it_tells_what_info_tells(backend)
told = gpumex.device('Backend', backend);
info = gpumex.info('Backend', backend);
for field = {'Backend', 'Name', 'Ordinal', 'TotalMemory'}
    assert(isequal(told.(field{1}), info.(field{1})), field{1});
end
assert(~isempty(strfind(evalc(['gpumex.device(''Backend'', ''' backend ''')']), info.Name)));
end

function test_the_count_of_devices(backend)
count = gpumex.device('count');
assert(isa(count, 'double') && isscalar(count) && count >= strcmp(backend, 'cuda'));
end

function test_it_waits(backend)
A = gpumex.array(rand(200), 'Backend', backend);
gpumex.matmul(A, A, 'Backend', backend);
gpumex.device('wait', 'Backend', backend);
gpumex.device('Wait');
end

function test_every_device_can_be_chosen(backend)
if strcmp(backend, 'cpu')
    return
end
for ordinal = gpumex.device('count') - 1:-1:0
    device = gpumex.device(ordinal);
    assert(device.Ordinal == ordinal && strcmp(device.Backend, 'cuda'));
    assert(getfield(gpumex.info('Backend', 'cuda'), 'Ordinal') == ordinal);
    check_operations('cuda');
end
gpumex.reset_default;
check_operations('cuda');
end

function test_a_device_that_is_not_there(~)
for ordinal = {gpumex.device('count'), 99, 2^40, int8(100)}
    check_refused('gpumex:device:noDevice', @() gpumex.device(ordinal{1}));
end
assert(isequal(gpumex.life(true(3), 1), life_oracle(true(3), 1)));
end

function test_what_is_refused(backend)
for ordinal = {-1, 0.5, NaN, Inf, [], [0 0], 1i, sparse(0)}
    check_refused('gpumex:device:invalidDevice', @() gpumex.device(ordinal{1}));
end
for action = {'reset', '', {}, @sin, true}
    check_refused('gpumex:device:invalidAction', @() gpumex.device(action{1}));
end
check_refused('gpumex:device:invalidOption', @() gpumex.device('count', 'Backend', backend));
check_refused('gpumex:device:invalidOption', @() gpumex.device(0, 'Backend', backend));
check_refused('gpumex:device:invalidBackend', @() gpumex.device('wait', 'Backend', 'none'));
end
