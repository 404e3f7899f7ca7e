function packageToolbox
%PACKAGETOOLBOX  Make release/gpumex.mltbx of the folder toolbox, from R2023a on.
%   The MEX file, which build_gpumex has to have compiled, goes in as well: who
%   installs the file needs no compiler. It is for Linux on the machine that
%   compiled it.
%
%   See also buildtool, matlab.addons.toolbox.packageToolbox.

here = fileparts(mfilename('fullpath'));
folder = fullfile(here, 'toolbox');
gateway = fullfile(folder, 'private', ['gpumex_mex.' mexext]);
if ~exist(gateway, 'file')
    error('gpumex:packageToolbox:notBuilt', 'packageToolbox: %s is not there; `buildtool mex` builds it', gateway);
end

% The identifier stays the same for all versions: MATLAB knows an update by it.
options = matlab.addons.toolbox.ToolboxOptions(folder, '4d5a3c1e-6c0f-4b57-9a5e-7c2f6f1d8b20');
options.ToolboxName = 'gpumex';
options.ToolboxVersion = '@VERSION@';
options.AuthorName = 'The gpumex developers';
options.Summary = 'GPU kernels as ordinary functions; without a GPU they run on the CPU';
options.Description = ['Life, matrix products, histograms, word counts, a ray caster, sorting, sets, joins, scans and ' ...
    'sparse products on an NVIDIA GPU, or on the CPU where there is none. The toolbox carries the library: @CUDA@, see gpumex.info.'];
options.ToolboxMatlabPath = folder;
options.MinimumMatlabRelease = 'R2022a';
options.SupportedPlatforms.Glnxa64 = true;
options.SupportedPlatforms.Win64 = false;
options.SupportedPlatforms.Maci64 = false;
options.SupportedPlatforms.MatlabOnline = false;
if ~exist(fullfile(here, 'release'), 'dir')
    mkdir(fullfile(here, 'release'));
end
options.OutputFile = fullfile(here, 'release', 'gpumex.mltbx');
matlab.addons.toolbox.packageToolbox(options);
fprintf('packageToolbox: %s\n', options.OutputFile);
end
