function Y = erfcinv(X)
%ERFCINV  Inverse complementary error function, on gpuArrays.
%   Y = erfcinv(X) has erfc(Y) = X for X from 0 to 2, within 16 ulp, and is NaN outside.
%
%   Winitzki's approximation, of relative error 0.002, then four of Halley's steps.
%
%   Source: S. Winitzki, "A handy approximation for the error function and its inverse", 2008.

if ~isfloat(X) || iscomplex(X)
    error('gpumex:gpuArray:notServed', 'erfcinv: not served for gpuArrays that are not real and of class single or double');
end
type = underlyingType(X);
X = double(X);
q = min(X, 2 - X);                              % erfc (|Y|)
q(q <= 0 | q > 1) = NaN;
c = 0.147;
l = log(q .* (2 - q));
b = 2 / (pi * c) + l / 2;
Y = sqrt(max(sqrt(b .^ 2 - l / c) - b, 0));
for k = 1:4
    u = (erfc(Y) - q) ./ (-2 / sqrt(pi) * exp(-Y .^ 2));
    Y = Y - u ./ (1 + Y .* u);
end
Y = merge(X > 1, -Y, Y);
Y(X == 0) = Inf;
Y(X == 2) = -Inf;
Y = cast(Y, type);
end
