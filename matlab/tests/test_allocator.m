function tests = test_allocator
%TEST_ALLOCATOR  gpumex.allocator: statistics, limits and kinds.
tests = localfunctions();
end

function test_an_array_is_counted_and_kept(backend)
before = gpumex.allocator('trim', 'Backend', backend);
A = gpumex.array(ones(1000), 'Backend', backend);
during = gpumex.allocator('Backend', backend);
clear A
after = gpumex.allocator('Backend', backend);
assert(during.AllocatedBlocks == before.AllocatedBlocks + 1 && during.Allocated >= before.Allocated + 8e6);
assert(after.Allocated == before.Allocated && after.Cached >= 8e6 && after.Peak >= during.Allocated);
end

function test_a_block_is_used_again(backend)
A = gpumex.array(ones(1000), 'Backend', backend);
clear A
before = gpumex.allocator('Backend', backend);
A = gpumex.array(ones(1000), 'Backend', backend);
after = gpumex.allocator('Backend', backend);
assert(after.Hits > before.Hits && after.Misses == before.Misses);
end

function test_trim_keeps_nothing(backend)
A = gpumex.array(ones(1000), 'Backend', backend);
clear A
stats = gpumex.allocator('trim', 'Backend', backend);
assert(stats.Cached == 0 && stats.CachedBlocks == 0 && stats.Evictions > 0);
end

function test_limits_are_kept(backend)
was = gpumex.allocator('Backend', backend);
stats = gpumex.allocator('Capacity', 2^20, 'Largest', 2^18, 'Backend', backend);
assert(stats.Capacity == 2^20 && stats.Largest == 2^18);
stats = gpumex.allocator('Capacity', 2^24, 'Backend', backend);
assert(stats.Capacity == 2^24 && stats.Largest == 2^18);
gpumex.array(ones(1000), 'Backend', backend);
clear ans
stats = gpumex.allocator('Backend', backend);
assert(stats.Cached < 8e6);
stats = gpumex.allocator('Capacity', 0, 'Largest', 0, 'Backend', backend);
assert(stats.Cached == 0);
check_operations(backend);
gpumex.allocator('Capacity', was.Capacity, 'Largest', was.Largest, 'Backend', backend);
end

function test_every_kind_serves(backend)
kinds = {'simple', 'caching'};
if strcmp(backend, 'cuda')
    kinds = [{'pool'} kinds];
end
for k = 1:numel(kinds)
    stats = gpumex.allocator(kinds{k}, 'Backend', backend);
    assert(strcmp(stats.Allocator, kinds{k}));
    check_operations(backend);
    A = gpumex.array(magic(8), 'Backend', backend);
    assert(isequal(gather(gpumex.matmul(A, eye(8), 'Backend', backend)), magic(8)));
    check_refused('gpumex:allocator:busy', @() gpumex.allocator('simple', 'Backend', backend));
    clear A
end
end

function test_without_an_output_it_prints(backend)
text = evalc(['gpumex.allocator(''Backend'', ''' backend ''')']);
assert(~isempty(strfind(text, 'Cached')) && ~isempty(strfind(text, 'caching')), text);
assert(isempty(evalc(['gpumex.allocator(''trim'', ''Backend'', ''' backend ''')'])));
end

function test_what_is_refused(backend)
for action = {'', 'fast', 1, {}, 'autotrim'}
    check_refused('gpumex:allocator:invalidAction', @() gpumex.allocator(action{1}, 'Backend', backend));
end
for bytes = {-1, 0.5, NaN, Inf, 'full', [1 2], {}, 1i}
    check_refused('gpumex:allocator:invalidCapacity', @() gpumex.allocator('Capacity', bytes{1}, 'Backend', backend));
    check_refused('gpumex:allocator:invalidLargest', @() gpumex.allocator('Largest', bytes{1}, 'Backend', backend));
end
check_refused('gpumex:allocator:invalidBackend', @() gpumex.allocator('Backend', 'none'));
check_refused('gpumex:allocator:invalidOption', @() gpumex.allocator('Size', 1));
if strcmp(backend, 'cpu')
    check_refused('gpumex:allocator:unsupported', @() gpumex.allocator('pool', 'Backend', backend));
end
end
