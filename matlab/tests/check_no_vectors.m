function check_no_vectors(id, call)
%CHECK_NO_VECTORS  Check that CALL refuses with the error ID what is no full real array of a class that the primitives know.
for x = {'abc', true, int8(1), uint16(1), sparse(1), 1i, {1}, struct('a', 1), @sin}
    refused(id, @() call(x{1}));
end
end
