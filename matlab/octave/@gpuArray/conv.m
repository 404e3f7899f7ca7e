function Y = conv(A, B, shape)
%CONV  Convolution of two vectors, on gpuArrays.
%   conv(A, B, SHAPE): SHAPE is 'full' (the default), 'same' or 'valid'.

if nargin < 2
    error('Invalid call to conv');
end
if nargin < 3
    shape = 'full';
end
if ~isvector(A) || ~isvector(B)
    error('conv: both arguments A and B must be vectors');
end
if ~any(strcmp(shape, {'full', 'same', 'valid'}))
    error('conv: SHAPE argument must be "full", "same", or "valid"');
end
Y = conv2(reshape(A, [], 1), reshape(B, [], 1), shape);
longer = A;
if strcmp(shape, 'full') && numel(B) > numel(A)
    longer = B;
end
if size(longer, 1) == 1 && numel(longer) > 1
    Y = reshape(Y, 1, []);
end
end
