function check_no_keys(id, call)
%CHECK_NO_KEYS  Check that CALL refuses with the error ID what is no full real array of numbers, logicals or characters.
for x = {sparse(1), sparse(true), 1i, {1}, struct('a', 1), @sin}
    check_refused(id, @() call(x{1}));
end
end
