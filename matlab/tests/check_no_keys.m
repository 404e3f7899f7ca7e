function check_no_keys(id, call, takes_char)
%CHECK_NO_KEYS  Check that CALL refuses with the error ID what is no full real array of numbers or logicals, or of characters.
others = {'abc', sparse(1), sparse(true), 1i, {1}, struct('a', 1), @sin};
for x = others(1 + (nargin > 2 && takes_char):end)
    check_refused(id, @() call(x{1}));
end
end
