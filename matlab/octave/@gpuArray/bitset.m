function C = bitset(A, n, value)
%BITSET  Set or clear bits of whole numbers, on gpuArrays.
%   bitset(A, N, VALUE) is A with bit N, from 1, set where VALUE (true) is not 0,
%   else cleared.

if nargin < 3
    value = true;
end
A = gpuArray(A);
type = underlyingType(A);
if any(A(:) < 0)
    error('bitset: A must be >= 0');
elseif isfloat(A)
    most = log2(flintmax(type));
elseif isinteger(A)
    most = ceil(log2(double(intmax(type))));
else
    error('bitset: invalid class %s', type);
end
if any(n(:) < 1) || any(n(:) > most)
    error('bitset: N must be in the range [1,%d]', most);
elseif any(n(:) ~= fix(n(:)))
    error('bitset: N must be whole numbers');
end
[differ, A, n, value] = common_size(A, n, value);
if differ
    error('bitset: A, N, and VAL must be the same size or scalar');
end
wide = type;
if strcmp(type, 'single')
    wide = 'double';                            % which has shifts
end
mask = bitshift(cast(1, wide), double(n) - 1);
set = bitor(cast(A, wide), mask);
C = cast(merge(logical(value), set, bitxor(set, mask)), type);
end
