function tests = test_gpuarray_lifetimes
%TEST_GPUARRAY_LIFETIMES  Many operations, many arrays, errors, clear, new contexts, files: nothing leaks, nothing is lost.
%   GPUMEX_TEST_OPERATIONS in the environment asks for another number of operations than 20000.
tests = localfunctions();
end

function test_operations_leak_nothing(backend)
gpuDevice(backend);
count = str2double(getenv('GPUMEX_TEST_OPERATIONS'));
if isnan(count)
    count = 20000;
end
x = gpuArray.rand(20, 30);
some_operations(x, 3000);
before = memory_in_use();
some_operations(x, count);
grown = memory_in_use() - before;
assert(grown < 4e6 + 2 * count, '%d operations: %d bytes more', count, grown);
end

function some_operations(x, count)
for k = 1:ceil(count / 10)
    y = (x + k) .* x - 2;                               % three operations, one pass
    z = y(2:end, [1 3 5]);
    z(2, :) = 7;
    s = sum(z);
    if any(s > 1e12)
        error('a sum of %g', gather(s(1)));
    end
    w = [s; s]';
    w(1) = k;
end
gather(w);
end

function test_many_arrays_at_once(backend)
gpuDevice(backend);
count = 100000;
x = gpuArray([1 2 3]);
all = cell(1, count);
for k = 1:count
    all{k} = x + k;                                     % computed when somebody asks
end
for k = 1:2:count
    all{k}(2) = -k;
end
for k = [1 2 count - 1 count]
    second = k + 2;
    if mod(k, 2)
        second = -k;
    end
    assert(isequal(gather(all{k}), [k + 1, second, k + 3]));
end
end

function test_long_chain(backend)
gpuDevice(backend);
x = gpuArray([1 2 3]);
y = x;
for k = 1:20000
    x = x + 1;
    y = min(y .* y(1), 5);
end
assert(isequal(gather(x), 20000 + [1 2 3]));
assert(isequal(gather(y), [1 2 3]));
end

function test_errors_amid_expressions(backend)
gpuDevice(backend);
x = gpuArray([-1 4 9]);
root = sqrt(x);                                         % its error comes with its elements, each time
for k = 1:3
    message = error_of(@() gather(root + 1));
    assert(~isempty(strfind(message, 'sqrt: the result is complex')), message);
end
assert(isequal(gather(x + 1), [0 5 10]));
x(1) = 1;
assert(isequal(gather(sqrt(x)), [1 2 3]));
assert(~isempty(error_of(@() x + gpuArray([1 2]))));
assert(~isempty(error_of(@() x(7))));
y = x;
try
    y(0) = 3;
catch
end
try
    y([1 2]) = [1 2 3];
catch
end
assert(isequal(gather(y), [1 4 9]));
end

function message = error_of(action)
message = '';
try
    action();
catch problem
    message = problem.message;
end
end

function test_new_contexts_with_live_arrays(backend)
gpuDevice(backend);
x = gpuArray([1 2 3]);
pending = x + 1;
for k = 1:3
    gpumex.reset_default();
    gpuDevice(backend);
    y = x .* 2;
    assert(isequal(gather(y), [2 4 6]));
end
assert(isequal(gather(pending), [2 3 4]));
end

function test_clear_with_live_arrays(backend)
gpuDevice(backend);
evalin('base', 'gpumex_x = gpuArray ([1 2 3]); gpumex_y = gpumex_x + 1; global gpumex_z; gpumex_z = gpumex_y * 2;');
x = gpuArray([1 2 3]);
y = x + 1;
evalin('base', 'clear -all');
evalin('base', 'clear functions');
assert(isequal(gather(y), [2 3 4]));
z = gpuArray(4) + [1 2];
assert(isequal(gather(z), [5 6]));
end

function test_files_have_every_class(backend)
gpuDevice(backend);
file = tempname;
remove = onCleanup(@() delete(file));
classes = {'double', 'single', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'logical'};
shapes = {[2 3], [1 1], [0 3], [0 0], [2 3 2]};
for format = {'-text', '-binary'}
    saved = struct();
    for c = classes
        for k = 1:numel(shapes)
            values = cast(reshape(mod(1:prod(shapes{k}), 4), shapes{k}), c{1});
            saved.(sprintf('%s_%d', c{1}, k)) = gpuArray(values);
        end
    end
    saved.special = gpuArray([NaN Inf -Inf -0 1/3]);
    saved.pending = gpuArray([1 2]) + 1;
    save(format{1}, file, '-struct', 'saved');
    loaded = load(file);
    for name = fieldnames(saved)'
        a = loaded.(name{1});
        b = saved.(name{1});
        assert(isgpuarray(a), name{1});
        a = gather(a);
        b = gather(b);
        assert(strcmp(class(a), class(b)) && isequal(size(a), size(b)), name{1});
        assert(isequal(typecast(double(a(:)'), 'uint64'), typecast(double(b(:)'), 'uint64')), name{1});
    end
end
end

function bytes = memory_in_use()
% Of the process and, on a GPU, of the device; what is kept for the next call counts.
wait(gpuDevice);
text = fileread('/proc/self/statm');
pages = sscanf(text, '%d');
stats = gpumex.allocator();
bytes = pages(2) * 4096 + stats.Allocated;
end
