function check_no_vectors(id, call)
%CHECK_NO_VECTORS  Check that CALL refuses with the error ID what is no full real array of a class that the primitives compute with.
check_no_keys(id, call);
for x = {true, int8(1), uint16(1)}
    check_refused(id, @() call(x{1}));
end
end
