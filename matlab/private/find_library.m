function library = find_library(caller, library)
%FIND_LIBRARY  The path of libgpumex.so: the given one, else GPUMEX_LIB, else where cargo puts it.
if isempty(library)
    library = getenv('GPUMEX_LIB');
end
if isempty(library)
    root = fileparts(fileparts(fileparts(mfilename('fullpath'))));
    library = fullfile(root, 'target', 'release', 'libgpumex.so');
end
if exist(library, 'file') ~= 2
    error(['gpumex:' caller ':noLibrary'], ...
        '%s: %s is not there; build it with `cargo build --release`, or give its path', caller, library);
end
end
