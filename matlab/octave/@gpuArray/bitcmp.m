function C = bitcmp(A, k)
%BITCMP  Complement of the bits of whole numbers, on gpuArrays.
%   bitcmp(A, K) is the complement of the lowest K bits of A, by default of all that
%   its class has.

A = gpuArray(A);
type = underlyingType(A);
if isfloat(A)
    most = log2(flintmax(type));
    ones = flintmax(type) - 1;
elseif isinteger(A)
    most = 8 * sizeof(cast(0, type));
    ones = bitpack(true(most, 1), type);
else
    error('bitcmp: invalid class %s', type);
end
if nargin > 1 && (~isscalar(k) || k ~= fix(k))
    error('bitcmp: K must be a scalar integer');
elseif nargin > 1 && (k < 1 || k > most)
    error('bitcmp: K must be in the range [1,%d]', most);
elseif nargin < 2 || k == most
    C = bitxor(A, ones);
else
    mask = bitshift(ones, double(k) - most);
    C = bitxor(bitand(A, mask), mask);
end
end
