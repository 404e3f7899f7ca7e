function raise_problem(operation, problem)
%RAISE_PROBLEM  Raise a problem of the gateway in the name of the function that the user called.
check_built(operation);
if strncmp(problem.identifier, 'gpumex:', 7)
    id = problem.identifier;
elseif ~isempty(strfind(lower(problem.message), 'memory'))
    id = ['gpumex:' operation ':outOfMemory'];          % raised by MATLAB or Octave, for the result
else
    rethrow(problem);
end
prefixes = '^(gpumex_mex: )?(gpumex_\w+: )?';
error(id, 'gpumex.%s: %s', operation, regexprep(problem.message, prefixes, ''));
end
