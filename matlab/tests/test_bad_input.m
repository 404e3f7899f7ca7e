function tests = test_bad_input
%TEST_BAD_INPUT  Every bad argument is an error with its id, and the next call works.
tests = localfunctions();
end

function test_boards(backend)
for board = {sparse(eye(3)), sparse(true(3)), 1i * ones(3), complex(ones(3), 0), {1}, {}, struct('a', 1), ...
        ones(2, 2, 2), true(2, 2, 2), uint8(ones(2, 2, 2)), [1 NaN], single(NaN), 'abc', '', @sin}
    check_refusal(backend, 'life:invalidBoard', @() gpumex.life(board{1}, 1, 'Backend', backend));
end
end

function test_generations(backend)
for generations = {-1, -0, 0.5, NaN, Inf, -Inf, 2^53 + 2, 1e300, [], [1 2], 1i, complex(1, 0), sparse(1), '1', ...
        true, {1}, struct('a', 1), int8(-1), int64(-1), single(1.5), single(2^54), uint64([1 2])}
    check_refusal(backend, 'life:invalidGenerations', @() gpumex.life(true(3), generations{1}, 'Backend', backend));
end
end

function test_boundaries_and_rules_and_cells(backend)
for value = {'', 'open', 1, {}, {'torus'}, true, [], ['torus'; 'torus'], @sin}
    check_option(backend, 'life:invalidBoundary', 'Boundary', value{1});
    check_option(backend, 'life:invalidCells', 'Cells', value{1});
end
for value = {'', 'B', 'B3', 'B9/S23', 'B33/S23', 'B3/S23x', '3', repmat('1', 1, 500), 1, {}, {'B3/S23'}, [], @sin}
    check_option(backend, 'life:invalidRule', 'Rule', value{1});
end
for value = {1, 'sin', {@sin}, [], true}
    check_option(backend, 'life:invalidProgress', 'Progress', value{1});
end
check_refusal(backend, 'life:invalidProgress', @() gpumex.life(true(3), 1, 'Progress'));
end

function test_packed_boards_that_do_not_fit(backend)
play = @(words, varargin) gpumex.life(words, 1, 'Cells', 'bits', varargin{:}, 'Backend', backend);
for board = {true(3), uint8(1), 1, int64(1), uint64(ones(2, 2, 2)), {}, 'a'}
    check_refusal(backend, 'life:invalidBoard', @() play(board{1}));
end
words = zeros(2, 5, 'uint64');
for size = {[64 5], [129 5], [100 4], [100 6], 100, [100 5 1], [99.5 5], [-1 5], [NaN 5], '12', {100, 5}, [], uint64([100 5])}
    check_refusal(backend, 'life:invalidSize', @() play(words, 'Size', size{1}));
end
check_refusal(backend, 'life:invalidSize', @() gpumex.life(true(3), 1, 'Size', [3 3], 'Backend', backend));
check_refusal(backend, 'pack_board:invalidBoard', @() gpumex.pack_board('a'));
check_refusal(backend, 'unpack_board:invalidWords', @() gpumex.unpack_board(1));
check_refusal(backend, 'unpack_board:invalidRows', @() gpumex.unpack_board(words, 64));
end

function test_textbooks_know_one_game(backend)
for variant = {'arrays', 'shmem_bytes', 'texture_bytes'}
    for option = {{'Boundary', 'torus'}, {'Boundary', 'dead'}, {'Rule', 'B36/S23'}}
        play = @() gpumex.life(true(3), 1, 'Variant', variant{1}, option{1}{:}, 'Backend', backend);
        message = check_refusal(backend, 'life:unsupported', play);
        assert(~isempty(strfind(message, ['variant is ''' variant{1} ''''])), message);
    end
end
end

function test_matrices(backend)
for matrix = {{1}, struct('a', 1), 'abc', true(3), true(3, 3, 2), int32(ones(3)), @sin}
    check_no_factor(backend, matrix{1}, 'matmul:invalidMatrix', 'single or double');
end
for matrix = {1i * ones(3), single(1i) * ones(3), complex(ones(3), 0), 1i * ones(3, 3, 2)}
    check_no_factor(backend, matrix{1}, 'matmul:complexMatrix', 'real(%s) and imag(%s)');
end
for matrix = {sparse(eye(3)), sparse(true(3)), sparse(1i * eye(3))}
    check_no_factor(backend, matrix{1}, 'matmul:sparseMatrix', 'full(%s)');
end
end

function check_no_factor(backend, X, id, cure)
message = check_refusal(backend, id, @() gpumex.matmul(X, ones(3), 'Backend', backend));
assert(~isempty(strfind(message, strrep(cure, '%s', 'A'))), message);
message = check_refusal(backend, id, @() gpumex.matmul(ones(3), X, 'Backend', backend));
assert(~isempty(strfind(message, strrep(cure, '%s', 'B'))), message);
end

function test_transposes_that_are_neither_true_nor_false(backend)
for value = {2, -1, NaN, 0.5, 'transpose', 'true', {true}, [], [true true], struct('a', 1), 1i, sparse(true), @sin}
    for side = {'A', 'B'}
        name = ['Trans' side{1}];
        action = @() gpumex.matmul(ones(3), ones(3), name, value{1}, 'Backend', backend);
        message = check_refusal(backend, ['matmul:invalid' name], action);
        assert(~isempty(strfind(message, [name ' is a'])), message);
    end
end
check_refusal(backend, 'matmul:invalidOption', @() gpumex.matmul(1, 1, 'Trans', true, 'Backend', backend));
check_refusal(backend, 'matmul:invalidTransA', ...
    @() gpumex.matmul(1, 1, 'TransA', gpumex.array(true, 'Backend', backend), 'Backend', backend));
end

function test_matrices_that_do_not_fit(backend)
message = check_refusal(backend, 'matmul:mixedClasses', @() gpumex.matmul(single(1), 1, 'Backend', backend));
assert(~isempty(strfind(message, 'single')) && ~isempty(strfind(message, 'double')), message);
message = check_refusal(backend, 'matmul:sizeMismatch', @() gpumex.matmul(ones(2, 3), ones(4, 5), 'Backend', backend));
assert(~isempty(strfind(message, '2x3')) && ~isempty(strfind(message, '4x5')), message);
assert(isequal(gpumex.matmul(2, ones(2), 'Backend', backend), 2 * ones(2)));
assert(isequal(gpumex.matmul([], 1, 'Backend', backend), []));
end

function test_data(backend)
for data = {1, single(1), int8(1), uint16(1), true, sparse(1), 1i, {1}, {'a'}, struct('a', 1), @sin, [], 1:3}
    check_refusal(backend, 'histogram:invalidData', @() gpumex.histogram(data{1}, 'Backend', backend));
end
end

function test_spheres(backend)
for spheres = {ones(2, 6), ones(7, 2), ones(2, 7, 2), [], uint8(ones(2, 7)), true(2, 7), 1i * ones(2, 7), ...
        sparse(ones(2, 7)), {1}, struct('a', 1), 'abcdefg', @sin}
    check_refusal(backend, 'raytrace:invalidSpheres', @() gpumex.raytrace(spheres{1}, 4, 4, 'Backend', backend));
end
end

function test_sizes_of_an_image(backend)
for size = {-1, -0, 1.5, NaN, Inf, 2^54, [], [2 2], '4', true, {4}, 1i}
    check_refusal(backend, 'raytrace:invalidSize', @() gpumex.raytrace(ones(1, 7), size{1}, 4, 'Backend', backend));
    check_refusal(backend, 'raytrace:invalidSize', @() gpumex.raytrace(ones(1, 7), 4, size{1}, 'Backend', backend));
end
check_refusal(backend, 'raytrace:invalidSize', @() gpumex.raytrace(ones(1, 7), 2^33, 2^33, 'Backend', backend));
end

function test_values_of_options(backend)
for value = {'', 'fast', 1, {}, {'shmem'}, true, [], ['shmem'; 'shmem']}
    check_variant_and_backend(backend, 'life', value{1}, {true(3), 1});
    check_variant_and_backend(backend, 'matmul', value{1}, {1, 1});
    check_variant_and_backend(backend, 'histogram', value{1}, {uint8(1)});
    check_variant_and_backend(backend, 'raytrace', value{1}, {ones(1, 7), 4, 4});
    check_refusal(backend, 'info:invalidBackend', @() gpumex.info('Backend', value{1}));
end
end

function test_names_of_options(backend)
for options = {{'Variant'}, {'Variants', 'auto'}, {1, 'auto'}, {'', 'auto'}, {{}, 'auto'}, {'Backend', backend, 'x'}}
    given = options{1};
    check_refusal(backend, 'life:invalidOption', @() gpumex.life(true(3), 1, given{:}));
    check_refusal(backend, 'matmul:invalidOption', @() gpumex.matmul(1, 1, given{:}));
    if ~isnumeric(given{1})                     % which are bins
        check_refusal(backend, 'histogram:invalidOption', @() gpumex.histogram(uint8(1), given{:}));
    end
    check_refusal(backend, 'raytrace:invalidOption', @() gpumex.raytrace(ones(1, 7), 4, 4, given{:}));
end
check_refusal(backend, 'info:invalidOption', @() gpumex.info('Variant', 'auto'));
end

function test_the_option_at_fault_is_named(backend)
says(backend, 'unique:invalidOption', 'stabel'' is not an option; the options are ''rows''', @() gpumex.unique(1, 'stabel'));
says(backend, 'unique:invalidOption', 'Variant has no value', @() gpumex.unique(1, 'Variant'));
says(backend, 'matmul:invalidOption', 'TransA has no value', @() gpumex.matmul(1, 1, 'TransA'));
says(backend, 'life:invalidOption', 'Size, Progress', @() gpumex.life(true(3), 1, 'Ruler', 'B3/S23'));
says(backend, 'histogram:invalidOption', 'are Weights, Channels, Outliers, Variant', @() gpumex.histogram(uint8(1), 'Bins', 3));
says(backend, 'words:invalidOption', 'are Fold, Encoding, Backend', @() gpumex.words('a', 1, 'Variant', 'auto'));
says(backend, 'matmul:invalidOption', 'is a double; the options are', @() gpumex.matmul(1, 1, 3, 4));
says(backend, 'device:invalidAction', 'the action is foo; it is', @() gpumex.device('foo'));
says(backend, 'device:invalidOption', 'Backend', @() gpumex.device('info', 'x'));
says(backend, 'sort_keys:invalidOption', 'are MissingPlacement, ComparisonMethod, Variant, Backend', @() gpumex.sort_keys(1:3, 'Foo', 3));
says(backend, 'sortrows:invalidOption', 'are MissingPlacement, ComparisonMethod, Variant, Backend', @() gpumex.sortrows([2; 1], 1, 'Foo', 3));
says(backend, 'sortrows:invalidMissingPlacement', 'auto, first, last', @() gpumex.sortrows([2; 1], 1, 'MissingPlacement', 'x'));
says(backend, 'unique:invalidOption', 'rows'', ''stable', @() gpumex.unique(1, 1));
says(backend, 'union:invalidOption', 'rows'', ''stable', @() gpumex.union(1, 1, 1));
says(backend, 'scan:invalidKind', 'inclusive, exclusive; forward, reverse; auto, omitnan', @() gpumex.scan(1, 'sum', 'foo'));
says(backend, 'scan:invalidKind', 'forward'' cannot stand here', @() gpumex.scan(1, 'sum', 'reverse', 'forward'));
says(backend, 'unique:invalidOption', 'contradict', @() gpumex.unique(1, 'stable', 'last'));
says(backend, 'unique:invalidData', 'with ''rows', @() gpumex.unique(gpumex.array([2; 1], 'Backend', backend), 'rows'));
end

function test_an_option_without_a_value_is_no_word(backend)
of = @(name, action) says(backend, name, 'has no value; an option is a name and a value', action);
of('sort_keys:invalidOption', @() gpumex.sort_keys(1:3, 'MissingPlacement'));
of('sortrows:invalidOption', @() gpumex.sortrows([2; 1], 1, 'Backend'));
of('search:invalidOption', @() gpumex.search(1:3, 1, 'Backend'));
of('join:invalidOption', @() gpumex.join(1:3, 1, 'Sorted'));
of('convolve:invalidOption', @() gpumex.convolve(1, 1, 'Variant'));
of('reduce:invalidOption', @() gpumex.reduce(1, 'sum', 'Overflow'));
of('scan:invalidOption', @() gpumex.scan(1, 'sum', 'Backend'));
of('random:invalidOption', @() gpumex.random([1 3], 'Seed'));
end

function test_surplus_numbers_are_refused(backend)
check_refusal(backend, 'convolve:invalidShape', @() gpumex.convolve(1, 2, 3, 4));
check_refusal(backend, 'convolve:invalidOption', @() gpumex.convolve(1, 2, 3, 4, 5));
check_refusal(backend, 'interval_expand:invalidOption', @() gpumex.interval_expand(ones(2), 1, 1, 2));
check_refusal(backend, 'unique:invalidOption', @() gpumex.unique(1, 2, 3));
end

function test_too_many_outputs(backend)
says(backend, 'sort_keys:argumentCount', '3 outputs are asked for; there are 2 at most', @() three_of(@() gpumex.sort_keys(1:3)));
says(backend, 'life:argumentCount', '3 outputs are asked for; there are 2 at most', ...
    @() three_of(@() gpumex_call('life', {true(3), 1}, {}, {})));
end

function three_of(action)
[~, ~, ~] = action();
end

function test_arguments_are_named_as_the_help_names_them(backend)
says(backend, 'search:mixedClasses', 'haystack is double and needles is single', @() gpumex.search(1, single(1), 'Backend', backend));
says(backend, 'union:mixedClasses', 'A is int32 and B is int8', @() gpumex.union(int32(1), int8(1), 'Backend', backend));
says(backend, 'merge_keys:sizeMismatch', 'VB is a 1x3 double', @() gpumex.merge_keys(1:2, 1:2, 1:2, 1:3, 'Backend', backend));
says(backend, 'reduce:unsupported', 'op is of the bits of integers, and x is double', @() gpumex.reduce(1, 'xor', 'Backend', backend));
says(backend, 'merge_keys:mixedClasses', 'A is int8 and B is double', @() gpumex.merge_keys(int8(1), 1, 'Backend', backend));
says(backend, 'reduce:invalidDimension', 'DIM is 0; it is a whole number from 1', @() gpumex.reduce(1, 'sum', 0, 'Backend', backend));
says(backend, 'scan:invalidDimension', 'DIM is -3; it is a whole number from 1', @() gpumex.scan(1, 'sum', -3, 'Backend', backend));
says(backend, 'sort_keys:invalidDimension', 'DIM is a positive whole number', @() gpumex.sort_keys(1:3, Inf));
says(backend, 'fill:invalidSize', 'the size is a cell', @() gpumex.fill(1, {2}));
says(backend, 'fill:invalidSize', 'the size is a char', @() gpumex.fill(1, 'a'));
says(backend, 'random:invalidClass', 'Class is uint8; normal numbers are single or double', @() gpumex.random([1 3], 'normal', 'Class', 'uint8'));
says(backend, 'spmv:invalidVector', 'it is a full real vector of doubles', @() gpumex.spmv(speye(2), int8([1; 2]), 'Backend', backend));
says(backend, 'interval_expand:sizeMismatch', 'M has 3 elements; it is one number, or one for each of 2', ...
    @() gpumex.interval_expand(ones(2), 1:3, 1, 'Backend', backend));
says(backend, 'scan:invalidData', 'are of a vector, from its first element on', @() gpumex.scan(int32([1 3; 6 7]), 'and', 'Backend', backend));
says(backend, 'scan:invalidData', 'are of a vector, from its first element on', ...
    @() gpumex.scan(int32([1 3]), 'xor', 'reverse', 'Backend', backend));
says(backend, 'bulk_remove:invalidIndices', 'indices(2) is 9; the last index is 3', ...
    @() gpumex.bulk_remove(1:3, [1 9], 'Backend', backend));
says(backend, 'segreduce:invalidSegments', 'segment 3 begins at 2', ...
    @() gpumex.segreduce(1:6, [1 4 2], 'sum', 'Segments', 'starts', 'Backend', backend));
end

function says(backend, id, part, action)
message = check_refusal(backend, id, action);
assert(~isempty(strfind(message, part)), message);
end

function test_missing_arguments(backend)
check_refusal(backend, 'life:argumentCount', @() gpumex.life());
check_refusal(backend, 'life:argumentCount', @() gpumex.life(true(3)));
check_refusal(backend, 'matmul:argumentCount', @() gpumex.matmul(1));
check_refusal(backend, 'histogram:argumentCount', @() gpumex.histogram());
check_refusal(backend, 'raytrace:argumentCount', @() gpumex.raytrace(ones(1, 7), 4));
end

function test_sequential_is_for_the_cpu(backend)
if strcmp(backend, 'cuda')
    options = {'Variant', 'sequential', 'Backend', 'cuda'};
    check_refusal(backend, 'life:unsupported', @() gpumex.life(true(3), 1, options{:}));
    check_refusal(backend, 'matmul:unsupported', @() gpumex.matmul(1, 1, options{:}));
    check_refusal(backend, 'histogram:unsupported', @() gpumex.histogram(uint8(1), options{:}));
    check_refusal(backend, 'raytrace:unsupported', @() gpumex.raytrace(ones(1, 7), 4, 4, options{:}));
end
end

function test_cuda_by_name_without_a_gpu(backend)
try
    gpumex.info('Backend', 'cuda');
catch problem
    assert(strcmp(problem.identifier, 'gpumex:info:noDevice'), problem.identifier);
    check_refusal(backend, 'life:noDevice', @() gpumex.life(true(3), 1, 'Backend', 'cuda'));
    check_refusal(backend, 'matmul:noDevice', @() gpumex.matmul(1, 1, 'Backend', 'cuda'));
    check_refusal(backend, 'histogram:noDevice', @() gpumex.histogram(uint8(1), 'Backend', 'cuda'));
    check_refusal(backend, 'raytrace:noDevice', @() gpumex.raytrace(ones(1, 7), 4, 4, 'Backend', 'cuda'));
end
end

function test_results_that_no_memory_holds(backend)
wide = zeros(2^22, 0);
check_refusal(backend, 'matmul:outOfMemory', @() gpumex.matmul(wide, wide.', 'Backend', backend));
check_refusal(backend, 'raytrace:outOfMemory', @() gpumex.raytrace(ones(1, 7), 2^24, 2^24, 'Backend', backend));
for n = [2^32 2^40]
    wide = zeros(n, 0);
    check_refusal(backend, 'matmul:outOfMemory', @() gpumex.matmul(wide, wide.', 'Backend', backend));
end
end

function test_the_gateways_called_with_rubbish(backend)
rubbish = {1, 'abc', {}, struct(), sparse(1), 1i, [], @sin, true(2, 2, 2), uint8(1)};
for operation = {'life', 'matmul', 'histogram', 'raytrace', 'array', 'allocator', 'device', 'info', 'reset_default'}
    for count = 0:6
        for k = 1:numel(rubbish)
            inputs = repmat(rubbish(k), 1, count);
            is_real = isa(rubbish{k}, 'double') && isreal(rubbish{k}) && ~issparse(rubbish{k});
            is_good = count == 2 && (isequal(operation, {'life'}) && isa(rubbish{k}, 'uint8') || ...
                isequal(operation, {'matmul'}) && is_real);
            if ~is_good && (count > 0 || ~any(strcmp(operation{1}, {'reset_default'})))
                check_fails(backend, @() gpumex_call(operation{1}, inputs, {}, {}));
            end
        end
    end
end
end

function test_the_primitives_called_with_rubbish(backend)
for operation = {'bulk_insert', 'bulk_remove', 'compact', 'intersect', 'interval_expand', 'ismember', 'join', ...
        'load_balance_search', 'merge_keys', 'reduce', 'reduce_by_key', 'scan', 'search', 'segreduce', 'setdiff', 'setxor', ...
        'sort_by_key', 'sort_keys', 'sortrows', 'spmv', 'union', 'unique'}
    for rubbish = {1, 'abc', {}, struct(), sparse(1), @sin}
        for count = 0:8
            inputs = repmat(rubbish, 1, count);
            refused_somehow(operation{1}, @() gpumex_call(operation{1}, inputs, {}, {}));
        end
    end
end
check_alive(backend);
end

function refused_somehow(operation, action)
try
    action();
catch problem
    assert(strncmp(problem.identifier, ['gpumex:' operation ':'], numel(operation) + 8), problem.identifier);
    return
end
error('no error: %s', func2str(action));
end

function test_the_gateways_called_with_what_the_wrappers_convert(backend)
check_refusal(backend, 'life:invalidBoard', @() gpumex_call('life', {ones(3), 1, 'Backend', backend}, {}, {}));
inputs = {true, [], [], [], [], 1, 'ignore', 'auto', backend};
check_refusal(backend, 'histogram:invalidData', @() gpumex_call('histogram', inputs, {}, {}));
check_refusal(backend, 'raytrace:invalidSpheres', ...
    @() gpumex_call('raytrace', {ones(7, 1), 4, 4, 'auto', backend}, {}, {}));
check_refusal(backend, 'raytrace:invalidSpheres', ...
    @() gpumex_call('raytrace', {ones(1, 7, 'single'), 4, 4, 'auto', backend}, {}, {}));
end

function test_an_operation_that_is_not_there(backend)
check_refusal(backend, 'gpumex_call:invalidOperation', @() gpumex_call('nothing', {}, {}, {}));
end

function test_building_without_a_library(backend)
if ~exist('build_gpumex', 'file')
    return                                      % the package for Octave has neither this function nor load_gpumex
end
check_refusal(backend, 'build_gpumex:noLibrary', @() build_gpumex('no/such/libgpumex.so'));
end

function test_loadlibrary_is_for_matlab(backend)
if ~exist('load_gpumex', 'file')
    return
elseif exist('OCTAVE_VERSION', 'builtin')
    check_refusal(backend, 'load_gpumex:noLoadlibrary', @() load_gpumex());
else
    check_refusal(backend, 'load_gpumex:noLibrary', @() load_gpumex('no/such/libgpumex.so'));
end
end

function check_variant_and_backend(backend, operation, value, inputs)
call = str2func(['gpumex.' operation]);
check_refusal(backend, [operation ':invalidVariant'], @() call(inputs{:}, 'Variant', value, 'Backend', backend));
check_refusal(backend, [operation ':invalidBackend'], @() call(inputs{:}, 'Backend', value));
end

function check_option(backend, id, name, value)
check_refusal(backend, id, @() gpumex.life(true(3), 1, name, value, 'Backend', backend));
end

function message = check_refusal(backend, id, action)
message = check_refused(['gpumex:' id], action);
check_alive(backend);
end

function check_fails(backend, action)
% An error of ours or of the system, but an error.
try
    action();
catch problem
    assert(~isempty(problem.message));
    check_alive(backend);
    return
end
error('no error: %s', func2str(action));
end

function check_alive(backend)
blinker = logical([0 0 0; 1 1 1; 0 0 0]);
assert(isequal(gpumex.life(blinker, 1, 'Backend', backend), life_oracle(blinker, 1)));
end
