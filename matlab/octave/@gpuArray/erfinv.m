function Y = erfinv(X)
%ERFINV  Inverse error function, on gpuArrays.
%   Y = erfinv(X) has erf(Y) = X for X from -1 to 1, within 16 ulp, and is NaN outside.
%   Beyond one half it is erfcinv(1 - X); below, Winitzki's approximation and three
%   of Halley's steps.

if ~isfloat(X) || iscomplex(X)
    error('gpumex:gpuArray:notServed', 'erfinv: not served for gpuArrays that are not real and of class single or double');
end
type = underlyingType(X);
X = double(X);
far = erfcinv(1 - abs(X));
x = min(abs(X), 0.5);
c = 0.147;
l = log((1 - x) .* (1 + x));
b = 2 / (pi * c) + l / 2;
near = sqrt(max(sqrt(b .^ 2 - l / c) - b, 0));
for k = 1:3
    u = (erf(near) - x) ./ (2 / sqrt(pi) * exp(-near .^ 2));
    near = near - u ./ (1 + near .* u);
end
Y = cast(merge(abs(X) <= 0.5, near, far) .* sign(X), type);
end
