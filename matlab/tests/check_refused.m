function message = check_refused(id, action)
%CHECK_REFUSED  Check that ACTION raises the error ID, in terms of MATLAB and not of C; returns its message.
try
    action();
catch problem
    assert(strcmp(problem.identifier, id), '%s, where %s was expected: %s', problem.identifier, id, problem.message);
    message = problem.message;
    in_c = regexp(message, 'options\.|GPUMEX_\w+_[A-Z]|\<NULL\>', 'match', 'once');
    assert(isempty(in_c), '%s is a term of C: %s', in_c, message);
    return
end
error('no error, where %s was expected: %s', id, func2str(action));
end
