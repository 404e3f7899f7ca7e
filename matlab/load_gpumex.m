function load_gpumex(library)
%LOAD_GPUMEX  Load the C functions of gpumex for calllib, in MATLAB.
%   load_gpumex loads libgpumex.so with loadlibrary under the name gpumex: the
%   whole C interface without MEX files, and without the checks and conversions
%   of the gpumex functions. MATLAB reads the header with a C compiler (mex
%   -setup). Where that fails and the toolbox has the prototype file gpumex_proto,
%   it is loaded with that, for which MATLAB needs no compiler. GNU Octave has no
%   loadlibrary; use gpumex.life and its neighbours there.
%
%   load_gpumex(LIBRARY) takes the path of libgpumex.so. Without it the
%   environment variable GPUMEX_LIB has the path, and without that it is
%   lib/libgpumex.so.0.2 or ../target/release/libgpumex.so, as build_gpumex has it.
%
%   Each array argument comes back as an output, in order, after the status.
%   MATLAB's arrays are column by column: for matmul, which reads rows, swap
%   the factors, and for Life rows and columns.
%
%   Example:
%      load_gpumex
%      board = uint8(rand(500, 400) > 0.75);
%      [status, ~, next] = calllib('gpumex', 'life_shmem', board, ...
%          size(board, 2), size(board, 1), 100, zeros(size(board), 'uint8'));
%      if status ~= 0
%          error(calllib('gpumex', 'gpumex_last_error'));
%      end
%      libfunctionsview gpumex
%
%   See also loadlibrary, calllib, build_gpumex, gpumex.life.

if exist('OCTAVE_VERSION', 'builtin')
    error('gpumex:load_gpumex:noLoadlibrary', ...
        'load_gpumex: Octave has no loadlibrary; call gpumex.life and its neighbours (build_gpumex builds them)');
end
if nargin < 1
    library = '';
end
library = find_library(mfilename, library);
if libisloaded('gpumex')
    return
end
try
    loadlibrary(library, fullfile(fileparts(mfilename('fullpath')), 'gpumex_matlab.h'), 'alias', 'gpumex', ...
        'addheader', 'gpumex.h', 'includepath', find_header());
catch problem
    if ~exist('gpumex_proto', 'file')
        rethrow(problem);
    end
    loadlibrary(library, @gpumex_proto, 'alias', 'gpumex');
end
end
