function picture = gpuarray_sharpen(rows, columns)
%GPUARRAY_SHARPEN  White balance, contrast and sharpening of a colour picture.
%   PICTURE = gpuarray_sharpen(ROWS, COLUMNS) makes a dull uint8 picture with a
%   colour cast, and corrects it on gpuArrays: the mean of each colour becomes that
%   of the brightest one, the range of brightness becomes the whole one, and an
%   unsharp mask brings out edges. The result is checked against the same program
%   on ordinary arrays.
%
%   The white balance is that of "Process Images on a GPU / whitebalance" in
%   MathWorks' GPU Coder and Parallel Computing Toolbox examples (grey world:
%   bsxfun (@times, image, factors)); the unsharp mask is a textbook's.

if nargin < 1
    rows = 120;
end
if nargin < 2
    columns = 160;
end
[x, y] = meshgrid(linspace(-3, 3, columns), linspace(-2, 2, rows));
shapes = 0.5 + 0.25 * sin(5 * x) .* cos(4 * y) + 0.2 * (x.^2 + y.^2 < 1);
dull = uint8(255 * cat(3, 0.3 + 0.5 * shapes, 0.25 + 0.4 * shapes, 0.1 + 0.35 * shapes.^2));

picture = gather(correct(gpuArray(dull)));
expected = correct(dull);
assert(isa(picture, 'uint8') && isequal(size(picture), size(dull)));
assert(max(abs(double(picture(:)) - double(expected(:)))) <= 1);        % where .5 is rounded
assert(nnz(picture ~= expected) <= numel(picture) / 1000);
end

function picture = correct(picture)
shades = single(picture);
average = mean(mean(shades, 1), 2);
shades = bsxfun(@times, shades, max(average, [], 3) ./ average);
darkest = min(shades(:));
shades = 255 * (shades - darkest) / (max(shades(:)) - darkest);
bell = exp(-(-2:2).^2 / 2);
blur = single(bell' * bell / sum(bell)^2);
for channel = 1:size(shades, 3)
    plane = shades(:, :, channel);
    shades(:, :, channel) = plane + 0.8 * (plane - conv2(plane, blur, 'same'));
end
picture = uint8(shades);
end
