function library = find_library(caller, library)
%FIND_LIBRARY  The path of libgpumex.so: the given one, else GPUMEX_LIB, else the toolbox's own, else where cargo puts it.
if isempty(library)
    library = getenv('GPUMEX_LIB');
end
if isempty(library)
    here = fileparts(fileparts(mfilename('fullpath')));
    library = fullfile(here, 'lib', 'libgpumex.so.0.2');
    if ~exist(library, 'file')
        library = fullfile(fileparts(here), 'target', 'release', 'libgpumex.so');
    end
end
if exist(library, 'file') ~= 2
    error(['gpumex:' caller ':noLibrary'], ...
        '%s: %s is not there; build it with `cargo build --release`, or give its path', caller, library);
end
end
