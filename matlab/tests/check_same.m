function check_same(got, want)
%CHECK_SAME  Check that two arrays agree in class, size and elements; NaN equals NaN, and -0 equals 0.
assert(strcmp(class(got), class(want)), 'got %s, want %s', class(got), class(want));
assert(isequal(size(got), size(want)), 'got %s, want %s', mat2str(size(got)), mat2str(size(want)));
wrong = find(~(got(:) == want(:) | (got(:) ~= got(:) & want(:) ~= want(:))), 1);
if ~isempty(wrong)
    error('element %d of %s is %.17g, not %.17g', wrong, mat2str(size(want)), double(got(wrong)), double(want(wrong)));
end
end
