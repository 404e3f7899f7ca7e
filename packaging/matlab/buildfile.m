function plan = buildfile
%BUILDFILE  Tasks for `buildtool`, from R2022b on: check, mex, test (default), package.
plan = buildplan(localfunctions);
plan("test").Dependencies = "mex";
plan("package").Dependencies = ["check" "test"];
plan.DefaultTasks = "test";
end

function checkTask(~)
% Look for code that MATLAB's analyzer calls an error, and check the function signatures
folder = fullfile(pwd, 'toolbox');
addpath(folder);
files = dir(fullfile(folder, '**', '*.m'));
paths = fullfile({files.folder}, {files.name});
found = checkcode(paths, '-string', '-m0');
fprintf('%s', found);
assert(isempty(found), 'checkcode reports errors');
validateFunctionSignaturesJSON(fullfile(folder, 'resources', 'functionSignatures.json'));
end

function mexTask(~)
% Compile the MEX file with the library of this toolbox
addpath(fullfile(pwd, 'toolbox'));
build_gpumex
end

function testTask(~)
% Run the tests on the CPU and, where there is a GPU, on CUDA
addpath(fullfile(pwd, 'toolbox'));
results = runtests(fullfile(pwd, 'tests', 'TestGpumex.m'));
assertSuccess(results);
end

function packageTask(~)
% Make release/gpumex.mltbx
packageToolbox
end
