function message = refused(id, action)
%REFUSED  Check that ACTION raises the error ID; returns its message.
try
    action();
catch problem
    assert(strcmp(problem.identifier, id), '%s, where %s was expected: %s', problem.identifier, id, problem.message);
    message = problem.message;
    return
end
error('no error, where %s was expected: %s', id, func2str(action));
end
