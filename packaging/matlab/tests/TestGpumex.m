classdef TestGpumex < matlab.unittest.TestCase
%TESTGPUMEX  The test files of this folder, test_*.m, as tests of matlab.unittest; runtests('TestGpumex') runs them.
%   Each test is a file on a backend: on the CPU always, and on CUDA where there
%   is a GPU; without one it is filtered, and fails where the environment variable
%   GPUMEX_REQUIRE_GPU is 1. run_tests runs the same files without the framework,
%   and test_session, which clears all functions.

properties (TestParameter)
    File = test_files();
    Backend = {'cpu', 'cuda'};
end

methods (TestClassSetup)
    function add_folders(test)
        here = fileparts(mfilename('fullpath'));
        test.applyFixture(matlab.unittest.fixtures.PathFixture(here));
        test.applyFixture(matlab.unittest.fixtures.PathFixture(fullfile(fileparts(here), 'toolbox')));
    end
end

methods (Test)
    function runs(test, File, Backend)
        test.needs(Backend);
        tests = feval(File);
        tests = tests(strncmp(cellfun(@func2str, tests, 'UniformOutput', false), 'test_', 5));
        for k = 1:numel(tests)
            try
                tests{k}(Backend);
            catch problem
                test.verifyFail(sprintf('%s: %s', func2str(tests{k}), problem.getReport()));
            end
        end
    end
end

methods (Access = private)
    function needs(test, backend)
        try
            gpumex.info('Backend', backend);
        catch problem
            test.assertNotEqual(getenv('GPUMEX_REQUIRE_GPU'), '1', problem.message);
            test.assumeFail(problem.message);
        end
    end
end
end

function names = test_files
files = dir(fullfile(fileparts(mfilename('fullpath')), 'test_*.m'));
[~, names] = cellfun(@fileparts, {files.name}, 'UniformOutput', false);
names = setdiff(names, {'test_session'});
end
