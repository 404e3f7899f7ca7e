function raise_problem(operation, problem, method)
%RAISE_PROBLEM  Raise a problem of the gateway in the name of the function that the user called, where the user called it.
%   With METHOD it is the method of gpumex.array that called the gateway of another operation.
check_built(operation);
if strncmp(problem.identifier, 'gpumex:', 7)
    id = problem.identifier;
elseif ~isempty(strfind(lower(problem.message), 'memory'))
    id = ['gpumex:' operation ':outOfMemory'];          % raised by MATLAB or Octave, for the result
else
    rethrow(problem);
end
prefixes = '^(gpumex_mex: )?(gpumex_\w+: )?';
text = sprintf('gpumex.%s: %s', operation, regexprep(problem.message, prefixes, ''));
if nargin > 2
    id = regexprep(id, '^gpumex:\w+:', 'gpumex:array:');
    text = sprintf('gpumex.array, %s: %s', method, regexprep(problem.message, prefixes, ''));
end
throw_for_caller(id, text);
end
