function refuses(name, call, message)
%REFUSES  Check that a call with a gpuArray is an error that names the function and gpuArrays, or has the message given.
try
    call(gpuArray(0));
catch problem
    if nargin > 2
        assert(strcmp(problem.message, message), problem.message);
    else
        assert(strncmp(problem.message, name, numel(name)) && ~isempty(strfind(problem.message, 'gpuArray')), problem.message);
    end
    return
end
error('%s: taken', name);
end
