function build_gpumex(library)
%BUILD_GPUMEX  Build the MEX file of gpumex, in MATLAB and in GNU Octave.
%   build_gpumex compiles the folder mex into one MEX file, gpumex_mex, and puts
%   it with a copy of the library into the folder private. In Octave it compiles
%   the folder gpuarray, too: the type gpuArray, which MATLAB has in a toolbox,
%   goes into the folder octave. What is newer than its sources is left as it is. Where there
%   is an MPI it builds what gpumex.comm needs for it (build_gpumex_mpi). It needs a C compiler: `mex -setup`
%   in MATLAB, mkoctfile (Debian: octave-dev) in Octave; no nvcc and no toolbox.
%   In MATLAB with the Parallel Computing Toolbox the functions take gpuArrays.
%
%   build_gpumex(LIBRARY) takes the path of libgpumex.so. Without it the
%   environment variable GPUMEX_LIB has the path, and without that it is
%   lib/libgpumex.so.0.2, which the toolbox carries, or in a clone
%   ../target/release/libgpumex.so, where `cargo build --release` puts it.
%
%   A library that this session has loaded stays loaded: after building with
%   another one, start MATLAB or Octave anew.
%
%   Example:
%      build_gpumex
%      gpumex.info
%
%   See also gpumex.info, build_gpumex_mpi, load_gpumex.

if nargin < 1
    library = '';
end
library = find_library(mfilename, library);
here = fileparts(mfilename('fullpath'));
copy_library(library, fullfile(here, 'private', 'libgpumex.so.0.2'));

build_gateway(here);
build_gpumex_mpi
if exist('OCTAVE_VERSION', 'builtin')
    build_value_type(here);
end
end

function copy_library(library, copy)
% Renamed into its place, so that a session that has the old one loaded keeps it whole.
must(@() copyfile(without_links(library), [copy '.new']));
must(@() movefile([copy '.new'], copy, 'f'));
fprintf('build_gpumex: library %s\n', library);
end

function path = without_links(path)
% Octave's copyfile copies a symbolic link, not its target.
if exist('OCTAVE_VERSION', 'builtin')
    path = canonicalize_file_name(path);
end
end

function must(action)
[done, message] = action();
if ~done
    error('gpumex:build_gpumex:noCopy', 'build_gpumex: %s', message);
end
end

function build_gateway(here)
sources = within(fullfile(here, 'mex'), '*.c');
include = find_header();
target = fullfile(here, 'private');
output = fullfile(target, ['gpumex_mex.' mexext]);
headers = within(fullfile(here, 'mex'), '*.h');
others = {fullfile(include, 'gpumex.h'), fullfile(here, 'build_gpumex.m')};
if is_newer(output, [sources, headers, others])
    fprintf('build_gpumex: gpumex_mex is up to date\n');
    return
end
if exist('OCTAVE_VERSION', 'builtin')
    with_mkoctfile(sources, output, include, target);
else
    with_mex(sources, output, include, target);
end
fprintf('build_gpumex: gpumex_mex built\n');
end

function build_value_type(here)
folder = fullfile(here, 'gpuarray');
if ~exist(fullfile(folder, 'gpuArray.cc'), 'file')
    return                                      % the toolbox for MATLAB, which has no need of it
end
sources = [within(folder, '*.cc'), within(folder, '*.h')];
target = fullfile(here, 'octave');
output = fullfile(target, 'gpuArray.oct');
include = find_header();
if is_newer(output, [sources, {fullfile(include, 'gpumex.h'), fullfile(here, 'build_gpumex.m')}])
    fprintf('build_gpumex: gpuArray is up to date\n');
    return
end
new = fullfile(target, 'new_gpuArray.oct');
[~, status] = mkoctfile('-std=gnu++17', '-O2', '-Wall', '-Wextra', ['-I' include], fullfile(folder, 'gpuArray.cc'), ...
    '-o', strrep(new, ' ', '\ '), ['-L' fullfile(here, 'private')], '-l:libgpumex.so.0.2', ...
    '-Wl,-rpath,\\\$ORIGIN/../private:\\\$ORIGIN/../../private', '-s');
if status ~= 0
    error('gpumex:build_gpumex:compiler', 'build_gpumex: mkoctfile failed on %s', folder);
end
must(@() movefile(new, output, 'f'));
write_names(sources, fullfile(target, 'methods.txt'));
addpath(target);
link_gpuarray
fprintf('build_gpumex: gpuArray built\n');
end

function write_names(sources, list)
% A line for each function of the oct-file, with the file by which Octave finds it.
text = cellfun(@fileread, sources, 'UniformOutput', false);
names = regexp([text{:}], '^(?:GPU_FUNCTION|GPU_METHOD)\((?:\w+)', 'match', 'lineanchors');
names = sort(regexprep(names, {'^GPU_FUNCTION\(', '^GPU_METHOD\('}, {'', '@gpuArray/'}));
file = fopen(list, 'w');
fprintf(file, '%s\n', names{:});
fclose(file);
end

function files = within(folder, pattern)
entries = dir(fullfile(folder, pattern));
files = cellfun(@(name) fullfile(folder, name), {entries.name}, 'UniformOutput', false);
end

function newer = is_newer(output, sources)
newer = exist(output, 'file') && all(cellfun(@(source) written(output) > written(source), sources));
end

function time = written(file)
entry = dir(file);
time = entry.datenum;
end

function with_mkoctfile(sources, output, include, target)
% Two shells read these words. The second one gets all in quotes but the output and the linker's option: a blank and the
% dollar need backslashes there.
[~, status] = mkoctfile('--mex', '-std=c99', '-Wall', '-Wextra', ['-I' include], sources{:}, '-o', ...
    strrep(output, ' ', '\ '), ['-L' target], '-l:libgpumex.so.0.2', '-ldl', '-Wl,-rpath,\\\$ORIGIN');
if status ~= 0
    error('gpumex:build_gpumex:compiler', 'build_gpumex: mkoctfile failed on %s', fileparts(sources{1}));
end
end

function with_mex(sources, output, include, target)
% Not tested: there was no MATLAB to test it with.
words = {'-R2017b', '-silent', '-output', output, ['-I' include], sources{:}, ['-L' target], ...
    'CFLAGS=$CFLAGS -std=c99 -Wall -Wextra', 'LINKLIBS=$LINKLIBS -l:libgpumex.so.0.2 -ldl -Wl,-rpath,\$ORIGIN'};
header = fullfile(matlabroot, 'toolbox', 'parallel', 'gpu', 'extern', 'include');
if ~exist(fullfile(header, 'gpu', 'mxGPUArray.h'), 'file')
    mex(words{:});
    return
end
try
    mex('-DGPUMEX_MXGPU', ['-I' header], words{:}, '-lmwgpu');
catch problem
    warning('gpumex:build_gpumex:noGpuArray', 'build_gpumex: without gpuArrays: %s', problem.message);
    mex(words{:});
end
end
