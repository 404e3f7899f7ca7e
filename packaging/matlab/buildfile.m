function plan = buildfile
%BUILDFILE  Tasks for `buildtool`, from R2022b on: check, mex, test (default), package.
plan = buildplan(localfunctions);
plan("test").Dependencies = "mex";
plan("package").Dependencies = ["check" "test"];
plan.DefaultTasks = "test";
end

function checkTask(context)
% Look for code that MATLAB's analyzer calls an error, and check the function signatures
folder = add_toolbox(context);
found = codeIssues(folder).Issues;
found = found(found.Severity == "error", :);
disp(found);
assert(isempty(found), 'the code analyzer reports errors');
found = validateFunctionSignaturesJSON(fullfile(folder, 'resources', 'functionSignatures.json'));
disp(found);
assert(isempty(found), 'the function signatures are not valid');
end

function mexTask(context)
% Compile the MEX file with the library of this toolbox
add_toolbox(context);
build_gpumex
end

function testTask(context)
% Run the tests on the CPU and, where there is a GPU, on CUDA
add_toolbox(context);
assertSuccess(runtests(fullfile(context.Plan.RootFolder, 'tests', 'TestGpumex.m')));
end

function packageTask(context)
% Make release/gpumex.mltbx
addpath(context.Plan.RootFolder);
packageToolbox
end

function folder = add_toolbox(context)
folder = fullfile(context.Plan.RootFolder, 'toolbox');
addpath(folder);
end
