function raise_state(operation, problem)
%RAISE_STATE  Raise a problem of the gateway that the library has reported; what the gateway has refused itself is left to the caller.
states = {'invalidArgument', 'outOfMemory', 'noDevice', 'cuda', 'busy', 'cancelled', 'internal', 'peer', 'timeout'};
if any(strcmp(regexprep(problem.identifier, '^.*:', ''), states))
    raise_problem(operation, problem);
end
end
