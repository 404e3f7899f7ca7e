function check_same(got, want)
%CHECK_SAME  Check that two arrays agree in class, size and elements; NaN equals NaN, and -0 equals 0.
if ~strcmp(class(got), class(want)) || ndims(got) ~= ndims(want) || any(size(got) ~= size(want))
    error('got %s of %s, want %s of %s', class(got), mat2str(size(got)), class(want), mat2str(size(want)));
end
equal = got(:) == want(:);
if ~all(equal)
    wrong = find(~(equal | (got(:) ~= got(:) & want(:) ~= want(:))), 1);
    if ~isempty(wrong)
        error('element %d of %s is %.17g, not %.17g', wrong, mat2str(size(want)), double(got(wrong)), double(want(wrong)));
    end
end
end
