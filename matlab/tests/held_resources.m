function held = held_resources
%HELD_RESOURCES  [mapped libraries, threads, file descriptors, resident KiB] of this process; zeros where there is no /proc.
held = zeros(1, 4);
if exist('/proc/self/status', 'file')
    status = fileread('/proc/self/status');
    field = @(name) str2double(regexp(status, [name ':\s+(\d+)'], 'tokens', 'once'));
    libraries = unique(regexp(fileread('/proc/self/maps'), '/\S+\.(so|mex)\S*', 'match'));
    held = [numel(libraries) field('Threads') open_files() field('VmRSS')];
end
end

function count = open_files
% Octave's dir asks after each file, and the one that it reads the folder with is gone by then.
if exist('OCTAVE_VERSION', 'builtin')
    count = numel(readdir('/proc/self/fd'));
else
    count = numel(dir('/proc/self/fd'));
end
end
