function Z = idivide(X, Y, varargin)
%IDIVIDE  Integer division, on gpuArrays.
%   idivide(X, Y, OP): OP is 'fix' (the default), 'round', 'floor' or 'ceil'.
%   Octave's idivide, which compares class(X) and class(Y).

X = gpuArray(X);
Y = gpuArray(Y);
classes = {underlyingType(X), underlyingType(Y)};
if isinteger(X) && isinteger(Y) && ~strcmp(classes{:})
    error('idivide: integer type of X (%s) must match integer type of Y (%s)', classes{:});
end
Z = builtin('idivide', X, Y, varargin{:});
end
