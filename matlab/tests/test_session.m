function tests = test_session
%TEST_SESSION  The functions work on after `clear`, which drops MATLAB's hold on the MEX files.
%   The helpers are files of their own: `clear all` takes local functions away from under their callers in Octave.
tests = localfunctions();
end

function test_clear_all_between_calls(backend)
for round = 1:3
    check_operations(backend);
    forget_everything();
end
check_operations(backend);
end

function test_clear_mex_between_calls(backend)
for round = 1:3
    check_operations(backend);
    clear mex
end
check_operations(backend);
end
