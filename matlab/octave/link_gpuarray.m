function link_gpuarray (folder)
%LINK_GPUARRAY  Make the files by which Octave finds the functions of gpuArray.oct.
%   Octave looks for the function sum of a gpuArray in @gpuArray/sum.oct. All of
%   these files are links to gpuArray.oct; methods.txt beside this function has
%   their names. build_gpumex calls this function; call it again after the folder
%   was copied in a way that does not keep links.
%
%   link_gpuarray (FOLDER) does it where FOLDER has gpuArray.oct.
%
%   See also build_gpumex.

here = fileparts(mfilename('fullpath'));
if nargin < 1
    folder = here;
end
library = fullfile(folder, 'gpuArray.oct');
methods = fullfile(folder, '@gpuArray');
names = strsplit(strtrim(fileread(fullfile(here, 'methods.txt'))), "\n");
if ~exist(methods, 'dir')
    mkdir(methods);
end
remove_links(folder, 'gpuArray.oct');
remove_links(methods, '');
for k = 1:numel(names)
    file = fullfile(folder, [names{k} '.oct']);
    if ~strcmp(names{k}, 'gpuArray')
        place(library, file);
    end
end
rehash
end

function remove_links(folder, but)
% All of them: one of an older file would be that file once more beside the new one.
files = dir(fullfile(folder, '*.oct'));
for k = 1:numel(files)
    if ~strcmp(files(k).name, but)
        delete(fullfile(folder, files(k).name));
    end
end
end

function place(library, file)
if link(library, file) ~= 0
    [done, message] = copyfile(library, file);
    assert(done, 'link_gpuarray: %s', message);
end
end
