function C = bitget(A, n)
%BITGET  Bits of whole numbers, on gpuArrays.
%   bitget(A, N) is true where bit N of A, from 1, is set.

A = gpuArray(A);
type = underlyingType(A);
if isfloat(A)
    most = log2(flintmax(type));
elseif isinteger(A)
    most = 8 * sizeof(cast(0, type));
else
    error('bitget: invalid class %s', type);
end
if any(n(:) < 1) || any(n(:) > most)
    error('bitget: N must be in the range [1,%d]', most);
elseif any(n(:) ~= fix(n(:)))
    error('bitget: N must be whole numbers');
end
if strcmp(type, 'single')
    [A, type] = deal(double(A), 'double');      % which has shifts
end
C = bitand(A, bitshift(cast(1, type), double(n) - 1)) ~= 0;
end
