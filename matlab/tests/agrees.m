function agrees(name, inputs, on_device)
%AGREES  Check that a function gives the same for arrays of the host and with those at some positions on the device.
device = inputs;
for k = on_device
    device{k} = gpuArray(device{k});
end
expected = feval(name, inputs{:});
got = feval(name, device{:});
what = cellfun(@(x) [class(x) ' ' mat2str(size(x))], inputs, 'UniformOutput', false);
text = sprintf('%s of %s', name, strjoin(what, ', '));
if ~isempty(on_device) && numel(expected) ~= 1
    assert(isgpuarray(got), '%s is an array of the host', text);
end
got = gather(got);
expected = full(expected);
assert(isequal(size(got), size(expected)), '%s is %s, not %s', text, mat2str(size(got)), mat2str(size(expected)));
assert(strcmp(class(got), class(expected)), '%s is %s, not %s', text, class(got), class(expected));
a = double(got(:));
b = double(expected(:));
accuracy = 1e-12;
if isa(expected, 'single')
    accuracy = 1e-5;
end
largest = max([1; abs(b(isfinite(b)))]);
near = abs(a - b) <= accuracy * largest | a == b | (isnan(a) & isnan(b));
assert(all(near), '%s is %s, not %s', text, mat2str(got(:)', 5), mat2str(expected(:)', 5));
end
