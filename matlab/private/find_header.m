function folder = find_header
%FIND_HEADER  The folder of gpumex.h: in the toolbox itself, else beside it.
here = fileparts(fileparts(mfilename('fullpath')));
folder = fullfile(here, 'include');
if ~exist(folder, 'dir')
    folder = fullfile(fileparts(here), 'include');
end
end
