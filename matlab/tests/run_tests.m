function run_tests(varargin)
%RUN_TESTS  Run the tests of gpumex, in MATLAB and in GNU Octave.
%   run_tests runs every file test_*.m beside it on the CPU backend and, where
%   there is a GPU, on CUDA. It prints one line a file and backend, then the
%   number of tests that passed and failed, and fails when a test did. With
%   GPUMEX_REQUIRE_GPU=1 in the environment it fails without a GPU, too, and
%   GPUMEX_TEST_BACKEND=cuda leaves out the CPU backend.
%
%   run_tests('test_life', 'test_sort') runs these files alone. `cargo test`
%   runs the files in several processes at a time.
%
%   A test file is a function that returns its local functions. Those named
%   test_* are the tests: they take the name of a backend and raise an error
%   when something is wrong.

here = fileparts(mfilename('fullpath'));
addpath(here, fileparts(here));
backends = backends_here();
names = varargin;
if isempty(names)
    files = dir(fullfile(here, 'test_*.m'));
    [~, names] = cellfun(@fileparts, {files.name}, 'UniformOutput', false);
end
counts = [0 0];
run = @run_file;                        % a handle outlives the `clear all` of test_session
for k = 1:numel(names)
    for b = 1:numel(backends)
        counts = counts + run(names{k}, backends{b});
    end
end
fprintf('%d passed, %d failed\n', counts);
if counts(2) > 0
    error('gpumex:run_tests:failed', 'run_tests: %d of %d tests failed', counts(2), sum(counts));
end
end

function backends = backends_here()
backends = {'cpu'};
try
    device = gpumex.info('Backend', 'cuda');
    backends{end + 1} = 'cuda';
    if strcmp(getenv('GPUMEX_TEST_BACKEND'), 'cuda')
        backends = {'cuda'};
    end
    fprintf('on %s: %s\n', strjoin(backends, ' and '), device.Name);
catch problem
    if strcmp(getenv('GPUMEX_REQUIRE_GPU'), '1')
        rethrow(problem);
    end
    fprintf('on the CPU (%s)\n', problem.message);
end
end

function counts = run_file(name, backend)
tests = feval(name);
tests = tests(strncmp(cellfun(@func2str, tests, 'UniformOutput', false), 'test_', 5));
counts = [0 0];
start = tic;
for k = 1:numel(tests)
    try
        tests{k}(backend);
        counts = counts + [1 0];
    catch problem
        counts = counts + [0 1];
        fprintf('FAILED %s, %s, %s: %s\n', name, func2str(tests{k}), backend, problem.message);
    end
end
fprintf('%-18s %-5s %3d passed, %d failed, %5.1f s\n', name, backend, counts, toc(start));
end
