function build_gpumex_mpi(compiler)
%BUILD_GPUMEX_MPI  Build the libraries by which gpumex.comm reaches MPI.
%   build_gpumex_mpi builds a small library for each MPI whose compiler is on the
%   path, mpicc, mpicc.openmpi or mpicc.mpich: libgpumex_openmpi.so for Open MPI,
%   libgpumex_mpich.so for MPICH and those with its ABI, beside the MEX file. It
%   says which, or that there is no MPI. build_gpumex calls it.
%
%   build_gpumex_mpi(COMPILER) takes that mpicc.
%
%   Example:
%      build_gpumex_mpi
%
%   Errors: gpumex:build_gpumex_mpi:noLibrary, failed.
%
%   See also gpumex.comm, build_gpumex.

if nargin < 1
    compiler = '';
end
here = fileparts(mfilename('fullpath'));
[sources, include] = find_sources(here);
if isempty(sources)
    fprintf('build_gpumex_mpi: the sources of the libraries for MPI are not here\n');
    return
end
target = fileparts(gateway_here(here));
library = fullfile(target, 'libgpumex.so.0.2');
if exist(library, 'file') ~= 2
    error('gpumex:build_gpumex_mpi:noLibrary', 'build_gpumex_mpi: %s is not there; build_gpumex puts it there', library);
end
words = {'bash', fullfile(sources, 'build'), include, library, target};
if ~isempty(compiler)
    words{end + 1} = compiler;
end
quoted = cellfun(@(word) ['''' strrep(word, '''', '''\''''') ''''], words, 'UniformOutput', false);
[status, said] = system([strjoin(quoted, ' ') ' 2>&1']);
if status ~= 0
    error('gpumex:build_gpumex_mpi:failed', 'build_gpumex_mpi: %s', strtrim(said));
end
lines = strsplit(strtrim(said), sprintf('\n'));
fprintf('build_gpumex_mpi: %s\n', lines{:});
end

function [sources, include] = find_sources(here)
% Of a package in the folder mpi, with the headers; in a clone beside it.
sources = fullfile(here, 'mpi');
include = sources;
if ~exist(fullfile(sources, 'gpumex_mpi.c'), 'file')
    sources = fullfile(fileparts(here), 'packaging', 'mpi');
    include = fullfile(fileparts(here), 'include');
end
if ~exist(fullfile(sources, 'gpumex_mpi.c'), 'file')
    sources = '';
end
end

function gateway = gateway_here(here)
% A package of Octave has the MEX file in a folder of its own on the path.
gateway = fullfile(here, 'private', ['gpumex_mex.' mexext]);
if exist('gpumex_mex', 'file') == 3
    gateway = which('gpumex_mex');
end
end
